"""BTT18a Theorems 3.6 and 3.11: the privacy of A_OQR, and the utility of A_subSamp.

*Theorem 3.11*: utility where each vote is right with probability 3/4, on votes and on queries online. A coin query whose votes
fell below 2/3 is not counted as stable, yet it is one the theorem promises: so a trial fails also where more than T queries are
unstable.

The theorem speaks of adaptively chosen queries, and its proof takes the union over m queries that are fixed before the data is
drawn. Where every stable query is answered x_f and the places of the ⊥s are known beforehand, so are the queries, and that is
enough. Where ⊥s fall by chance, the queries after them depend on the data, by no more than what (ε, δ)-DP lets out.

*Its proof*: k ≥ 72 ln(2m/β) chunks agree in two thirds, and what that makes of the distance. By the binomial's own tail: 72 is
Hoeffding's, (1/12)⁻² / 2, and the exponent of a coin of 3/4 at 2/3 allows about 57.6. The step to dist ≥ k/3 forgets the 1 of
Algorithm 4. The last one, that the printed k meets both conditions, needs ε not too large, and so does the theorem: k falls as
1/ε, and what is asked of it does not.

*Theorem 3.6*: privacy on queries of any range, by what is certified of a whole run. With the distance that it asks for,
sensitivity 1 and 0 where neighbours differ, nothing about the range enters. λ is printed for T ⊥s and the loop lets ⌊T⌋ + 1
out; the slack of advanced composition has room for it.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import ceil, log, sqrt

import pandas as pd
import scipy

from harness.claims.btt18a.tables import own_distance, printed, sensitivity, unsettled
from harness.claims.engine import ANSWERED, Claim, Computed, Condition, Limit, Never, Number, Quote, among, stable_votes
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.spent import certified

LIKELY = Condition(
    "a chance of at least 3/4 that a chunk answers x_f",
    ("right",),
    lambda first: bool(pd.notna(first["right"]) and first["right"] >= 0.75),
)

THEOREM = Quote(
    "BTT18a §3.3 (Theorem 3.11)",
    "For k = 136 · log(4mT/min(δ, β/2)) · √(T log(2/δ))/ε, let L̄ ⊆ F be a set of queries s.t. for every f ∈ L̄, there exists "
    "some x_f for which f(D̂) = x_f w.p. at least 3/4 over drawing a dataset D̂ of n/k i.i.d. data samples from D. If |L̄| ≥ "
    "m−T, then w.p. at least 1−β over the randomness of Algorithm A_subSamp (Algorithm 4), we have the following: ∀f ∈ L̄, "
    "Algorithm A_subSamp outputs x_f.",
)

PROOF = "BTT18a §3.3 (Theorem 3.11, proof)"
SEVENTY_TWO = Quote(PROOF, "If k ≥ 72 log(2m/β), then the previous expression is at least 2k/3.")
THIRD = Quote(
    PROOF,
    "By the union bound, this implies that with probability at least 1−β/2, we have dist_f̂ ≥ k/3 for every f ∈ L̄.",
)
BOTH = Quote(
    PROOF,
    "Both the conditions on k are satisfied by setting k = 136 · log(4mT/min(δ, β/2)) √(T log(2/δ))/ε.",
)
CASES = ((1, 0.5), (100, 0.05), (10**4, 0.05), (10**6, 1e-3), (1, 0.2), (1, 1e-10), (10**6, 1e-10))
SETTINGS = tuple(
    (m, T, delta, beta)
    for m, T in ((1, 1.0), (100, 1.0), (10**4, 30.0), (10**6, 1e6))
    for delta in (1e-10, 1e-6, 0.1, 0.2)
    for beta in (1e-10, 0.05, 0.2)
)


def agreement(constant: float) -> Iterator[Number]:
    """Compares with β/2m P(fewer than 2k/3 of k votes are x_f), each with chance 3/4, at k = ⌈constant · ln(2m/β)⌉."""
    for m, beta in CASES:
        k = ceil(constant * log(2 * m / beta))
        short = float(scipy.stats.binom.cdf(ceil(Fraction(2 * k, 3)) - 1, k, 0.75))
        yield Number(f"P(fewer than 2k/3 agree), k = {k}, m = {m:g}, β = {beta:g}", short, beta / (2 * m))


def _third(less: int) -> Iterator[Number]:
    """By how much k/3, less so much, exceeds the printed distance where just 2k/3 agree."""
    for k in (3, 30, 3000):
        distance = printed((2 * k // 3, k // 3))
        yield Number(f"k/3 − {less} − dist, k = {k}", max(0.0, k / 3 - less - distance), 0.0)


def _root_and_log(m: int, T: float, delta: float, beta: float) -> tuple[float, float]:
    """√(T ln(2/δ)) and ln(4mT/min(δ, β/2)): k is 136 times their product, over ε."""
    return sqrt(T * log(2 / delta)), log(4 * m * T / min(delta, beta / 2))


def most_eps(m: int, T: float, delta: float, beta: float) -> float:
    """An ε up to which the printed k is at least 3(a + 1), a of Corollary 3.9 at β/2, and at least 72 ln(2m/β)."""
    root, inner = _root_and_log(m, T, delta, beta)
    return min((136 - 96 * sqrt(2)) / 3 * root * inner, 136 / 72 * root)


def both(eps: float, setting: tuple[int, float, float, float]) -> Iterator[Number]:
    """Compares with 1 what the proof asks of k over the printed k: 3(a + 1), a of Corollary 3.9 at β/2, and 72 ln(2m/β)."""
    m, T, delta, beta = setting
    root, inner = _root_and_log(m, T, delta, beta)
    where = f"ε = {eps:.4g}, m = {m:g}, T = {T:g}, δ = {delta:g}, β = {beta:g}"
    yield Number(f"3(a + 1)/k, {where}", 3 * (32 * sqrt(2) * inner * root / eps + 1) * eps / (136 * inner * root), 1.0)
    yield Number(f"72 ln(2m/β)/k, {where}", 72 * log(2 * m / beta) * eps / (136 * inner * root), 1.0)


def _at_every_eps() -> Iterator[Number]:
    for eps in (0.1, 1.0, 10.0, 100.0):
        for setting in SETTINGS:
            yield from both(eps, setting)


def _at_the_end() -> Iterator[Number]:
    for setting in SETTINGS:
        for share in (1e-3, 1.0):
            yield from both(share * most_eps(*setting), setting)


def lost(eps: float, m: int, delta: float, beta: float) -> Number:
    """Compares with β P(one of m − 1 queries of two labels is not answered x_f), T = 1, each vote being x_f with chance 3/4.
    The votes are independent. It is at least the chance that fewer than half of the votes on one query are x_f.
    """
    root, inner = _root_and_log(m, 1.0, delta, beta)
    k = ceil(136 * inner * root / eps)
    wrong = float(scipy.stats.binom.cdf((k - 1) // 2, k, 0.75))
    where = f"P(a query is lost), ε = {eps:g}, m = {m:g}, T = 1, δ = {delta:g}, β = {beta:g}, k = {k}"
    return Number(where, 1 - (1 - wrong) ** (m - 1), beta)


DELTAS = (1e-10, 1e-6, 0.1, 0.2)
GRID = tuple(
    (eps, delta, m, T)
    for eps in (0.1, 1.0, 5.0, 10.0, 20.0, 50.0, 100.0)
    for delta in DELTAS
    for m, T in ((1, 1.0), (100, 1.0), (1000, 10.0), (10**5, 1000.0))
)


def certified_runs(distance: Distance, most_eps: float, share: float = 1.0) -> Iterator[Number]:
    """Compares with ε a certified ε' of runs whose tests use this distance, with `share` times the printed λ, on a grid."""
    for eps, delta, m, T in GRID:
        if eps <= most_eps:
            lam = share * sqrt(32 * T * log(2 / delta)) / eps
            spent = certified(distance, lam, 2 * lam * log(2 * m / delta), epochs(m, T), delta, sharp=True)
            yield Number(f"ε spent at δ = {delta:g}, ε = {eps:g}, m = {m:g}, T = {T:g}", spent, eps)


