import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, permutations
from math import exp
from typing import Any

import numpy as np
import pytest

from harness.arrays import Ints
from harness.ballots import Ballot
from harness.concepts.least_risk import BEYOND
from harness.mechanisms.answering import Answering, mechanisms
from harness.mechanisms.answering.answers import Answers, winners
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from harness.trials.answers import KIND, NOISE, counts
from harness.trials.cell import Cell
from harness.trials.seeds import stream
from tests.support.one_by_one import BOTTOM, UNANSWERED, ballot_of, given

NAMES = tuple(mechanisms())

# Small enough for wrong votes, ⊥s and wrong labels to occur, so that a change in any random number shows in the rows.
FIELDS: dict[str, dict[str, Any]] = {
    "uniform": {"m": 3000, "n": 2 * 10**7},
    "hard": {"m": 2000, "n": 10**8, "distribution": {"name": "hard", "c": 0.7}, "learner": "rightmost"},
    "alpha": {"m": 300, "alpha": 0.02, "constants": "BTT18a", "learner": "midpoint"},
    "full": {"m": 100, "n": 3 * 10**6, "sampling": "full", "learner": "midpoint"},
    "noisy": {"m": 2000, "n": 10**9, "gamma": 0.05, "learner": "midpoint"},
}
CELLS = {name: Cell.model_validate(fields) for name, fields in FIELDS.items()}
every_cell = pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())


def rows(cell: Cell, names: Sequence[str], seed: int = 1, trial: int = 0) -> dict[str, dict[str, Any]]:
    """Rows by mechanism, without the one column that is measured by the clock."""
    result = KIND.rows(cell, names, seed, trial)
    assert [row["mechanism"] for row in result] == list(names)
    assert all(row.pop("seconds") > 0 for row in result)
    return {row["mechanism"]: row for row in result}


@pytest.mark.at_once("alpha")
@every_cell
def test_a_row_does_not_depend_on_what_runs_beside_or_before_it(cell: Cell) -> None:
    together = rows(cell, NAMES)
    rows(cell, NAMES, trial=1)
    assert rows(cell, NAMES) == together
    for name in NAMES:
        assert rows(cell, [name]) == {name: together[name]}


@pytest.mark.process
def test_another_process_gives_the_same_rows() -> None:
    program = (
        "import json; from harness.trials.cell import Cell; from harness.trials.answers import KIND; "
        f"print(json.dumps(KIND.rows(Cell.model_validate({FIELDS['uniform']!r}), {NAMES!r}, 1, 0)))"
    )
    told = subprocess.run([sys.executable, "-R", "-c", program], capture_output=True, text=True, check=True, timeout=60).stdout
    here = rows(CELLS["uniform"], NAMES)
    for row in json.loads(told):
        assert here[row["mechanism"]].items() <= row.items()


@pytest.mark.at_once("hard", "uniform", "alpha", "noisy")
@every_cell
def test_a_row_holds_the_parameters_of_its_cell_and_of_the_mechanisms_plan(cell: Cell) -> None:
    for name, row in rows(cell, NAMES).items():
        plan = cell.plan(name)
        assert KIND.parameters(cell, name).items() <= row.items()
        for key in ("n", "k", "s", "alpha", "bound", "vacuous"):
            assert row[key] == getattr(plan, key)
        assert row["spent"] == (plan.spent if mechanisms()[name].private else None)
        drawn = {key: row[key] for key in (*("T", "lam", "w"), *(column.name for column in NOISE)) if row[key] is not None}
        assert drawn == plan.noise
        for key in ("learner", "sampling", "constants", "pac_bound", "V", "m", "eps", "delta", "beta", "gamma"):
            assert row[key] == getattr(cell, key)
        written = {"name": row["concept"]} | json.loads(row["concept_parameters"])
        assert Cell.model_validate({"m": 1, "n": 1, "concept": written}).concept == cell.concept
        stored = json.loads(row["distribution_parameters"]) | {"name": row["distribution"]}
        assert Cell.model_validate({"m": 1, "n": 1, "distribution": stored}).distribution == cell.distribution
        assert (row["cell"], row["trial"], row["mechanism"], row["alpha_target"]) == (cell.identity, 0, name, cell.alpha)


@dataclass
class Spy:
    """A mechanism in the place of another: it keeps what it is given, and answers as told, or as that other would."""

    original: Answering[Plan]
    answers: Answers | None = None
    ballots: list[Ballot] = field(default_factory=list)
    noise: list[float] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        self.plans.append(self.original.plan(constants, task, n))
        return self.plans[-1]

    def answer_block(self, ballot: Ballot, plan: Plan, task: Task, rng: np.random.Generator) -> Answers:
        self.ballots.append(ballot)
        self.noise.append(rng.random())
        return self.answers or self.original.answer_block(ballot, plan, task, rng)


