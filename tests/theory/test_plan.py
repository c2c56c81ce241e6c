"""What a plan says of its privacy, and what it hands on to a mechanism's own."""

from dataclasses import dataclass, replace
from functools import partial
from math import inf, nan
from typing import Any

import pytest

from harness.theory.fixed_point import CutoffPlan
from harness.theory.parameters import Task
from harness.theory.plan import Plan, plan_for_chunks

PLAN = Plan(n=100, k=7, s=14, alpha=0.1, bound=0.2)


@dataclass(frozen=True, kw_only=True)
class Noisy(Plan):
    lam: float
    label: str = "none"
    rounds: int = 3


@pytest.mark.parametrize("eps", [0.25, 1.0, 2.0, 5.0])
def test_it_keeps_to_what_is_certified_but_for_rounding(eps: float) -> None:
    for spent, kept in (
        (0.5 * eps, True),
        (eps, True),
        (eps * (1 + 0.9e-6), True),
        (eps * (1 + 1e-6), True),
        (eps * (1 + 1.1e-6), False),
        (2 * eps, False),
    ):
        assert replace(PLAN, accounting=partial(float, spent)).keeps_to(eps) == kept
    assert PLAN.spent == inf and not PLAN.keeps_to(eps)


def test_a_mechanisms_own_plan_has_the_same_division_and_its_noise() -> None:
    noisy = replace(PLAN, reason="none").drawing(Noisy, lambda: 0.5, lam=2.5)
    assert (noisy.n, noisy.k, noisy.s, noisy.alpha, noisy.bound, noisy.reason) == (100, 7, 14, 0.1, 0.2, "none")
    assert noisy.noise == {"lam": 2.5, "rounds": 3} and PLAN.noise == {}
    assert noisy.spent == 0.5 and not noisy.vacuous and replace(noisy, bound=None).vacuous


def test_a_cutoffs_plan_is_of_the_papers_loop_and_accountant_unless_it_is_said_otherwise() -> None:
    plan = CutoffPlan(n=100, k=7, s=14, alpha=0.1, bound=0.2, T=2.5, lam=3.0, w=9.0)
    assert (plan.distance, plan.loop, plan.sharp, plan.last) == ("printed", 1.0, False, 2.5)
    assert plan.noise == {"T": 2.5, "lam": 3.0, "w": 9.0} and replace(plan, loop=2.0).last == 5.0


def test_plans_of_the_same_numbers_are_equal_however_they_are_accounted_for() -> None:
    assert replace(PLAN, accounting=lambda: 1.0) == replace(PLAN, accounting=lambda: 2.0) == PLAN
    assert "accounting" not in repr(PLAN) and replace(PLAN, k=8) != PLAN


@pytest.mark.parametrize(
    ("name", "value"), [("n", 2.5), ("n", 0), ("k", 0), ("s", 7.0), ("s", -1), ("alpha", nan), ("bound", nan)]
)
def test_counts_are_whole_and_no_number_is_nan(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"a plan has {name} = {value!r}; allowed: a"):
        replace(PLAN, **{name: value})
    assert replace(PLAN, n=1, k=1, s=0, alpha=inf).s == 0


@pytest.mark.parametrize(("factor", "most"), [(1, "B"), (3, "3B")])
def test_a_bound_of_all_queries_is_none_and_says_so(factor: int, most: str) -> None:
    """With α = 0.99 B is nearly all m queries, with α = 1e-9 hardly any."""
    task = Task(10**6, 1.0, 1e-6, 0.05, 0.0, lambda s, q: 0.99)
    vacuous = plan_for_chunks(replace(task, m=100), 100, 2, factor)
    assert vacuous.bound is None and (vacuous.reason or "").startswith(f"{most} ≥ m: the bound on the misclassification rate")
    plan = plan_for_chunks(replace(task, pac_bound=lambda s, q: 1e-9), 100, 2, factor)
    assert plan.bound is not None and 0 < plan.bound < 0.1 and plan.reason is None and plan.s == 50
