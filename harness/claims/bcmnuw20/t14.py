"""BCMNUW20 Theorem 14, the tracing attack: r = Ω̃(√p/α) and t = Ω(1/α²), after Dwork, Smith, Steinke, Ullman and Vadhan 2015.

It is about every algorithm that is accurate for the distribution. Where (α, α)-accurate is read as in Definition 8 it is false:
of one that may fail with chance α nobody need be named where it fails. What holds is tried on averages accurate for D, at the
chance that the theorem has, 1/(r+t)², which `harness.trials.tracing_law` reckons.

How the attack's reach grows is measured at chance ½ (`harness.trials.tracing_reach`), which decides nothing about that chance,
and on averages accurate for the rows and not for D, which takes about 2 ln(2p)/α² rows. Where averages are within α of those of
the rows a private row's score is about A√p/(σ(n+m)) deviations of a fresh row's, σ the root mean square of q, about α. The
threshold is z₁ deviations, the normal quantile of 1/(n+m)²; the t/2-th best of n + m scores stands z₂ above their mean. So r is
√p/α over z₁ − z₂, which is what Ω̃ hides.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.special import ndtri

from harness.arrays import Reals
from harness.claims.bcmnuw20.l18 import Unshown
from harness.claims.bcmnuw20.t13 import chance_of_few
from harness.claims.engine import (
    Certain,
    Claim,
    Computed,
    Condition,
    Decider,
    Form,
    Law,
    Limit,
    Never,
    Quote,
    Verdict,
    among,
)
from harness.claims.engine.claim import Kind
from harness.claims.engine.exponents import LEAST_POINTS
from harness.mechanisms.rounding import roundings

HIDING = "rounded_averages"

DEVIATION = np.sqrt(16 / 3 + 1)
"""Root mean square of q over α: of μ uniform on [−4α, 4α], moved by α to either side."""

TURN = 0.75
"""The least share of a private row's score that no public row takes away: (3α − (−3α))/(8α)."""


def quantiles(points: pd.DataFrame, m: str) -> Reals:
    """z₁ − z₂: the normal quantile of the share of rows to be named less that of 1/(n+m)², at each point, (points,).
    points: n and m of each in the columns `n` and that of the name.

    Of averages of all rows t/2 = m + 1 of these are named; where m rows are hidden behind, these and one of the n.
    """
    n, public = points["n"].to_numpy(float), points[m].to_numpy(float)
    rows = n + public
    named = np.where(points["mechanism"] == HIDING, 1 / n, np.minimum(0.5, (public + 1) / rows))
    return np.asarray(ndtri(named) - ndtri(1 / rows**2))


class ReachFactor:
    """The factor beside √p/α in Theorem 14's r: 1/(z₁ − z₂), and perhaps that averages of n + m rows deviate by 1/√(n+m)."""

    def typical(self, points: pd.DataFrame) -> Reals:
        return np.asarray(-np.log(quantiles(points.assign(n=points["mean"] - points["m"]), "m")))

    def surer(self, points: pd.DataFrame) -> Reals:
        return np.asarray(-np.log1p(3 / (16 * points["mean"].to_numpy(float) * points["alpha"].to_numpy(float) ** 2)) / 2)


class Hidden:
    """The factor beside 1/α² in Theorem 14's t: (TURN − (z₁ − z₂)σn/√p)², σ the root mean square of the answers q."""

    def typical(self, points: pd.DataFrame) -> Reals:
        alpha, p, n = (points[name].to_numpy(float) for name in ("alpha", "p", "n"))
        kept = quantiles(points, "mean") * DEVIATION * alpha * n / np.sqrt(p)
        return np.asarray(2 * np.log(np.maximum(TURN - kept, 1e-3)))

    def surer(self, points: pd.DataFrame) -> Reals:
        return np.zeros(len(points))


ROWS = Form({"p": 0.5, "alpha": -1.0}, ReachFactor())
PUBLIC = Form({"alpha": -2.0}, Hidden())
OTHERS: Mapping[str, tuple[str, ...]] = {"p": ("alpha",), "alpha": ("p",)}