@pytest.fixture
def spies(monkeypatch: pytest.MonkeyPatch) -> dict[str, Spy]:
    """A spy in the place of every mechanism."""
    spies = {name: Spy(mechanism) for name, mechanism in mechanisms().items()}
    monkeypatch.setattr("harness.trials.answers.mechanisms", lambda: spies)
    monkeypatch.setattr("harness.trials.cell.mechanisms", lambda: spies)
    return spies


@pytest.mark.parametrize(
    "cell",
    [pytest.param(CELLS[name], marks=pytest.mark.law if name in ("full", "noisy") else ()) for name in CELLS],
    ids=CELLS.keys(),
)
def test_no_company_and_no_order_changes_what_a_mechanism_is_given(cell: Cell, spies: dict[str, Spy]) -> None:
    """Each alone, beside its neighbour before and after it, and beside all."""
    orders = [*permutations(NAMES, 1), *pairwise(NAMES), *pairwise(NAMES[::-1]), NAMES, NAMES[::-1]]
    for names in orders:
        rows(cell, names)
    for name, spy in spies.items():
        assert len(spy.ballots) == sum(name in names for names in orders)
        assert len({each.counts.tobytes() + each.truth.tobytes() + each.sizes.tobytes() for each in spy.ballots}) == 1
        assert len(set(spy.noise)) == 1


def test_a_plan_is_solved_once_a_cell(spies: dict[str, Spy]) -> None:
    cell = Cell(m=200, n=10**7)
    for trial in range(3):
        rows(cell, NAMES, trial=trial)
    for name, spy in spies.items():
        assert spy.plans == [cell.plan(name)]
        assert cell.plan(name) is spy.plans[0]


@pytest.mark.at_once("uniform", "noisy")
@pytest.mark.parametrize("name", ["full", "noisy", "uniform"])
def test_mechanisms_share_queries_and_where_they_share_k_votes(name: str, spies: dict[str, Spy]) -> None:
    """What two of them both tell apart they have in common: from the nearest to the target on. See the samplers' own tests."""
    cell = CELLS[name]
    rows(cell, NAMES)
    shared = 0
    for one in NAMES:
        assert spies[one].ballots[0].k == cell.plan(one).k
        for other in NAMES:
            ours, theirs = spies[one].ballots[0], spies[other].ballots[0]
            same_k = cell.plan(one).k == cell.plan(other).k
            assert (ours is theirs) == same_k
            assert ours.m == theirs.m == cell.m
            if ours.size is None and theirs.size is None:
                assert np.array_equal(ours.truth, theirs.truth)
            shared += same_k and one != other
    assert shared > 0


