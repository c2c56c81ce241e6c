"""What every registered mechanism owes: one suite, and a new mechanism's file joins it by being there."""

from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from harness.mechanisms.answers import BOTTOM, UNANSWERED

from harness import mechanisms as room
from harness.concepts.votes import Votes
from harness.mechanisms import Mechanism, mechanisms
from harness.theory.fixed_point import Plan
from harness.theory.pac import thresholds_agnostic, thresholds_extremal
from harness.theory.parameters import CONSTANTS, Constants, Task

TASK = Task(m=300, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
SURE = replace(TASK, beta=1e-4)
BTT18 = CONSTANTS["BTT18"]

WITHOUT_RATE = ("A_OQR", "A_sparseVec")  # their guarantees are about distances
REFUSING = ("A_stab_per_query", "Confident_GNMax")  # they may answer ⊥, and pay for every query all the same
NOT_PRIVATE = ("majority", "single_learner")

every_mechanism = pytest.mark.parametrize("mechanism", mechanisms().values(), ids=list(mechanisms()))
every_constants = pytest.mark.parametrize("constants", CONSTANTS.values(), ids=list(CONSTANTS))


def ballot(kind: str, plan: Plan, m: int) -> Votes:
    """m queries whose k votes are unanimous, evenly split, or anything."""
    rng, k = np.random.default_rng(51), plan.k
    ones = {
        "unanimous": k * rng.integers(0, 2, m),
        "split": np.full(m, k // 2),
        "anything": rng.integers(0, k + 1, m),
    }[kind]
    return Votes.binary(ones, k, rng.integers(0, 2, m).astype(np.int8))


def test_the_registry_holds_every_file_that_defines_a_mechanism_under_a_name_of_its_own() -> None:
    files = [path for path in Path(room.__file__).parent.glob("*.py") if "\nMECHANISM = " in path.read_text(encoding="utf-8")]
    assert len(mechanisms()) == len(files) >= 4
    assert all(mechanism.name == name for name, mechanism in mechanisms().items())


@every_mechanism
def test_it_says_where_it_comes_from(mechanism: Mechanism) -> None:
    assert mechanism.source.split()[0] in ("BTT18", "BTT18a", "DR14", "Balle,", "Papernot")
    assert mechanism.label
    assert [other.label for other in mechanisms().values()].count(mechanism.label) == 1


@every_mechanism
@every_constants
@pytest.mark.parametrize("n", [1, 10**4, 10**7, 10**10, 10**15])
@pytest.mark.parametrize(
    "task",
    [TASK, replace(TASK, m=1), replace(TASK, m=10**6, eps=50.0), replace(TASK, gamma=0.01, pac_bound=thresholds_agnostic)],
    ids=["printed", "one query", "many", "agnostic"],
)
def test_its_plan_splits_n_and_has_a_bound_or_a_reason(mechanism: Mechanism, constants: Constants, n: int, task: Task) -> None:
    plan = mechanism.plan(constants, task, n)
    assert plan.n == n
    assert plan.k >= 1
    assert plan.s == n // plan.k
    assert plan.alpha > 0
    assert (plan.bound is None) == (plan.reason is not None) == plan.vacuous
    assert plan.bound is None or 0 < plan.bound < 1
    assert (plan.T is None) == (plan.lam is None) == (plan.w is None)


@every_mechanism
def test_more_examples_never_loosen_its_bound(mechanism: Mechanism) -> None:
    bounds = [mechanism.plan(BTT18, TASK, int(n)).bound for n in np.geomspace(1, 10**15, 61)]
    assert bounds[0] is None
    if mechanism.name in WITHOUT_RATE:
        assert bounds == [None] * 61
        return
    assert bounds[-1] is not None
    numbers = [1.0 if bound is None else bound for bound in bounds]
    assert numbers == sorted(numbers, reverse=True)


@every_mechanism
@every_constants
@pytest.mark.parametrize("kind", ["unanimous", "split", "anything"])
@pytest.mark.parametrize("n", [10**7, 10**12])
@pytest.mark.parametrize("m", [1, 300])
def test_its_answers_are_labels_or_bottom_up_to_a_halt(
    mechanism: Mechanism, constants: Constants, kind: str, n: int, m: int
) -> None:
    task = replace(TASK, m=m)
    plan = mechanism.plan(constants, task, n)
    answers = mechanism.answer(ballot(kind, plan, m), plan, task, np.random.default_rng(52))
    assert answers.labels.shape == (m,)
    assert answers.labels.dtype == np.int8
    assert set(answers.labels.tolist()) <= {0, 1, BOTTOM, UNANSWERED}
    answered = m if answers.halted_at is None else answers.halted_at
    assert 0 < answered <= m
    assert UNANSWERED not in answers.labels[:answered]
    assert (answers.labels[answered:] == UNANSWERED).all()
    assert answers.halted_at is None or (answered < m and answers.labels[answered - 1] == BOTTOM)
    assert plan.T is not None or UNANSWERED not in answers.labels
    assert plan.T is not None or mechanism.name in REFUSING or BOTTOM not in answers.labels


@every_mechanism
@pytest.mark.parametrize("n", [10**7, 10**12])
def test_it_answers_unanimous_votes_by_their_winner(mechanism: Mechanism, n: int) -> None:
    """Also where the guarantee is vacuous: k has room for votes that agree in full.

    At β = 10⁻⁴ and m = 300 the least room is that of A_sparseVec, (β/2mT)² for a query by its own theorem, so that some query
    of some case here fails with probability below 1e-10.
    """
    plan = mechanism.plan(BTT18, SURE, n)
    votes = ballot("unanimous", plan, TASK.m)
    answers = mechanism.answer(votes, plan, SURE, np.random.default_rng(53))
    assert answers.labels.tolist() == votes.winner.tolist()
    assert answers.halted_at is None


@every_mechanism
@every_constants
@pytest.mark.parametrize("n", [10**5, 10**9])
def test_it_spends_what_it_promises_or_says_that_it_promises_nothing(
    mechanism: Mechanism, constants: Constants, n: int
) -> None:
    """A_OQR keeps the printed distance, which moves by 2: with noise calibrated to the last for one that moves by 1 it spends
    twice ε and a little more."""
    spent = mechanism.spent(mechanism.plan(constants, TASK, n), TASK)
    if mechanism.name in NOT_PRIVATE:
        assert spent == inf
    elif (mechanism.name, constants.name) == ("A_OQR", "tight"):
        assert 2 * TASK.eps < spent < 2.2 * TASK.eps
    else:
        assert 0.15 * TASK.eps < spent <= TASK.eps * (1 + 1e-9)


@every_mechanism
def test_a_seed_fixes_its_answers(mechanism: Mechanism) -> None:
    plan = mechanism.plan(BTT18, TASK, 10**12)
    votes = ballot("anything", plan, TASK.m)
    one, same = (mechanism.answer(votes, plan, TASK, np.random.default_rng(54)) for _ in range(2))
    assert one.labels.tolist() == same.labels.tolist()
    assert one.halted_at == same.halted_at


@every_mechanism
def test_it_leaves_the_votes_as_they_were(mechanism: Mechanism) -> None:
    plan = mechanism.plan(BTT18, TASK, 10**7)
    votes = ballot("split", plan, TASK.m)
    counts, truth, winner = votes.counts.copy(), votes.truth.copy(), votes.winner.copy()
    mechanism.answer(votes, plan, TASK, np.random.default_rng(55))
    assert np.array_equal(votes.counts, counts)
    assert np.array_equal(votes.truth, truth)
    assert np.array_equal(votes.winner, winner)
