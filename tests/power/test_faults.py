"""The checks have power: faults planted in the product, one at a time, are seen by its claims.

The committed experiments are run small under each fault. A claim sees the fault when its verdict turns: `refuted` for `holds`,
`holds` for `refuted`. A fault that no claim can see is named with the reason, and with the test that it fails.

On every change one claim has to see each fault, on one experiment, or one test; all claims are asked in the law tier.

A false verdict has probability at most 1e-8 in each test. A claim that is said to turn does so at these sizes but for 1e-7, and
without a fault none stays undecided but for 1e-7.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from harness.arrays import Ints, Labels
from harness.ballots import Ballot, Queries
from harness.mechanisms.above_threshold import Stream, a_sparse_vec, settle
from harness.mechanisms.answering import per_bottom
from harness.mechanisms.answering.answers import winners
from harness.mechanisms.noise import laplace
from harness.report.verdicts import Evidence, judge
from harness.theory import fixed_point
from harness.theory.constants import btt18
from harness.theory.parameters import Constants, Task
from harness.trials.cell import Cell
from tests.support.epochs import Values, in_its_place
from tests.support.layers import ERROR, Failing, Plant, compared, told

if TYPE_CHECKING:
    from tests.support.experiments import Broken, Measure


LAW, TIGHT, NEARLY = "BTT18a:A3-law", "BTT18:T3.2-k-repaired", "probe:BTT18:T3.2-k-nine-tenths"
AT_MOST_T, AT_MOST_T_PLUS_1, LEARNERS = "BTT18:A2-cutoff", "BTT18:A2-cutoff-repaired", "BTT18:T3.2-learners"

CHECKS = {
    "epochs": {"k_scale": "0.3"},
    "utility_transition": {"T": "1", "beta": "0.5", "k_scale": "[0.9, 1]"},
    "cutoff": {"T": "[1, 10]", "trials": "3"},
    "learners": {"n": "1e9", "learner": "leftmost"},
}
"""The experiments, each with what makes it small."""

ENOUGH = {"trials": "{until: decided, max: 4096}"}
"""For the faults that `epochs` sees; the others would keep it busy for longer."""

FEWER = CHECKS | {"epochs": CHECKS["epochs"] | ENOUGH}


@dataclass(frozen=True)
class Fault:
    """number: of the thirteen; the fifth is two plants. plant: puts it in. seen_by: the claims that it turns.

    first: what sees it on every change, a claim on an experiment or a test. blind: why no claim can see it.
    """

    number: int
    what: str
    plant: Plant
    seen_by: set[str]
    first: tuple[str, str] | Failing = ("epochs", LAW)
    blind: str = ""


def noise_times(factor: float) -> Plant:
    return in_its_place(lambda values, sizes, lam, w, T, rng: a_sparse_vec(values, sizes, factor * lam, w, T, rng))


def query_by_query(
    values: Values, sizes: Ints, bottoms: Callable[[Values], Ints], T: float, rng: np.random.Generator
) -> Stream:
    """The outcome where all queries are put in a random order; bottoms: which places are ⊥, of the values in order."""
    types = len(values)
    type_ = rng.permutation(np.repeat(np.arange(types), sizes))
    out = bottoms(values[type_])[: int(T) + 1]
    left = type_[out[-1] + 1 :] if len(out) > T else type_[:0]
    return Stream(np.bincount(type_[out], minlength=types), np.bincount(left, minlength=types))


def never_redrawn(values: Values, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    first = w + float(laplace(lam, 1, rng)[0])
    return query_by_query(values, sizes, lambda each: np.flatnonzero(each + laplace(2 * lam, len(each), rng) <= first), T, rng)


def always_redrawn(values: Values, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    def bottoms(each: Values) -> Ints:
        return np.flatnonzero(each + laplace(2 * lam, len(each), rng) <= w + laplace(lam, len(each), rng))

    return query_by_query(values, sizes, bottoms, T, rng)


def scales_swapped(values: Values, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    def bottoms(each: Values) -> Ints:
        thresholds = w + laplace(2 * lam, len(each) + 1, rng)
        return settle(each + laplace(lam, len(each), rng), float(thresholds[0]), thresholds[1:], int(T) + 1)

    return query_by_query(values, sizes, bottoms, T, rng)


def while_below_T(values: Values, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    return a_sparse_vec(values, sizes, lam, w, ceil(T) - 1, rng)


def never_counted(values: Values, sizes: Ints, lam: float, w: float, T: float, rng: np.random.Generator) -> Stream:
    return a_sparse_vec(values, sizes, lam, w, sizes.sum(), rng)


def w_halved(patch: pytest.MonkeyPatch) -> None:
    """In the one place where it is written, for all that take it from there."""
    w = btt18.above_noise
    patch.setattr(btt18, "above_noise", lambda *given: w(*given) / 2)


def k_at_a_tenth(patch: pytest.MonkeyPatch) -> None:
    k = Constants.k
    patch.setattr(Constants, "k", lambda self, task, T: k(self, task, T) / 10)


def bottoms_labelled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(per_bottom, "winners", lambda ballot, bottoms, unanswered: winners(ballot, 0 * bottoms, unanswered))


def gap_uncut(patch: pytest.MonkeyPatch) -> None:
    """The distance is max(0, gap − 1): one more in the gap takes the 1 out."""
    gap = Ballot.__dict__["gap"].func
    patch.setattr(Ballot, "gap", property(lambda self: gap(self) + 1))


def one_chunk_twice(patch: pytest.MonkeyPatch) -> None:
    """A chunk that votes with the majority everywhere."""
    binary = Ballot.binary

    def doubled(ones: Ints, k: int, queries: Queries, max_mistakes: int | None = None, tv_budget: float = 0.0) -> Ballot:
        ballot = binary(ones, k, queries, max_mistakes, tv_budget)
        counts = ballot.counts.copy()
        counts[ballot.winner, np.arange(len(ones))] += 1
        found: Ballot = replace(ballot, counts=counts)
        return found

    patch.setattr(Ballot, "binary", doubled)


def biased_ties(patch: pytest.MonkeyPatch) -> None:
    """Three ties in four go to label 1."""
    winner = Ballot.__dict__["winner"].func

    def biased(self: Ballot) -> Labels:
        coin = np.arange(self.counts.shape[1]) % 4 > 0
        return np.where((self.gap == 0) & coin, 1, winner(self)).astype(np.int8)

    patch.setattr(Ballot, "winner", property(biased))


def beta_not_shared(patch: pytest.MonkeyPatch) -> None:
    def excess_error(task: Task, n: int, k: int) -> float:
        return task.pac_bound(n // k, task.beta)

    patch.setattr(fixed_point, "excess_error", excess_error)


COUNTED = Failing("test_ballots.py", "test_winner_gap_and_wrong_are_what_counting_ballots_one_by_one_gives", (2,))
FAULTS = (
    Fault(1, "noise scale halved", noise_times(0.5), {LAW, NEARLY}),
    Fault(2, "noise scale doubled", noise_times(2.0), {LAW, TIGHT}),
    Fault(3, "threshold not redrawn after ⊥", in_its_place(never_redrawn), {LAW}),
    Fault(4, "threshold redrawn after every query", in_its_place(always_redrawn), {LAW}),
    Fault(5, "c < T for c ≤ T", in_its_place(while_below_T), {AT_MOST_T, LAW, TIGHT}, ("cutoff", AT_MOST_T)),
    Fault(5, "c never counted", in_its_place(never_counted), {AT_MOST_T_PLUS_1}, ("cutoff", AT_MOST_T_PLUS_1)),
    Fault(6, "w without its factor 2", w_halved, {LAW}),
    Fault(7, "⊥ turned into a label", bottoms_labelled, {AT_MOST_T, LAW}, ("cutoff", AT_MOST_T)),
    Fault(8, "gap without −1", gap_uncut, {LAW}, COUNTED),
    Fault(9, "k at a tenth", k_at_a_tenth, {TIGHT}, ("utility_transition", TIGHT)),
    Fault(10, "votes of one chunk counted twice", one_chunk_twice, {LAW}),
    Fault(
        11,
        "a biased coin in ties",
        biased_ties,
        set(),
        blind="No claim says which label wins a tie. Its distance is 0, so it is answered with probability below δ/m; and "
        "where an experiment splits the votes the truth is a fair coin, so that any rule is right half of the time.",
        first=COUNTED,
    ),
    Fault(12, "the two Laplace scales swapped", in_its_place(scales_swapped), {LAW, NEARLY}),
    Fault(13, "the fixed point's β for β/k", beta_not_shared, {LEARNERS}, ("learners", LEARNERS)),
)


def alone(experiment: str, claim: str) -> dict[str, str]:
    """What makes an experiment small, and ends it where one claim is decided."""
    return FEWER[experiment] | {"claims": f'["{claim}"]'}


@pytest.fixture(scope="module")
def unspoilt(measure: "Measure") -> Callable[[str, str], Evidence]:
    """An experiment of a few trials without a fault for one claim, measured once."""
    few = {"trials": "16"}
    return cache(lambda experiment, claim: measure(experiment, **(alone(experiment, claim) | few)))


@pytest.fixture(scope="module")
def clean(measure: "Measure") -> list[Evidence]:
    """The experiments without a fault."""
    return [measure(experiment, **changes) for experiment, changes in FEWER.items()]


@pytest.fixture(autouse=True)
def sharp_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five questions share an error of 1e-8: a cell must not stop while it is decided at more than its share."""
    monkeypatch.setattr("harness.sweep.run.run.LOOK_ERROR", 1e-9)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults make the trials of a block one by one: no thousand of them where three are asked for."""
    monkeypatch.setattr(Cell, "block", 64)


def test_thirteen_faults_are_planted_and_claims_see_at_least_ten() -> None:
    """A fault of several plants is seen when each of them is."""
    numbers = {fault.number for fault in FAULTS}
    unseen = {fault.number for fault in FAULTS if not fault.seen_by}
    assert numbers == set(range(1, 14))
    assert len(numbers - unseen) >= 10
    assert all((fault.number in unseen) == bool(fault.blind) for fault in FAULTS)
    assert all(isinstance(fault.first, Failing) or fault.first[1] in fault.seen_by for fault in FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.number} {fault.what}" for fault in FAULTS])
def test_a_fault_is_seen_by_the_one_claim_or_test_that_must_see_it(
    fault: Fault,
    measure: "Measure",
    broken: "Broken",
    unspoilt: Callable[[str, str], Evidence],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if isinstance(fault.first, Failing):
        assert not fault.first.fails()
        fault.plant(monkeypatch)
        assert fault.first.fails()
    else:
        experiment, claim = fault.first
        assert broken(judge([unspoilt(experiment, claim)], ERROR)) == set()
        fault.plant(monkeypatch)
        assert broken(judge([measure(experiment, **alone(experiment, claim))], ERROR)) == {claim}


@pytest.mark.law
def test_without_a_fault_every_verdict_is_as_expected(measure: "Measure") -> None:
    found = judge([measure(experiment, **changes) for experiment, changes in CHECKS.items()], ERROR)
    assert {finding.claim.id for finding in found} == {LAW, TIGHT, NEARLY, AT_MOST_T, AT_MOST_T_PLUS_1, LEARNERS}
    assert [finding.claim.id for finding in found if not finding.as_expected] == []


@pytest.mark.law
@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.number} {fault.what}" for fault in FAULTS])
def test_a_fault_turns_the_claims_that_see_it_or_else_fails_a_test(
    fault: Fault,
    clean: list[Evidence],
    measure: "Measure",
    broken: "Broken",
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    fault.plant(monkeypatch)
    found = [measure(experiment, **changes) for experiment, changes in FEWER.items()]
    turned = broken(judge(found, ERROR))
    fails = isinstance(fault.first, Failing) and fault.first.fails()
    record_property(*told(f"mechanisms: {fault.what}", turned, compared(clean, found), rows=False, test=fails))
    assert turned == fault.seen_by
