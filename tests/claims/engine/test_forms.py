"""The printed n against the fixed point's, and variants of it that are false."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import log, sqrt

import numpy as np
import pytest

from harness.claims.btt18.t4 import FORMS
from harness.claims.btt18a.t4 import FORMS as ANSWERS
from harness.claims.engine import ComputedExponents, FixedPointN, Outcome, needs, overall
from harness.claims.engine.exponents import OFF, Powers
from harness.claims.engine.forms import AXES, MORE
from harness.claims.registry import claims
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.parameters import Task

HOLD = ["BTT18:T4.2-form", "BTT18:T4.3-form-repaired", "BTT18:R2-form", "BTT18:R3-form", "BTT18a:T4.3", "BTT18a:T4.4-repaired"]


def outcomes(decider: ComputedExponents) -> Mapping[str, Outcome]:
    """By axis."""
    verdicts = [(sweep[1], verdict.outcome) for sweep, verdict in zip(decider.sweeps(), decider.computed("x"), strict=True)]
    return {axis: overall(outcome for each, outcome in verdicts if each == axis) for axis, _ in verdicts}


def form(name: str) -> ComputedExponents:
    decider = claims()[name].decider
    assert isinstance(decider, ComputedExponents)
    return decider


@pytest.mark.at_once("BTT18a:T4.3", "BTT18:T4.2-form")
@pytest.mark.parametrize("name", HOLD)
def test_a_printed_n_that_is_off_by_a_quarter_in_any_power_is_refuted(name: str) -> None:
    decider = form(name)
    assert set(outcomes(decider).values()) == {"holds"}
    for axis, power in decider.form.powers.items():
        for off in (OFF, -OFF):
            wrong = replace(decider.form, powers={**decider.form.powers, axis: power + off})
            assert outcomes(replace(decider, form=wrong))[axis] == "refuted"


def test_what_a_cubed_logarithm_let_pass_is_refuted() -> None:
    assert outcomes(needs({"alpha": 1.3, "V": 0.16, "eps": 1}, FixedPointN()))["V"] == "refuted"
    assert outcomes(needs({"alpha": 1.3, "V": 0.16, "eps": 1}, FixedPointN()))["alpha"] == "refuted"


@pytest.mark.parametrize(("own", "forms"), [("Theorem 4.2", FORMS), ("Theorem 4.3", ANSWERS)], ids=["learning", "answering"])
def test_no_other_theorems_n_is_it_nor_that_of_composition(own: str, forms: Mapping[str, Powers]) -> None:
    decider = form("BTT18:T4.2-form" if own == "Theorem 4.2" else "BTT18a:T4.3")
    for name, powers in forms.items():
        found = overall(outcomes(needs(powers, decider.sweeps)).values())  # type: ignore[arg-type]
        assert found == ("holds" if name == own else "refuted")


@pytest.mark.parametrize("name", HOLD)
def test_with_a_cutoff_of_the_wrong_order_no_form_holds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """T = 100 whatever m and α are."""
    fixed = {each: replace(chosen, cutoff=100.0) for each, chosen in constants().items()}
    monkeypatch.setattr("harness.claims.engine.forms.constants", lambda: fixed)
    assert overall(outcomes(form(name)).values()) == "refuted"


def test_what_drops_gamma_is_refuted_where_gamma_stays_and_holds_where_there_is_none() -> None:
    assert outcomes(form("BTT18:T4.3-form"))["alpha"] == "refuted"
    assert outcomes(form("BTT18a:T4.4"))["alpha"] == "refuted"
    assert set(outcomes(needs(FORMS["Theorem 4.3"], FixedPointN(gammas=(1e-12,)))).values()) == {"holds"}


@pytest.mark.parametrize("axis", [*AXES, *MORE])
def test_the_points_of_an_axis_are_nearly_even_and_go_over_a_decade_and_more(axis: str) -> None:
    """Else the slope through them would be that of a few."""
    steps = np.diff(np.log({**AXES, **MORE}[axis]))
    assert np.ptp(steps) < 0.15 * np.abs(steps).min() and abs(steps.sum()) > log(10)


@pytest.mark.parametrize(("gamma", "name"), [(0.0, "BTT18"), (0.1, "BTT18"), (0.1, "BTT18a")])
def test_a_point_is_the_n_of_its_fixed_point_with_all_that_is_beside_its_powers(gamma: float, name: str) -> None:
    """At β = 10⁻³ and δ = 10⁻⁶, and from α = 10⁻³, V = 256 and ε = 1 along each axis; where m is free, per point of it."""
    free = gamma > 0
    sweeps = FixedPointN(order=None if free else (1, 2), constants=name, gammas=(gamma,), over=lambda m, alpha, gamma: m**free)
    seen = set[tuple[float, ...]]()
    for _, axis, points in sweeps():
        for V, alpha, eps, times, *found in points[["V", "alpha", "eps", "m", "mean", "certain", "learner"]].to_numpy(float):
            m = int(times * pac.least_s(partial(pac.finite_agnostic, size=2 ** int(V)), 1e-3, alpha))
            bound = partial(pac.finite_agnostic if free else pac.finite, size=2 ** int(V))
            plan = plan_for_alpha(constants()[name], Task(m, eps, 1e-6, 1e-3, gamma, bound), alpha)
            spread = sqrt(log(m / 1e-3) / (2 * m)) / (gamma + alpha if name == "BTT18a" else sqrt(gamma + alpha))
            certain = log(log(4 * m * plan.T / 1e-6)) + log(1 + spread) / 2
            learner = log(plan.s * alpha ** (1 + free) / V) + (0 if free else log(m * alpha**2 / V) / 2)
            assert found == pytest.approx([plan.n / m**free, certain, learner])
            seen |= {(V, alpha, eps, times)} if axis == "eps" else set()
    assert {point[:2] for point in seen} == {(256, 1e-3)} and {point[3] for point in seen} == {1.0}


def test_every_axis_is_swept() -> None:
    assert set(outcomes(form("BTT18:T4.2-form"))) == set(AXES)
    assert set(outcomes(form("BTT18a:T4.3"))) == {*AXES, "m"}
