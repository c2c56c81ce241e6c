"""BTT18 Theorem 3.1: the privacy of A_binClas, decided by what is really spent at the claimed δ.

One changed example flips one vote, so ct(top) − ct(second) moves by 2 and the printed distance ct(top) − ct(second) − 1 by 2,
where the proofs of BTT18 T3.1 and BTT18a C3.10 take 1. A single A_stab with it spends 2ε. Over a whole run, with
λ = √(32 T ln(2/δ))/ε and T + 1 epochs, the slack of advanced composition absorbs that, for ε up to about 5. The repair is
⌈gap/2⌉ − 1 for the distance, and T + 1 in place of T.
"""

from functools import partial

from harness.claims.btt18.t2_4 import one_stab
from harness.claims.engine import Claim, Computed, among, at_most, spends_eps

CLAIMS = (
    Claim(
        "BTT18:T3.1",
        "BTT18 Theorem 3.1",
        "A_binClas is (ε, δ)-DP. Certified for ε up to 5, in spite of its proof; at ε = 10 and T from 1000 on the "
        "optimal accountant "
        "certifies a little more than ε, and no attack is known that spends as much.",
        where=(among("mechanism", "printed"), at_most("eps", 5)),
        decider=spends_eps(),
    ),
    Claim(
        "BTT18:T3.1-repaired",
        "BTT18 Theorem 3.1, repaired",
        "With dist = max{0, ⌈gap/2⌉ − 1} and λ, w computed for T + 1, A_binClas is (ε, δ)-DP.",
        where=(among("mechanism", "corrected"), at_most("eps", 10)),
        decider=spends_eps(),
        nature="repair",
        of="BTT18:T3.1",
    ),
    Claim(
        "BTT18:T3.1-dist",
        "BTT18 Theorem 3.1, proof; Algorithm 2 line 6",
        "max{0, ct(top) − ct(second) − 1} meets T2.4's hypothesis, so one A_stab with it is (ε, δ)-DP.",
        decider=Computed(partial(one_stab, "printed")),
        expected="refuted",
        why=(
            "One changed example changes one vote, and then the leading count may lose one while the second gains one: the "
            "gap moves by 2. The proof takes it to move by 1, so that one test spends 2ε."
        ),
        nature="step",
        of="BTT18:T3.1",
    ),
    Claim(
        "BTT18:T3.1-dist-repaired",
        "BTT18 Theorem 3.1, proof, repaired",
        "max{0, ⌈(ct(top) − ct(second))/2⌉ − 1} has sensitivity 1, so one A_stab with it is (ε, δ)-DP.",
        decider=Computed(partial(one_stab, "corrected")),
        nature="repair",
        of="BTT18:T3.1-dist",
    ),
)
