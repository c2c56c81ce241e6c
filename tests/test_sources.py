"""What is kept of a text is taken for that text alone."""

import compileall
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest

from harness import sources
from harness.sources import Source, _TextLoader, kept, serve


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Each time another number."""
    monkeypatch.setattr(sources, "_home", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return count()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_is_kept_is_made_once(tmp_path: Path, made: Iterator[int]) -> None:
    text = Source(b"a = 1", str(tmp_path / "a.py"))
    assert [kept(text, "number", made.__next__) for _ in range(3)] == [0, 0, 0]
    assert kept(text, "other", made.__next__) == 1 and kept(text, "number", made.__next__) == 0
    assert len(files(tmp_path)) == 2 and all(path.parent.name == "__pycache__" for path in files(tmp_path))


def test_of_another_text_or_by_something_else_it_is_made_anew(tmp_path: Path, made: Iterator[int]) -> None:
    text = Source(b"a = 1", str(tmp_path / "a.py"))
    assert kept(text, "number", made.__next__) == 0
    assert kept(text._replace(text=b"a = 2"), "number", made.__next__) == 1
    assert kept(text, "number", made.__next__) == 2
    assert kept(text, "number", made.__next__, by="new") == 3


@pytest.mark.parametrize("harm", [lambda data: b"", lambda data: data[:-1], lambda data: b'{"of": 1}'])
def test_what_is_damaged_is_made_anew(tmp_path: Path, made: Iterator[int], harm: object) -> None:
    text = Source(b"a = 1", str(tmp_path / "a.py"))
    kept(text, "name", lambda: "a long name of a thing")
    (file,) = files(tmp_path)
    file.write_bytes(harm(file.read_bytes()))  # type: ignore[operator]
    assert kept(text, "name", made.__next__) == 0


def test_nothing_is_kept_of_what_came_from_elsewhere_or_where_nothing_may_be_written(
    tmp_path: Path, made: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker has its texts from its driver, and a user's folder is not ours to write to."""
    (tmp_path / "in").mkdir()
    text = Source(b"a = 1", str(tmp_path / "in/a.py"))
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    assert [kept(text, "number", made.__next__) for _ in range(2)] == [0, 1]
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr(sources, "_home", tmp_path / "other")
    assert [kept(text, "number", made.__next__) for _ in range(2)] == [2, 3]
    monkeypatch.setattr(sources, "_home", None)
    assert [kept(text, "number", made.__next__) for _ in range(2)] == [4, 5]
    assert files(tmp_path) == []


def test_a_module_is_made_of_the_text_that_is_served_whatever_was_kept(
    tmp_path: Path, made: Iterator[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a text comes back, where the file on disk is another, and where Python kept code by the file's time."""
    path = tmp_path / "kept_once.py"
    path.write_text("a = 9")
    compileall.compile_file(path, quiet=2)
    for text in (b"a = 1", b"a = 2", b"a = 2", b"a = 1"):
        serve({"kept_once": Source(text, str(path))})
        sys.modules.pop("kept_once", None)
        assert import_module("kept_once").a == int(text[-1:])
    monkeypatch.setattr(_TextLoader, "source_to_code", None)
    sys.modules.pop("kept_once")
    assert import_module("kept_once").a == 1
    sources.withdraw(["kept_once"])
    del sys.modules["kept_once"]
