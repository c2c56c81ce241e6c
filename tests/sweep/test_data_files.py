"""The data of plugins: what is read when they are loaded is part of what rows were made with, what is read later is refused."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.plugins.data_files import digests
from harness.sweep.run import work
from tests.support.one_plugin import SPEC, forgotten, written

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

pytestmark = pytest.mark.usefixtures("quick_figures")
READS = {
    "open": "with open(DATA) as file: file.read()",
    "pathlib": "DATA.read_bytes()",
    "a relative path": "with open('data/points.csv') as file: file.read()",
    "numpy": "np.loadtxt(DATA)",
    "numpy from a file": "np.fromfile(DATA, dtype='u1')",
    "pandas": "pd.read_csv(DATA)",
    "an update": "with open(DATA, 'r+') as file: file.read()",
    "a database": "sqlite3.connect(DATA.with_suffix('.db')).close()",
    "a database's address": "sqlite3.connect('file:data/points.db?mode=ro', uri=True).close()",
    "a module by its path": "SourceFileLoader('own', str(DATA)).get_code('own')",
    "compiled code": "with suppress(OSError): ctypes.CDLL(str(DATA))",
}
QUICK = ("open", "pandas")
WAYS = [pytest.param(way, id=name, marks=[] if name in QUICK else [pytest.mark.law]) for name, way in READS.items()]
HARMLESS = {
    "none": "...",
    "of the system": "Path('/proc/self/status').read_text()",
    "of a library": "Path(np.__file__).read_text()",
    "its own": "Path(__file__).read_text()",
    "what it wrote": "open('scratch', 'a').close(); Path('scratch').read_text()",
    "of a moment": "with tempfile.TemporaryFile() as file: file.read()",
    "what is not there": "DATA.with_name('none').exists()",
}
QUICK_TOO = ("of a library", "what it wrote")
NEITHER = [pytest.param(what, id=name, marks=[] if name in QUICK_TOO else [pytest.mark.law]) for name, what in HARMLESS.items()]


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    forgotten()  # of plugins of other tests, which may have the same name
    yield
    forgotten()


def with_data(load: str = "", plan: str = "...", answer: str = "...") -> None:
    """The plugin with its data."""
    written(load, plan, answer)
    Path("data").mkdir(exist_ok=True)
    Path("data/points.csv").write_text("1\n2\n", encoding="utf-8")
    with closing(sqlite3.connect("data/points.db")) as database, database:
        database.execute("create table if not exists points (x)")


@pytest.mark.parametrize("read", WAYS)
def test_what_is_read_when_it_is_loaded_is_part_of_what_rows_were_made_with(
    project: "Project", harness: "Harness", read: str
) -> None:
    with_data(load=read)
    name = "data/points.db" if "sqlite3" in read else "data/points.csv"
    words = ("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert harness(*words).code == 0
    data = project.table().provenance["makes"]["data"]
    assert list(data) == [name] and len(data[name]) == 16
    forgotten()
    assert "nothing to do" in harness(*words).out
    stamp = work.stamp()
    forgotten()
    with Path(name).open("ab") as file:
        file.write(b"3\n")
    again = harness(*words)
    assert again.code == 2 and f"small.parquet: was made with data {{'{name}': " in again.err, again
    assert work.stamp() != stamp  # so that no worker runs with other data than its driver
    assert project.table().provenance["makes"]["data"] == data


def test_of_a_run_that_was_stopped_no_two_laws_get_into_one_table(project: "Project", harness: "Harness") -> None:
    with_data(load="ROWS = np.loadtxt(DATA)")
    spec = project.spec(**SPEC)
    assert harness("--plugin", "mine.py", "run", spec, "--serial").code == 0
    store = project.store(project.sweep(**SPEC))
    with store.locked():
        store.add(store.finished().slice(0, 2))
        store.flush()
    Path("results/runs/small.parquet").unlink()
    forgotten()
    Path("data/points.csv").write_text("1\n", encoding="utf-8")
    again = harness("--plugin", "mine.py", "run", spec, "--serial")
    assert again.code == 2 and ": was made with data {'data/points.csv': " in again.err
    forgotten()
    assert harness("--plugin", "mine.py", "run", spec, "--serial", "--fresh").code == 0


@pytest.mark.parametrize("place", ["plan", "answer"])
@pytest.mark.parametrize("read", WAYS)
def test_what_is_read_later_is_refused_with_what_to_do(project: "Project", harness: "Harness", read: str, place: str) -> None:
    with_data(**{place: read})
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    line = next(at for at, text in enumerate(Path("mine.py").read_text().splitlines(), 1) if text == f"        {read}")
    assert said.code == 2 and f"error: {project.root}/mine.py:{line} reads {project.root}/data/points." in said.err, said
    assert "allowed: to read it when it is loaded, at the top of the plugin's file" in said.err
    assert not [path for path in project.files() if path.endswith(".parquet")]


@pytest.mark.parametrize("what", NEITHER)
def test_what_is_no_data_is_neither(project: "Project", harness: "Harness", what: str) -> None:
    with_data(load=what, plan=what, answer=what)
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 0, said.err
    assert "data" not in project.table().provenance["makes"] and digests() == []


def test_what_helpers_read_is_too(project: "Project") -> None:
    with_data(load="import helper")
    Path("helper.py").write_text("from pathlib import Path\nTEXT = Path('data/points.csv').read_text()\n", encoding="utf-8")
    plugins.load("mine.py")
    assert len(digests()) == 1


SHADOWS = ["ray", "yaml", "random", "sklearn", "wave"]


@pytest.mark.parametrize("name", SHADOWS)
@pytest.mark.parametrize("beside", [False, True], ids=["itself", "what it imports"])
def test_no_plugin_hides_a_library(project: "Project", harness: "Harness", name: str, beside: bool) -> None:
    with_data(load=f"import {name}" if beside else "")
    Path(f"{name}.py").write_text("" if beside else Path("mine.py").read_text(), encoding="utf-8")
    plugin = "mine.py" if beside else f"{name}.py"
    said = harness("--plugin", plugin, "list")
    assert said.code == 2 and said.err.startswith(f"error: --plugin {plugin}: "), said
    assert "allowed: another name" in said.err


def test_what_only_lies_beside_a_plugin_hides_nothing(project: "Project") -> None:
    with_data(load="import wave")
    Path("ray.py").write_text("raise SystemExit('not this')", encoding="utf-8")
    Path("chunk.py").write_text("raise SystemExit('not this')", encoding="utf-8")  # which `wave` imports
    plugins.load("mine.py")
