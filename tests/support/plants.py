"""Faults to plant, one at a time: each puts itself into the product and is gone with the patch."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from harness.arrays import Ints
from harness.ballots import Queries
from harness.claims.engine import event_seen, events, limits
from harness.concepts import atoms, ensemble, thresholds
from harness.concepts.thresholds.samplers import LEARNERS, NoisyUniformSampler
from harness.mechanisms import Mechanism
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import Answers
from harness.report import prices, two_sample
from harness.sweep.run import run
from harness.theory import confidence
from harness.theory.constants import btt18, ours
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from harness.theory.privacy import composition, spent
from harness.transfer import a_priv
from harness.trials import answers, seeds, tracing
from harness.trials.search import Search
from tests.support.layers import Plant


def cutoff_times(factor: float) -> Plant:
    cutoff = Constants.T
    return lambda patch: patch.setattr(Constants, "T", lambda self, task, alpha: factor * cutoff(self, task, alpha))


def drawn_at(name: str, **factors: float) -> Plant:
    """A mechanism draws its noise at other numbers than those of its plan."""
    answer = type(mechanisms()[name]).answer

    def otherwise(self: Any, votes: Any, plan: Plan, *rest: Any) -> Answers:
        if self.name != name:
            return answer(self, votes, plan, *rest)
        numbers = {key: factor * getattr(plan, key) for key, factor in factors.items()}
        return answer(self, votes, replace(plan, **numbers), *rest)

    return lambda patch: patch.setattr(type(mechanisms()[name]), "answer", otherwise)


def planned_at(name: str, **factors: float) -> Plant:
    """A mechanism is calibrated to other noise, and accounts for what it draws."""
    kind = type(mechanisms()[name])
    plan = kind.plan

    def otherwise(self: Any, given: Constants, task: Task, n: int) -> Plan:
        found: Plan = plan(self, given, task, n)
        accounted = replace(found, **{key: factor * getattr(found, key) for key, factor in factors.items()})
        changed: Plan = replace(accounted, accounting=lambda: found.spent / next(iter(factors.values())))
        return changed

    return lambda patch: patch.setattr(kind, "plan", otherwise)


def delta_is_the_smaller(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(btt18, "min", lambda delta, other: delta, raising=False)


def all_of_delta(patch: pytest.MonkeyPatch) -> None:
    share = composition.pure_share
    patch.setattr(ours, "pure_share", lambda eps, n, delta: share(eps, n, 2 * delta))


def one_epoch_less(patch: pytest.MonkeyPatch) -> None:
    epochs = composition.epochs
    for module in (composition, spent, ours):
        patch.setattr(module, "epochs", lambda m, T: max(1, epochs(m, T) - 1), raising=False)


def midpoint_is_leftmost(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(LEARNERS, "midpoint", LEARNERS["leftmost"])
    at = thresholds.Uniform.at
    patch.setattr(thresholds.Uniform, "at", lambda self, situation: at(self, replace(situation, learner="leftmost")))


def rarer_atoms(patch: pytest.MonkeyPatch) -> None:
    sizes = atoms.Hard.sizes
    patch.setattr(atoms.Hard, "sizes", lambda self, rare, at: (sizes(self, rare, at)[0] / 2, sizes(self, rare, at)[1]))


def more_agreement(patch: pytest.MonkeyPatch) -> None:
    at = ensemble.Agreement.at
    patch.setattr(ensemble.Agreement, "at", lambda self, situation: at(self.model_copy(update={"right": 0.72}), situation))


def more_noise_in_labels(patch: pytest.MonkeyPatch) -> None:
    flipped, block = Queries.flipped, NoisyUniformSampler.block
    patch.setattr(Queries, "flipped", lambda self, gamma, rng: flipped(self, 2 * gamma, rng))
    patch.setattr(NoisyUniformSampler, "block", lambda self, *sizes: block(replace(self, gamma=2 * self.gamma), *sizes))


def bottoms_are_ones(patch: pytest.MonkeyPatch) -> None:
    def ones(answers: Answers, rng: np.random.Generator) -> Ints:
        given = answers.given.copy()
        for unknown in (answers.bottoms, answers.unanswered):
            given[1] += 0 if unknown is None else unknown
        return given

    patch.setattr(a_priv, "with_coins", ones)


def half_the_points(patch: pytest.MonkeyPatch) -> None:
    for kind in (a_priv.APriv, a_priv.ERM):
        points = kind.points
        patch.setattr(kind, "points", lambda self, problem, points=points: points(self, problem) // 2)


def half_the_error(patch: pytest.MonkeyPatch) -> None:
    learned = a_priv.APriv.learned
    patch.setattr(a_priv.APriv, "learned", lambda self, *given: learned(self, *given) / 2)


def counted(change: Callable[[dict[str, Any], Answers], dict[str, Any]]) -> Plant:
    counts = answers.counts
    return lambda patch: patch.setattr(answers, "counts", lambda votes, given: change(counts(votes, given), given))


def bottoms_are_right(row: dict[str, Any], given: Answers) -> dict[str, Any]:
    errors = row["misclassified"] - given.bottom_count
    m = row["answered"] + given.unanswered_count
    return row | {"misclassified": errors, "misclassification_rate": errors / m}


def of_the_answered(row: dict[str, Any], given: Answers) -> dict[str, Any]:
    return row | {"misclassification_rate": row["misclassified"] / (2 * row["answered"])}


def one_stream_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mechanism, "key", property(lambda self: "all"))


def trials_alike(patch: pytest.MonkeyPatch) -> None:
    stream = seeds.stream
    patch.setattr(seeds, "stream", lambda cell, seed, trial, purpose: stream(cell, seed, 0, purpose))


def a_trial_is_lost(patch: pytest.MonkeyPatch) -> None:
    ordered = run.in_order

    def without(sweep: Any, rows: pa.Table) -> pa.Table:
        found = ordered(sweep, rows)
        return found.filter(pa.compute.not_equal(found["trial"], 7))

    patch.setattr(run, "in_order", without)


def one_limit_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(event_seen.RowsSeen, "broken", property(lambda self: np.zeros(len(self.rows), bool)))


def too_sure(patch: pytest.MonkeyPatch) -> None:
    sequence = confidence.confidence_sequence
    for module in (confidence, events):
        patch.setattr(
            module,
            "confidence_sequence",
            lambda failures, trials, error, centre=0.5: sequence(failures, trials, min(1.0, 10 * error), centre),
        )


def strict_is_loose(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(limits.Limit, "strict", False, raising=False)
    patch.setattr(limits.Limit, "broken", lambda self, values, most: values > self.factor * most)


def price_ends_swapped(patch: pytest.MonkeyPatch) -> None:
    priced = prices.priced
    other = {"price_low": "price_high", "price_high": "price_low"}
    patch.setattr(prices, "priced", lambda frame, of: priced(frame, of).rename(columns=other))


def half_the_p_value(patch: pytest.MonkeyPatch) -> None:
    tested = two_sample.two_sample
    patch.setattr(two_sample, "two_sample", lambda one, other: (tested(one, other)[0] / 2, tested(one, other)[1]))


def points_not_shared(patch: pytest.MonkeyPatch) -> None:
    made = Search.__init__

    def unshared(self: Any, fails: Any, allowed: float, most: int, error: float, budget: int) -> None:
        made(self, fails, allowed, most, error, budget)
        self._error = error

    patch.setattr(Search, "__init__", unshared)


def centred_at_the_rows(patch: pytest.MonkeyPatch) -> None:
    """The scores of an attack, whose centre is μ."""
    patch.setattr(tracing.Attack, "centre", property(lambda self: np.clip(self.averages.all, -0.99, 0.99)))


def beta_alone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Task, "L", property(lambda self: float(np.log(1 / self.beta))))
