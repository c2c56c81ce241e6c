"""What stands where a run has its own files: it is named, never followed, emptied or waited for."""

import fcntl
import os
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from matplotlib.figure import Figure

from harness.report.drawing import Drawing, drawn
from harness.report.settings import View
from harness.sweep.errors import CannotRunError
from harness.sweep.files.atomic import replaced
from harness.sweep.run.batches import Batches, Serial
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from tests.sweep.test_names import everything

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

pytestmark = pytest.mark.usefixtures("blocks_of_one")

OUT = Path("results/runs")
PARTS = OUT / ".small"
PART, SCRAP = PARTS / "000000001.parquet", PARTS / ".000000001.parquet-x1y2z3_4"
THEIRS = Path("theirs")


@pytest.fixture(autouse=True)
def somebody_else(project: "Project") -> None:
    """Has a folder with a table of the harness and a file in it."""
    shutil.rmtree(THEIRS, ignore_errors=True)
    THEIRS.mkdir()
    for name in ("000000001.parquet", "notes.txt", ".000000001.parquet-x1y2z3_4"):
        (THEIRS / name).write_bytes(b"somebody's")


def linked(path: Path) -> None:
    path.symlink_to(THEIRS.resolve() / ("" if path == PARTS else "notes.txt"))


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


MAKE: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: path.write_text("somebody's"),
    "a folder": Path.mkdir,
    "a link": linked,
    "a link to nowhere": dangling,
    "a pipe": os.mkfifo,
    "a socket": bound,
}
NO_FILE = [what for what in MAKE if what != "a file"]


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("fresh", [False, pytest.param(True, marks=pytest.mark.law)], ids=["resume", "fresh"])
@pytest.mark.parametrize(
    ("path", "what"),
    [
        *((path, what) for path in (OUT / "small.parquet", PARTS / "lock", PART, SCRAP) for what in NO_FILE),
        *((PARTS, what) for what in MAKE if what != "a folder"),
        *((PARTS / name, what) for name in ("notes.parquet", "1.parquet", "notes", "٣.parquet") for what in MAKE),
        *((OUT, what) for what in ("a file", "a pipe", "a link to nowhere")),
        (OUT.parent, "a link to nowhere"),
    ],
)
def test_what_is_in_the_place_of_a_run_s_own_is_named_and_left_alone(
    project: "Project", harness: "Harness", path: Path, what: str, fresh: bool
) -> None:
    if path.is_relative_to(PARTS) and path != PARTS:
        PARTS.mkdir(parents=True)
        if path.name != "lock":
            (PARTS / "lock").touch()
    path.parent.mkdir(parents=True, exist_ok=True)
    MAKE[what](path)
    spec, before = project.spec(), everything(project.root)

    said = harness("run", spec, "--serial", *(["--fresh"] if fresh else []))

    kind = what.removesuffix(" to nowhere")
    told = f"error: {path} is {kind} that no run made; choose another --out, or move it elsewhere\n"
    assert (said.code, said.out, said.err) == (4, "", told)
    after = everything(project.root)
    after.pop(str(PARTS / "lock"), None), before.pop(str(PARTS / "lock"), None)
    if path == OUT / "small.parquet":
        del after[str(PARTS)]
    before[str(spec)] = after[str(spec)]
    assert after == before


@pytest.mark.parametrize("inside", ["HEAD", ".hidden", "config.lock"])
def test_a_folder_of_another_program_is_not_taken_for_one_of_parts(project: "Project", harness: "Harness", inside: str) -> None:
    """As .git is where an experiment is named git and runs in the folder itself."""
    Path(".git").mkdir()
    (Path(".git") / inside).touch()
    spec = project.spec("git")
    before = everything(project.root)
    said = harness("run", spec, "--serial", "--fresh", "--out", ".")
    assert (said.code, said.out, everything(project.root)) == (4, "", before)
    assert said.err == "error: .git is a folder that no run made; choose another --out, or move it elsewhere\n"


def test_hidden_files_of_file_managers_and_network_disks_are_nobody_s_business(project: "Project") -> None:
    PARTS.mkdir(parents=True)
    others = [PARTS / name for name in ("lock", ".DS_Store", ".nfs0000000000a1b2c3", ".000000001.parquet-long_ending")]
    for path in others:
        path.touch()
    assert project.run(project.sweep(), fresh=True).written and all(path.exists() for path in others)


@pytest.mark.parametrize("what", ["a link", "a folder", "a pipe"])
def test_a_row_is_replayed_from_a_folder_of_parts_alone(project: "Project", harness: "Harness", what: str) -> None:
    sweep = project.sweep()
    OUT.mkdir(parents=True)
    MAKE[what](PARTS)
    said = harness("replay", f"small/{sweep.cells[0].identity}/0/A_binClas")
    assert said.code == 0 if what == "a folder" else said.err.startswith(f"error: {PARTS} is {what} that no run made")


class Meddling(Serial):
    """Something happens in the middle of a run."""

    def __init__(self, happen: Callable[[], object]) -> None:
        self.happen = happen

    def run(self, batches: Batches) -> Iterator[Result]:
        for position, result in enumerate(super().run(batches)):
            if position == 3:
                self.happen()
            yield result


