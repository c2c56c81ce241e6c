"""What BTT18 Theorem 3.1 is silent about, and where it fails for it: ε far above 1, a cutoff below 1, and how D is split.

- λ is that of DR14 Corollary 3.21, which is for ε below 1: what many epochs spend in the mean grows with ε². `spent_lower`
  shows an analyst who learns more than ε at ε = 200, δ = 0.2. And λ falls as 1/ε: with k even a gap of 2, of which the printed
  distance makes 1, is then answered too often with a label that a neighbour, where the votes tie, never gives.
- Theorem 3.2 sets T = 3B, and 3B may be below 1. λ falls as √T, and one ⊥ is let out whatever T is.
- Neighbours differ by one example that is added or left out. Where D is cut by the order of its examples each chunk then has
  another example first, and all votes may change.
"""

from collections.abc import Iterator
from math import exp

from harness.claims.engine import Claim, Computed, Number, Quote, task_of
from harness.theory.constants import calibrations, constants
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.spent import spent_lower
from harness.theory.privacy.witness import label_event

LARGE = ((200.0, 1e3), (200.0, 1e4))


def _many_epochs() -> Iterator[Number]:
    for eps, T in LARGE:
        shown = spent_lower(calibrations()["printed"], eps, 0.2, int(5 * T), T)
        yield Number(f"ε spent at least, ε = {eps:g}, δ = 0.2, T = {T:g}, m = {5 * T:g}", shown, eps)
    for eps, delta, k in ((25.0, 0.2, 84), (53.0, 1e-6, 298)):
        printed = calibrations()["printed"]
        lam, w = printed.lam(eps, delta, 1, 1.0), printed.w(eps, delta, 1, 1.0)
        shown = label_event(printed.distance, lam, w, 1)
        yield Number(f"P(a label that a neighbour never gives), ε = {eps:g}, δ = {delta:g}, m = T = 1, k = {k}", shown, delta)


def _below_one() -> Iterator[Number]:
    """P(⊥) at a distance of 20 less e^ε of that at 22, one query, ε = 1, δ = 10⁻⁶."""
    eps, delta, T = 1.0, 1e-6, 0.001
    printed = calibrations()["printed"]
    lam, w = printed.lam(eps, delta, 1, T), printed.w(eps, delta, 1, T)
    more, less = (float(difference_tail(distance - w, lam)) for distance in (20, 22))
    yield Number(f"P'(⊥) − e^ε P(⊥), ε = 1, δ = 1e-06, m = 1, T = {T:g}", more - exp(eps) * less, delta)


def _by_order() -> Iterator[Number]:
    """P(0) on k votes for 0, where all k are for 1 on the neighbour, which gives 0 never."""
    eps, delta, T = 1.0, 1e-6, 1.0
    chosen = constants()["BTT18"]
    lam, w = chosen.calibration.lam(eps, delta, 1, T), chosen.calibration.w(eps, delta, 1, T)
    k = chosen.k(task_of(1, 0.05), T)
    answered = 1 - float(difference_tail(k - 1 - w, lam))
    yield Number(f"P(0 on D) − e^ε P(0 on D'), ε = 1, δ = 1e-06, m = 1, T = 1, k = {k}", answered, delta)


PRINTED = Quote("BTT18 §3, p. 5 (Theorem 3.1)", "Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP.")

CLAIMS = (
    Claim(
        "BTT18:T3.1-any-eps",
        "BTT18 Theorem 3.1, at any ε",
        "A_binClas is (ε, δ)-DP at every ε > 0.",
        decider=Computed(_many_epochs),
        expected="refuted",
        of="BTT18:T3.1",
        quote=PRINTED,
        why=(
            "λ is set by DR14 Corollary 3.21, which is for ε below 1. Over T epochs the mean of what is learned is about "
            "T(ε/√(T ln(2/δ)))², up to a constant: it grows with ε², and passes ε. At m = T = 1 and with k even a tie's "
            "neighbour is answered with more than δ, from ε = 21 on at δ = 0.2 and from ε = 48 on at δ = 10⁻⁶."
        ),
    ),
    Claim(
        "BTT18:T3.1-any-cutoff",
        "BTT18 Theorem 3.1, at a cutoff as Theorem 3.2 sets it",
        "A_binClas is (ε, δ)-DP at every cutoff T > 0, T = 3B among them.",
        decider=Computed(_below_one),
        expected="refuted",
        of="BTT18:T3.1",
        quote=PRINTED,
        why="λ falls as √T, and the loop lets one ⊥ out before it looks at T: with T far below 1 that ⊥ has hardly any noise.",
    ),
    Claim(
        "BTT18:T3.1-any-split",
        "BTT18 Theorem 3.1, however D is split",
        "A_binClas is (ε, δ)-DP for data sets with |D Δ D'| = 1 and any way to split them into chunks.",
        decider=Computed(_by_order),
        expected="refuted",
        of="BTT18:T3.1",
        quote=PRINTED,
        why=(
            "Where a data set is cut by the order of its examples, one that is left out moves all that follow it by a place: "
            "every chunk is another one, and every vote may change."
        ),
    ),
)
