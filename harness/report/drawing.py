"""Tables drawn side by side: a figure takes a second or two, nearly all of it matplotlib's own."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from harness.report.defaults import FIGURES, RESULTS
from harness.report.processes import processes
from harness.report.settings import View
from harness.report.stored import FORMATS, Stored, fallen, figure_paths
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.object_store import Location
from harness.sweep.files.ownership import refuse_foreign
from harness.sweep.files.reading import MOST_FIGURE, read_regular
from harness.sweep.plugins.data_files import no_matter
from harness.sweep.plugins.faults import blaming
from harness.sweep.stopping import children_unaware
from harness.sweep.table.table import Table

FEW = 4  # drawn here, before other processes would have loaded matplotlib


@dataclass(frozen=True)
class Drawing:
    """A figure to be drawn: a table, its view, and the path without the suffix of a format.

    All is as it was read; whatever happens to the files meanwhile, what is drawn is what was run or judged.
    """

    view: View
    table: Table
    stem: Location
    formats: Sequence[str] = FORMATS
    width: str | None = None


def is_drawn(stored: Stored) -> bool:
    """Whether the figure beside a stored table is no older than the table: a run may have been killed between the two."""
    paths, since = figure_paths(stored.path.with_name(stored.sweep.name)), stored.path.stat().st_mtime_ns
    return all(path.exists() and path.stat().st_mtime_ns >= since for path in paths)


def drawn_before(stored: Stored, described: str) -> Location | None:
    """The path of a whole table's figure as SVG, if it was drawn before and is up to date, else None. described: the caption.

    A committed figure, or one beside a fresh table.
    None where there is none, or where its caption file is not what it would be now: then it is of another instance or question,
    or drawn otherwise.
    """
    from harness.report.figures.caption import caption_of  # matplotlib takes a second to load

    committed = stored.path.parent == RESULTS
    if stored.far or not (committed or is_drawn(stored)):
        return None
    picture, caption = figure_paths((FIGURES if committed else stored.path.parent) / stored.sweep.name, ("svg", "tex"))
    if not (picture.exists() and caption.exists()):
        return None
    same = read_regular(caption, MOST_FIGURE, "caption") == caption_of(described, stored.view).encode()
    return picture if same else None


def show_drawn(console: Console, stored: Sequence[Stored], out: Location, width: str | None = None) -> None:
    """Draws the figures of stored tables into the folder `out`, and prints their paths. width: of all, see `rendered`.

    Raises InputError where another's file has the name of one, before any is drawn.
    """
    for path in [path for each in stored for path in figure_paths(out / each.sweep.name)]:
        refuse_foreign(path)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError("is no folder, or in none; allowed: a folder, or one that is not there yet", out) from None
    drawings = [Drawing(each.view, each.table, out / each.sweep.name, width=width) for each in stored]
    for table, paths in zip(stored, drawn(drawings), strict=True):
        show_figure(console, paths)
        for line in fallen([table]):
            console.print(f"  title   {line}", style="yellow")


def show_figure(console: Console, paths: Sequence[Location]) -> None:
    """Prints where a figure's files are."""
    console.print(f"  figure  {', '.join(map(str, paths))}")


def drawn(drawings: Sequence[Drawing]) -> Iterator[list[Location]]:
    """Writes the figures of all drawings, many of them in a process a core; gives the paths of each.

    A file is whole, or what was there is untouched. Raises CannotRunError when one cannot be drawn or written, InputError where
    another's file is in its place.
    """
    for drawing, made in zip(drawings, in_memory(drawings), strict=True):
        paths = [drawing.stem.with_name(f"{drawing.stem.name}.{suffix}") for suffix in made]
        for path, content in zip(paths, made.values(), strict=True):
            with replaced(path) as file:
                file.write(content)
        yield paths


def in_memory(drawings: Sequence[Drawing]) -> Iterator[dict[str, bytes]]:
    """Renders all drawings: the bytes of each by format, nothing on disk. Raises CannotRunError when one cannot be drawn."""
    if len(drawings) <= FEW:
        yield from map(_rendered, drawings)
        return
    workers = min(os.cpu_count() or 1, len(drawings) // FEW + 1)
    with processes(workers, "drew figures") as pool:
        with children_unaware():
            pages = [pool.submit(_rendered, drawing) for drawing in drawings]
        for page in pages:
            yield page.result()


def _rendered(drawing: Drawing) -> dict[str, bytes]:
    from harness.report.figures import rendered, shown  # matplotlib and seaborn take a second to load

    try:
        with no_matter(), blaming(drawing.view.figure.plot):
            options = (drawing.formats,) if drawing.width is None else (drawing.formats, drawing.width)
            return rendered(*shown(drawing.table, drawing.view), *options)
    except InputError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"
        raise CannotRunError(f"the figure of {drawing.stem.name} cannot be drawn from its table: {what}") from error
