"""The page's figures, each once and small: SVG with its numbers inside. Found or drawn beside the verdicts."""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from gzip import compress
from pathlib import Path

from harness.report.drawing import Drawing, drawn_before, in_memory
from harness.report.stored import Stored
from harness.sweep.object_store import Location

SIZE = re.compile(rb'width="(\d+)" height="(\d+)"')


@dataclass(frozen=True)
class Figure:
    """An SVG. width, height: pixels. data: compressed with gzip, in base64.

    label: its message and question; caption: all that its caption says. pdf: the file of the paper's figure, if it is there.
    """

    name: str
    label: str
    caption: str
    width: int
    height: int
    data: str
    pdf: Location | None


class Figures:
    """Those that are there are read, the others drawn when asked for."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        from harness.report.figures import described  # matplotlib takes a second to load

        self._stored = stored
        self._said = {each.sweep.name: described(each.table.cells, each.view) for each in stored}
        there = {each.sweep.name: drawn_before(each, self._said[each.sweep.name]) for each in stored}
        self._there = {name: path for name, path in there.items() if path is not None}

    def __iter__(self) -> Iterator[Figure]:
        """One of each experiment, in order. Raises CannotRunError where one cannot be drawn, OSError where it is no figure."""
        wanting = [each for each in self._stored if each.sweep.name not in self._there]
        drawings = [Drawing(each.view, each.table, Path(each.sweep.name), ["svg"]) for each in wanting]
        made = {each.sweep.name: made["svg"] for each, made in zip(wanting, in_memory(drawings), strict=True)}
        for each in self._stored:
            name, spec = each.sweep.name, each.sweep.spec
            path = self._there.get(name)
            content = path.read_bytes() if path else made[name]
            pdf = path.with_suffix(".pdf") if path else None
            width, height = _size(content)
            data = b64encode(compress(content, 9, mtime=0)).decode()
            label = f"{spec.title}. {spec.question}"
            yield Figure(name, label, self._said[name], width, height, data, pdf if pdf and pdf.exists() else None)


def _size(content: bytes) -> tuple[int, int]:
    """Pixels, as the file's first element says."""
    found = SIZE.search(content)
    if found is None:
        raise OSError("a figure says nothing of its size")
    return int(found[1]), int(found[2])
