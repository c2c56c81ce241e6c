"""BCMNUW20 Theorem 15: below about 1/α public points no number of private ones is enough, for thresholds on ℝ.

No program shows that of every algorithm, and it says no bound on δ, without which it is false: whoever publishes each row with
chance δ is (0, δ)-private and has nδ rows that are public. What can be shown is where A_PAP fails, on a named distribution:
uniform points, or any without atoms. G is one number for all thresholds between two neighbouring public points, whose averages,
of ±1, differ by twice the mass of the gap. So the error is at least the mass of the largest of the m + 1 gaps, and that is at
least 1/(m + 1): whatever n is and whatever is done with the private points. As h̃ cuts at a public point, an exact G even errs
by twice that.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, exp, log

import pandas as pd

from harness.claims.bcmnuw20.l18 import Unshown
from harness.claims.engine import Certain, Claim, Computed, Condition, Law, Limit, Number, Probability, Quote, among

ON = (among("concept", "thresholds"), among("distribution", "uniform", "log_uniform"))


def at_most(most: float, words: str) -> Condition:
    """The condition that m ≤ most·ln(1/α)/α. words: the condition's own."""
    return Condition(words, ("m", "alpha"), lambda first: bool(first["m"] <= most * log(1 / first["alpha"]) / first["alpha"]))


def m_near(share: float, words: str) -> Condition:
    """The condition that m is between 0.8 and 1.25 times share·ln(1/α)/α. words: the condition's own."""

    def near(first: pd.Series) -> bool:
        return bool(0.8 * share <= first["m"] * first["alpha"] / log(1 / first["alpha"]) <= 1.25 * share)

    return Condition(words, ("m", "alpha"), near)


def some_public() -> Condition:
    """The condition that there are public points: without them a fixed grid is in their place."""
    return Condition("m > 0", ("m",), lambda first: bool(first["m"] > 0))


def alpha_over_error(rows: pd.DataFrame) -> "pd.Series[float]":
    """The ratio α/error of each row: above 1 where the error is below α."""
    return rows["alpha"] / rows["error"]


def least_gap(rows: pd.DataFrame) -> "pd.Series[float]":
    """The ratio of 1/(m̂ + 1) to the error of each row, m̂ being the number of distinct public points."""
    return 1 / (rows["distinct"] + 1) / rows["error"]


def none_above(m: int, x: float) -> float:
    """P(none of the m + 1 gaps that m uniform points leave of [0, 1] is above x), by inclusion and exclusion.

    In whole numbers: the terms alternate, and may be far larger than their sum.
    """
    part = Fraction(x)
    return float(sum((-1) ** j * comb(m + 1, j) * (1 - j * part) ** m for j in range(m + 2) if j * part < 1))


def exceeds(first: pd.Series) -> float:
    """P(error ≤ α) in a cell where G answers exactly: no gap between uniform public points is above α/2. `FAILS` fails then."""
    return none_above(int(first["m"]), float(first["alpha"]) / 2)


FAILS = Limit("α over the error", 1.0, of=alpha_over_error, reads=("alpha", "error"))


def published(alpha: float, n: float, delta: float) -> float:
    """A bound on the chance that, of n rows each published with chance δ, too few are published for error α at m = 0.

    Fewer than nδ/2 with chance e^(−nδ/8) at most; of so many rows thresholds' averages of ±1 are off by more than α with chance
    2e^(−nδα²/4) at most (Dvoretzky, Kiefer, Wolfowitz; Massart).
    """
    return exp(-n * delta / 8) + 2 * exp(-n * delta * alpha**2 / 4)


def _without_public() -> Iterator[Number]:
    """The chance of error above α of rows published with chance δ = 10⁻⁶, at n = 40/(δα²) private points and m = 0."""
    for alpha in (0.1, 0.01, 1e-4):
        chance = published(alpha, 40 / (1e-6 * alpha**2), 1e-6)
        setting = f"δ = 1e-6, m = 0, α = {alpha:g}, n = {40e6 / alpha**2:.3g}"
        yield Number(f"{setting}: β = 0.05 over the chance of failure", 0.05 / chance, 1)


