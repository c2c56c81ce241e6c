"""BTT18a Theorems 2.7 and 2.8: the privacy and the utility of A_sparseVec, with sensitivity 1 and λ = √(32 T ln(1/δ))/ε.

Utility is tried on values just above w + a, and at the corners of ε, δ and β. A value that is at least a above w fails with
probability at most P(Lap(2λ) − Lap(λ) < −a): a threshold that has lasted is likely a lower one than a fresh one. Where none of
these fails there are at most T ⊥s, and the loop comes to all.
"""

from collections.abc import Callable, Iterator
from math import log, sqrt

from harness.claims.engine import ANSWERED, Claim, Computed, Number, Quote, among, at_most, spends_eps, stable_votes
from harness.theory.privacy.laplace import difference_tail

QUOTE = Quote(
    "BTT18a §2.1 (Theorem 2.8)",
    "For α = log(2mT/β)√(512T log(1/δ))/ε, and any set of m queries q_1, ⋯, q_m, define the set L(α) = {i : q_i(D) ≤ w+α}. If "
    "|L(α)| ≤ T, then we have the following w.p. at least 1−β: ∀i ∉ L(α) Algorithm 1 outputs ⊤.",
)
CORNERS = tuple(
    (eps, delta, beta, m, T)
    for eps in (0.01, 1.0, 100.0)
    for delta in (1e-10, 1e-6, 0.2)
    for beta in (1e-10, 0.05, 0.2)
    for m, T in ((1, 1.0), (1000, 1.0), (1000, 1000.0), (10**6, 10.0))
)

Above = Callable[[float, float, float, int, float], tuple[float, float]]
"""How far above the threshold, and λ; of ε, δ, β, m and T."""


def failing(above: Above) -> Iterator[Number]:
    """Compares with β a bound on P(any of m queries is ⊥), if all lie above w by the margin of `above`, which gives λ too."""
    for eps, delta, beta, m, T in CORNERS:
        margin, lam = above(eps, delta, beta, m, T)
        where = f"ε = {eps:g}, δ = {delta:g}, β = {beta:g}, m = {m:,}, T = {T:g}"
        yield Number(f"P(a stable query is ⊥), {where}", m * float(difference_tail(margin, lam)), beta)


def _above(eps: float, delta: float, beta: float, m: int, T: float) -> tuple[float, float]:
    root = sqrt(T * log(1 / delta)) / eps
    return log(2 * m * T / beta) * sqrt(512) * root, sqrt(32) * root


CLAIMS = (
    Claim(
        "BTT18a:T2.7",
        "BTT18a Theorem 2.7",
        "A_sparseVec is (ε, δ)-DP for queries of sensitivity 1.",
        where=(among("mechanism", "sparse_vec"), at_most("eps", 10)),
        decider=spends_eps(),
        quote=Quote("BTT18a §2.1 (Theorem 2.7)", "Algorithm 1 is (ε, δ)-differentially private."),
    ),
    Claim(
        "BTT18a:T2.8",
        "BTT18a Theorem 2.8",
        "With a = ln(2mT/β) √(512 T ln(1/δ)) / ε, if at most T of the m values are at most w + a, then with probability at "
        "least 1 − β all the others are answered ⊤.",
        where=stable_votes("A_sparseVec", "BTT18", right=1),
        decider=ANSWERED,
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:T2.8-every",
        "BTT18a Theorem 2.8, which has no restriction on ε, δ and β",
        "The same for ε from 0.01 to 100, δ and β from 1e-10 to 0.2, and m and T from 1: by a union over the m values.",
        decider=Computed(lambda: failing(_above)),
        of="BTT18a:T2.8",
        quote=QUOTE,
    ),
)
