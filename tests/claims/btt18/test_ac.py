"""The printed powers against rates that follow from plans: of the mechanism itself, and of mechanisms that are not it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18.ac import (
    AC,
    COMPOSED,
    FEW,
    MANY,
    NOISY_MANY,
    T3_4_I,
    T3_4_II,
    T3_5_I,
    T3_5_II,
    OnLadder,
    ladder_plan,
    ladder_rate,
)
from harness.claims.btt18.t3_4 import LADDER, some_error, uniform_plan
from harness.claims.btt18.t3_5 import FEW as NOISY_LADDER
from harness.claims.btt18.t3_5 import MostAtOne, most_at_one, solved
from harness.claims.engine import ComputedExponents, Exponents, Form, Outcome, overall
from harness.claims.engine.exponents import OFF
from harness.claims.engine.logarithms import Regime
from harness.claims.registry import claims
from harness.concepts.ladder import Ladder
from harness.mechanisms.answering.noisy_majority import MECHANISM as NOISY_MAJORITY
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_n
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from tests.support.asked import rows_of

SWEEPS = {
    "n": (2e10, 4e10, 8e10, 1.6e11),
    "m": (5e4, 1e5, 2e5, 4e5, 8e5),
    "V": (64, 128, 256, 512),
    "eps": (0.25, 0.5, 1.0, 2.0),
}
BASE = {"n": 8e10, "m": 1e5, "V": 64, "eps": 1.0}
TEXTS = {"concept": "halfspaces", "distribution": "ladder", "distribution_parameters": "{}", "learner": "svm"}
Planned = Callable[[Task, int], Plan]


def ours(task: Task, n: int, cutoff: float | None = None) -> Plan:
    return plan_for_n(replace(constants()["BTT18"], cutoff=cutoff), task, n)


def composed(task: Task, n: int) -> Plan:
    return NOISY_MAJORITY.plan(constants()["BTT18"], task, n)


def cutoff_of_wrong_order(task: Task, n: int) -> Plan:
    """T as √m, whatever α is."""
    return ours(task, n, 30 * task.m**0.5)


def rows(planned: Planned, mechanism: str, fewer: int = 1, trials: int = 400, seed: int = 1) -> pd.DataFrame:
    """Counts of errors on mass 0.06 V/s, as a ladder has it, where s is what a mechanism's plan makes of n, m, V and ε.

    fewer: so many times fewer examples, for a mechanism of fewer chunks.
    """
    rng, frames = np.random.default_rng(seed), []
    for axis, values in SWEEPS.items():
        for value in values:
            at = BASE | {axis: value}
            if value == BASE[axis] and axis != "n":
                continue
            n, m, V = int(at["n"]) // fewer, int(at["m"]), int(at["V"])
            bound = partial(pac.stable_compression, size=V)
            plan = planned(Task(m, at["eps"], 1e-6, 0.05, 0.0, bound), n)
            count = rng.poisson(0.06 * m * V / plan.s, trials)
            numbers = {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "T": plan.noise.get("T")}
            frames.append(pd.DataFrame({**at, "n": n, **TEXTS, **numbers, "misclassified": count, "cell": str(at)}))
    setting: dict[str, Any] = {"constants": "BTT18", "delta": 1e-6, "beta": 0.05, "gamma": 0.0, "vacuous": False}
    return pd.concat(frames, ignore_index=True).assign(**setting, mechanism=mechanism)


def outcomes(form: Form, frame: pd.DataFrame) -> Mapping[str, Outcome]:
    decider = Exponents(form)
    return {str(line["axis"].iloc[0]): decider.decide("x", line, 1e-6).outcome for line in decider.questions(frame)}


def moved(form: Form, axis: str, off: float) -> Form:
    return replace(form, powers={**form.powers, axis: form.powers[axis] + off})


@pytest.mark.law
@pytest.mark.parametrize(
    ("form", "planned", "mechanism"),
    [(T3_4_II, ours, "A_binClas"), (AC, composed, "noisy_majority")],
    ids=["ours", "composition"],
)
def test_the_printed_powers_hold_and_no_power_that_is_off_by_a_quarter(form: Form, planned: Planned, mechanism: str) -> None:
    """Slopes to about 0.03, at error 10⁻⁶."""
    frame = rows(planned, mechanism, fewer=10 if planned is composed else 1)
    assert outcomes(form, frame) == dict.fromkeys(SWEEPS, "holds")
    for axis in SWEEPS:
        for off in (OFF, -OFF):
            assert outcomes(moved(form, axis, off), frame)[axis] == "refuted"


def test_advanced_compositions_powers_are_not_ours_and_ours_are_not_its() -> None:
    mine, its = rows(ours, "A_binClas"), rows(composed, "noisy_majority", fewer=10).assign(T=1.0)
    assert set(outcomes(replace(T3_4_II, powers=COMPOSED), mine).values()) == {"refuted"}
    assert set(outcomes(T3_4_II, its).values()) == {"refuted"}
    assert set(outcomes(replace(T3_4_II, powers=FEW), mine).values()) == {"refuted"}


def test_a_cutoff_of_the_wrong_order_never_has_the_printed_powers() -> None:
    found = outcomes(T3_4_II, rows(cutoff_of_wrong_order, "A_binClas"))
    assert found == dict.fromkeys(SWEEPS, "refuted")


@pytest.mark.parametrize("name", ["BTT18:T3.4-exponents", "BTT18:T3.4"])
def test_claims_ask_of_fixed_instances_where_the_mean_decides(name: str) -> None:
    frame = rows(ours, "A_binClas", trials=2)
    asked = list(claims()[name].questions(frame))
    assert [rows_of(line)["axis"].iloc[0] for line in asked] == list(SWEEPS)
    for spoilt in (
        frame.assign(distribution_parameters='{"c": 0.69}', distribution="hard"),
        frame.assign(concept="exact_error"),
        frame.assign(alpha=1e-5),
        frame.assign(gamma=0.1),
        frame.assign(vacuous=True),
        frame.assign(mechanism="noisy_majority"),
    ):
        assert not list(claims()[name].questions(spoilt))
    benign = frame.assign(distribution="uniform", learner="midpoint")
    assert bool(list(claims()[name].questions(benign))) == (name == "BTT18:T3.4")


@pytest.mark.parametrize("change", [{"distribution": "uniform"}, {"gamma": 0.5}], ids=str)
def test_a_term_that_gamma_hides_is_untested(change: dict[str, Any]) -> None:
    frame = rows(ours, "A_binClas", trials=2).assign(gamma=1e-4)
    for name in ("BTT18:T3.5-exponents", "BTT18:T3.5"):
        assert len(list(claims()[name].questions(frame))) == 4
        assert not list(claims()[name].questions(frame.assign(**change)))


def computed(form: Form, sweeps: OnLadder) -> Mapping[str, Outcome]:
    return dict(zip(sweeps.points, (each.outcome for each in ComputedExponents(form, sweeps).computed("x")), strict=True))


NOISY = OnLadder(
    Ladder(first=2e3, last=1e8),
    {"n": (5e12, 1e13, 4e13, 8e13), "m": (2e4, 5e4, 2e5, 4e5), "V": (64, 128, 256, 512), "eps": (0.25, 0.5, 2.0, 4.0)},
    {"n": 2e13, "m": 1e5, "V": 64, "eps": 1.0},
    gamma=0.002,
)


@pytest.mark.law
@pytest.mark.parametrize(
    ("form", "sweeps"),
    [(T3_4_I, LADDER), (T3_5_I, NOISY_LADDER), (T3_5_II, NOISY)],
    ids=["3.4 (i)", "3.5 (i)", "3.5 (ii)"],
)
def test_computed_rates_have_the_printed_powers_and_none_that_is_off_by_a_quarter(form: Form, sweeps: OnLadder) -> None:
    assert set(computed(form, sweeps).values()) == {"holds"}
    for off in (OFF, -OFF):
        wrong = replace(form, powers={axis: power + off for axis, power in form.powers.items()})
        assert "holds" not in computed(wrong, sweeps).values()


@pytest.mark.law
def test_neither_regime_has_the_powers_of_the_other() -> None:
    assert set(computed(replace(T3_4_I, powers=MANY), LADDER).values()) == {"refuted"}
    assert "holds" not in computed(replace(T3_5_I, powers=NOISY_MANY), NOISY_LADDER).values()


def test_most_queries_at_cutoff_one_have_the_printed_powers_and_no_others() -> None:
    claim = claims()["BTT18:T3.5-M"]
    assert isinstance(claim.decider, ComputedExponents)
    for off, outcome in ((0.0, "holds"), (OFF, "refuted"), (-OFF, "refuted")):
        form = Form({"n": 0.5 + off, "gamma": -1 + off}, MostAtOne())
        assert overall(each.outcome for each in ComputedExponents(form, claim.decider.sweeps).computed("x")) == outcome


def test_the_logarithms_of_a_fixed_point_are_what_its_powers_leave() -> None:
    """V/s, and T/m over 3, are V²m/(ε²n²) times a constant that is written out here, and times what the regime says; but for
    the rounding of s to a whole number.
    """
    n, m, V, eps = 8e10, 1e5, 64, 0.5
    plan = ladder_plan(int(n), int(m), V, eps, 0.0)
    setting = {"n": n, "m": m, "V": V, "eps": eps, "delta": 1e-6, "beta": 0.05, "gamma": 0.0}
    at = pd.DataFrame([setting | {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "T": plan.T}])
    constant = (34 * 2**0.5) ** 2 * 32 * np.log(2e6) * 3  # of k² in T, and of T in B
    powers = constant * V**2 * m / (eps * n) ** 2
    typical, surer = (float(each[0]) for each in (Regime(1, "T").typical(at), Regime(1, "T").surer(at)))
    assert powers * np.exp(typical) == pytest.approx(V / plan.s, rel=2 / plan.s)
    assert powers * np.exp(typical + surer) == pytest.approx(plan.T / m / 3, rel=2 / plan.s)


def test_one_flipped_answer_is_as_likely_as_its_mass_says() -> None:
    """m ln 2/s but for the reach of the threshold: votes within w/k of a half are ⊥ too."""
    plan = uniform_plan(10**12, 100, 1e-8)
    low, high = some_error(10**12, 100, 1e-8)
    reach = plan.w / (2 * plan.k)
    assert high * 0.9999 < low < high
    assert 100 * np.log(1 / (0.5 + reach)) / plan.s < low
    assert high == pytest.approx(100 * np.log(1 / (0.5 - reach)) / plan.s, rel=0.01)
    assert plan.alpha * np.log(10**12) ** 2 < 1 / 100  # what is allowed is below one error


def test_the_rate_of_a_ladder_is_a_sum_over_its_atoms() -> None:
    """Without noise an atom is misclassified where fewer than half of the votes, less w/2k, are right: nearly a step."""
    ladder, V = Ladder(first=5, last=1e6), 512
    plan = ladder_plan(10**12, 10**5, V, 1.0, 0.0)
    masses, _ = ladder.sizes(V, 0.0)
    missed = np.exp(-masses * plan.s)
    assert ladder_rate(ladder, V, 0.0, plan) == pytest.approx(
        float(masses[missed > 0.5 - plan.w / (2 * plan.k)].sum()), rel=0.01
    )


def test_what_is_solved_for_is_the_cutoff() -> None:
    assert solved(most_at_one(10**18, 1e-15), 10**18, 1e-15).T == 1
