"""The data of plugins: what is read when they are loaded is part of what rows were made with, what is read later is refused."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.plugins.data_files import digests, held
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
    "a map of numpy's": "np.memmap(DATA, dtype='u1', mode='r')",
    "an attached database": "sqlite3.connect(':memory:').execute(f\"attach '{DATA.with_suffix('.db')}' as other\")",
    "beside a folder": "os.close(os.open(DATA.name, os.O_RDONLY, dir_fd=os.open(DATA.parent, os.O_PATH)))",
    "a class's attached database": "sqlite3.Connection(':memory:').execute(\"attach 'data/points.db' as other\")",
    "a database attached behind SQLite's module": "__import__('sys').modules['_sqlite3'].connect(':memory:')"
    ".execute(\"attach 'data/points.db' as other\")",
    "an address": "__import__('urllib.request').request.urlopen(DATA.as_uri()).close()",
    "a file of Arrow's": "pa.OSFile(str(DATA)).read()",
    "records of Arrow's": "with suppress(pa.ArrowInvalid): pa.RecordBatchFileReader(str(DATA))",
    "a map of Arrow's": "pa.memory_map(str(DATA)).close()",
    "a stream of Arrow's": "pa.input_stream(DATA).close()",
    "a table of Arrow's": "csv.read_csv(DATA)",
    "tables of Arrow's": "with suppress(pa.ArrowInvalid): dataset.dataset([DATA], format='csv').to_table()",
    "Parquet": "with suppress(pa.ArrowInvalid): pq.read_table(DATA)",
    "Parquet of pandas'": "with suppress(pa.ArrowInvalid): pd.read_parquet(DATA)",
    "a Parquet file": "with suppress(pa.ArrowInvalid): pq.ParquetFile(source=DATA)",
}
LISTS = {
    "a list": "os.listdir(DATA.parent)",
    "a scan": "[*os.scandir(DATA.parent)]",
    "a walk": "[*os.walk(DATA.parent)]",
    "a glob": "glob.glob(f'{DATA.parent}/*.csv')",
    "a path's glob": "[*DATA.parent.glob('*')]",
    "a path's list": "[*DATA.parent.iterdir()]",
    "an open folder": "os.listdir(os.open(DATA.parent, os.O_RDONLY))",
}
WAYS = pytest.mark.parametrize("read", READS.values(), ids=READS)
HARMLESS = {
    "none": "...",
    "of the system": "Path('/proc/self/status').read_text()",
    "of a library": "Path(np.__file__).read_text()",
    "its own": "Path(__file__).read_text()",
    "what it wrote": "open('scratch', 'a').close(); Path('scratch').read_text()",
    "of a moment": "with tempfile.TemporaryFile() as file: file.read()",
    "what is not there": "DATA.with_name('none').exists()",
    "a folder of a moment": "with tempfile.TemporaryDirectory() as made: [*Path(made).iterdir()]",
    "what is installed": "[*Path(np.__file__).parent.iterdir()]",
    "what Arrow wrote": "pa.OSFile('scratch', 'wb').close(); open('scratch').close()",
    "a database of a moment": "sqlite3.connect(':memory:').execute(\"attach ':memory:' as other\")",
}


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


@pytest.mark.at_once("open")
@WAYS
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


@pytest.mark.law
def test_of_a_run_that_was_stopped_no_two_laws_get_into_one_table(project: "Project", harness: "Harness") -> None:
    with_data(load="ROWS = np.loadtxt(DATA)")
    spec = project.spec(**SPEC)
    assert harness("--plugin", "mine.py", "run", spec, "--serial").code == 0
    store = project.store(project.sweep(**SPEC))
    with store.locked():
        store.add(store.finished().rows.slice(0, 2))
        store.flush()
    Path("results/runs/small.parquet").unlink()
    forgotten()
    Path("data/points.csv").write_text("1\n", encoding="utf-8")
    again = harness("--plugin", "mine.py", "run", spec, "--serial")
    assert again.code == 2 and ": was made with data {'data/points.csv': " in again.err
    forgotten()
    assert harness("--plugin", "mine.py", "run", spec, "--serial", "--fresh").code == 0


@pytest.mark.at_once("open-answer")
@pytest.mark.parametrize("place", ["plan", "answer"])
@WAYS
def test_what_is_read_later_is_refused_with_what_to_do(project: "Project", harness: "Harness", read: str, place: str) -> None:
    with_data(**{place: read})
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    line = next(at for at, text in enumerate(Path("mine.py").read_text().splitlines(), 1) if text == f"        {read}")
    assert said.code == 2 and f"error: {project.root}/mine.py:{line} reads {project.root}/data/points." in said.err, said
    assert "allowed: to read it when it is loaded, at the top of the plugin's file" in said.err
    assert not [path for path in project.files() if path.endswith(".parquet")]


@pytest.mark.law
@pytest.mark.parametrize("what", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_data_is_neither(project: "Project", harness: "Harness", what: str) -> None:
    with_data(load=what, plan=what, answer=what)
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 0, said.err
    assert "data" not in project.table().provenance["makes"] and digests() == []


@pytest.mark.law
@pytest.mark.parametrize("read", LISTS.values(), ids=LISTS)
def test_of_a_folder_that_is_listed_the_names_of_its_files_count(project: "Project", harness: "Harness", read: str) -> None:
    with_data(load=read)
    words = ("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert harness(*words).code == 0
    assert list(project.table().provenance["makes"]["data"]) == ["data"]
    forgotten()
    Path("data/points.csv").write_text("5\n", encoding="utf-8")  # which nobody opens
    Path("data/.hidden").touch()
    assert "nothing to do" in harness(*words).out
    forgotten()
    Path("data/more.csv").touch()
    again = harness(*words)
    assert again.code == 2 and "small.parquet: was made with data {'data': " in again.err, again


@pytest.mark.law
@pytest.mark.parametrize("read", LISTS.values(), ids=LISTS)
def test_no_folder_is_listed_later(project: "Project", harness: "Harness", read: str) -> None:
    with_data(answer=read)
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and f" reads {project.root}/data after the plugin was loaded" in said.err, said


def test_a_database_that_is_attached_by_no_name_is_refused(project: "Project", harness: "Harness") -> None:
    with_data(load="sqlite3.connect(':memory:').execute('attach ? as other', (str(DATA.with_suffix('.db')),))")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert (
        said.code == 2 and "not authorized, to attach a database by what is no text in the statement; allowed:" in said.err
    ), said


@pytest.mark.usefixtures("blocks_of_one")
def test_a_statement_that_is_denied_for_another_reason_is_not_said_to_be_that(project: "Project", harness: "Harness") -> None:
    deny = (
        "store = sqlite3.connect(':memory:'); store.set_authorizer(lambda *_: sqlite3.SQLITE_DENY); store.execute('select 1')"
    )
    with_data(load=deny)
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and said.err.rstrip().endswith("not authorized"), said


def test_what_a_library_reads_while_it_is_imported_is_its_own(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """As a cache of what is installed, which is made when there is none."""
    with_data(load="import odd_library")
    home = Path("site-packages").absolute()
    home.mkdir()
    (home / "odd_library.py").write_text(f"open({str(Path('data/points.csv').absolute())!r}).close()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(home)
    plugins.load("mine.py")
    assert digests() == []


def test_what_is_written_ahead_in_a_database_is_data(project: "Project") -> None:
    with_data(load="sqlite3.connect(DATA.with_suffix('.db')).close()")
    Path("data/points.db-wal").write_bytes(b"")
    plugins.load("mine.py")
    assert len(digests()) == 2


def test_of_tables_in_a_folder_each_is_data(project: "Project") -> None:
    with_data(load="dataset.dataset(DATA.parent / 'tables', format='csv')")
    for name in ("one", "two"):
        Path(f"data/tables/{name}").mkdir(parents=True)
        Path(f"data/tables/{name}/points.csv").write_text("x\n1\n", encoding="utf-8")
    plugins.load("mine.py")
    assert {*held("mine")} >= {f"data/tables/{name}/points.csv" for name in ("one", "two")}


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
