"""The learner of Alon, Bassily and Moran 2019: the exponential mechanism over a cover that public points make.

Their text is not among those that are quoted here. What stands below is the exponential mechanism's guarantee over such a
cover, in our words and with our constants, and nothing of theirs is judged. Known of theirs is m = O((V ln(1/α) + ln(1/β))/α)
and n = O((V ln(1/α) + ln(1/β)) max(1/α², 1/(εα))). Here m is the least that is known to make an α/2-cover of the class, and n
has every constant: `harness.theory.constants.abm19`. On the instances that are run it is 15 to 60 times larger than it has to
be, so that none of them could break it. Privacy is brute force: all data sets of a few examples on a few cells, and each of
their neighbours.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from harness.arrays import Ints, Reals
from harness.claims.engine import (
    Claim,
    Complexity,
    Computed,
    Condition,
    Limit,
    Number,
    Probability,
    agnostic,
    among,
    realizable,
    times,
)
from harness.covers.labelled import Around, Cut, Labelled, ListedCover, Plane, above_least
from harness.theory.constants import abm19

OVER_COVER = among("mechanism", "exponential", "permute_and_flip")
ENOUGH = Condition("n ≥ what it asks for", ("n", "needed"), lambda first: bool(first["n"] >= first["needed"]))
A_HUNDREDTH = Condition(
    "a hundredth of what it asks for", ("n", "needed"), lambda first: bool(0.008 <= first["n"] / first["needed"] <= 0.0101)
)
SAYS = "with probability at least 1 − 3β the error of what is chosen is at most γ + α"
SMALL: tuple[tuple[Labelled, int], ...] = (
    (Cut(1, 0.4, 0.0, signed=False), 3),
    (Cut(2, 0.4, 0.0, signed=True), 2),
    (Plane(0.0), 2),
)
"""Classes, and public points of each."""

EXAMPLES = 3
BUDGETS = (0.1, 1.0, 3.0)


def excess(rows: pd.DataFrame) -> "pd.Series[float]":
    """The error of each row beyond its γ, at least 0. rows: with the columns error and gamma."""
    return (rows["error"] - rows["gamma"]).clip(lower=0.0)


WITHIN_ALPHA = Probability(
    (Limit("error beyond γ", "alpha", of=excess, reads=("error", "gamma")),), "learner", may_fail=times(3, "beta")
)
"""What is learned is within α of the best of the class."""


def one_more(cover: ListedCover, counts: Ints) -> Iterator[Ints]:
    """Counts, in the shape of the cover's law, of data sets with one example more than `counts`: of any label, in any cell."""
    cells = range(cover.law.shape[-1])
    for label, *place in product(range(2), *(cells for _ in range(coordinates(cover)))):
        more = counts.copy()
        for i, cell in enumerate(place):
            more[(label, cell) if isinstance(cover, Around) else (label, i, cell)] += 1
        yield more


def coordinates(cover: ListedCover) -> int:
    """The number of coordinates of a cover; an example has a cell in each of them."""
    return 1 if isinstance(cover, Around) else cover.law.shape[1]


def law(mistakes: Reals, tilt: float) -> Reals:
    """ln of the chance with which the exponential mechanism outputs each h̃, from the mistakes of each: (…, |H̃|) both."""
    return np.asarray(-tilt * mistakes - logsumexp(-tilt * mistakes, axis=-1, keepdims=True))


def _spent(tilt: float) -> Iterator[Number]:
    """The largest |ln P(h̃ | S) − ln P(h̃ | S')| over neighbours S, S' and h̃, against ε; weights are e^(−tilt·ε·mistakes)."""
    for of, m in SMALL:
        cover = of.cover(m, np.random.default_rng(1))
        assert isinstance(cover, ListedCover)
        fewer = [np.zeros(cover.law.shape, np.int64)]
        for _ in range(EXAMPLES - 1):
            every = np.array([more for counts in fewer for more in one_more(cover, counts)])
            fewer = list(np.unique(every, axis=0))
        # (data sets of one example less, what the last one may be, |H̃|)
        mistakes = np.array([[above_least(cover.mistakes(more)) for more in one_more(cover, counts)] for counts in fewer])
        for eps in BUDGETS:
            ratio = float(np.ptp(law(mistakes, tilt * eps), axis=1).max())
            yield Number(f"{type(of).__name__.lower()}, {m} public points, {EXAMPLES} examples, ε = {eps:g}", ratio, eps)


OWN = "not in the papers: "

CLAIMS = (
    Claim(
        "ABM19:T",
        f"{OWN}the exponential mechanism over a cover, explicit",
        "Any γ: with m public points that make an α/2-cover but for a chance β, and n such that α/2 + 2 √(ln(2|H̃|/β)/(2n)) + "
        f"(2/(εn)) ln(|H̃|/β) ≤ α, {SAYS}.",
        where=(OVER_COVER, ENOUGH, agnostic()),
        decider=WITHIN_ALPHA,
        nature="ours",
    ),
    Claim(
        "ABM19:T-realizable",
        f"{OWN}the exponential mechanism over a cover, explicit, for labels without noise",
        f"γ = 0: with the deviations in proportion to √α (Bernstein, Chernoff), so that n grows like 1/α, {SAYS}.",
        where=(OVER_COVER, ENOUGH, realizable()),
        decider=WITHIN_ALPHA,
        nature="ours",
        of="ABM19:T",
    ),
    Claim(
        "probe:ABM19:T-hundredth",
        f"{OWN}the exponential mechanism over a cover, with a hundredth of n",
        f"Already at a hundredth of that n, {SAYS}. (False, for uniform thresholds: |H̃| counts little there, but 1/(εα) does.)",
        where=(OVER_COVER, A_HUNDREDTH, realizable(), among("concept", "thresholds")),
        decider=WITHIN_ALPHA,
        expected="refuted",
        nature="probe",
        of="ABM19:T",
    ),
    Claim(
        "ABM19:T-n",
        f"{OWN}the least n of the exponential mechanism over a cover",
        "γ = 0: the least n at which the exponential mechanism learns is at most the explicit one, O((ln|H̃| + ln(1/β))/(εα)).",
        where=(OVER_COVER, realizable()),
        decider=Complexity({"alpha": 1, "V": 1, "eps": 1}),
        nature="ours",
        of="ABM19:T",
    ),
    Claim(
        "ABM19:T-privacy",
        f"{OWN}the exponential mechanism over a cover, privacy",
        "With the weights e^(−ε·mistakes/2) one example changes no chance by more than a factor e^ε: (ε, 0)-DP.",
        decider=Computed(partial(_spent, abm19.TILT)),
        nature="ours",
        of="ABM19:T",
    ),
    Claim(
        "probe:ABM19:T-privacy-whole",
        f"{OWN}the exponential mechanism over a cover, without the 1/2",
        "The same with the weights e^(−ε·mistakes). (False: one example moves the sum of all weights too.)",
        decider=Computed(partial(_spent, 1.0)),
        expected="refuted",
        nature="probe",
        of="ABM19:T-privacy",
    ),
)