@pytest.mark.law
def test_a_folder_that_becomes_a_link_is_still_the_folder(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows go to the folder that the run has had from the beginning, and nothing goes where the link leads."""
    monkeypatch.setattr(Store, "flush_seconds", -1.0)

    def swap() -> None:
        PARTS.rename(OUT / "moved")
        PARTS.symlink_to(THEIRS.resolve())

    before = everything(THEIRS)
    with pytest.raises(Exception, match=r"damaged|no such table"):
        project.run(project.sweep(), Meddling(swap), batch_seconds=0)
    assert everything(THEIRS) == before
    assert len(list((OUT / "moved").glob("*.parquet"))) == 16
    PARTS.unlink()
    (OUT / "moved").rename(PARTS)
    assert project.run(project.sweep()).resumed == 32


@pytest.mark.law
def test_a_folder_that_vanishes_is_told_of(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "flush_seconds", -1.0)
    with pytest.raises(CannotRunError, match=f"^{PARTS}/000000004.parquet cannot be written: No such file or directory"):
        project.run(project.sweep(), Meddling(lambda: shutil.rmtree(PARTS)), batch_seconds=0)
    assert project.run(project.sweep()).ran == 16


@pytest.mark.usefixtures("quick_figures")
def test_files_have_the_rights_that_the_user_s_umask_leaves(project: "Project", harness: "Harness") -> None:
    mask = 0o027
    before = os.umask(mask)
    try:
        assert harness("run", project.spec(), "--serial").code == 0
        assert harness("accept", "small").code == harness("report", "experiments/small.yaml", "--html", "page").code == 0
    finally:
        os.umask(before)
    made = [Path(path) for path in project.files() if not path.startswith(f"{THEIRS}/")]
    assert len(made) == 12
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o666 & ~mask}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (Path("figures"), OUT, PARTS)} == {0o777 & ~mask}


@pytest.mark.at_once("a folder-small.png")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("name", ["small.png", "small.pdf"])
@pytest.mark.parametrize("what", NO_FILE)
def test_a_figure_takes_no_other_thing_s_place(project: "Project", harness: "Harness", name: str, what: str) -> None:
    OUT.mkdir(parents=True)
    MAKE[what](OUT / name)
    before = everything(THEIRS), (OUT / name).lstat()
    said = harness("run", project.spec(), "--serial")
    kind = what.removesuffix(" to nowhere")
    told = f"error: {OUT / name} cannot be written: it is {kind}, not a file; what was there is untouched\n"
    assert (said.code, said.err) == (4, told)
    assert (everything(THEIRS), (OUT / name).lstat()) == before and not Path("nowhere").exists()
    assert project.table().rows.num_rows == 32


def test_a_figure_that_cannot_be_drawn_to_its_end_leaves_the_old(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = project.sweep()
    table = project.run(sweep).table
    Path("small.png").write_text("the old one")

    def half(figure: Figure, file: BytesIO, **_: object) -> None:
        file.write(b"half a figure")
        raise KeyboardInterrupt

    monkeypatch.setattr(Figure, "savefig", half)
    with pytest.raises(KeyboardInterrupt):
        list(drawn([Drawing(View.of(sweep), table, Path("small"))]))
    assert Path("small.png").read_text() == "the old one"
    assert not list(Path().glob(".small*"))


def test_what_a_killed_writer_left_is_swept_up_and_what_another_is_at_is_not(project: "Project") -> None:
    names = [".page.html-0a1b2c3d", ".page.html-ffffffff", ".page.html-longer-than-that", ".other.html-0a1b2c3d"]
    dead, living, *others = map(Path, names)
    for path in (dead, living, *others):
        path.write_text("half")
    Path(".page.html-00000000").symlink_to(THEIRS.resolve() / "notes.txt")
    with living.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with replaced(Path("page.html")) as page:
            page.write(b"whole")
    assert Path("page.html").read_bytes() == b"whole" and not dead.exists()
    assert all(path.exists() for path in (living, *others)) and Path(".page.html-00000000").is_symlink()


@pytest.mark.law
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_page_takes_no_device_s_place(project: "Project", harness: "Harness") -> None:
    """Of one that is made here: a harness that is wrong would take it away."""
    os.mknod("null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    project.run(project.sweep())
    said = harness("report", "experiments/small.yaml", "--html", "null")
    assert (said.code, said.out) == (4, "") and stat.S_ISCHR(Path("null").lstat().st_mode)
    assert said.err == "error: null cannot be written: it is a device, not a file; what was there is untouched\n"


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("what", NO_FILE)
@pytest.mark.parametrize("path", ["results/small.parquet", "figures/small.png", "results/.accepted~", "figures/.accepted~"])
def test_a_reference_takes_no_other_thing_s_place(project: "Project", harness: "Harness", path: str, what: str) -> None:
    assert harness("run", project.spec(), "--serial").code == 0
    place = Path(path)
    place.parent.mkdir(exist_ok=True)
    MAKE[what](place)
    before = everything(project.root)
    said = harness("accept", "small")
    if place.name == ".accepted~" and what == "a folder":
        assert said.code == 0
    else:
        assert (said.code, said.out, everything(project.root)) == (4, "", before)
        assert said.err.startswith(f"error: {place} ") and f" is {what.removesuffix(' to nowhere')}" in said.err