@dataclass(frozen=True)
class ReachExponents(Decider):
    """Decides by which powers of p and α the largest n grows that the tracing attack reaches, or of α the largest m.

    refuted: the claimed power is outside the interval. holds: it is inside, and powers off by a quarter are outside.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "tracing_reach"
    lacking: ClassVar[str] = f"no sweep along p or alpha has {LEAST_POINTS} points"

    form: Form
    find: str

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        rows = rows[rows["find"] == self.find]
        for axis in self.form.powers:
            others = OTHERS[axis] if self.find == "n" else ()
            for _, line in rows.groupby(["mechanism", "biases", "tail", "c", *others], sort=False):
                if line[axis].nunique() >= LEAST_POINTS:
                    yield line.assign(axis=axis)

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        rows = rows.sort_values(axis).drop_duplicates(axis)
        high = rows["high"].to_numpy(float, na_value=np.inf)
        sure = float(rows["error"].sum()) <= error
        middle = np.sqrt(np.maximum(1, rows["low"].to_numpy(float)) * np.where(np.isfinite(high), high, rows["low"]))
        ends = (rows["low"].to_numpy(float), high) if sure else (np.zeros(len(rows)), np.full(len(rows), np.inf))
        public = rows["m"].to_numpy(float) if self.find == "n" else 0.0  # r + t are all rows
        points = rows.assign(mean=middle + public, low=ends[0] + public, high=ends[1] + public)
        verdict = self.form.judge(claim, axis, points.set_index(axis)[["mean", "low", "high"]], points, str(first["mechanism"]))
        return Verdict(**{**vars(verdict), "mechanism": str(first["mechanism"]), "trials": len(rows), "error": error})


def any_named(first: pd.Series) -> float:
    """The chance that the attack names any of a cell's fresh rows, each with its false-positive rate."""
    return float(-np.expm1(first["outsiders"] * np.log1p(-first["rate"])))


def within(least: float, most: float) -> Condition:
    """The condition that n is between `least` and `most` times √p/α."""
    return Condition(
        f"n ≤ {most:g}√p/α" if not least else f"{least:g}√p/α ≤ n ≤ {most:g}√p/α",
        ("share",),
        lambda first: bool(least <= first["share"] <= most),
    )


LARGE = Condition(
    "√p·α ≥ 20c, so that r is several times t",
    ("p", "alpha", "c"),
    lambda first: bool(first["p"] ** 0.5 * first["alpha"] >= 20 * first["c"]),
)
FRESH = Condition("fresh rows that are scored", ("outsiders",), lambda first: bool(first["outsiders"] > 0))
NONE = (Limit("named_outsiders", 0),)
FEW = Limit("few", "rate")
THEOREM = Quote(
    "BCMNUW20 §4 (Theorem 14)",
    "For every p ∈ ℕ and α > 0, there exists a number r = Ω̃(√p/α) and a number t = Ω(1/α²) such that the following holds: For "
    "every query-release algorithm 𝒜 with total sample size s ∈ [t, r+t] that is (α, α)-accurate for the class 𝒮_p of decision "
    "stumps on {±1}^p, there exists a distribution D̃ over {±1}^p and an attacker 𝒯 who takes as input the vector of answers "
    "q ∈ [−1, 1]^p and an example y ∈ {±1}^p and outputs either IN or OUT such that ℙ[𝒯(q, y) = OUT] ≥ 1 − 1/(r+t)², and "
    "ℙ[|{i ∈ [s] : 𝒯(q, z_i) = IN}| ≥ t/2] ≥ 1 − 1/(r+t)².",
)
DEFINITION = Quote(
    "BCMNUW20 §2.3 (Definition 8)",
    "with probability at least 1 − β (over the choice of x, w, and the random coins of 𝒜), 𝒜 outputs a function (data "
    "structure) 𝒜(x, w) = G ∈ [−1, 1]^ℋ satisfying Err_{D,ℋ}(G) ≤ α.",
)
OWN = "not in the papers: "

