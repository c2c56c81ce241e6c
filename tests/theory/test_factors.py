"""Constants by name: every one is read by what it is said to stand in, and a changed set is found again by its name."""

from dataclasses import replace
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.own_noise import OwnNoise
from harness.theory.constants import calibrations, constants
from harness.theory.factors import (
    PRINTED,
    ConstantValues,
    Factor,
    SetName,
    factors_in,
    formula,
    set_named,
    spelled,
    split,
    with_changes,
)
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Constants, Task

TASK = Task(m=1000, eps=1.0, delta=1e-6, beta=0.05, gamma=0.0, pac_bound=thresholds_extremal)
SETS = constants()
EACH = [pytest.param(one, factor, id=f"{name}-{factor.name}") for name, one in SETS.items() for factor in one.factors]
OWN = [
    pytest.param(name, factor, id=f"{name}-{factor.name}")
    for name, mechanism in mechanisms().items()
    for factor in factors_in(mechanism.formulas)
]
values = st.floats(1e-9, 1e9)


def numbers(one: Constants) -> tuple[object, ...]:
    """All that a set says of a task: a learner's error of 0.01, a cutoff of 10."""
    own = one.calibration
    return one.lam(TASK, 10), one.w(TASK, 10), one.k(TASK, 10), one.T(TASK, 0.01), own.distance.name, own.last(10)


def another(factor: Factor) -> float:
    return next((value for value in factor.only if value != factor.printed), 1.5 * factor.printed)


@pytest.mark.parametrize(("one", "factor"), EACH)
def test_every_constant_of_a_set_is_read_and_stands_in_its_formula(one: Constants, factor: Factor) -> None:
    tried = replace(TASK, beta=1e-7) if factor.name == "c_beta" else TASK
    changed = one.changed({factor.name: another(factor)})
    assert numbers(changed) != numbers(one) or changed.k(tried, 10) != one.k(tried, 10)
    assert numbers(one.changed({factor.name: factor.printed})) == numbers(one)
    assert factor.name in factor.formula and factor.place


@pytest.mark.parametrize(("name", "factor"), OWN)
def test_every_constant_of_a_mechanism_is_read_from_the_set(name: str, factor: Factor) -> None:
    mechanism, of = mechanisms()[name], SETS["BTT18"]
    plan, changed = (mechanism.plan(one, TASK, 10**12) for one in (of, of.changed({factor.name: another(factor)})))
    assert (plan.k, plan.noise) != (changed.k, changed.noise)
    assert factor in mechanism.reads(of) and factor.name in factor.formula


@pytest.mark.parametrize("name", mechanisms())
def test_a_constant_that_a_mechanism_does_not_read_changes_nothing_of_its_plan(name: str) -> None:
    mechanism, of = mechanisms()[name], SETS["BTT18"]
    read = {factor.name for factor in mechanism.reads(of)}
    others = {factor.name: another(factor) for factor in of.factors if factor.name not in read}
    assert mechanism.plan(of.changed(others), TASK, 10**12) == mechanism.plan(of, TASK, 10**12)
    n = 10**7 if isinstance(mechanism, OwnNoise) else 10**9  # so that T is above 1
    for factor in of.factors:
        # At the task δ < β/2; of the majority k alone is left, and which constants that has is for the set to say.
        if factor.name in read - {"c_beta"} and name != "majority":
            assert mechanism.plan(of.changed({factor.name: another(factor)}), TASK, n) != mechanism.plan(of, TASK, n)


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(1, 1e6))
def test_the_formulas_with_other_constants_written_a_second_time(c_k: float, c_lam: float, T: float) -> None:
    changed = SETS["BTT18"].changed({"c_k": c_k, "c_lam": c_lam, "c_w": 3, "c_T": 5, "c_B": 2, "c_loop": 2})
    lam = sqrt(c_lam * T * log(2e6))
    assert changed.lam(TASK, T) == pytest.approx(lam)
    assert changed.w(TASK, T) == pytest.approx(3 * lam * log(2e9))
    assert changed.k(TASK, T) == pytest.approx(c_k * lam * log(4000 * T / 1e-6))
    assert changed.T(TASK, 0.1) == pytest.approx(5 * (100 + sqrt(2 * 100 * log(20_000))))
    assert changed.calibration.last(T) == 2 * T
    # The k of BTT18a is written without λ.
    own = SETS["BTT18a"].changed({"c_k": c_k, "c_lam": c_lam})
    assert own.k(TASK, T) == pytest.approx(c_k * sqrt(T * log(2e6)) * log(4000 * T / 1e-6))


