"""The page's figures, each once and small: SVG with its numbers inside. Found or drawn beside the verdicts."""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from gzip import compress
from pathlib import Path

from harness.report.drawing import Drawing, drawn_before, in_memory
from harness.report.stored import Stored
from harness.sweep.files.object_store import Location
from harness.sweep.files.reading import MOST_FIGURE, read_regular

SIZE = re.compile(rb'width="(\d+)" height="(\d+)"')


@dataclass(frozen=True)
class Figure:
    """A figure of the report, as SVG. width, height: pixels. data: compressed with gzip, in base64.

    message: what was found in its table, or its topic; caption: all that its caption says. pdf: the file of the paper's figure,
    if it is there.
    """

    name: str
    message: str
    caption: str
    width: int
    height: int
    data: str
    pdf: Location | None


class Figures:
    """The report's figures: those that are there are read, the others drawn when needed."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        from harness.report.figures.caption import Caption  # matplotlib takes a second to load

        self._stored = stored
        self._captions, self._there = {}, {}
        for table in stored:
            caption = Caption.of(table.table.cells, table.view, table.message).text()
            self._captions[table.sweep.name] = caption
            self._there[table.sweep.name] = drawn_before(table, caption)

    def __iter__(self) -> Iterator[Figure]:
        """One of each experiment, in order. Raises CannotRunError where one cannot be drawn, OSError where it is no figure."""
        wanting = [each for each in self._stored if self._there[each.sweep.name] is None]
        drawings = [Drawing(each.view, each.table, Path(each.sweep.name), ["svg"]) for each in wanting]
        made = {each.sweep.name: made["svg"] for each, made in zip(wanting, in_memory(drawings), strict=True)}
        for table in self._stored:
            name = table.sweep.name
            path = self._there[name]
            content = read_regular(path, MOST_FIGURE, "figure") if path else made[name]
            pdf = path.with_suffix(".pdf") if path else None
            width, height = _size(content)
            data = b64encode(compress(content, 9, mtime=0)).decode()
            pdf = pdf if pdf and pdf.exists() else None
            yield Figure(name, table.message, self._captions[name], width, height, data, pdf)


def _size(content: bytes) -> tuple[int, int]:
    """Pixels, as the file's first element says."""
    size = SIZE.search(content)
    if size is None:
        raise OSError("a figure says nothing of its size")
    return int(size[1]), int(size[2])