def test_queries_votes_and_noise_come_from_the_streams_named_after_them(spies: dict[str, Spy]) -> None:
    cell = CELLS["alpha"]
    rows(cell, NAMES, seed=5, trial=3)
    for name, spy in spies.items():
        plan = cell.plan(name)
        sampler = cell.distribution.at(cell.situation(name))
        streams = partial(stream, cell.identity, 5, 3 // cell.block)
        queries = sampler.block(cell.m, plan.k, plan.s, cell.block, streams("queries"))
        ballot = sampler.sufficient(queries, plan.k, plan.s, streams(f"votes/{plan.k}"))
        assert np.array_equal(spy.ballots[0].counts, ballot.counts)
        assert np.array_equal(spy.ballots[0].sizes, ballot.sizes)
        assert spy.noise == [streams(f"noise/{name}").random()]
    assert len({spy.noise[0] for spy in spies.values()}) == len(NAMES)


def test_no_two_mechanisms_draw_the_same_noise(spies: dict[str, Spy]) -> None:
    """Nor the noise of what is shared: whatever the streams are called, each is one purpose's alone."""
    cell = Cell(m=200, n=10**10)
    rows(cell, list(spies), seed=5, trial=3 * cell.block)
    shared = [stream(cell.identity, 5, 3, name).random() for name in ("queries", *{f"votes/{cell.plan(n).k}" for n in spies})]
    first = [*(spy.noise[0] for spy in spies.values()), *shared]
    assert len(first) > len(spies) + 1
    assert len(set(first)) == len(first)


def test_another_trial_seed_or_cell_has_other_queries_and_noise(spies: dict[str, Spy]) -> None:
    spy = spies[NAMES[0]]
    cell = CELLS["uniform"]
    for which, seed, trial in ((cell, 1, 0), (cell, 1, cell.block), (cell, 2, 0), (Cell(m=3000, n=2 * 10**7, eps=2.0), 1, 0)):
        rows(which, NAMES[:1], seed, trial)
    assert len(set(spy.noise)) == 4
    assert len({each.truth.tobytes() for each in spy.ballots}) == 4


def test_sampling_in_full_is_what_a_cell_asks_for(spies: dict[str, Spy]) -> None:
    cell = CELLS["full"]
    rows(cell, NAMES[:1], 1, 0)
    plan = cell.plan(NAMES[0])
    sampler = cell.distribution.at(cell.situation(NAMES[0]))
    queries = sampler.queries(cell.m, stream(cell.identity, 1, 0, "queries"))
    ballot = sampler.full(queries, plan.k, plan.s, stream(cell.identity, 1, 0, f"votes/{plan.k}"))
    assert np.array_equal(spies[NAMES[0]].ballots[0].counts, ballot.counts)


@pytest.mark.parametrize("halted_at", [None, 0, 1, 120])
@pytest.mark.parametrize("count", [2, 3])
def test_counts_are_what_going_through_the_answers_gives(halted_at: int | None, count: int) -> None:
    """One by one, and where equal queries are one type."""
    m, k, rng = 200, 9, np.random.default_rng(1)
    counts_ = rng.multinomial(k, np.full(count, 1 / count), m).T
    said = rng.choice(np.array([*range(count), BOTTOM], dtype=np.int8), size=m)
    if halted_at is not None:
        said[halted_at:] = UNANSWERED
    ballot = Ballot(counts_, k, rng.integers(0, count, m).astype(np.int8), max_mistakes=70)
    tally = dict.fromkeys(("answered", "bottoms", "wrong", "misclassified", "unstable", "stable_failed"), 0)
    for i in range(m):
        truth, label = int(ballot.truth[i]), int(said[i])
        unstable = (k - int(counts_[truth, i])) / k > 1 / 3
        tally["answered"] += label != UNANSWERED
        tally["bottoms"] += label == BOTTOM
        tally["wrong"] += label >= 0 and label != truth
        tally["misclassified"] += label != truth
        tally["unstable"] += unstable
        tally["stable_failed"] += not unstable and label != truth
    types, place, size = np.unique(np.vstack([counts_, ballot.truth]), axis=1, return_inverse=True, return_counts=True)
    by_type = Ballot(types[:-1], k, types[-1].astype(np.int8), size, max_mistakes=70)
    assert len(size) < m
    answers = given(said, count)
    assert answers.bottoms is not None and answers.unanswered is not None

    def summed(each: Ints) -> Ints:
        return np.bincount(place.ravel(), each, len(size)).astype(np.int64)

    together = Answers(np.array([summed(each) for each in answers.given]), summed(answers.bottoms), summed(answers.unanswered))
    for one, other in ((ballot, answers), (by_type, together)):
        row = KIND.row(counts(one, other), 0)
        assert {key: row[key] for key in tally} == tally
        assert row["misclassification_rate"] == tally["misclassified"] / m
        assert row["halted_at"] == halted_at
        assert (row["max_mistakes"], row["share_of_3B"]) == (70, tally["unstable"] / 210)


@pytest.mark.at_once("hard", "uniform", "alpha")
@every_cell
def test_counts_add_up(cell: Cell) -> None:
    for trial in range(3):
        for row in rows(cell, NAMES, trial=trial).values():
            unanswered = cell.m - row["answered"]
            assert 0 <= row["bottoms"] <= row["answered"] <= cell.m
            assert row["misclassified"] == row["wrong"] + row["bottoms"] + unanswered
            assert row["misclassification_rate"] == row["misclassified"] / cell.m
            assert row["halted_at"] == (row["answered"] if unanswered else None)
            assert 0 <= row["unstable"] <= cell.m


@pytest.mark.law
def test_a_row_states_how_far_the_law_of_its_votes_may_be_from_the_exact_one() -> None:
    assert {row["tv_budget"] for name in ("hard", "full") for row in rows(CELLS[name], NAMES).values()} == {0.0}
    assert {row["tv_budget"] for row in rows(CELLS["uniform"], NAMES).values()} <= {0.0, exp(-BEYOND)}
    for row in rows(CELLS["noisy"], NAMES).values():
        assert row["tv_budget"] == pytest.approx(3e-18 * row["k"], rel=1e-12)


def test_a_query_is_unstable_with_more_than_a_third_of_the_votes_wrong() -> None:
    ballot = ballot_of(np.array([3, 6, 4, 5]), 9, np.array([0, 1, 0, 1], dtype=np.int8))
    assert counts(ballot, winners(ballot))["unstable"] == 2


def test_counts_are_for_any_number_of_labels() -> None:
    votes = Ballot(np.array([[5, 0, 1], [1, 6, 2], [0, 0, 3]]), 6, np.array([0, 1, 0], dtype=np.int8))
    row = counts(votes, given(np.array([0, 2, 2], dtype=np.int8), 3))
    assert (row["answered"], row["bottoms"], row["wrong"], row["misclassified"], row["unstable"]) == (3, 0, 2, 2, 1)
