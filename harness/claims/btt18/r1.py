"""BTT18 Remark 1: T from a private estimate on half of the examples, with one more β for the estimate."""

from harness.claims.btt18.t4_3 import POWERS
from harness.claims.engine import (
    Claim,
    Complexity,
    Quote,
    Ratio,
    agnostic,
    among,
    confident,
    error_within,
    fifteen_alpha,
    learned,
    promised,
    promising,
)

CLAIMS = (
    Claim(
        "BTT18:R1-asymptotics",
        "BTT18 Remark 1, its last sentence, of the n that A_Priv needs",
        "Estimating γ privately on half of the examples does not change the asymptotics: the least n at which A_Priv learns "
        "with the estimate, over the least n with γ known, has the power 0 in α, where 3B < m at both. Untested: in the sweep "
        "here T is m at both n*, so that nothing hangs on the estimate.",
        where=(among("mechanism", "A_Priv", "A_Priv_estimated"), among("constants", "BTT18"), agnostic(), promised()),
        decider=Ratio("A_Priv_estimated", "A_Priv", parts=(2, 1)),
        expected="untested",
        nature="reading",
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
        "explicit fixed point, twice that of T4.3 but for the estimate's error.",
        where=promising("A_Priv_estimated", noisy=True),
        decider=Complexity(POWERS),
        nature="reading",
        of="BTT18:R1",
    ),
)
