"""Stories of edits: while a run is under way one file of all that it depends on is changed, the run is killed, and given again.

Whatever is changed, whenever, and whether or not it is changed back: the command that resumes is refused, or its table is the
one that a fresh run of what is there by then makes. `pytest --stories 300 tests/sweep/test_edits.py` tells more of them.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copytree, ignore_patterns
from time import monotonic, sleep

import pytest

import harness
from harness.sweep.table.table import Table
from tests.support.project import FULL, SMALL
from tests.sweep.nodes import kill_group

PLUGIN = """
from help import between

class Between:
    def fit(self, X, y):
        self.cut = between.cut(X[y == 0, 0].max(), X[y == 1, 0].min())

    def predict(self, X):
        return X[:, 0] > self.cut

LEARNER = Between
"""
SPEC = {
    **SMALL,
    **FULL,
    "learner": "[leftmost, {name: Between}]",
    "trials": "60",
    "mechanisms": "[A_binClas, noisy_majority]",
    "claims": '["BTT18:L3.3"]',
}
# `harness --plugin mine run experiments/small.yaml --batch-seconds 0.02 --out out`, without a figure.
PROGRAM = """
import sys
from pathlib import Path

from harness.sweep.run.batches import Serial
from harness.sweep.ray.cluster import Cluster
from harness.sweep.errors import InputError
from harness.sweep.plugins import load
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import run_sweep
from harness.sweep.spec import Sweep
from harness.sweep.run.store import Store

class Quiet:
    def start(self, batches, store): pass
    def advance(self, result): pass

Store.flush_seconds = 0.1
try:
    load("mine")
    sweep = Sweep(Path("experiments/small.yaml"))
    store = Store(Path("out"), sweep.name, provenance(sweep))
    if sys.argv[1] == "serial":
        print(run_sweep(sweep, store, Serial(), Quiet(), False, 0.02).resumed, "rows were there")
    else:
        with Cluster(None, 1) as engine:
            run_sweep(sweep, store, engine, Quiet(), False, 0.02)
except InputError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""


@dataclass(frozen=True)
class Edit:
    """A file, and what becomes of its text. counts: whether rows depend on it, None where that depends on which rows.

    changes: whether a fresh run makes other rows.
    """

    file: str
    change: Callable[[str], str]
    counts: bool | None = True
    changes: bool = False


def swap(old: str, new: str) -> Callable[[str], str]:
    return partial(_swapped, old=old, new=new)


