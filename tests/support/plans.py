"""Plans with so little noise, and so much, that all outcomes occur at k = 20."""

from dataclasses import replace
from typing import Any

from harness.mechanisms.answering import Answering
from harness.theory.constants import constants
from harness.theory.pac import thresholds_extremal
from harness.theory.parameters import Task
from harness.theory.plan import Plan

K = 20  # even, so that votes can be tied
HAND: dict[str, float] = {"T": 3.0, "lam": 2.0, "w": 9.0, "eps0": 0.4, "sigma": 6.0, "sigma_check": 3.0, "threshold": 14.0}


def task_of(m: int) -> Task:
    """m queries, of which no bound is asked."""
    return Task(m, 1.0, 1e-6, 0.05, 0.0, thresholds_extremal)


def by_hand(mechanism: Answering[Any], **other: float) -> Plan:
    """A mechanism's plan, with its noise in votes of 20."""
    plan: Plan = mechanism.plan(constants()["BTT18"], task_of(100), 10**9)
    noise = {name: value for name, value in (HAND | other).items() if name in plan.noise}
    if mechanism.name == "A_stab_per_query":
        noise["threshold"] = 5.0  # in units of distances
    return replace(plan, k=K, **noise)  # type: ignore[arg-type]