CLAIMS = (
    Claim(
        "BCMNUW20:T14",
        "BCMNUW20 Theorem 14",
        "Of every (α, α)-accurate algorithm, s ∈ [t, r+t] rows in all, t/2 rows are named with chance 1 − 1/(r+t)², and a "
        "fresh row with chance 1/(r+t)² at most, r = Ω̃(√p/α), t = Ω(1/α²).",
        decider=Unshown(
            "it is about every accurate algorithm at once, and what (α, α)-accurate means is not said there; tried are "
            "averages that are accurate for D (T14-repaired)"
        ),
        expected="untested",
        quote=THEOREM,
    ),
    Claim(
        "BCMNUW20:T14-definition-8",
        "BCMNUW20 Theorem 14, accuracy read as in Definition 8",
        "So it is where (α, α)-accurate means an error of at most α with probability at least 1 − α. (The other reading: an "
        "error of at most α, surely, but for a share α of the queries.)",
        decider=Computed(chance_of_few),
        expected="refuted",
        nature="reading",
        of="BCMNUW20:T14",
        quote=DEFINITION,
        why="Such an algorithm may answer 0 to every query with chance α/2, and then its rows are fresh rows to the attacker: "
        "fewer than t/2 are named with chance α/2 − 1/(r+t) at least, which is more than 1/(r+t)² from r + t = 2/α + 1 on, and "
        "r grows with p without bound.",
    ),
    Claim(
        "BCMNUW20:T14-repaired",
        "BCMNUW20 Theorem 14, accuracy with a chance of its own",
        "For α ≤ 1/4, the chance that answers are within α of the means and fewer than t/2 rows are named is at most 1/(r+t)². "
        "(Tried with r + t = 0.08√p/α, t = 1/(4α²), p of 10⁸ and 10⁹ and α from 0.05 to 0.25, given biases and averages as "
        "drawn: of averages as they are, on a grid, and moved to hide rows as far as accuracy for D allows.)",
        where=(among("mechanism", *roundings()), within(0, 0.08)),
        decider=Certain((FEW, Limit("error", "alpha")), "tracing_law"),
        nature="repair",
        of="BCMNUW20:T14-definition-8",
    ),
    Claim(
        "probe:BCMNUW20:T14-fifth",
        "BCMNUW20 Theorem 14, with r + t = 0.2√p/α",
        "The same with r + t = 0.2√p/α. (False: from so many averaged rows too few are named.)",
        where=(among("mechanism", *roundings()), within(0.19, 0.21)),
        decider=Certain((FEW, Limit("error", "alpha")), "tracing_law"),
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T14-repaired",
    ),
    Claim(
        "BCMNUW20:T14-reach",
        f"{OWN}how the reach of BCMNUW20 Theorem 14's attack grows, at chance ½",
        "The largest number of rows r + t at which t/2 are named with chance ½, t = 1/(4α²), grows as √p/α but for logarithms: "
        "where answers are the averages of all rows, and where these are moved by α to hide as much as can be hidden. (Of r "
        "several times t; p up to 16384, where these averages are not accurate for D.)",
        where=(among("find", "n"), among("mechanism", *roundings()), among("biases", "narrow"), LARGE),
        decider=ReachExponents(ROWS, "n"),
        nature="ours",
        of="BCMNUW20:T14",
    ),
    Claim(
        "BCMNUW20:T14-t",
        f"{OWN}behind how many public rows BCMNUW20 Theorem 14's attack loses private ones, at chance ½",
        "At n in proportion to √p/α, and √p in proportion to 1/α, the least number of public rows behind which all private "
        "rows are hidden with chance ½, by averages moved by α, grows as 1/α².",
        where=(among("find", "m"), among("mechanism", HIDING), among("biases", "narrow")),
        decider=ReachExponents(PUBLIC, "m"),
        nature="ours",
        of="BCMNUW20:T14",
    ),
    Claim(
        "BCMNUW20:T14-false",
        f"{OWN}the false-positive rate of BCMNUW20 Theorem 14's attack, by the tail of the score",
        "From answers made without a row the attack names it with the chance that its threshold is set to.",
        where=(among("tail", "exact"), FRESH),
        decider=Law(NONE, "tracing", may_fail=any_named, within=0.1),
        nature="ours",
        of="BCMNUW20:T14",
        check="self-check",
    ),
    Claim(
        "BCMNUW20:T14-false-chernoff",
        f"{OWN}the false-positive rate of BCMNUW20 Theorem 14's attack, by Chernoff's bound",
        "By Chernoff's bound it names such a row with no greater chance.",
        where=(among("tail", "chernoff"), FRESH),
        decider=Never(NONE, "tracing", may_fail=any_named),
        nature="ours",
        of="BCMNUW20:T14",
    ),
)
