"""The page's figures, each once and small. Made beside the verdicts."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from harness.report.drawing import Drawing, drawn_before, in_memory
from harness.report.pictures import for_a_screen
from harness.report.stored import Stored
from harness.sweep.object_store import Location


@dataclass(frozen=True)
class Figure:
    """A WebP. width, height: pixels. data: base64.

    label: its message and question; caption: all that its caption says.
    """

    name: str
    label: str
    caption: str
    width: int
    height: int
    data: str


def _readable(picture: Location) -> Path | BytesIO:
    """What a program that knows of files can read."""
    return picture if isinstance(picture, Path) else BytesIO(picture.read_bytes())


class Figures:
    """Begun at once, and made while its caller does something else. Those that are not there are drawn when asked for.

    helper: makes them small.
    """

    def __init__(self, stored: Sequence[Stored], helper: Executor) -> None:
        from harness.report.figures import described  # matplotlib takes a second to load

        self._stored = stored
        self._said = {each.sweep.name: described(each.table.cells, each.view) for each in stored}
        there = {each.sweep.name: drawn_before(each, self._said[each.sweep.name]) for each in stored}
        self._small = {name: helper.submit(for_a_screen, _readable(path)) for name, path in there.items() if path is not None}

    def __iter__(self) -> Iterator[Figure]:
        """One of each experiment, in order. Raises CannotRunError where one cannot be drawn, OSError where it is no picture."""
        wanting = [each for each in self._stored if each.sweep.name not in self._small]
        drawings = [Drawing(each.view, each.table, Path(each.sweep.name), ["png"]) for each in wanting]
        made = (for_a_screen(BytesIO(picture["png"])) for picture in in_memory(drawings))
        small = {each.sweep.name: picture for each, picture in zip(wanting, made, strict=True)}
        for each in self._stored:
            name, spec = each.sweep.name, each.sweep.spec
            width, height, content = self._small[name].result() if name in self._small else small[name]
            label = f"{spec.title}. {spec.question}"
            yield Figure(name, label, self._said[name], width, height, b64encode(content).decode())
