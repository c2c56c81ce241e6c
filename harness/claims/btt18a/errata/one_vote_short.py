"""Theorem 3.11 and Lemma 5.13, proofs: the gap less one."""

from harness.claims.btt18a.l5 import STABLE
from harness.claims.btt18a.t3 import THIRD
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="two-thirds-make-a-third-less-one",
        title="Two thirds of the votes make a distance of k/3 − 1, and not k/3",
        severity="slip of the pen",
        quotes=(
            THIRD,
            Quote(
                "BTT18a §3.3 (Algorithm 4, step 5)", "dist_f̂i ← max{0, (max_{r∈R_i}[ct(r)] − max_{r∈R_i∖f̂_i(D)}[ct(r)]) − 1}"
            ),
            STABLE,
        ),
        why=(
            "2k/3 votes for one answer leave k/3 for another: the gap is k/3 and the distance k/3 − 1. Definition 5.5 asks "
            "for a gap of more than d, which k/3 is not of k/3."
        ),
        counterexample="k = 3: votes 2 and 1, gap 1 = k/3, distance max{0, 1 − 1} = 0. At k = 30 and 3000 likewise 9 and 999.",
        holds=(
            "The distance is at least k/3 − 1 at every k, and a histogram with 2k/3 in one bin is d-stable for every d < k/3."
        ),
        answer="The constant 136 has room for the 1 where ε is not large (from 4.6 on it has none at δ = 10⁻⁶, m = T = 1).",
        claims=("BTT18a:T3.11-third", "BTT18a:L5.13-stable"),
        repairs=("BTT18a:T3.11-third-repaired", "BTT18a:L5.13-stable-repaired"),
        script="one_vote_short",
    ),
)
