"""BTT18a Lemmas 3.3, 3.4, 3.7 and 3.8: what the privacy of A_stab and A_OQR rests on.

*Lemma 3.3*: one A_stab where neighbours agree on f(D); decided over all tables of votes, of any range. The distance of Theorem
3.2 has sensitivity 1. That of A_subSamp has 2, of which the lemma says nothing: see Corollary 3.10.

*Lemma 3.4*: one A_stab where neighbours differ on f(D); decided over the same tables. Both distances are then 0, so each says ⊥
but for a chance of δ/2. With the distance of A_subSamp, of which the lemma says nothing, one of them may be 1, where a tie
breaks the other way: see Corollary 3.10.

*Lemma 3.7*: where f(D) = f(D'), the second phase of A_OQR says the same on both.

*Lemma 3.8*: how often A_OQR answers a query on which neighbours differ. Such a query is at distance 0, w = 2λ ln(2m/δ) below
the threshold. Under a fresh ŵ it is answered with chance ⅔ · δ/2m but for lower orders, so the lemma holds of the first query.
The proof of Theorem 3.6 uses it of every query in a run. In the middle of one ŵ is not fresh: epochs with a low threshold last
longer, and the chance can be more than δ/2m, twice that for m = 2000 and T = 100. The proof is saved by what the whole run may
answer: there is at most one chance an epoch, min(m, T + 1) ⅔ δ/2m in all.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import floor, log, sqrt

import numpy as np

from harness.claims.btt18a.in_a_run import answered_last
from harness.claims.btt18a.tables import SHAPES, Table, own_distance, pairs, winner
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import difference_tail, log_tail, tail

CASES = ((0.1, 1e-6), (1.0, 1e-6), (1.0, 1e-2), (5.0, 1e-9), (0.1, 0.2), (100.0, 0.2), (100.0, 1e-10))
CHUNKS = "Decided on all tables of votes of 2 to 4 labels and up to 8 chunks."


def agreeing(distance: Callable[[Table], int]) -> Iterator[Number]:
    """Compares with ε the largest |ln P(s)/Q(s)| of both outcomes s of A_stab, over neighbours of one winner, by a distance."""
    moves = {(distance(a), distance(b)) for a, b in pairs() if winner(a) == winner(b)}
    first, second = (np.array(each, dtype=np.float64) for each in zip(*moves, strict=True))
    for eps, delta in CASES:
        p, q = (log(1 / delta) - eps * each for each in (first, second))
        loss = max(float(np.abs(log_tail(sign * p) - log_tail(sign * q)).max()) for sign in (1, -1))
        yield Number(f"ln P(s)/Q(s), ε = {eps:g}, δ = {delta:g}", loss, eps)


def differing(distance: Callable[[Table], int]) -> Iterator[Number]:
    """Compares with δ the largest chance that not both runs of A_stab say ⊥, over neighbours of different winners."""
    moves = {(distance(a), distance(b)) for a, b in pairs() if winner(a) != winner(b)}
    first, second = (np.array(each, dtype=np.float64) for each in zip(*moves, strict=True))
    for eps, delta in CASES:
        p, q = (tail(log(1 / delta) - eps * each) for each in (first, second))
        yield Number(f"P(not both are ⊥), ε = {eps:g}, δ = {delta:g}", float((p + q - p * q).max()), delta)


def _numbers() -> Iterator[Number]:
    for shape in SHAPES:
        agreeing = [(a, b) for a, b in pairs((shape,)) if winner(a) == winner(b)]
        apart = sum(a.index(max(a)) != b.index(max(b)) for a, b in agreeing)
        yield Number(f"pairs on which the laws of the answer differ, {shape[0]} labels, {shape[1]} chunks", apart, 0)


DELTA = 1e-6
LEMMA = Quote(
    "BTT18a §3.2 (Lemma 3.8)",
    "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) ≠ f(D′). Then, "
    "Algorithm A_2 is never invoked to output f(D) with probability at least 1−δ/2m.",
)
IN_THE_PROOF = Quote(
    "BTT18a §3.2 (Theorem 3.6, proof)",
    "Now since |F_2| ≤ m, using Lemma 3.8 and taking an union bound over all the queries in |F_2|, Algorithm A_2 is never "
    "invoked for queries in F_2 with probability at least 1−δ/2.",
)


def _scale(eps: float, T: float, delta: float = DELTA) -> float:
    """λ of Algorithm 3, written out: where the theory errs the claim must not follow."""
    return sqrt(32 * T * log(2 / delta)) / eps


def fresh(distance: int, largest_eps: float) -> Iterator[Number]:
    """Compares with δ/2m P(a first query at this distance is answered), at some m, T and ε."""
    for m, T, eps in ((100, 1.0, 0.1), (1000, 10.0, 1.0), (1000, 1.0, 5.0), (10, 1.0, largest_eps)):
        lam = _scale(eps, T)
        chance = float(difference_tail(2 * lam * log(2 * m / DELTA) - distance, lam))
        yield Number(f"P(answered), m = {m}, T = {T:g}, ε = {eps:g}", chance, DELTA / (2 * m))


RUNS = ((100, 1.0, 10.0), (100, 10.0, 4.0), (1000, 30.0, 6.0), (2000, 100.0, 5.0))
"""m, T and how many λ above w the queries before the last are, which does not depend on ε."""

CORNERS = ((1, 1.0), (2, 1.0), (10, 10.0), (100, 99.0), (10**6, 1.0), (10**6, 1e6))


def _in_a_run() -> Iterator[Number]:
    for m, T, level in RUNS:
        chance = answered_last(m, T, level, 2 * log(2 * m / DELTA))
        yield Number(f"P(the last is answered), m = {m}, T = {T:g}, others {level:g}λ above w", chance, DELTA / (2 * m))


def _in_all() -> Iterator[Number]:
    for m, T in ((m, T) for m, T, _ in RUNS):
        yield _any_of(m, T, 1.0, DELTA)
    for m, T in CORNERS:
        for eps, delta in ((0.01, 0.1), (100.0, 0.1), (100.0, 1e-10)):
            yield _any_of(m, T, eps, delta)


def _any_of(m: int, T: float, eps: float, delta: float) -> Number:
    """The chance of an answer in each epoch, summed, against δ/2."""
    lam = _scale(eps, T, delta)
    chance = min(m, floor(T) + 1) * float(difference_tail(2 * lam * log(2 * m / delta), lam))
    return Number(f"P(any is answered), m = {m}, T = {T:g}, ε = {eps:g}, δ = {delta:g}", chance, delta / 2)


CLAIMS = (
    Claim(
        "BTT18a:L3.3",
        "BTT18a Lemma 3.3",
        "With dist the largest k for which f(D) is k-stable: if f(D) = f(D') then P(A_stab(D) = s) is at most e^ε "
        f"P(A_stab(D') = s) for every s. {CHUNKS}",
        decider=Computed(partial(agreeing, own_distance)),
        quote=Quote(
            "BTT18a §3.1 (Lemma 3.3)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) = f(D′). Then, "
            "for any output s ∈ R ∪ {⊥}, we have: Pr[A_stab(D, f) = s] ≤ e^ε Pr[A_stab(D′, f) = s].",
        ),
    ),
    Claim(
        "BTT18a:L3.4",
        "BTT18a Lemma 3.4",
        "With dist the largest k for which f(D) is k-stable: if f(D) and f(D') differ then with probability at least 1 − δ "
        f"A_stab(D) = A_stab(D') = ⊥. {CHUNKS}",
        decider=Computed(partial(differing, own_distance)),
        quote=Quote(
            "BTT18a §3.1 (Lemma 3.4)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) ≠ (D′). Then, "
            "for any output s ∈ R ∪ {⊥}, we have the following with probability at least 1−δ: "
            "A_stab(D, f) = A_stab(D′, f) = ⊥.",
        ),
    ),
    Claim(
        "BTT18a:L3.7",
        "BTT18a Lemma 3.7",
        "If f(D) = f(D'), then A₂, which is invoked where A₁ says ⊤ and outputs f(D), has the same law on D and D'.",
        decider=Computed(_numbers),
        quote=Quote(
            "BTT18a §3.2 (Lemma 3.7)",
            "Let D ∈ U* be any fixed dataset. Assume that for any dataset D′ ∈ U* s.t. |DΔD′| = 1, we have f(D) = f(D′). "
            "Then, for any output s ∈ R, we have the following for the invocation of Algorithm A_2: Pr[A_2(D, f) = s] = "
            "Pr[A_2(D′, f) = s].",
        ),
        check="identity",
    ),
    Claim(
        "BTT18a:L3.8",
        "BTT18a Lemma 3.8",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, under a threshold "
        "that is drawn afresh.",
        decider=Computed(lambda: fresh(0, 1000.0)),
        quote=LEMMA,
    ),
    Claim(
        "BTT18a:L3.8-run",
        "BTT18a Theorem 3.6, proof, where it uses Lemma 3.8",
        "If f(D) and f(D') differ, A₂ is not invoked to output f(D) with probability at least 1 − δ/2m, "
        "for every query in a run, whatever was asked before.",
        decider=Computed(_in_a_run),
        expected="refuted",
        nature="step",
        of="BTT18a:T3.6",
        quote=IN_THE_PROOF,
        why=(
            "The lemma draws the threshold afresh, and in a run it stays until the next ⊥. One that has lasted through stable"
            " queries is likely a low one: at m = 2000 and T = 100 the chance is twice δ/2m."
        ),
    ),
    Claim(
        "BTT18a:L3.8-run-repaired",
        "BTT18a Theorem 3.6, proof, where it uses Lemma 3.8, repaired",
        "The probability that A₂ is invoked for any of the queries of a run on which f(D) and f(D') differ is at most "
        "min(m, T + 1) P(Lap(2λ) − Lap(λ) > w), which is at most δ/3: what the proof needs, for every m, T ≥ 1, ε and δ.",
        decider=Computed(_in_all),
        nature="repair",
        of="BTT18a:L3.8-run",
        proof=(
            "Such a query, at distance 0, is answered or ends its epoch. So an epoch has at most one of them that counts, and "
            "the chance that it is reached and answered is at most that of Lap(2λ) − Lap(λ) > w with a fresh threshold, which "
            "is at most ⅔e^(−w/2λ) = δ/3m. There are at most min(m, T + 1) epochs that end with a query."
        ),
    ),
)
