"""Names of experiments: what they may be, and that all files of a run are of its own name and of no other's."""

import os
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import cli
from harness.report.stored import FORMATS
from harness.sweep.errors import InputError
from harness.sweep.files.names import LONGEST, SUFFIXES, checked, experiment
from harness.sweep.run.parts import LOCK
from harness.sweep.spec import Sweep
from tests.support.project import SMALL, Here

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ALLOWED = (
    "allowed: at most 200 of the letters a to z and A to Z, digits, _ and -, with single dots between them; "
    "first a letter, a digit or _; nowhere .html, .parquet, .pdf, .png, .svg, .tex, .yaml"
)
GOOD = ["a", "7", "_", "rate-in-m", "v1.2", "a.b.c", "lock", "report", "runs", "000000001", "parquet", "a" * LONGEST]
BAD = [".", "..", ".yaml", " x", "x ", "x\ny", "-x", ".x", "x.", "a..b", "ε", "é", "x~", "a" * (LONGEST + 1), "$(touch x)"]
BAD += ["small.parquet", "small.PNG", "small.pdf", "report.html", "small.yaml", "a.parquet-0a1b2c3d", "x\x1b[31m", "x\u202e"]
TINY = "".join(f"{key}: {value}\n" for key, value in SMALL.items()).replace("trials: 4", "trials: 1").replace("[20, 50]", "20")


def everything(root: Path) -> dict[str, tuple[int, bytes]]:
    """All that is below a folder, with what it holds; what links lead to is not looked at."""
    found = {}
    for path in root.rglob("*"):
        kept = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(root))] = (path.lstat().st_mode, kept)
    return found


def files_of(name: str, out: str) -> set[str]:
    """What a run may make; a folder's temporary files are gone when it ends."""
    return {*(f"{out}/{name}.{suffix}" for suffix in ("parquet", *FORMATS)), f"{out}/.{name}", f"{out}/.{name}/{LOCK}"}


@pytest.mark.parametrize("name", GOOD)
def test_names_that_are_allowed(name: str) -> None:
    assert experiment(Path("experiments") / f"{name}.yaml") == name


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["run", "run --fresh", "check", "report", "figures", "accept", "replay"])
def test_a_spec_that_is_named_otherwise_is_refused_before_anything_is_touched(
    project: "Project", harness: "Harness", name: str, command: str
) -> None:
    spec = project.text(TINY, name)
    for path in ("results/runs/kept.parquet", "results/runs/.kept", "results/kept.parquet", "results/runs/..parquet"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("somebody's")
    before = everything(project.root)
    word = f"{spec}/00000000/0/A_binClas" if command == "replay" else str(spec)
    said = harness(*command.split(), word, *(["--serial"] if command.startswith("run") else []))
    assert (said.code, said.out) == (2, "") and everything(project.root) == before
    assert said.err.startswith(f"error: {InputError('', spec)}: files cannot be named after an experiment ")
    assert said.err.endswith(f"; {ALLOWED}\n") and said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["../../small", "../small", "sub/small", "/tmp/small", "./small", "", " small", "small/"])
@pytest.mark.parametrize("command", ["figures", "accept", "replay"])
def test_a_name_is_no_path(project: "Project", harness: "Harness", name: str, command: str) -> None:
    """A spec elsewhere is named by its file, with .yaml."""
    Path("small.yaml").write_text(TINY)
    before = everything(project.root)
    said = harness(command, f"{name}/00000000/0/A_binClas" if command == "replay" else name)
    assert (said.code, said.out) == (2, "") and everything(project.root) == before
    assert said.err.endswith(f"; {ALLOWED}\n") or "NAME/CELL/TRIAL/MECHANISM is needed" in said.err


@pytest.mark.parametrize("other", ["elsewhere/small.yaml", "elsewhere/SMALL.yaml", "experiments/Small.yaml"])
@pytest.mark.parametrize("command", ["run --serial", "check", "report", "figures", "accept"])
def test_two_specs_of_one_command_have_names_that_every_disk_tells_apart(
    project: "Project", harness: "Harness", other: str, command: str
) -> None:
    Path("elsewhere").mkdir()
    spec = project.text(TINY)
    Path(other).write_text(TINY)
    before = everything(project.root)
    said = harness(*command.split(), spec, other)
    assert (said.code, said.out) == (2, "") and everything(project.root) == before
    how = "the same name as" if "small" in other else "a name that in small letters is that of"
    assert said.err == f"error: {other}: has {how} {spec}, so both would write one table\n"


@pytest.mark.usefixtures("quick_figures")
def test_a_folder_has_no_two_tables_that_a_disk_may_take_for_one(project: "Project", harness: "Harness") -> None:
    assert harness("run", project.text(TINY, "Small"), "--serial").code == 0
    before = project.files()
    said = harness("run", project.text(TINY, "small"), "--serial")
    assert (said.code, said.out, project.files()) == (4, "", before)
    told = "results/runs/Small.parquet is there, which not every disk tells from small.parquet"
    assert said.err == f"error: {told}; choose another --out, or name the spec otherwise\n"