def test_a_distance_of_another_step_is_the_other_distance_and_k_tight_follows_it() -> None:
    changed = SETS["k_tight"].changed({"c_gap": 2})
    assert changed.calibration.distance.name == "corrected"
    assert changed.k(TASK, 10) == 2 * SETS["k_tight"].k(TASK, 10)
    assert SETS["tight"].changed({"c_gap": 1}).lam(TASK, 10) == 2 * SETS["tight"].lam(TASK, 10)


@given(values)
def test_a_number_is_found_again_from_how_it_is_spelled(value: float) -> None:
    assert float(spelled(value)) == value
    changed = set_named(with_changes("BTT18", {"c_k": value, "c_lam": 8.0}), SETS)
    assert changed.values[C_K] == value and changed.name == f"BTT18 with c_k = {spelled(value)}, c_lam = 8"


C_K = next(factor for factor in SETS["BTT18"].factors if factor.name == "c_k")


def test_a_changed_set_is_found_again_by_its_name() -> None:
    one = SETS["BTT18"].changed({"c_k": 10.0, "c_lam": 8.0})
    assert one.name == "BTT18 with c_k = 10, c_lam = 8" and set_named(one.name, SETS) == one
    assert set_named("BTT18", SETS) is SETS["BTT18"]
    assert set_named("printed with c_w = 1", calibrations()).w(1.0, 1e-6, 100, 3) * 2 == calibrations()["printed"].w(
        1.0, 1e-6, 100, 3
    )
    assert split("BTT18 with c_k = 10, c_lam=8") == ("BTT18", {"c_k": "10", "c_lam": "8"})
    with pytest.raises(ValueError, match="is named such as"):
        split("BTT18 with c_k")
    for unknown in ("BTT19 with c_k = 10", "BTT18 with c_k", "BTT18 with c_k = ten"):
        with pytest.raises(KeyError):
            set_named(unknown, SETS)


TEXTS = ["BTT18", "BTT18 with c_k = 10, c_lam = 0.5", "BTT18:T3.2 with c_k = 10", "a name with nothing changed"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_change_is_values_and_the_name_that_it_was_read_from(text: str) -> None:
    read = SetName.read(text)
    assert str(read) == text and bool(read.change) == ("=" in text)
    assert read.change[C_K] == (10 if "c_k" in text else C_K.printed)


def test_a_set_of_ones_own_keeps_what_it_is_and_can_be_changed_too() -> None:
    mine = replace(SETS["BTT18"].changed({"c_k": 10}), name="mine", k_scale=0.5)
    again = mine.changed({"c_lam": 8})
    assert again.name == "mine with c_lam = 8" and again.k_scale == 0.5
    assert again.k(TASK, 10) == 0.5 * SETS["BTT18"].changed({"c_k": 10, "c_lam": 8}).k(TASK, 10)


def test_a_function_that_is_no_formula_has_no_constants() -> None:
    mine = replace(SETS["BTT18"], name="mine", chunks=lambda task, T, lam, w: 7.0)
    assert not {"c_k", "c_log"} & {factor.name for factor in mine.factors}
    assert mine.changed({"c_lam": 8}).k(TASK, 10) == 7.0


def test_a_formula_has_its_printed_constants_unless_it_is_told() -> None:
    c = Factor("c", 3, "y = c x", "nowhere")

    @formula(c, c)
    def line(at: ConstantValues, x: float) -> float:
        return at[c] * x

    assert line.factors == (c,) and line(2) == 6 == line.with_values(PRINTED)(2)
    assert line.with_values(PRINTED.but({"c": 5}))(2) == 10 == line.of(ConstantValues((("c", 5),)), 2)


def test_values_are_from_the_least_to_the_largest_and_both_are_allowed() -> None:
    plain, small = Factor("c_x", 3, "x = c_x", "here"), Factor("c_y", 3, "y = c_y", "here", least=0.25)
    assert [value for value in (1e-9, 1.0, 1e9) if plain.refused(value)] == []
    assert plain.refused(0.0) == plain.refused(-1.0) == "a number > 0, or printed, is needed"
    assert plain.refused(1e9 + 0.5) == plain.refused(5e-10) == "a number from 1e-09 to 1e+09, or printed, is needed"
    assert small.refused(0.25) is None and small.refused(0.2) == "a number from 0.25 to 1e+09, or printed, is needed"
    assert small.refused(0.0) == small.refused(float("nan")) == small.refused(float("inf")) == small.refused(0.2)
    assert replace(small, only=(1, 2)).refused(3) == "1 or 2, or printed, is needed"
    assert replace(small, only=(1, 2)).refused(2) is None
    assert plain.shown == "3" and replace(plain, written="√9").shown == "√9"
