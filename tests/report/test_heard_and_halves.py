"""Streams that break, and work that is done beside this process: tables read by two, and figures drawn by many."""

import errno
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.report import drawing, halves
from harness.report.drawing import in_memory
from harness.report.heard import Heard, heard


class Broken(FileIO):
    """A file that takes nothing."""

    error = errno.ENOSPC

    def write(self, content: Any) -> int:
        raise OSError(self.error, "no")


@pytest.mark.parametrize(("error", "lost"), [(errno.ENOSPC, True), (errno.EPIPE, False), (errno.EIO, False)])
def test_what_a_stream_does_not_take_is_dropped_and_told_unless_its_reader_is_gone(
    error: int, lost: bool, tmp_path: Path
) -> None:
    with Broken(tmp_path / "out", "w") as file:
        file.error = error
        kept = Heard(file, TextIOWrapper(BufferedWriter(file)))
        assert kept.write(b"four") == 4 and (kept.lost is not None) == lost and kept.writable()
        assert kept.fileno() == file.fileno() and not kept.isatty()
    with FileIO(tmp_path / "out", "w") as whole:
        kept = Heard(whole, TextIOWrapper(BufferedWriter(whole)))
        assert kept.write(b"four") == 4 and kept.lost is None and (tmp_path / "out").read_bytes() == b"four"


@pytest.mark.parametrize(
    ("name", "buffered", "at_once"), [("stdout", False, False), ("stdout", True, True), ("stderr", False, True)]
)
def test_a_stream_is_written_line_by_line_where_it_was_and_has_no_character_that_it_cannot(
    name: Any, buffered: bool, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(tmp_path / "out", "wb") as file:
        monkeypatch.setattr(sys, name, TextIOWrapper(file, "ascii", line_buffering=buffered))
        kept = heard(name)
        assert kept is not None
        print("ε", file=getattr(sys, name))
        assert (tmp_path / "out").read_bytes() == (b"\\u03b5\n" if at_once else b"")
        getattr(sys, name).flush()
        assert (tmp_path / "out").read_bytes() == b"\\u03b5\n"
    monkeypatch.setattr(sys, name, None)
    assert heard(name) is None


class AtOnce:
    """A process beside, which does all at once, in this one; of what is listed nothing has begun."""

    def __init__(self, waiting: tuple[Path, ...] = ()) -> None:
        self.waiting, self.asked = waiting, list[str]()

    def submit(self, work: Callable[..., Any], *of: Any) -> Future[Any]:
        self.asked.append(work.__name__)
        future = Future[Any]()
        if not of or of[0] not in self.waiting:
            future.set_result(work(*of))
        return future


@contextmanager
def unaware() -> Iterator[None]:
    yield


def test_tables_are_read_by_two_and_are_in_order_whoever_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [Path(f"{name}.yaml") for name in "abcd"]
    here = list[str]()

    def read(path: Path, out: Path) -> Any:
        return None if path.stem == "b" else SimpleNamespace(stored=lambda sweep: f"{sweep} by the other")

    def in_this_one(sweep: str, out: Path) -> str | None:
        here.append(sweep)
        return f"{sweep} here" if sweep != "d" else None

    monkeypatch.setattr(halves, "spec_files", lambda: paths)
    monkeypatch.setattr(halves, "children_unaware", unaware)
    monkeypatch.setattr(halves, "Sweep", lambda path, tried=False: path.stem)
    monkeypatch.setattr(halves, "_read", read)
    monkeypatch.setattr(halves, "_here", in_this_one)
    monkeypatch.setattr(halves, "by_theory", lambda names: {"of": list(names)})
    monkeypatch.setattr(halves, "over_ranges", lambda: "the ranges")
    beside: Any = AtOnce(waiting=(paths[2], paths[3]))
    found: Any = halves.halves(Path("results"), ["MINE:T1"], beside)
    assert found.stored == ["a by the other", "c here"] and here == ["d", "c"]
    assert found.verdicts({"x"}) == {"of": ["MINE:T1"]} and found.constants() == "the ranges"
    assert beside.asked == ["read", "read", "read", "read", "_verdicts", "<lambda>"]
    monkeypatch.setattr(halves, "measured_experiments", lambda out: ["s"])
    monkeypatch.setattr(halves, "gather", lambda sweeps, out: [f"{each} in {out}" for each in sweeps])
    alone: Any = halves.halves(Path("results"), [], None)
    assert alone.stored == ["s in results"]


def test_many_figures_are_drawn_in_processes_one_for_some_and_few_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, str]]()

    @contextmanager
    def processes(count: int, work: str) -> Iterator[AtOnce]:
        asked.append((count, work))
        yield AtOnce()

    monkeypatch.setattr(drawing, "processes", processes)
    monkeypatch.setattr(drawing, "children_unaware", unaware)
    monkeypatch.setattr(drawing, "_rendered", lambda one: {"of": one})
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    few: Any = range(drawing.FEW)
    assert list(in_memory(few)) == [{"of": one} for one in few] and asked == []
    for count in (drawing.FEW + 1, 9 * drawing.FEW):
        many: Any = range(count)
        assert list(in_memory(many)) == [{"of": one} for one in many]
    assert asked == [(2, "drew figures"), (3, "drew figures")]
