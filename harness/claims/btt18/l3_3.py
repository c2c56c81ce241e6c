"""BTT18 Lemma 3.3, with B the most mistakes that any h_j made in the trial: at ξ = 1/3, at ½, at any ξ, and at B = 0.

It is tight: on the hard distribution, with c just below ln 3 and so many atoms that all h_j err about as often, more than nine
tenths of the bound are reached.
"""

from collections.abc import Iterator
from math import floor, inf, nextafter

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.engine import Certain, Claim, Computed, Limit, Number, Quote, among, known


def _share(rows: pd.DataFrame) -> Reals:
    """Queries with more than k/3 wrong votes, as a share of 3B; at B = 0 of 1, where the strict inequality says 0 < 0."""
    return rows["unstable"].to_numpy() / np.maximum(3.0 * rows["max_mistakes"].to_numpy(np.int64), 1)


def _of_plain_majority(rows: pd.DataFrame) -> Reals:
    """Queries that a plain majority gets wrong, as a share of 2B; at B = 0 of 1. Ties are among them."""
    return rows["misclassified"].to_numpy() / np.maximum(2.0 * rows["max_mistakes"].to_numpy(np.int64), 1)


def _at_any_share() -> Iterator[Number]:
    """The most queries that can have more than ξk wrong votes where each of k hypotheses errs B times, against less than B/ξ.

    Each such query takes ⌊ξk⌋ + 1 of the kB mistakes, and on so many queries that no two mistakes of one need fall together as
    many as there are of these can be spread.
    """
    for k in (1, 2, 3, 10, 30_001):
        for B in (1, 7, 1000):
            for xi in (0.5, 1 / 3, 0.1, 0.01):
                most = k * B // (floor(xi * k) + 1)
                yield Number(f"k = {k}, B = {B}, ξ = {xi:.3g}", most, nextafter(B / xi, 0))


def _nobody_errs() -> Iterator[Number]:
    """Of no mistakes no query has a wrong vote, and B/ξ is 0."""
    for xi in (0.5, 1 / 3, 0.01):
        yield Number(f"queries with > ξk wrong votes at B = 0, against less than B/ξ, ξ = {xi:.3g}", 0, nextafter(0, -1))


def _at_most() -> Iterator[Number]:
    """The limits and all that `_at_any_share` has, against B/ξ itself."""
    for number in (*_nobody_errs(), *_at_any_share()):
        yield Number(number.where.replace("less than", "at most"), number.measured, nextafter(number.bound, inf))


PRINTED = Quote(
    "BTT18 §3, p. 6 (Lemma 3.3)",
    "Consider a set of {(x̃₁, ỹ₁), …, (x̃_m, ỹ_m)} ⊂ X × Y, and k binary classifiers h₁, …, h_k, where each classifier is "
    "guaranteed to make at most B mistakes in predicting the m labels {ỹ₁, …, ỹ_m}. For any ξ ∈ (0, 1/2], "
    "|{i ∈ [m] : |{j ∈ [k] : h_j(x̃_i) ≠ ỹ_i}| > ξk}| < B/ξ.",
)

CLAIMS = (
    Claim(
        "BTT18:L3.3",
        "BTT18 Lemma 3.3, ξ = 1/3",
        "If each of k classifiers makes at most B > 0 mistakes on m queries, fewer than B/ξ queries have more than ξk "
        "wrong votes. "
        "(At B = 0 the printed strict inequality says 0 < 0.)",
        where=(known("max_mistakes"),),
        decider=Certain((Limit("share_of_3B", 1, of=_share, reads=("unstable", "max_mistakes"), strict=True),)),
        quote=PRINTED,
        check="identity",
    ),
    Claim(
        "probe:BTT18:L3.3-nine-tenths",
        "not in the papers: that Lemma 3.3 is tight at ξ = 1/3",
        "The same with 0.9 · B/ξ. (False: the lemma is tight to within a tenth.)",
        decider=Certain((Limit("share_of_3B", 0.9, of=_share, reads=("unstable", "max_mistakes"), strict=True),)),
        where=(known("max_mistakes"),),
        expected="refuted",
        nature="probe",
        of="BTT18:L3.3",
    ),
    Claim(
        "BTT18:L3.3-half",
        "not in the papers: BTT18 Lemma 3.3 at ξ = 1/2, of the plain majority",
        "If each of k classifiers makes at most B mistakes on m queries, their plain majority is wrong on at most 2B: fewer "
        "have more than k/2 wrong votes, and with the ties it is no more.",
        where=(among("mechanism", "majority"), known("max_mistakes")),
        decider=Certain(
            (Limit("majority's mistakes over 2B", 1, of=_of_plain_majority, reads=("misclassified", "max_mistakes")),)
        ),
        nature="ours",
        of="BTT18:L3.3",
    ),
    Claim(
        "BTT18:L3.3-any-share",
        "BTT18 Lemma 3.3, ξ ≤ 1/2",
        "The most queries that can have more than ξk wrong votes, where each of k classifiers makes B mistakes, are fewer than "
        "B/ξ, at every ξ ≤ 1/2 and B ≥ 1 tried.",
        decider=Computed(_at_any_share),
        of="BTT18:L3.3",
        quote=PRINTED,
    ),
    Claim(
        "BTT18:L3.3-none",
        "BTT18 Lemma 3.3 at B = 0",
        "If none of k classifiers makes a mistake, fewer than 0/ξ queries have more than ξk wrong votes.",
        decider=Computed(_nobody_errs),
        expected="refuted",
        of="BTT18:L3.3",
        quote=PRINTED,
        why="The inequality is strict, and at B = 0 it says that fewer than 0 queries have so many wrong votes.",
    ),
    Claim(
        "BTT18:L3.3-none-repaired",
        "BTT18 Lemma 3.3, repaired",
        "At most B/ξ queries have more than ξk wrong votes, for every B ≥ 0 and ξ > 0; fewer where B > 0.",
        decider=Computed(_at_most),
        nature="repair",
        of="BTT18:L3.3-none",
        proof=(
            "N such queries have more than ξkN wrong votes together if N > 0, and there are at most kB: so N < B/ξ. If N = 0 "
            "it is at most B/ξ, and less if B > 0."
        ),
    ),
)
