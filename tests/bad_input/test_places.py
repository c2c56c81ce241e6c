"""Where a path option may lead: on this machine, `~` being home, and never onto what the program did not write.

Options are taken from the commands themselves: a new one that takes a path is in these tests, or fails them.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import AF_UNIX, socket
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
from typer.models import OptionInfo

import harness as package
from harness import cli
from harness.report import looking
from harness.sweep.errors import InputError
from harness.sweep.files.ownership import MARKS, is_ours
from harness.sweep.files.reading import local
from tests.support.doctored import ONE
from tests.support.picture import blank

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC = "experiments/small.yaml"
NOWHERE = ["s3:/bucket/runs", "https://host/runs", "gs:/x", "", " ", "~nobody-is-called-so/runs", "loop/runs", "loop"]
NOWHERE += ["long" * 100, "long/" * 1000]
ADDRESSES = ["s3://bucket/runs", "gs://bucket/runs", "file:///tmp/runs"]
"""Of places where tables may be, and nothing else."""


def apps(app: typer.Typer) -> Iterator[typer.Typer]:
    """All that commands are registered with."""
    yield app
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from apps(group.typer_instance)


def options() -> Iterator[tuple[str, str, Any, OptionInfo]]:
    """Of every option of every command: both names, the type, and what is said of it."""
    for known in [each for app in apps(cli.app) for each in app.registered_commands]:
        assert known.callback is not None
        for name, hint in get_type_hints(known.callback, include_extras=True).items():
            for annotated in (each for each in (hint, *get_args(hint)) if hasattr(each, "__metadata__")):
                for said in (each for each in annotated.__metadata__ if isinstance(each, OptionInfo)):
                    named = next(iter(said.param_decls or ()), f"--{name.replace('_', '-')}")
                    yield known.name or known.callback.__name__, named, annotated.__origin__, said


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("out", [SPEC, f"{SPEC}/figures"])
def test_figures_go_to_folders_alone(project: "Project", harness: "Harness", out: str) -> None:
    project.run(project.sweep(**ONE))
    said = harness("figures", SPEC, "--results", "results/runs", "--out", out)
    assert said.code == 2 and said.err.startswith(f"error: {out}: is no folder, or in none; allowed: ") and Path(SPEC).is_file()


TABLES = {(command, option) for command, option, _, said in options() if said.parser is looking.tables_place}
PLACES = [(command, option) for command, option, _, said in options() if said.parser in (looking.place, looking.tables_place)]
NEEDED = {
    "run": [SPEC],
    "check": [SPEC],
    "report": [SPEC],
    "accept": ["small"],
    "replay": ["small/0/0/A_binClas"],
    "table": ["small"],
    "claims": ["BTT18:T3.2", SPEC],
    "figures": ["small"],
    "audit": ["noisy_majority", "--m", "1", "--runs", "400"],
}
WRITING = {("run", "--out"), ("check", "--summary"), ("report", "--html"), ("accept", "--out"), ("figures", "--out")}
WRITING |= {("audit", "--figure")}
NAMES = ["small.parquet", "small.png", "small.pdf", "small.tex", ".small", "report.html", "notes.txt", "empty"]


@pytest.mark.parametrize(
    ("command", "option", "said"),
    [(*place, said) for place in PLACES for said in NOWHERE + (ADDRESSES if place not in TABLES else [])],
)
def test_what_is_no_place_here_is_refused(project: "Project", harness: "Harness", command: str, option: str, said: str) -> None:
    project.sweep(**ONE)
    Path("loop").symlink_to("back")
    Path("back").symlink_to("loop")
    before = project.files()
    ended = harness(command, *NEEDED.get(command, []), option, said)
    assert ended.code == 2 and "allowed:" in " ".join(ended.err.replace("│", " ").split())
    assert project.files() == before


NAMED_OTHERWISE = (
    *("h/pipe", "h/pipe.html", "h/socket", "h", "/dev/null", "/dev/full", "/dev/stdin/x", "/dev/fd/0", "/proc/self/fd/1"),
    *("/proc/self/x", ".", "h/d/.", "h/d/../d/../../h/d/up.html", "h/d/-x", "--", "h/d/con.", "h/d/a b;rm", "%s", "h/d/~"),
    *("h/d/a\nb", "h/d/a\u202eb.html", "h/d/\x1b[31mx", "h/d/nul\0x", "h/d/b\udcffad", "h/d/e\u0301.html"),
    *("h/d/" + "x" * 300, "h/d/" + "y" * 250 + ".html", "h/d/" + "z" * 200, "h/d/" + "q/" * 2500),
)


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize(("command", "option"), PLACES)
def test_no_name_is_waited_for_or_told_raw(project: "Project", harness: "Harness", command: str, option: str) -> None:
    """Pipes, sockets, devices, names of others but for the case of letters, marks that turn a line, names without end."""
    words = [command, *NEEDED.get(command, []), *(["--serial"] if command == "run" else [])]
    project.run(project.sweep(**ONE))
    Path("h/d").mkdir(parents=True)
    for name in ("pipe", "pipe.html", "small.parquet"):
        os.mkfifo(Path("h") / name)
    with closing(socket(AF_UNIX)) as listening:
        listening.bind("h/socket")
    for name in ("SMALL.parquet", "Small.png"):
        (Path("h") / name).write_text("mine", encoding="utf-8")
    others = (Path(SPEC), Path("results/runs/small.parquet"), Path("h/SMALL.parquet"), Path("h/Small.png"))
    kept = {path: path.read_bytes() for path in others}
    for place in NAMED_OTHERWISE:
        signal.alarm(100)  # of a test that hangs
        ended = harness(*words, option, place)
        signal.alarm(0)
        assert ended.code in range(5) and not {"Traceback", "Errno"} & {*ended.err.replace("[", " ").split()}, (place, ended)
        assert len(ended.err) < 3000 and not {*"\u202e\x1b\0"} & {*ended.err, *ended.out}, (place, ended)
        assert {path: path.read_bytes() for path in kept} == kept, (place, ended)


def test_all_that_take_a_path_are_options_of_one_form() -> None:
    """No option has a path of another form, nor a word for one; files that are only read are arguments, and plugins."""
    assert {*PLACES} >= WRITING | {("docs", "--html"), ("check", "--out"), ("figures", "--results")}
    for command, option, kind, said in options():
        words = f"{kind} {said.metavar} {said.help}".lower()
        like_one = kind is not bool and any(word in words for word in ("path", "file", "folder", "directory", "where "))
        assert not like_one or (command, option) in PLACES, (command, option)


def theirs(folder: Path) -> dict[Path, bytes]:
    """Files of others in a folder, under the names of ours; what they hold."""
    folder.mkdir(parents=True)
    for name in NAMES:
        (folder / name).write_text("" if name == "empty" else f"mine, {name}\n", encoding="utf-8")
    pq.write_table(pa.table({"x": [1]}), folder / "small.parquet")
    blank(folder / "small.png")
    return {path: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.at_once("accept---out---anyway", "accept---out-", "audit---figure-")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize(
    ("command", "option", "more"),
    [pytest.param(*place, "", marks=[] if place in WRITING else [pytest.mark.law]) for place in PLACES]
    + [("run", "--out", "--fresh"), ("accept", "--out", "--anyway")],
)
def test_files_of_others_are_as_they_were(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, command: str, option: str, more: str
) -> None:
    """Whatever the option names: a folder in which they have the names of ours, one of them, a spec, a table or a link."""
    words = [command, *NEEDED.get(command, []), *(["--serial"] if command == "run" else []), *filter(None, [more])]
    project.run(project.sweep(**ONE))
    kept = theirs(Path("theirs"))
    Path("linked").symlink_to("theirs/notes.txt")
    Path("dangling").symlink_to("theirs/new")
    for path in (Path(SPEC), Path("results/runs/small.parquet")):
        kept[path] = path.read_bytes()
    for name in NAMES:  # each alone, so that no other is what stops the command
        (Path("alone") / name).mkdir(parents=True)
        os.link(Path("theirs") / name, Path("alone") / name / name)
    places = [Path("theirs"), *sorted(Path("alone").iterdir()), *kept, Path("linked"), Path("dangling")]
    if option == "--summary":  # which is added to
        places.remove(Path("theirs/empty"))
    for place in places:
        ended = harness(*words, option, place)
        assert ended.code in range(5) and "Traceback" not in ended.err, (place, ended)
        assert {path: path.read_bytes() for path in kept} == kept, (place, ended)
        assert all((Path("alone") / name / name).samefile(Path("theirs") / name) for name in NAMES), place
        assert Path("linked").is_symlink() and Path("dangling").is_symlink() and not Path("theirs/new").exists()


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("name", ["small.parquet", "small.png", "small.pdf", "small.tex"])
def test_what_a_run_would_overwrite_is_told_before_anything_runs(project: "Project", harness: "Harness", name: str) -> None:
    project.sweep(**ONE)
    Path("out").mkdir()
    (Path("out") / name).write_text("mine", encoding="utf-8")
    for more in ([], ["--fresh"]):
        ended = harness("run", SPEC, "--serial", "--out", "out", *more)
        assert ended.code == 2 and ended.err.startswith(f"error: out/{name}: "), ended
        assert {path for path in project.files() if path.startswith("out/") and not path.endswith("/lock")} == {f"out/{name}"}


@pytest.mark.at_once("figures/small.pdf", "results/small.parquet")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("place", ["results/small.parquet", "figures/small.png", "figures/small.pdf", "figures/small.tex"])
def test_no_reference_of_others_is_replaced(project: "Project", harness: "Harness", place: str) -> None:
    project.run(project.sweep(**ONE))
    Path(place).parent.mkdir(exist_ok=True)
    Path(place).write_text("mine", encoding="utf-8")
    for more in ([], ["--anyway"]):
        ended = harness("accept", "small", *more)
        assert (ended.code, ended.out) == (2, "") and ended.err.startswith(f"error: {place}: is no file of this program")
        assert Path(place).read_text() == "mine" and not [path for path in project.files() if "accepted~" in path]


def test_no_folder_is_made_where_there_is_nothing_to_do(project: "Project", harness: "Harness") -> None:
    project.sweep(**ONE)
    before = {*project.root.rglob("*")}
    assert harness("accept", "small").code == 2
    assert harness("report", SPEC, "--html", "far/away/page.html").code in (2, 4)
    assert harness("figures", "small", "--out", "far/away").code in (2, 4)
    assert {*project.root.rglob("*")} == before
    project.run(project.sweep(**ONE))
    said = harness("report", SPEC, "--html", "far/away/page.html")
    assert (said.code, said.err) == (
        2,
        "error: --html: there is no folder far/away; allowed: a file in one that is there\n",
    )


@pytest.mark.law
def test_every_file_that_is_written_says_whose_it_is(project: "Project", harness: "Harness") -> None:
    """Drawn in earnest; and its like may be written over it, of a run that was before as well."""
    project.sweep(**ONE)
    for _ in range(2):
        assert harness("run", SPEC, "--serial", "--fresh").code == 0
        assert harness("accept", "small", "--anyway").code == 0
        assert harness("report", SPEC, "--html", "page").code == 0
        assert harness("audit", *NEEDED["audit"], "--figure", "curve.png").code == 0
    written = [path for path in Path().rglob("*") if path.is_file() and path.suffix in MARKS]
    assert {path.suffix for path in written} == {".parquet", ".png", ".pdf", ".svg", ".tex"} and len(written) == 11
    Path("figures/small.tex").unlink()  # a picture says it by itself
    assert all(map(is_ours, (path for path in written if path.exists()))) and is_ours(Path("page"), ".html")
    assert not is_ours(Path("page")) and not is_ours(Path("page"), ".png")


def test_a_tilde_is_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert local("~/runs") == tmp_path / "runs" and local("a/~") == Path("a/~")


def test_from_python_too(project: "Project") -> None:
    project.sweep(**ONE)
    with pytest.raises(InputError, match="is no place that tables can be"):
        package.run(SPEC, out="https://host/runs")
    with pytest.raises(InputError, match="is an address"):
        local("s3://bucket/runs")


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.at_once("notes.txt")
@pytest.mark.parametrize("theirs", ["experiments/small.yaml", "results/runs/small.parquet", "notes.txt", "empty"])
def test_a_report_takes_the_place_of_no_other_file(project: "Project", harness: "Harness", theirs: str) -> None:
    project.run(project.sweep(**ONE))
    file = project.root / theirs
    if not file.exists():
        file.write_text("" if theirs == "empty" else "mine\n", encoding="utf-8")
    before = file.read_bytes()
    ended = harness("report", SPEC, "--html", theirs)
    assert ended.code == 2 and f"{theirs}: is no file of this program, and is not overwritten" in ended.err
    assert file.read_bytes() == before
    for _ in range(2):
        assert harness("report", SPEC, "--html", "page.html").code == 0


def test_verdicts_are_added_to_no_other_file(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    """But to the page of a job, which all of its steps add to."""
    project.run(project.sweep(**ONE))
    page = Path("notes.md")
    page.write_text("# Mine\n", encoding="utf-8")
    words = ("check", SPEC, "--no-reference", "--summary", "notes.md")
    ended = harness(*words)
    assert ended.code == 2 and "error: notes.md: has no verdicts of this program" in ended.err
    assert page.read_text() == "# Mine\n"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "notes.md")
    assert harness(*words).code == 0 and page.read_text().startswith("# Mine\n\n## ")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert harness(*words).code == 0 and page.read_text().count(" claims as expected\n") == 2
