"""BCMNUW20 Theorem 14, the tracing attack: r = Ω̃(√p/α) and t = Ω(1/α²), after Dwork, Smith, Steinke, Ullman and Vadhan 2015.

Where averages are within α of those of the rows a private row's score is about A√p/(σ(n+m)) deviations of a fresh row's, σ
the root mean square of q, about α. The threshold is z₁ deviations, the normal quantile of 1/(n+m)²; the t/2-th best of n + m
scores stands z₂ above their mean. So r is √p/α over z₁ − z₂, which is what Ω̃ hides.

For every accurate algorithm no program shows it. It is measured for averages that nothing hides, and for those that, of all
within α of the rows' averages, give the private rows the least score (`mechanisms.rounding`): so r and t are those of these
mechanisms. Accuracy is to the averages of the rows. To the means themselves no averages of fewer than about 2 ln(2p)/α² rows
are accurate.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.special import ndtri

from harness.arrays import Reals
from harness.claims.engine import Claim, Condition, Decider, Form, Law, Limit, Never, Verdict, among
from harness.claims.engine.claim import Kind
from harness.claims.engine.exponents import LEAST_POINTS
from harness.mechanisms.rounding import roundings

HIDING = "rounded_averages"

DEVIATION = np.sqrt(16 / 3 + 1)
"""Root mean square of q over α: of μ uniform on [−4α, 4α], moved by α to either side."""

TURN = 0.75
"""The least share of a private row's score that no public row takes away: (3α − (−3α))/(8α)."""


def quantiles(at: pd.DataFrame, m: str) -> Reals:
    """z₁ − z₂, (points,). at: n and m of each point in the columns `n` and that of the name.

    Of averages of all rows t/2 = m + 1 of these are named; where m rows are hidden behind, these and one of the n.
    """
    n, public = at["n"].to_numpy(float), at[m].to_numpy(float)
    rows = n + public
    named = np.where(at["mechanism"] == HIDING, 1 / n, np.minimum(0.5, (public + 1) / rows))
    return np.asarray(ndtri(named) - ndtri(1 / rows**2))


class Reach:
    """What stands beside √p/α in r: 1/(z₁ − z₂), and at most the averages' own deviation of 1/√(n+m) beside their biases."""

    def typical(self, at: pd.DataFrame) -> Reals:
        return np.asarray(-np.log(quantiles(at.assign(n=at["mean"] - at["m"]), "m")))

    def surer(self, at: pd.DataFrame) -> Reals:
        return np.asarray(-np.log1p(3 / (16 * at["mean"].to_numpy(float) * at["alpha"].to_numpy(float) ** 2)) / 2)


class Hidden:
    """What stands beside 1/α² in t, at the square of what z₁ − z₂ leaves of TURN: (TURN − (z₁ − z₂)σn/√p)²."""

    def typical(self, at: pd.DataFrame) -> Reals:
        alpha, p, n = (at[name].to_numpy(float) for name in ("alpha", "p", "n"))
        kept = quantiles(at, "mean") * DEVIATION * alpha * n / np.sqrt(p)
        return np.asarray(2 * np.log(np.maximum(TURN - kept, 1e-3)))

    def surer(self, at: pd.DataFrame) -> Reals:
        return np.zeros(len(at))


ROWS = Form({"p": 0.5, "alpha": -1.0}, Reach())
PUBLIC = Form({"alpha": -2.0}, Hidden())
OTHERS: Mapping[str, tuple[str, ...]] = {"p": ("alpha",), "alpha": ("p",)}


@dataclass(frozen=True)
class ReachExponents(Decider):
    """The exponents of what is searched for, along p and α where n is, along α where m is, each with its search's intervals.

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
        known = float(rows["error"].sum()) <= error
        middle = np.sqrt(np.maximum(1, rows["low"].to_numpy(float)) * np.where(np.isfinite(high), high, rows["low"]))
        ends = (rows["low"].to_numpy(float), high) if known else (np.zeros(len(rows)), np.full(len(rows), np.inf))
        public = rows["m"].to_numpy(float) if self.find == "n" else 0.0  # r + t are all rows
        at = rows.assign(mean=middle + public, low=ends[0] + public, high=ends[1] + public)
        verdict = self.form.judge(claim, axis, at.set_index(axis)[["mean", "low", "high"]], at, str(first["mechanism"]))
        return Verdict(**{**vars(verdict), "mechanism": str(first["mechanism"]), "trials": len(rows), "error": error})


def any_named(first: pd.Series) -> float:
    """The chance that any of the fresh rows is named, each with the attack's false-positive rate."""
    return float(-np.expm1(first["outsiders"] * np.log1p(-first["rate"])))


LARGE = Condition(
    "√p·α ≥ 20c, so that r is several times t",
    ("p", "alpha", "c"),
    lambda first: bool(first["p"] ** 0.5 * first["alpha"] >= 20 * first["c"]),
)
FRESH = Condition("fresh rows that are scored", ("outsiders",), lambda first: bool(first["outsiders"] > 0))
NONE = (Limit("named_outsiders", 0),)

CLAIMS = (
    Claim(
        "BCMNUW20:T14",
        "BCMNUW20 Theorem 14, r",
        "The largest number of rows r + t at which t/2 are named, t = 1/(4α²), grows as √p/α but for logarithms: where "
        "answers are the averages of all rows, and where these are moved by α to hide as much as can be "
        "hidden. (Of r several times t.)",
        where=(among("find", "n"), among("mechanism", *roundings()), among("biases", "narrow"), LARGE),
        decider=ReachExponents(ROWS, "n"),
    ),
    Claim(
        "BCMNUW20:T14-t",
        "BCMNUW20 Theorem 14, t",
        "At n in proportion to √p/α, and √p in proportion to 1/α, the least number of public rows behind which all private "
        "rows are hidden, by averages moved by α, grows as 1/α².",
        where=(among("find", "m"), among("mechanism", HIDING), among("biases", "narrow")),
        decider=ReachExponents(PUBLIC, "m"),
    ),
    Claim(
        "BCMNUW20:T14-false",
        "BCMNUW20 Theorem 14, the attack's false-positive rate, by the tail of the score",
        "From answers made without a row the attack names it with the chance that its threshold is set to.",
        where=(among("tail", "exact"), FRESH),
        decider=Law(NONE, "tracing", may_fail=any_named, within=0.1),
        check="self-check",
    ),
    Claim(
        "BCMNUW20:T14-false-chernoff",
        "BCMNUW20 Theorem 14, the attack's false-positive rate, by Chernoff's bound",
        "By Chernoff's bound it names such a row with no greater chance.",
        where=(among("tail", "chernoff"), FRESH),
        decider=Never(NONE, "tracing", may_fail=any_named),
    ),
)
