"""A second paper moves in: a file each for a class, a learner, a mechanism, constants, a kind of trial, a plot and its claims.

As users' files, and again in the rooms of a copy of the harness. Nothing else is edited, and every command knows them.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

import harness
from harness.registry import ROOMS
from tests.second_paper import tosses
from tests.support.project import RUNS, Project, Said

FILES = Path(__file__).with_name("second_paper")
ROOM_OF = {
    "discs": "concepts",
    "rings": "concepts",
    "basic": "mechanisms/answering",
    "halved": "theory/constants",
    "tosses": "trials",
    "dots": "report/figures",
    "t1": "claims/sec",
}
BOTH = ("experiments/discs.yaml", "experiments/tosses.yaml")
ANSWERS = {
    "concept": "discs",
    "distribution": "uniform",
    "learner": "[smallest, {name: Rings, rings: 3}]",
    "sampling": "full",
    "n": "6e3",
    "T": "1",
    "k_scale": "0.01",
    "constants": "halved",
    "mechanisms": "[basic_composition, majority]",
    "claims": '["SEC:T1"]',
    "figure": "{x: m, panels: [learner], plot: dots}",
}
TOSSES = dict.fromkeys(("concept", "distribution", "learner", "n", "m")) | {
    "kind": "tosses",
    "tosses": "[100, 200]",
    "p": "0.5",
    "mechanisms": "[coin]",
    "claims": '["SEC:T2"]',
    "figure": "{x: tosses, y: heads}",
}

SESSION = """
import contextlib, io, json, sys
from harness import cli

said = []
for words in json.loads(sys.argv[1]):
    sys.argv, out, err = ["harness", *words], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
        except SystemExit as ended:
            code = ended.code or 0
    said.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(said))
"""
"""Commands one after the other in one process, which begins by what takes longest: to import everything."""


class Paper:
    """A project, and how its commands come to know of the paper."""

    def __init__(self, project: Project, options: list[str], environment: Mapping[str, str]) -> None:
        self.project, self.options, self._environment = project, options, environment

    def rows(self, name: str) -> pd.DataFrame:
        """A table, read by one who does not know the paper."""
        return pd.read_parquet(self.project.root / RUNS / f"{name}.parquet")

    def __call__(self, *words: str | Path) -> Said:
        return self.project.process(*words, *self.options, environment=self._environment)

    def session(self, *commands: Sequence[str]) -> list[Said]:
        """What some commands say."""
        asked = json.dumps([[*words, *self.options] for words in commands])
        ended = self.project.process(asked, program=("-c", SESSION), environment=self._environment)
        assert ended.code == 0, ended
        return [Said(*each) for each in json.loads(ended.out)]


@pytest.fixture(scope="module", params=["as users' files", "in the rooms"])
def paper(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Paper:
    project = Project(tmp_path_factory.mktemp("paper"))
    project.spec("discs", **ANSWERS)
    project.spec("tosses", **TOSSES)
    if request.param == "as users' files":
        for name in ROOM_OF:
            shutil.copy(FILES / f"{name}.py", project.root / f"{name}.py")
        return Paper(project, [word for name in ROOM_OF for word in ("--plugin", f"{name}.py")], {})
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(Path(harness.__file__).parent, copy / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    for name, room in ROOM_OF.items():
        (copy / "harness" / room).mkdir(exist_ok=True)
        shutil.copy(FILES / f"{name}.py", copy / "harness" / room / f"{name}.py")
    return Paper(project, [], {"PYTHONPATH": str(copy), "PATH": os.environ["PATH"]})


@pytest.fixture(scope="module")
def ran(paper: Paper) -> Said:
    """What its run said; that users' files come to workers too is in sweep/test_plugins.py."""
    return paper("run", *BOTH, *(("--serial",) if paper.options else ("--workers", "1")))


def test_there_is_a_part_of_every_sort_that_a_paper_brings() -> None:
    texts = [(FILES / f"{name}.py").read_text() for name in ROOM_OF]
    brought = {room.attribute for room in ROOMS.values() if any(f"\n{room.attribute} = " in text for text in texts)}
    assert brought >= {"CONCEPT", "LEARNER", "MECHANISM", "CONSTANTS", "KIND", "PLOT", "CLAIMS"}


def test_every_command_knows_the_paper(paper: Paper, ran: Said) -> None:
    assert ran.code == 0, ran
    assert "SEC:T1" in ran.out and "SEC:T2" in ran.out and "holds" in ran.out
    for option in paper.options:  # what is hinted at works as it is
        assert option in ran.out.splitlines()[-1]
    rows = paper.rows("discs")
    assert set(rows["learner"]) == {"smallest", "Rings(rings=3)"} and set(rows["constants"]) == {"halved"}
    cells = {name: paper.rows(name)["cell"].iloc[0] for name in ("discs", "tosses")}
    checked, told, drawn, planned, page, *replays = paper.session(
        ("check", *BOTH, "--no-reference"),
        ("claims", "SEC:T2"),
        ("figures", "discs", "--results", "results/runs", "--out", "drawn"),
        ("plan", "--m", "100", "--n", "1e6", "--constants", "halved", "--concept", "discs"),
        ("report", "experiments/tosses.yaml"),
        ("replay", f"discs/{cells['discs']}/1/basic_composition"),
        ("replay", f"tosses/{cells['tosses']}/0/coin"),
    )
    assert checked.code == 0 and "2 printed: 2 holds" in checked.out, checked
    assert told.code == 0 and "SEC Theorem 2" in told.out and "verdict: holds" in told.out, told
    for replayed in replays:
        assert replayed.code == 0 and "identical to" in replayed.out, replayed
    assert "chance of heads" in replays[-1].out
    assert planned.code == 0 and "basic_composition" in planned.out and "SEC Section 2" in planned.out, planned
    assert drawn.code == 0 and (paper.project.root / "drawn/discs.png").stat().st_size > 10_000, drawn
    assert page.code == 0, page
    assert "There are no more heads than tosses" in (paper.project.root / "results/runs/report.html").read_text()


def test_its_rows_do_not_depend_on_where_its_files_are(paper: Paper, ran: Said) -> None:
    """Nor on the engine, which is another one in the rooms: they are those of its kind of trial, run here."""
    assert ran.code == 0, ran
    cells = [tosses.Coin(tosses=count, p=0.5) for count in (100, 200)]
    expected = [row["heads"] for cell in cells for trial in range(4) for row in tosses.KIND.rows(cell, ["coin"], 7, trial)]
    assert paper.rows("tosses")["heads"].tolist() == expected
