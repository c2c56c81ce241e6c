"""BTT18 Remark 1: T from a private estimate on half of the examples, with one more β for the estimate."""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from harness.claims.btt18.t4_3 import POWERS
from harness.claims.engine import (
    BETA,
    Claim,
    Complexity,
    ComputedExponents,
    Form,
    Quote,
    Sweep,
    Unbent,
    agnostic,
    confident,
    error_within,
    fifteen_alpha,
    learned,
    promising,
    task_of,
)
from harness.theory import pac
from harness.theory.constants import constants
from harness.transfer import Problem
from harness.transfer.a_priv import APriv
from harness.transfer.estimated import EstimatedCutoff

ALPHAS = (1e-3, 1e-4, 1e-5, 1e-6)
V, GAMMA, DELTA = 16, 0.05, 1e-6


def _none(*of: object) -> None:
    """Nothing is drawn for the n of a plan."""


def _twice() -> Iterator[Sweep]:
    """n with an estimated γ over n with γ known, as α falls, but for terms of order α."""

    def ratio(alpha: float) -> float:
        task = task_of(1, BETA, GAMMA, 1.0, DELTA)
        bound = partial(pac.vc_agnostic, V=V)
        problem = Problem(alpha, task, lambda gamma: bound, constants()["BTT18"], _none, _none, 2)  # type: ignore[arg-type]
        return EstimatedCutoff().needed(problem) / APriv().needed(problem)

    at = pd.DataFrame({"alpha": ALPHAS, "mean": [ratio(alpha) for alpha in ALPHAS]})
    at = at.assign(low=at["mean"] * (1 - at["alpha"]), high=at["mean"] * (1 + at["alpha"]))
    yield f"n with γ estimated over n with γ known, V = {V}, γ = {GAMMA}", "alpha", at


CLAIMS = (
    Claim(
        "BTT18:R1-asymptotics",
        "BTT18 Remark 1, its last sentence",
        "Estimating γ privately on half of the examples does not change the asymptotics: n of the explicit fixed point with "
        "the estimate, over n with γ known, has the power 0 in α.",
        decider=ComputedExponents(Form({"alpha": 0.0}, Unbent()), _twice),
        of="BTT18:R1",
        quote=Quote(
            "BTT18 §3, p. 6 (Remark 1)",
            "Furthermore, with a large enough training dataset, the asymptotics of Theorem 3.2 would not change either.",
        ),
    ),
    Claim(
        "BTT18:R1",
        "BTT18 Remark 1",
        "T can be set from a private estimate of γ + α on half of the examples: A_Priv on the other half then has "
        "err(ĥ) ≤ 7γ + 15α with probability at least 1 − 4β. Here γ is estimated, by the least empirical risk with Lap(1/ε) "
        "noise on its count, and α follows.",
        where=(*learned("A_Priv_estimated"), agnostic(), confident()),
        decider=error_within(fifteen_alpha, betas=4),
        quote=Quote(
            "BTT18 §3, p. 6 (Remark 1)",
            "One simple approach is to set aside half the training dataset, and compute the empirical misclassification rate "
            "with differential privacy to get a sufficiently accurate estimate for γ + α (as in standard validation "
            "techniques [25]), and use it to set T.",
        ),
    ),
    Claim(
        "BTT18:R1-n",
        "BTT18 Remark 1, n",
        "With T from a private estimate on half of the examples, the least n at which A_Priv learns is at most that of the "
        "explicit fixed point, twice that of T4.3 but for the estimate's error: the asymptotics do not change.",
        where=promising("A_Priv_estimated", noisy=True),
        decider=Complexity(POWERS),
        nature="reading",
        of="BTT18:R1",
    ),
)
