"""What a proof gives for a constant: the repaired sets, and where a union bound over the queries says what is enough."""

from collections.abc import Callable
from math import exp, log
from typing import Any

import pandas as pd
from scipy.optimize import brentq

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from harness.theory.constants.bcmnuw20 import REPAIRED as RELEASED
from harness.theory.constants.btt18a import margin, sparse_vec_lam, stable_distance
from harness.theory.constants.btt18a_scores import REPAIRED as SCORED
from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.theory.constants.btt18a_scores import sufficient_distance as sufficient_score_distance
from harness.theory.constants.ours import sufficient_distance
from harness.theory.factors import MOST, PRINTED, Factor, found
from harness.theory.parameters import Task

REACH = {"c_T": 3.0, "c_loop": 1.0}
"""T = 3B by counting votes, and a ⊥ that raises c by 1."""

Row = pd.Series
"""One of a kind that searches for a constant."""


def provable(of: str, name: str, constant: str, row: "pd.Series[Any] | None") -> float | None:
    """The least value of a set's constant that a proof is known for, or None. of: what the set is for. row: a measured one, on
    whose instance it is worked out where the value depends on that.
    """
    if of == "release":
        return next(RELEASED.values[each] for each in RELEASED.factors if each.name == constant)
    if of == "scores":
        repaired = {each.name: each for each in SCORED.factors}
        if constant in ("c_w", "c_loop"):
            return SCORED.values[repaired[constant]]
        return None if row is None or name == "BTT18a" else _of_scores(name, constant, row)  # as printed none is enough
    if constant in REACH:
        return REACH[constant]
    return None if row is None or pd.isna(row["T_target"]) else _of_answers(name, constant, row)


def _of_answers(name: str, constant: str, row: "pd.Series[Any]") -> float | None:
    """That at which k, or the distance that is asked for, is what suffices for m stable queries."""
    base, T = found(name, constants()), float(row["T_target"])
    task = Task(int(row["m"]), float(row["eps"]), float(row["delta"]), float(row["beta"]), 0.0, lambda s, q: 0.0)
    distance = sufficient_distance(PRINTED, task, base.lam(task, T), base.w(task, T))
    every = (*base.factors, *(each for one in mechanisms().values() for each in one.reads(base)))
    factor = next(each for each in every if each.name == constant)

    def asked(value: float) -> float:
        """How many times what suffices is asked for."""
        values = base.values.but({constant: value})
        if factor in stable_distance.factors and row["mechanism"] == "A_OQR":
            return stable_distance.of(values, task, T) / distance
        if factor in margin.factors:
            beyond = sufficient_distance(PRINTED, task, sparse_vec_lam.of(values, task.eps, task.delta, T), 0.0)
            return margin.of(values, task, T) / beyond
        gap = 2 if base.calibration.distance.name == "corrected" else 1
        return base.changed({constant: value}).k(task, T) / (3 * gap * (distance + 1))

    return _turn(asked, factor)


def _of_scores(name: str, constant: str, row: "pd.Series[Any]") -> float | None:
    """The same for histograms."""
    base = found(name, score_constants())
    task = ScoreTask(int(row["m"]), float(row["T"]), float(row["eps"]), float(row["delta"]), float(row["beta"]))
    distance = sufficient_score_distance.of(PRINTED, task, base.lam(task), base.w(task))
    factor = next(each for each in base.factors if each.name == constant)

    def asked(value: float) -> float:
        own = base.changed({constant: value})
        if constant == "c_d":
            return own.stable(task) / distance
        return own.chunks(task, own.lam(task), own.w(task)) / (3 * (distance + 1))

    return _turn(asked, factor)


def _turn(asked: Callable[[float], float], factor: Factor) -> float | None:
    """Where as much is asked for as suffices; None where the constant has no say in that."""
    least, most = factor.least, min(MOST, 1e6)
    if asked(least) == asked(most):
        return None
    if asked(least) >= 1:
        return least
    return exp(brentq(lambda x: log(asked(exp(x))), log(least), log(most))) if asked(most) >= 1 else None
