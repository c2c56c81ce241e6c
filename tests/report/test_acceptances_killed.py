"""`harness accept` killed before each of its changes on disk."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from harness.report.stored import figure_paths
from harness.sweep.files.ownership import MARKS
from tests.support.moments import ENVIRONMENT, PROGRAM

if TYPE_CHECKING:
    from tests.support.project import Project

AT_EVERY_MOMENT = """
import os, shutil
from pathlib import Path

import harness.report.figures
from harness.report.defaults import RESULTS, RUNS
from harness.report.stored import figure_paths, gather
from harness.report.reference import accepted
from harness.sweep.errors import CannotRunError
from harness.sweep.files.ownership import MARKS
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.support.moments import killed_at_every_moment

CHANGES = ("os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir")
OLD, NEW = 4, 8
sweep = Sweep(Path("experiments/small.yaml"))
places = [RESULTS / "small.parquet", *figure_paths(Path("figures/small"))]

def written(frame, spec, formats):
    return {suffix: f"{len(frame)}{MARKS['.' + suffix].decode()}".encode() for suffix in formats}

harness.report.figures.rendered = written

def accept():
    return list(accepted([sweep.path], RUNS, False))

def rows():
    table, *figures = places
    drawn = (int(path.read_text().partition(MARKS[path.suffix].decode())[0]) for path in figures)
    return {Table.read(table).rows.num_rows, *drawn}

def looking_and_again():
    looking()
    again()

def looking():
    try:
        gather([sweep], Path("nowhere"))
        (state,) = rows()  # of the table and its figures
    except CannotRunError as error:
        assert "half replaced" in str(error), error
        state = "half replaced"
    with Path("states").open("a") as states:
        print(state, file=states)

def again():
    accept()
    assert rows() == {NEW}
    left = {path for folder in ("results", "figures") for path in Path(folder).rglob("*") if "runs" not in path.parts}
    assert left == {*places}, left

def counts(event, arguments):
    changes = event in CHANGES or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR))
    return changes and not str(arguments[0]).startswith("/")  # as scraps of drawings do

def before():
    for folder in ("results", "figures"):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"before/{folder}", folder)

print(killed_at_every_moment(accept, counts, before, looking_and_again))
states = Path("states").read_text().split("\\n")
assert {*states} == {str(OLD), "half replaced", str(NEW), ""}, states
"""


def test_killed_before_any_change_on_disk_it_leaves_the_old_the_new_or_what_is_told(project: "Project") -> None:
    """Of a table of four rows and figures of it, which are to be of eight. The same command completes it."""
    spec: dict[str, str | None] = {"m": "20", "learner": "leftmost", "mechanisms": "[A_binClas]", "figure": "{x: m}"}
    Path("figures").mkdir()
    project.run(project.sweep(**spec, trials="4"))
    for path in figure_paths(Path("figures/small")):
        path.write_text(f"4{MARKS[path.suffix].decode()}")
    shutil.copy("results/runs/small.parquet", "results/small.parquet")
    project.run(project.sweep(**spec, trials="8"), fresh=True)
    for folder in ("results", "figures"):
        shutil.copytree(folder, f"before/{folder}")
    ended = project.process(program=(*PROGRAM, AT_EVERY_MOMENT), environment=ENVIRONMENT)
    assert (ended.code, ended.err) == (0, "")
    print(f"killed at {ended.out.strip()} moments")
    assert int(ended.out) > 3 * 3