@pytest.mark.parametrize("out", ["results", "./results", "results/runs/..", "a link", "figures"])
@pytest.mark.parametrize("command", ["run --serial", "check --run"])
def test_what_is_committed_is_no_place_for_a_run(project: "Project", harness: "Harness", out: str, command: str) -> None:
    spec = project.text(TINY)
    Path("results/runs").mkdir(parents=True)
    Path("a link").symlink_to("results")
    before = everything(project.root)
    said = harness(*command.split(), spec, "--out", out)
    assert (said.code, said.out) == (2, "") and everything(project.root) == before
    assert said.err == f"error: --out {Path(out)}: is what `harness accept` writes; allowed: any other folder\n"


@pytest.mark.usefixtures("quick_figures")
def test_another_run_s_parts_are_no_place_for_a_run(project: "Project", harness: "Harness") -> None:
    """There 000000001.parquet is a part of the other."""
    harness("run", project.text(TINY), "--serial")
    before = project.files()
    said = harness("run", project.text(TINY, "000000001"), "--serial", "--out", "results/runs/.small")
    assert (said.code, said.out, project.files()) == (2, "", before)
    told = "is the folder of a run's parts; allowed: any other folder"
    assert said.err == f"error: --out results/runs/.small: {told}\n"


PIECES = st.sampled_from([".", "..", "-", "_", "~", " ", "\n", "\\", "*", "a", "B", "7", "b", "lock", *SUFFIXES, "-0a1b2c3d"])
STEMS = st.lists(PIECES, min_size=1, max_size=4).map("".join) | st.text(
    st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), max_size=30
)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with things of other people's around and in the one that is run in."""
    root = tmp_path_factory.mktemp("sandbox")
    for place in (".", "in", "in/out"):
        (root / place).mkdir(exist_ok=True)
        for name in ("kept.parquet", ".kept", "0.parquet", ".parquet", ".parquet-0a1b2c3d", ".lock-0a1b2c3d"):
            (root / place / name).write_text("somebody's")
    return root


@pytest.mark.law
@settings(max_examples=80)
@given(STEMS)
def test_any_stem_is_refused_or_makes_files_of_its_own(sandbox: Path, stem: str) -> None:
    spec = sandbox / "in" / f"{stem}.yaml"
    spec.write_text(TINY)
    before = everything(sandbox)
    try:
        with chdir(sandbox / "in"), pytest.MonkeyPatch.context() as patch:
            patch.setattr("harness.report.figures.rendered", lambda *_: {})
            patch.setattr("harness.report.cost.Probe", Here)
            patch.setattr("sys.argv", ["harness", "run", spec.name if spec.name[:1] != "-" else str(spec), *OPTIONS])
            with pytest.raises(SystemExit) as ended:
                cli.main()
        after = everything(sandbox)
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        assert ended.value.code == (2 if changed == set() else 0)
        assert changed <= files_of(stem, "in/out")
    finally:
        spec.unlink()
        for path in sorted(everything(sandbox).keys() - before.keys(), reverse=True):
            (sandbox / path).rmdir() if (sandbox / path).is_dir() else (sandbox / path).unlink()


OPTIONS = ("--serial", "--fresh", "--out", "out")


def accepted(name: str) -> bool:
    try:
        checked(name, Path("x.yaml"))
    except InputError:
        return False
    return True


def claimed(name: str) -> set[str]:
    """Every file that a run, a figure or a report makes, temporary ones too."""
    whole = {f"{name}.{suffix}" for suffix in ("parquet", *FORMATS)} | {"report.html"}
    return whole | {f".{each}-0a1b2c3d" for each in whole} | {f".{name}"}


@settings(max_examples=300)
@given(STEMS, STEMS, st.sampled_from(["", ".", *SUFFIXES]), st.sampled_from(["", "-0a1b2c3d"]))
def test_no_two_names_claim_one_file(one: str, other: str, suffix: str, end: str) -> None:
    for second in (other, f"{one}{suffix}{end}", f".{one}{suffix}{end}"):
        if one != second and accepted(one) and accepted(second):
            assert claimed(one) & claimed(second) == claimed("") & claimed("x")
        if accepted(one):
            assert all(len(os.fsencode(each)) <= 255 and Path(each).name == each for each in claimed(one))


def test_a_link_to_a_spec_is_named_by_the_link(project: "Project") -> None:
    link = project.root / "experiments" / "other.yaml"
    link.parent.mkdir()
    link.symlink_to(project.text(TINY).name)
    assert Sweep(link).name == "other"
