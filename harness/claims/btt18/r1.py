"""BTT18 Remark 1: T from a private estimate on half of the examples, with one more β for the estimate."""

from harness.claims.btt18.t4_3 import POWERS
from harness.claims.engine import Claim, Complexity, agnostic, confident, error_within, fifteen_alpha, learned, promising

CLAIMS = (
    Claim(
        "BTT18:R1",
        "BTT18 Remark 1",
        "T can be set from a private estimate of γ + α on half of the examples: A_Priv on the other half then has "
        "err(ĥ) ≤ 7γ + 15α with probability at least 1 − 4β. Here γ is estimated, by the least empirical risk with Lap(1/ε) "
        "noise on its count, and α follows.",
        where=(*learned("A_Priv_estimated"), agnostic(), confident()),
        decider=error_within(fifteen_alpha, betas=4),
    ),
    Claim(
        "BTT18:R1-n",
        "BTT18 Remark 1, n",
        "With T from a private estimate on half of the examples, the least n at which A_Priv learns is at most that of the "
        "explicit fixed point, twice that of T4.3 but for the estimate's error: the asymptotics do not change.",
        where=promising("A_Priv_estimated", noisy=True),
        decider=Complexity(POWERS),
    ),
)
