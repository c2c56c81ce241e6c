"""The task behind a row or a number, for the formulas of `theory.parameters`."""

import pandas as pd

from harness.theory.parameters import PacBound, Task


def no_learner(s: int, q: float) -> float:
    """A PAC bound for where no learner is asked about."""
    return 0.0


def task_of(
    m: int, beta: float, gamma: float = 0.0, eps: float = 1.0, delta: float = 1e-6, pac_bound: PacBound = no_learner
) -> Task:
    """A task at ε = 1 and δ = 10⁻⁶ unless they are given."""
    return Task(m, eps, delta, beta, gamma, pac_bound)


def row_task(first: pd.Series) -> Task:
    """The task that a row of answers was measured on."""
    return task_of(int(first["m"]), float(first["beta"]), float(first["gamma"]), float(first["eps"]), float(first["delta"]))
