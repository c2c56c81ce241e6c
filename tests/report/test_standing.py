"""Every mechanism is held to its own bound in every table, though no spec names it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import harness as package
from harness.report.standing import BrokenBound, broken_bounds, expected_by, on_its_own_plan, told_broken
from harness.report.stored import Stored, stored_in
from harness.sweep import plugins
from harness.sweep.spec import Sweep
from harness.sweep.table.cells import Cells
from harness.theory.confidence import excludes
from harness.trials import kinds
from harness.trials.answers import KIND
from harness.trials.kind import Promise

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

RESULTS, EXPERIMENTS = (Path(__file__).parents[2] / name for name in ("results", "experiments"))
PROMISE = KIND.promises[0]

PLUGIN = '''
from dataclasses import replace

from harness.mechanisms.answering.majority import Majority


class Boaster(Majority):
    """The vote of all, with a bound that nobody can keep."""

    name = "boaster"
    source = "mine"

    def plan(self, constants, task, n):
        return replace(super().plan(constants, task, n), bound=1e-9)

    def answer(self, ballot, plan, task, rng):
        answers = super().answer(ballot, plan, task, rng)
        return replace(answers, given=answers.given[::-1].copy())  # the other label


MECHANISM = Boaster()
'''


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)


def stored(rows: pd.DataFrame, kind: Any = KIND) -> Any:
    """A table of such rows, as far as promises are asked of it."""
    spec = SimpleNamespace(name="made", kind=kind, path=Path("made.yaml"))
    return SimpleNamespace(
        sweep=spec,
        table=SimpleNamespace(cells=Cells(rows)),
        recomputed=SimpleNamespace(departures=()),
        path=Path("made.parquet"),
    )


def rows(failures: int, trials: int = 400, /, cells: Sequence[str] = ("a",), **changes: Any) -> pd.DataFrame:
    """Trials of which so many are above the bound, in each cell."""
    rate = np.where(np.arange(trials) < failures, 0.2, 0.05)
    shared: dict[str, Any] = {
        "mechanism": "mine",
        "bound": 0.1,
        "beta": 0.05,
        "k_scale": 1.0,
        "T_target": None,
        "constants": "BTT18",
    }
    made = [
        pd.DataFrame({"cell": cell, "trial": np.arange(trials), "misclassification_rate": rate}).assign(**shared | changes)
        for cell in cells
    ]
    return pd.concat(made, ignore_index=True)


@pytest.mark.parametrize(
    ("failures", "changes", "told"),
    [
        (400, {}, True),
        (120, {}, True),  # 30 per cent, where 10 may
        (60, {}, False),  # 15 per cent of 400: chance can do that
        (40, {}, False),
        (400, {"bound": None}, False),  # nothing is promised
        (400, {"k_scale": 0.9}, False),  # it is not run on its own plan
        (400, {"k_scale": 1.1}, True),
        (400, {"T_target": 5.0}, False),
        (400, {"constants": "BTT18 with c_k = 10"}, False),
        (400, {"beta": 0.5}, False),  # it may always fail
    ],
)
def test_a_share_that_chance_does_not_make_is_told(failures: int, changes: dict[str, Any], told: bool) -> None:
    found = broken_bounds([stored(rows(failures, **changes))])
    assert bool(found) == told
    if told:
        (broken,) = found
        assert (broken.failures, broken.trials, broken.allowed, broken.failed_trial) == (failures, 400, 0.1, 0)
        assert broken.times == pytest.approx(2)


def test_of_cells_that_are_as_they_promise_hardly_one_is_told() -> None:
    """10⁴ tables at the very chance that is allowed, at an error of 1e-3: more than 30 are told with probability 8e-8."""
    failures, often = np.unique(np.random.default_rng(1).binomial(400, 0.1, 10**4), return_counts=True)
    told = [bool(broken_bounds([stored(rows(int(number)))], 1e-3)) for number in failures]
    assert often[told].sum() <= 30


@pytest.mark.law
def test_the_error_is_shared_by_all_that_is_asked() -> None:
    """What is just told alone is not told as one of 301."""
    just = next(number for number in range(41, 400) if excludes(0.1, number, 400, 1e-3))
    others = [rows(0, 1, cells=(f"c{number}",)) for number in range(300)]
    assert broken_bounds([stored(rows(just))], 1e-3)
    assert not broken_bounds([stored(pd.concat([rows(just), *others], ignore_index=True))], 1e-3)


def test_equal_rows_count_as_often_as_they_were() -> None:
    counted = pd.concat([rows(1, 1).assign(count=300), rows(0, 1).assign(count=100, trial=300)], ignore_index=True)
    (broken,) = broken_bounds([stored(counted)])
    assert (broken.failures, broken.trials) == (300, 400)


def test_a_break_that_the_registry_has_is_expected_and_no_other() -> None:
    """Of PMW at the constants that Lemma 7 has; at the repaired ones a break would be news."""
    table = committed("release_lemma7")
    found = broken_bounds([table])
    assert len(found) == 6 and {broken.expected_by for broken in found} == {"BCMNUW20:L7-alpha-half"}
    first = next(each for each in table.table.cells.firsts if each["constants"] == "repaired")
    assert expected_by(first, "release", "error_on_cover") == ""
    assert told_broken(found, [table]) == []


def committed(name: str) -> Stored:
    return stored_in(RESULTS, Sweep(EXPERIMENTS / f"{name}.yaml"))


@pytest.mark.law
def test_no_committed_table_breaks_a_promise_unexpectedly() -> None:
    """And some break one as expected: the question is asked."""
    found = broken_bounds([committed(path.stem) for path in sorted(RESULTS.glob("*.parquet"))])
    assert [broken for broken in found if not broken.expected_by] == []
    assert {broken.experiment for broken in found} == {
        "release_lemma7",
        "release_lemma7_readings",
        "small_beta",
        "small_beta_readings",
        "soft_label_edge",
    }


def test_a_promise_names_columns_that_its_kind_has() -> None:
    for kind in kinds().values():
        for promise in kind.promises:
            named = {promise.quantity, promise.bound, "beta", *promise.unset, *promise.least, *promise.only}
            assert named <= kind.table.keys()


def test_what_is_only_some_values_is_asked_of_these() -> None:
    heads = pd.DataFrame({"rule": ["closed", "rate"], "beta": 0.1})
    assert on_its_own_plan(heads, Promise("a", "b", 1, only={"rule": "closed"})).tolist() == [True, False]


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_plugin_is_told_at_the_end_of_its_first_run(project: "Project", harness: "Harness") -> None:
    Path("boaster.py").write_text(PLUGIN)
    spec = project.spec(mechanisms="[boaster, majority]", claims=None, trials="20")
    ran = harness("run", "--plugin", "boaster.py", spec, "--serial")
    (line,) = [line for line in ran.out.splitlines() if "breaks its own bound" in line]
    assert ran.code == 0 and line.startswith("boaster breaks its own bound in ") and "in 20 of 20 trials" in line, ran
    assert "misclassification_rate is more than bound, up to 1e+09 times as much; harness --plugin boaster.py replay" in line
    replay = line.partition("; harness ")[2].split()
    again = harness(*replay)
    assert again.code == 0 and "boaster" in again.out, again
    checked = harness("check", "--plugin", "boaster.py", spec, "--no-reference")
    assert checked.code == 1 and line in checked.out, checked
    as_json = json.loads(harness("check", "--plugin", "boaster.py", spec, "--no-reference", "--json").out)
    assert {(each["mechanism"], each["expected_by"]) for each in as_json["broken"]} == {("boaster", "")}
    assert line in as_json["notes"]
    measured = package.read("results/runs/small.parquet", plugins=["boaster.py"])
    assert list(measured.broken.columns) == list(BrokenBound.__dataclass_fields__)
    assert set(measured.broken["mechanism"]) == {"boaster"}
    harness("report", "--plugin", "boaster.py", spec)
    (page,) = Path().rglob("*.html")
    assert "boaster breaks its own bound" in page.read_text()


@pytest.mark.usefixtures("quick_figures")
def test_an_honest_run_says_nothing(project: "Project", harness: "Harness") -> None:
    spec = project.spec(mechanisms="[A_binClas, majority]", claims=None, trials="20")
    ran = harness("run", spec, "--serial")
    assert ran.code == 0 and "breaks its own bound" not in ran.out
