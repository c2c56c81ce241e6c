"""A test comes out the same whatever else is run beside it."""

import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import Project

ROOT = Path(__file__).parents[1]
ALONE = (
    "tests/theory",
    "tests/claims/btt18",
    "tests/mechanisms/release",
    "tests/sweep/test_names.py",
    "tests/report/test_rows.py",
)
"""Folders and files of the first tier that are run by themselves: with properties, and with what others register."""


def examples() -> list[str]:
    """What hypothesis tries."""
    found = []

    @settings(max_examples=100)
    @given(st.tuples(st.integers(), st.floats(), st.text()))
    def tried(drawn: tuple[int, float, str]) -> None:
        found.append(repr(drawn))

    tried()
    return found


def test_examples_are_the_same_whatever_modules_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hypothesis by itself takes constants of those modules of a project that are loaded by then."""
    before = examples()
    (tmp_path / "guest.py").write_text(f"GIVEN = {list(range(10**6, 10**6 + 500))}")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("guest")
    try:
        assert len(before) == 100 and examples() == before
    finally:
        del sys.modules["guest"]


@pytest.mark.process
@pytest.mark.parametrize("place", ALONE)
def test_what_is_green_with_all_others_is_green_alone(place: str) -> None:
    said = Project(ROOT).process("pytest", place, program=("-m",))
    assert said.code == 0, said.out


FAILING = """
import pytest


@pytest.fixture
def before():
    raise RuntimeError("before")


@pytest.fixture
def after():
    yield
    raise RuntimeError("after")


def test_before(before):
    pass


def test_after(after):
    pass
"""


@pytest.mark.process
def test_a_worker_reports_what_fails_before_and_after_a_test(tmp_path: Path) -> None:
    (tmp_path / "test_failing.py").write_text(FAILING)
    options = ("-p", "tests.conftest", "-n", "1", "--dist", "loadfile", "--rootdir", tmp_path)
    said = Project(ROOT).process("pytest", tmp_path / "test_failing.py", *options, program=("-m",))
    assert said.code == 1 and "1 passed, 2 errors" in said.out, said.out