def own_runs(share: float = 1.0) -> Iterator[Number]:
    """Compares with ε a certified ε' of runs by the exact distance of Definition 3.1, with `share` times the printed λ."""
    distance = Distance("own", lambda gap: gap, sensitivity(own_distance), unsettled(own_distance))
    return certified_runs(distance, 100.0, share)


CLAIMS = (
    Claim(
        "BTT18a:T3.11",
        "BTT18a Theorem 3.11",
        "With k = 136 ln(4mT/min(δ,β/2)) √(T ln(2/δ)) / ε, if on at least m − T queries each vote is x_f with probability at "
        "least 3/4, then with probability at least 1 − β all of these are answered x_f.",
        where=stable_votes("A_subSamp", "BTT18a", distribution="coin", right=0.75),
        decider=Never((*ANSWERED.limits, Limit("unstable", "T"))),
        quote=THEOREM,
    ),
    Claim(
        "BTT18a:T3.11-queries",
        "BTT18a Theorem 3.11",
        "The same of queries of any finite or countable range, functions of a chunk of n/k examples that are drawn i.i.d., "
        "chosen one after another and by the answers so far.",
        where=(among("mechanism", "A_subSamp"), among("constants", "BTT18a"), among("k_scale", 1), LIKELY),
        decider=Never((Limit("lost", 0),), "stable_queries"),
        quote=THEOREM,
    ),
    Claim(
        "BTT18a:T3.11-every",
        "BTT18a Theorem 3.11, which has no restriction on ε",
        "With k = 136 ln(4mT/min(δ,β/2)) √(T ln(2/δ)) / ε, if on at least m − T queries each vote is x_f with probability 3/4, "
        "then with probability at least 1 − β all of these are answered x_f, for every ε: tried up to 100.",
        decider=Computed(lambda: (lost(eps, 100, 0.2, 0.2) for eps in (1.0, 10.0, 100.0))),
        expected="refuted",
        of="BTT18a:T3.11",
        quote=THEOREM,
        why=(
            "k falls as 1/ε, and at ε = 100, δ = β = 0.2, m = 100 and T = 1 it is 18. So few votes, each right with "
            "probability 3/4, are too often right by less than half on one of 99 queries."
        ),
    ),
    Claim(
        "BTT18a:T3.11-72",
        "BTT18a Theorem 3.11, proof",
        "If each of k ≥ 72 ln(2m/β) votes is x_f with probability at least 3/4, then at least 2k/3 of them are with "
        "probability at least 1 − β/2m.",
        decider=Computed(partial(agreement, 72.0)),
        nature="step",
        of="BTT18a:T3.11",
        quote=SEVENTY_TWO,
    ),
    Claim(
        "BTT18a:T3.11-third",
        "BTT18a Theorem 3.11, proof",
        "Where at least 2k/3 of the votes agree, the distance of Algorithm 4 is at least k/3.",
        decider=Computed(partial(_third, 0)),
        expected="refuted",
        nature="step",
        of="BTT18a:T3.11",
        quote=THIRD,
        why=(
            "With 2k/3 votes for one answer the gap is at least k/3, and the distance is the gap less 1. The constant 136 "
            "leaves room for the 1."
        ),
    ),
    Claim(
        "BTT18a:T3.11-third-repaired",
        "BTT18a Theorem 3.11, proof, repaired",
        "Where at least 2k/3 of the votes agree, the distance of Algorithm 4 is at least k/3 − 1, at every k.",
        decider=Computed(partial(_third, 1)),
        nature="repair",
        of="BTT18a:T3.11-third",
        proof="Any other answer has at most k/3 votes, so that the gap is at least k/3, and the distance is the gap less 1.",
    ),
    Claim(
        "BTT18a:T3.11-both",
        "BTT18a Theorem 3.11, proof",
        "k = 136 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε is at least 72 ln(2m/β), and k/3 − 1 at least the a that Corollary 3.9 "
        "asks for at β/2, for every ε.",
        decider=Computed(_at_every_eps),
        expected="refuted",
        nature="step",
        of="BTT18a:T3.11",
        quote=BOTH,
        why=(
            "k falls as 1/ε and 72 ln(2m/β) does not: at δ = 10⁻⁶, β = 0.05 and m = T = 1 it fails from ε = 30 on. The second "
            "condition is k ≥ 3(a + 1), with the 1 of Algorithm 4, which fails there from ε = 4.6 on, and at δ = β = 0.2 from "
            "0.44 on."
        ),
    ),
    Claim(
        "BTT18a:T3.11-both-repaired",
        "BTT18a Theorem 3.11, proof, repaired",
        "k = 136 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε is at least 72 ln(2m/β), and k/3 − 1 at least the a that Corollary 3.9 "
        "asks for at β/2, for every m, T, δ and β and ε up to the smaller of (136 − 96√2)/3 · ln(4mT/min(δ, β/2)) √(T ln(2/δ)) "
        "and 17/9 · √(T ln(2/δ)).",
        decider=Computed(_at_the_end),
        nature="repair",
        of="BTT18a:T3.11-both",
        proof=(
            "a is 96√2/3 ln(4mT/min(δ, β/2)) √(T ln(2/δ)) / ε, so that k − 3a is (136 − 96√2) of the product over ε, and at "
            "least 3 up to the first ε. ln(4mT/min(δ, β/2)) is at least ln(2m/β), so that k is at least 72 ln(2m/β) up to the "
            "second."
        ),
    ),
    Claim(
        "BTT18a:T3.6",
        "BTT18a Theorem 3.6",
        "If dist is the largest k for which f(D) is k-stable, A_OQR is (ε, δ)-DP for queries of any range. Certified for ε up "
        "to 100 at δ of 1e-10, 1e-6, 0.1 and 0.2 and four settings of m and T, with the distance's sensitivity and what it is "
        "where neighbours differ found on all tables of votes of 2 to 4 labels and up to 8 chunks.",
        decider=Computed(own_runs),
        quote=Quote(
            "BTT18a §3.2 (Theorem 3.6)",
            "If for all functions f ∈ F, the distance to instability function is dist_f(D) = arg max_k [f(D) is k-stable], "
            "then Algorithm 3 is (ε, δ)-differentially private.",
        ),
    ),
)
