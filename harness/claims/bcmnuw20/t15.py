"""BCMNUW20 Theorem 15: below about 1/α public points no number of private ones is enough, for thresholds on ℝ.

No program shows that of every algorithm. What can be shown is where A_PAP fails, on a named distribution: uniform points, or
any without atoms. G is one number for all thresholds between two neighbouring public points, whose averages, of ±1, differ by
twice the mass of the gap. So the error is at least the mass of the largest of the m + 1 gaps, and that is at least 1/(m + 1):
whatever n is and whatever is done with the private points. As h̃ cuts at a public point, an exact G even errs by twice that.
"""

from fractions import Fraction
from math import comb, log

import pandas as pd

from harness.claims.engine import Certain, Claim, Condition, Law, Limit, Probability, among

ON = (among("concept", "thresholds"), among("distribution", "uniform", "log_uniform"))


def at_most(most: float, words: str) -> Condition:
    """m is at most so many times ln(1/α)/α."""
    return Condition(words, ("m", "alpha"), lambda first: bool(first["m"] <= most * log(1 / first["alpha"]) / first["alpha"]))


def about(share: float, words: str) -> Condition:
    """m is near so many times ln(1/α)/α."""

    def near(first: pd.Series) -> bool:
        return bool(0.8 * share <= first["m"] * first["alpha"] / log(1 / first["alpha"]) <= 1.25 * share)

    return Condition(words, ("m", "alpha"), near)


def some_public() -> Condition:
    """Without public points a fixed grid is in their place."""
    return Condition("m > 0", ("m",), lambda first: bool(first["m"] > 0))


def kept(rows: pd.DataFrame) -> "pd.Series[float]":
    """α over the error: above 1 where the error keeps to α."""
    return rows["alpha"] / rows["error"]


def least_gap(rows: pd.DataFrame) -> "pd.Series[float]":
    """1/(m̂ + 1) over the error."""
    return 1 / (rows["distinct"] + 1) / rows["error"]


def none_above(m: int, x: float) -> float:
    """P(none of the m + 1 gaps that m uniform points leave of [0, 1] is above x), by inclusion and exclusion.

    In whole numbers: the terms alternate, and may be far larger than their sum.
    """
    part = Fraction(x)
    return float(sum((-1) ** j * comb(m + 1, j) * (1 - j * part) ** m for j in range(m + 2) if j * part < 1))


def exceeds(first: pd.Series) -> float:
    """P(error ≤ α) of an exact G: none of the gaps is above α/2. Counted as failures are those of `FAILS`."""
    return none_above(int(first["m"]), float(first["alpha"]) / 2)


FAILS = Limit("α over the error", 1.0, of=kept)

CLAIMS = (
    Claim(
        "BCMNUW20:T15",
        "BCMNUW20 Theorem 15, for A_PAP on thresholds",
        "With m ≤ ln(1/α)/α public points of a distribution without atoms, the error of A_PAP is above α with probability at "
        "least "
        "1 − β, at every n.",
        where=(among("mechanism", "A_PAP"), *ON, some_public(), at_most(1, "m ≤ ln(1/α)/α")),
        decider=Probability((FAILS,), "release"),
    ),
    Claim(
        "BCMNUW20:T15-gap",
        "BCMNUW20 Theorem 15, for A_PAP on thresholds",
        "There the error is at least 1/(m̂ + 1) in every run and at every n, so above α while m̂ + 1 < 1/α.",
        where=(among("mechanism", "A_PAP", "exact_averages"), *ON, some_public()),
        decider=Certain((Limit("1/(m̂ + 1) over the error", 1.0 + 1e-9, of=least_gap),), "release"),
        check="identity",
    ),
    Claim(
        "BCMNUW20:T15-law",
        "BCMNUW20 Theorem 15, by spacings",
        "With exact averages of 10¹² private points, the chance of an error of at most α is that of no gap above α/2 between m "
        "uniform public points: Σ_j (−1)^j C(m + 1, j) (1 − jα/2)^m, within 0.15.",
        where=(
            among("mechanism", "exact_averages"),
            among("concept", "thresholds"),
            among("distribution", "uniform"),
            Condition("n ≥ 10¹²", ("n",), lambda first: bool(first["n"] >= 1e12)),
            some_public(),
        ),
        decider=Law((FAILS,), "release", may_fail=exceeds, within=0.15),
    ),
    Claim(
        "probe:BCMNUW20:T15-eight",
        "BCMNUW20 Theorem 15, with eight times as many public points",
        "With about 8 ln(1/α)/α public points it still is, at n = 10¹². (False: no gap is above α/2 then.)",
        where=(
            among("mechanism", "A_PAP"),
            *ON,
            about(8, "m ≈ 8 ln(1/α)/α"),
            Condition("n ≥ 10¹²", ("n",), lambda first: bool(first["n"] >= 1e12)),
        ),
        decider=Probability((FAILS,), "release"),
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T15",
    ),
)
