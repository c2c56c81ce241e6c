"""BTT18a Lemma 3.8: how often A_OQR answers a query on which neighbours differ.

Such a query is at distance 0, w = 2λ ln(2m/δ) below the threshold. Under a fresh ŵ it is answered with chance ⅔ · δ/2m but for
lower orders, so the lemma holds of the first query. The proof of Theorem 3.6 uses it of every query in a run. In the middle of
one ŵ is not fresh: epochs with a low threshold last longer, and the chance can be more than δ/2m, twice that for m = 2000 and
T = 100. The proof is saved by what the whole run may answer: there is at most one chance an epoch, (T + 1) ⅔ δ/2m in all, and
T + 1 ≤ m.
"""

from collections.abc import Iterator
from math import log, sqrt

from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.in_a_run import answered_last
from harness.theory.privacy.laplace import difference_tail

DELTA = 1e-6


def _scale(eps: float, T: float) -> float:
    """λ of Algorithm 3, written out: where the theory errs the claim must not follow."""
    return sqrt(32 * T * log(2 / DELTA)) / eps


def fresh(distance: int, largest_eps: float) -> Iterator[Number]:
    """P(a first query at this distance is answered), against δ/2m."""
    for m, T, eps in ((100, 1.0, 0.1), (1000, 10.0, 1.0), (1000, 1.0, 5.0), (10, 1.0, largest_eps)):
        lam = _scale(eps, T)
        chance = float(difference_tail(2 * lam * log(2 * m / DELTA) - distance, lam))
        yield Number(f"P(answered), m = {m}, T = {T:g}, ε = {eps:g}", chance, DELTA / (2 * m))


RUNS = ((100, 1.0, 10.0), (100, 10.0, 4.0), (1000, 30.0, 6.0), (2000, 100.0, 5.0))
"""m, T and how many λ above w the queries before the last are, which does not depend on ε."""


def _in_a_run() -> Iterator[Number]:
    for m, T, level in RUNS:
        chance = answered_last(m, T, level, 2 * log(2 * m / DELTA))
        yield Number(f"P(the last is answered), m = {m}, T = {T:g}, others {level:g}λ above w", chance, DELTA / (2 * m))


def _in_all() -> Iterator[Number]:
    for m, T, _ in (*RUNS, (1, 1.0, 0.0), (2, 1.0, 0.0)):
        lam = _scale(1.0, T)
        chance = min(m, T + 1) * float(difference_tail(2 * lam * log(2 * m / DELTA), lam))
        yield Number(f"P(any is answered), m = {m}, T = {T:g}", chance, DELTA / 2)


CLAIMS = (
    Claim(
        "BTT18a:L3.8",
        "BTT18a Lemma 3.8",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, under a threshold "
        "that is drawn afresh.",
        decider=Computed(lambda: fresh(0, 1000.0)),
    ),
    Claim(
        "BTT18a:L3.8-subsamp",
        "BTT18a Lemma 3.8, with the distance of Algorithm 4",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, "
        "under a fresh threshold, "
        "with dist = max{0, ct(top) − ct(second) − 1}, which may be 1 there, for every ε.",
        decider=Computed(lambda: fresh(1, 20.0)),
        expected="refuted",
        why=(
            "Where the answer can change, this distance may be 1 in place of 0, which costs a factor e^(1/2λ) of the chance. "
            "There is room for it unless λ < 1.23, so that the lemma fails for ε above 17.5 at T = 1 and δ = 10⁻⁶."
        ),
    ),
    Claim(
        "BTT18a:L3.8-subsamp-repaired",
        "BTT18a Lemma 3.8, with the distance of Algorithm 4",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, "
        "under a fresh threshold, with dist = max{0, ct(top) − ct(second) − 1} and ε up to 10.",
        decider=Computed(lambda: fresh(1, 10.0)),
        nature="repair",
        of="BTT18a:L3.8-subsamp",
    ),
    Claim(
        "BTT18a:L3.8-run",
        "BTT18a Lemma 3.8, as the proof of Theorem 3.6 uses it",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, "
        "for every query in a run, whatever was asked before.",
        decider=Computed(_in_a_run),
        expected="refuted",
        why=(
            "The lemma draws the threshold afresh, and in a run it stays until the next ⊥. One that has lasted through stable"
            " queries is likely a low one: at m = 2000 and T = 100 the chance is twice δ/2m."
        ),
        nature="step",
        of="BTT18a:L3.8",
    ),
    Claim(
        "BTT18a:L3.8-run-repaired",
        "BTT18a Lemma 3.8, as the proof of Theorem 3.6 uses it, repaired",
        "The probability that A₂ is invoked for any of the queries of a run on which f(D) and f(D') differ is at most "
        "(T + 1) P(Lap(2λ) − Lap(λ) > w), which is at most δ/2 for T + 1 ≤ m: what the proof needs.",
        decider=Computed(_in_all),
        nature="repair",
        of="BTT18a:L3.8-run",
    ),
)
