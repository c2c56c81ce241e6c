"""Environment variables that plugins ask for: at loading they are part of what rows were made with, later they are refused."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.run import work
from tests.support.one_plugin import SPEC, forgotten, written

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

pytestmark = pytest.mark.usefixtures("quick_figures")
WAYS = {
    "an item": "os.environ['MY_RATE']",
    "get": "os.environ.get('MY_RATE', '3')",
    "getenv": "os.getenv('MY_RATE')",
    "whether": "'MY_RATE' in os.environ",
    "as bytes": "os.environb[b'MY_RATE']",
    "expanded": "os.path.expandvars('$MY_RATE')",
    "all": "dict(os.environ)",
    "behind it": "os.environ._data[b'MY_RATE']",
    "the system's": "__import__('sys').modules['posix'].environ[b'MY_RATE']",
    "as text": "repr(os.environ)",
    "a default that is set": "os.environ.setdefault('MY_RATE', '3')",
}
ALL = ("dict(", "repr(", "_data")
HARMLESS = {
    "set alone": "os.environ['MY_RATE'] = '3'",
    "of a library": "tempfile.gettempdir()",
    "of the shell": "Path.home()",
}
RUN = ("--plugin", "mine.py", "run", "--serial")


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MY_RATE", "1")
    forgotten()
    yield
    forgotten()


@pytest.mark.at_once("a default that is set")
@pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
def test_what_is_asked_for_when_it_is_loaded_is_part_of_what_rows_were_made_with(
    project: "Project", harness: "Harness", ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(load=ask)
    spec = project.spec(**SPEC)
    assert harness(*RUN, spec).code == 0
    asked = project.table().provenance["makes"]["environment"]
    assert len(asked["MY_RATE"]) == 16 and (any(way in ask for way in ALL) or list(asked) == ["MY_RATE"])
    stamp = work.stamp()
    forgotten()
    monkeypatch.setenv("MY_RATE", "2")
    again = harness(*RUN, spec)
    assert again.code == 2 and "small.parquet: was made with environment {" in again.err and "'MY_RATE': '" in again.err, again
    assert work.stamp() != stamp  # so that no worker runs with other variables than its driver
    forgotten()
    monkeypatch.setenv("MY_RATE", "1")
    assert "nothing to do" in harness(*RUN, spec).out


@pytest.mark.law
def test_one_that_is_not_set_is_told_as_that(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    written(load="RATE = os.getenv('MY_RATE', '1')")
    monkeypatch.delenv("MY_RATE")
    assert harness(*RUN, project.spec(**SPEC)).code == 0
    assert project.table().provenance["makes"]["environment"] == {"MY_RATE": "not set"}


def test_a_worker_that_has_it_from_its_driver_has_the_same_stamp(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    written(load="if 'MY_RATE' not in os.environ:\n    os.environ['MY_RATE'] = '5'")
    monkeypatch.delenv("MY_RATE")
    plugins.load("mine.py")
    stamp, brought = work.stamp(), plugins.loaded()
    assert os.environ["MY_RATE"] == "5"
    forgotten()
    plugins.restore(brought)
    assert work.stamp() == stamp


@pytest.mark.at_once("getenv-answer", "getenv-plan", "the system's-answer")
@pytest.mark.parametrize("place", ["plan", "answer"])
@pytest.mark.parametrize("ask", WAYS.values(), ids=WAYS)
def test_what_is_asked_for_later_is_refused_with_what_to_do(
    project: "Project", harness: "Harness", ask: str, place: str
) -> None:
    written(**{place: ask})
    said = harness(*RUN, project.spec(**SPEC))
    line = next(at for at, text in enumerate(Path("mine.py").read_text().splitlines(), 1) if text == f"        {ask}")
    told = f"error: {project.root}/mine.py:{line} reads the environment variable "
    assert said.code == 2 and said.err.startswith(told), said
    assert "allowed: to read it when it is loaded, at the top of the plugin's file" in said.err
    assert not [path for path in project.files() if path.endswith(".parquet")]


@pytest.mark.law
@pytest.mark.parametrize("what", HARMLESS.values(), ids=HARMLESS)
def test_what_others_ask_for_is_theirs(project: "Project", harness: "Harness", what: str) -> None:
    written(load=what, plan=what, answer=what)
    said = harness(*RUN, project.spec(**SPEC))
    assert said.code == 0, said.err
    assert "environment" not in project.table().provenance["makes"]