THEOREM = Quote(
    "BCMNUW20 §5 (Theorem 15)",
    "Let ℋ ⊆ {±1}^𝒳 be any query class that has infinite Littlestone dimension. Any PAP query-release algorithm for ℋ must "
    "have public sample complexity m = Ω(1/α), where α is the desired accuracy.",
)
WHY_UNTESTED = (
    "it is about every algorithm at once; what can be run is A_PAP (T15-A_PAP), and others can agree with it and not show it"
)
OWN = "not in the papers: "

CLAIMS = (
    Claim(
        "BCMNUW20:T15",
        "BCMNUW20 Theorem 15",
        "Every PAP query-release algorithm for a class of infinite Littlestone dimension, such as thresholds on ℝ, has m = "
        "Ω(1/α) public samples, whatever n is.",
        decider=Unshown(WHY_UNTESTED),
        expected="untested",
        quote=THEOREM,
    ),
    Claim(
        "BCMNUW20:T15-delta",
        "BCMNUW20 Theorem 15, read without any bound on δ",
        "So it is at every n and every δ > 0, since neither the theorem nor Definitions 6 and 8 bound δ.",
        decider=Computed(_without_public),
        expected="refuted",
        nature="reading",
        of="BCMNUW20:T15",
        quote=THEOREM,
        why="Publishing each private row with chance δ is (0, δ)-private, and with n = 40/(δα²) private rows, m = 0 and β = "
        "0.05 the averages of those published are within α, at every α. So nδ has to be bounded, as δ ≤ 1/4n is in Theorem 13.",
    ),
    Claim(
        "BCMNUW20:T15-A_PAP",
        f"{OWN}what BCMNUW20 Theorem 15 says of A_PAP on thresholds",
        "With 0 < m ≤ ln(1/α)/α public points of a distribution without atoms, the error of A_PAP is above α with probability "
        "at least 1 − β, at each n tried. (Where nδ ≥ 1, as at n = 10⁸ and δ = 10⁻⁶, that is A_PAP's own failing: (ε, "
        "δ)-privacy alone would let rows be published there.)",
        where=(among("mechanism", "A_PAP"), *ON, some_public(), at_most(1, "m ≤ ln(1/α)/α")),
        decider=Probability((FAILS,), "release"),
        nature="ours",
        of="BCMNUW20:T15",
    ),
    Claim(
        "BCMNUW20:T15-gap",
        f"{OWN}what BCMNUW20 Theorem 15 says of A_PAP on thresholds, by counting",
        "With m > 0 public points the error is at least 1/(m̂ + 1) in every run and whatever n is, so above α while m̂ + 1 < "
        "1/α.",
        where=(among("mechanism", "A_PAP", "exact_averages"), *ON, some_public()),
        decider=Certain((Limit("1/(m̂ + 1) over the error", 1.0 + 1e-9, of=least_gap, reads=("distinct", "error")),), "release"),
        nature="ours",
        of="BCMNUW20:T15",
        check="identity",
    ),
    Claim(
        "BCMNUW20:T15-law",
        f"{OWN}what BCMNUW20 Theorem 15 says of A_PAP on thresholds, by spacings",
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
        nature="ours",
        of="BCMNUW20:T15",
    ),
    Claim(
        "probe:BCMNUW20:T15-eight",
        "BCMNUW20 Theorem 15, of A_PAP with eight times as many public points",
        "With about 8 ln(1/α)/α public points it still is, at n = 10¹². (False: no gap is above α/2 then.)",
        where=(
            among("mechanism", "A_PAP"),
            *ON,
            m_near(8, "m ≈ 8 ln(1/α)/α"),
            Condition("n ≥ 10¹²", ("n",), lambda first: bool(first["n"] >= 1e12)),
        ),
        decider=Probability((FAILS,), "release"),
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T15-A_PAP",
    ),
)