def _swapped(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def more(text: str) -> str:
    return f"{text}\nMORE = 1\n"


EDITS = {
    "noise": Edit(
        "code/harness/mechanisms/noise.py",
        swap("np.where(bits, -scale, scale)", "np.where(bits, -9 * scale, 9 * scale)"),
        changes=True,
    ),
    "streams": Edit("code/harness/trials/seeds.py", swap("{seed}/{trial}", "{trial}/{seed}"), changes=True),
    "sampler": Edit(
        "code/harness/concepts/thresholds/samplers.py",
        swap("self.target + queries.points,", "self.target + queries.points / 2,"),
        changes=True,
    ),
    "columns": Edit(
        "code/harness/sweep/run/work.py",
        swap("[part.columns[number].get", '[0.5 if name == "tv_budget" else part.columns[number].get'),
        changes=True,
    ),
    "helper": Edit("help/between.py", swap("/ 2", "/ 3"), changes=True),
    "plugin": Edit("mine.py", swap("> self.cut", ">= self.cut - 0.01"), changes=True),
    "seed": Edit("experiments/small.yaml", swap("seed: 7", "seed: 8"), changes=True),
    "cells": Edit("experiments/small.yaml", swap("[20, 50]", "[20, 60]"), counts=None, changes=True),
    "confidence": Edit("code/harness/theory/confidence.py", more),
    "new mechanism": Edit("code/harness/mechanisms/newcomer.py", more),
    "broken": Edit("code/harness/trials/answers.py", swap("return {", "return {{")),
    "remark": Edit("code/harness/mechanisms/noise.py", lambda text: f"# A remark.\n{text}", counts=False),
    "title": Edit("experiments/small.yaml", swap("title: A", "title: No"), counts=False),
    "store": Edit("code/harness/sweep/run/store.py", more, counts=False),
    "claim": Edit("code/harness/claims/btt18/t3_2.py", more, counts=False),
    "figure": Edit("code/harness/report/style.py", more, counts=False),
}


@dataclass(frozen=True)
class Place:
    """A folder with a copy of the harness, a plugin with a helper, and a spec."""

    root: Path

    @classmethod
    def made(cls, root: Path) -> "Place":
        copytree(Path(harness.__file__).parent, root / "code/harness", ignore=ignore_patterns("__pycache__"))
        for file, text in {
            "mine.py": PLUGIN,
            "help/between.py": "def cut(left, right):\n    return left + (right - left) / 2\n",
            "experiments/small.yaml": "".join(f"{key}: {value}\n" for key, value in SPEC.items()),
        }.items():
            (root / file).parent.mkdir(exist_ok=True)
            (root / file).write_text(text)
        return cls(root)

    def begun(self, engine: str) -> subprocess.Popen[str]:
        """The run, in a group of processes of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, engine],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(self.root / "code")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def edited(self, edit: Edit) -> str | None:
        """Make the edit; the text before, None where there was no file."""
        path = self.root / edit.file
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(edit.change(before or ""), encoding="utf-8")
        return before

    def restored(self, edit: Edit, before: str | None) -> None:
        if before is None:
            (self.root / edit.file).unlink()
        else:
            (self.root / edit.file).write_text(before, encoding="utf-8")

    def kept(self) -> int:
        """How many rows are on disk."""
        out = self.root / "out"
        tables = [*(out / ".small").glob("*.parquet"), *out.glob("*.parquet")]
        return sum(Table.read(path).rows.num_rows for path in tables)


Fresh = Callable[[str | None], str]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """The fingerprint of the table of a run to which nothing happens, after an edit or none."""
    known: dict[str | None, str] = {}

    def fingerprint(name: str | None) -> str:
        if name not in known:
            place = Place.made(tmp_path_factory.mktemp("fresh"))
            if name is not None:
                place.edited(EDITS[name])
            process = place.begun("serial")
            _, complaints = process.communicate(timeout=100)
            assert process.returncode == 0, complaints
            known[name] = Table.read(place.root / "out/small.parquet").fingerprint
        return known[name]

    return fingerprint


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Story 0, 1, 2, …; every edit is told of before one is told of again."""
    if "story" in metafunc.fixturenames:
        stories = range(metafunc.config.getoption("--stories"))
        metafunc.parametrize(("story", "name"), [(story, list(EDITS)[story % len(EDITS)]) for story in stories])


def test_a_story(story: int, name: str, tmp_path: Path, fresh: Fresh) -> None:
    chosen, edit = random.Random(story), EDITS[name]
    amid, keep, on_ray = chosen.random() < 0.6, chosen.random() < 0.5, story % 8 == 5
    place = Place.made(tmp_path / "place")
    process = place.begun("ray" if on_ray else "serial")
    try:
        begun, parts = monotonic(), chosen.randint(0, 3)
        delay = chosen.uniform(0, 6 if on_ray else 2)
        while process.poll() is None and not (
            len(list((place.root / "out/.small").glob("*.parquet"))) > parts if amid else monotonic() - begun > delay
        ):
            sleep(0.005)
        before = place.edited(edit)
        sleep(chosen.uniform(0, 0.5))
    finally:
        kill_group(process.pid)
        process.communicate()
    if not keep:
        place.restored(edit, before)
    kept = place.kept()

    resumed = place.begun("serial")
    said, complaints = resumed.communicate(timeout=100)

    told = (
        f"{name}, {'amid' if amid else 'early'}, {'kept' if keep else 'undone'}, {kept} rows: {resumed.returncode} {complaints}"
    )
    print(told)
    if resumed.returncode == 0:
        assert Table.read(place.root / "out/small.parquet").fingerprint == fresh(name if keep and edit.changes else None), told
        assert said == f"{kept} rows were there\n"
    else:
        refused = "was made with" in complaints or "this run does not ask for" in complaints
        assert (resumed.returncode, refused) == (2, True) or (name == "broken" and "SyntaxError" in complaints), told
        assert place.kept() == kept, told
    if amid and kept and (not keep or edit.counts is not None):
        # By then the run had read all its texts, so that what it kept is of the time before the edit.
        assert (resumed.returncode == 0) == (not keep or not edit.counts), told


@pytest.mark.parametrize("name", [name for name, edit in EDITS.items() if edit.changes])
def test_the_edits_change_the_rows(name: str, fresh: Fresh) -> None:
    """Else no story could show a table that is mixed."""
    assert fresh(name) != fresh(None)
