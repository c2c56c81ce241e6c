"""BTT18 Theorem 3.1: the privacy of A_binClas, decided by what is really spent at the claimed δ.

One changed example flips one vote, so ct(top) − ct(second) moves by 2 and the printed distance ct(top) − ct(second) − 1 by 2,
where the proofs of BTT18 T3.1 and BTT18a C3.10 take 1. A single A_stab with it spends 2ε. Over a whole run, with
λ = √(32 T ln(2/δ))/ε and T + 1 epochs, the slack of advanced composition absorbs that, for ε up to about 5. The repair is
⌈gap/2⌉ − 1 for the distance, and T + 1 in place of T. What the theorem is silent about, ε far above 1, T below 1 and how D is
split, is in `t3_1_conditions`.
"""

from functools import partial

from harness.claims.btt18.t2_4 import one_stab
from harness.claims.engine import Claim, Computed, Quote, among, at_most, spends_eps

PRINTED = Quote("BTT18 §3, p. 5 (Theorem 3.1)", "Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP.")
DISTANCE = Quote(
    "BTT18 §3, p. 5 (Algorithm 2, step 7)",
    "q̂_{x_i}(D) ← arg max_{y∈{0,1}} [ct(y)], dist_{q̂_{x_i}} ← max{0, ct(q̂_{x_i}) − ct(1 − q̂_{x_i}) − 1}",
)

CLAIMS = (
    Claim(
        "BTT18:T3.1",
        "BTT18 Theorem 3.1",
        "A_binClas is (ε, δ)-DP, where one example changes one chunk, T ≥ 1 and ε ≤ 5: there it is certified, in spite of its "
        "proof. (At ε = 10 the accountant certifies more than ε at some T: up to 1.3ε at δ = 0.1, and 1.005ε at δ = 10⁻⁶; no "
        "attack is known there that spends as much as ε.)",
        where=(among("mechanism", "printed"), at_most("eps", 5)),
        decider=spends_eps(),
        quote=PRINTED,
    ),
    Claim(
        "BTT18:T3.1-repaired",
        "BTT18 Theorem 3.1, repaired",
        "With dist = max{0, ⌈gap/2⌉ − 1} and λ, w computed for T + 1, A_binClas is (ε, δ)-DP.",
        where=(among("mechanism", "corrected"), at_most("eps", 10)),
        decider=spends_eps(),
        nature="repair",
        of="BTT18:T3.1",
        proof=(
            "The distance has sensitivity 1, so an epoch is a sparse vector of 2/λ. The T + 1 epochs are composed by an "
            "accountant at what the labels leave of δ, at each ε up to 10, δ, m and T that a table has; a label that the "
            "neighbour never gives has probability at most δ/2m a query."
        ),
    ),
    Claim(
        "BTT18:T3.1-dist",
        "BTT18 Theorem 3.1, proof; Algorithm 2, step 7",
        "max{0, ct(top) − ct(second) − 1} meets T2.4's hypothesis, so one A_stab with it is (ε, δ)-DP.",
        decider=Computed(partial(one_stab, "printed")),
        expected="refuted",
        why=(
            "One changed example changes one vote, and then the leading count may lose one while the second gains one: the "
            "gap moves by 2. The proof takes it to move by 1, so that one test spends 2ε."
        ),
        nature="step",
        of="BTT18:T3.1",
        quote=DISTANCE,
    ),
    Claim(
        "BTT18:T3.1-dist-repaired",
        "BTT18 Theorem 3.1, proof, repaired",
        "max{0, ⌈(ct(top) − ct(second))/2⌉ − 1} has sensitivity 1, so one A_stab with it is (ε, δ)-DP.",
        decider=Computed(partial(one_stab, "corrected")),
        nature="repair",
        of="BTT18:T3.1-dist",
        proof=(
            "Where the gap is g and g > 0, ⌈g/2⌉ voters who change their votes make a tie or another winner and fewer do not. "
            "So ⌈g/2⌉ − 1 is at most the true distance to instability, and one vote, which moves g by 2, moves it by 1: "
            "Theorem 2.4 applies."
        ),
    ),
)
