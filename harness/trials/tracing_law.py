"""The tracing attack's chances, by the law of a row's score given the biases and the averages: as many rows, and as large p.

BCMNUW20 Theorem 14 is about answers that are accurate for the distribution. Averages of as few rows as the attack reaches are
that from p ≈ 10⁶ on, and its chances of 1 − 1/(r+t)² are beyond counting runs. So biases take ATOMS values, and coordinates
come by types, as in `harness.trials.tracing_scores`: a value, and how many of the rows have a 1 there. How many coordinates are
of each type is drawn by its law, a multinomial one, at a cost free of p.

Given these numbers a row's score is a sum of p independent terms, so the chance that it is named is known (by the saddle
point). What rows have at a coordinate is then a random order of given ±1, which is negatively associated, and so are the
scores, and the rows that are named (Joag-Dev, Proschan 1983). So the chance that fewer than t/2 of s rows are named, each with
chance π, is at most exp(−s KL(k/s‖π)) with k = ⌈t/2⌉ − 1 < sπ, as for independent ones (Dubhashi, Ranjan 1998).
"""

from dataclasses import dataclass
from math import ceil, exp, inf, log, log1p, sqrt
from typing import Annotated, ClassVar

import numpy as np
import scipy
from pydantic import Field

from harness.arrays import Ints, Reals
from harness.mechanisms.rounding import Averages, roundings
from harness.refusal import Refusal
from harness.theory import tracing
from harness.trials.columns import Column, N
from harness.trials.fields import Identified, Real, Whole
from harness.trials.kind import Kind, Measure, Row
from harness.trials.release import ACCURACY, DUAL
from harness.trials.rules import ROUNDED, Rule, at_most, close
from harness.trials.seeds import BlockStreams
from harness.trials.tracing import FARTHEST, ROWS

ATOMS = 256
"""Values that biases have, at equal distances in [−4α, 4α]."""

HALF = 0.49  # of a score that its own law makes nearly as often larger as smaller

RAREST = 1e-26
"""The chance of a type below which it is left out: of p ≤ 10¹² coordinates none is of such a type but for a chance of 10⁻⁹."""


class TracedByLaw(Identified, frozen=True):
    """A cell of the tracing attack by law, on rows of p coordinates. alpha: the answers' error, a quarter of the largest bias.

    share: how many rows, in units of √p/α. c: t = c/α² of Theorem 14.
    """

    hashed_as: ClassVar[str] = "TracedByLaw"

    p: Annotated[Whole, Field(ge=1000, le=10**12)]
    alpha: Annotated[Real, Field(ge=1e-3, le=0.25)]
    share: Annotated[Real, Field(ge=1e-3, le=10)]
    c: Annotated[Real, Field(gt=0, le=100)] = 0.25

    @property
    def root(self) -> float:
        """√p/α."""
        return sqrt(self.p) / self.alpha

    @property
    def n(self) -> int:
        """The number of rows."""
        return max(2, round(self.share * self.root))

    @property
    def rate(self) -> float:
        """The chance that Theorem 14 leaves, to name a fresh row or fewer than t/2: 1/n², where n = r + t."""
        return 1 / self.n**2

    @property
    def half(self) -> int:
        """⌈t/2⌉: so many rows are to be named."""
        return ceil(self.c / self.alpha**2 / 2)

    @property
    def sampling(self) -> float:
        """What averages of the rows are off by at any coordinate but for a chance of 1/n² (Hoeffding)."""
        return sqrt(2 * log(2 * self.p / self.rate) / self.n)

    @property
    def spare(self) -> float:
        """How far answers may be from the averages of the rows, and still be within α of the means; below 0 they are not."""
        return self.alpha - self.sampling


@dataclass(frozen=True)
class CoordinateTypes:
    """Coordinates grouped by what the tracing attack sees of them, (types,) each.

    mu: the mean of ±1. averages: those of the rows' ±1. counts: how many coordinates there are.
    """

    mu: Reals
    averages: Reals
    counts: Reals

    @classmethod
    def drawn(cls, cell: TracedByLaw, rng: np.random.Generator) -> "CoordinateTypes":
        """The coordinates of one trial."""
        biases = 4 * cell.alpha * (2 * (np.arange(ATOMS) + 0.5) / ATOMS - 1)
        sizes = rng.multinomial(cell.p, np.full(ATOMS, 1 / ATOMS))
        by_bias = [(mu, *_ones(cell.n, (1 + mu) / 2, size, rng)) for mu, size in zip(biases, sizes, strict=True)]
        mu = np.repeat([mu for mu, *_ in by_bias], [len(ones) for _, ones, _ in by_bias])
        ones, counts = (np.concatenate([each[i] for each in by_bias]) for i in (1, 2))
        return cls(mu, 2 * ones / cell.n - 1, counts.astype(np.float64))


def _ones(n: int, chance: float, size: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """How many of n rows have a 1, and at how many of so many coordinates, where there are any."""
    centre, reach = n * chance, 12 * sqrt(n * chance * (1 - chance)) + 40
    every = np.arange(max(0, int(centre - reach)), min(n, int(centre + reach)) + 1)
    law = scipy.stats.binom.pmf(every, n, chance)
    every, law = every[law > RAREST], law[law > RAREST]
    counts = rng.multinomial(size, law / law.sum())
    return every[counts > 0], counts[counts > 0]


def too_few(half: int, rows: int, chance: float) -> float:
    """A bound on the chance that fewer than `half` of the rows are named, each row being named with chance `chance`."""
    share = (half - 1) / rows
    if chance <= share:
        return 1.0
    if chance >= 1:
        return 0.0
    apart = (share * log(share / chance) if share else 0.0) + (1 - share) * (log1p(-share) - log1p(-chance))
    return exp(-rows * apart)


def traced(cell: TracedByLaw, name: str, types: CoordinateTypes) -> Row:
    """The score and the chance of the tracing attack on one mechanism's answers, by column, computed from their law."""
    averages = Averages(types.averages, cell.n, np.zeros(1), 0, 4 * cell.alpha, types.counts)
    answers = roundings()[name].answers(averages, cell.spare)
    least = tracing.threshold(answers, types.mu, cell.rate, counts=types.counts)
    scale = tracing.deviation(answers, types.mu, types.counts)
    moved = float((types.counts * answers) @ (types.averages - types.mu))
    chance = 0.0 if least == inf else tracing.reached(answers, types.averages, least - moved, types.counts)
    return {
        "level": least / scale if least < inf else None,
        "score": max(0.0, moved) / scale if scale else 0.0,
        "chance": chance,
        "expected": cell.n * chance,
        "few": too_few(cell.half, cell.n, chance),
        "error": float(np.abs(answers - types.mu).max()),
        "apart": float(np.abs(answers - types.averages).max()),
    }


def measure(cell: TracedByLaw, streams: BlockStreams) -> Measure:
    """Computes the attack on each mechanism in one trial: all mechanisms see the same averages."""
    types = CoordinateTypes.drawn(cell, streams("types"))
    return lambda name: traced(cell, name, types)


def refuse(cell: TracedByLaw, name: str) -> Refusal | None:
    """Why the attack on a mechanism cannot be computed on a cell, or None."""
    most = int((ATOMS / (8 * cell.alpha)) ** 2)
    if cell.n > most:
        return Refusal(f"averages of n = {cell.n:,} rows would tell the {ATOMS} biases apart; allowed: n ≤ {most:,}", "share")
    if cell.spare > 0:
        return None
    why = f"averages of n = {cell.n:,} rows of p = {cell.p:,} may be off by {cell.sampling:.3g}, and α = {cell.alpha:g}"
    return Refusal(f"{why}; allowed: n from about 2 ln(2pn²)/α² on", "share")


COLUMNS = (
    DUAL.but(meaning="coordinates", unit=""),
    ACCURACY.but(meaning="error of the answers", title="error α of the answers"),
    Column("share", "real", "parameter", "rows in units of √p/α", "nα/√p", title="rows, over √p/α", caption=True),
    Column("c", "real", "parameter", "of t = c/α²", "c", caption=True),
    N.but(role="plan", meaning="rows, all averaged", unit=ROWS, title="rows n"),
    Column("root", "real", "plan", "√p/α", title="√p/α"),
    Column("half", "whole", "plan", "rows that are to be named, ⌈t/2⌉", unit=ROWS),
    Column("spare", "real", "plan", "how far answers may be from the averages, α less what n rows leave uncertain"),
    Column("level", "real", "measured", "threshold, in deviations of a fresh row's score", null=True),
    Column("score", "real", "measured", "mean score of the rows, in the same unit, or 0 where it is less"),
    Column("chance", "real", "measured", "chance that a row is named, given the averages"),
    Column("expected", "real", "measured", "rows named on average, given the averages", unit=ROWS),
    Column(
        "few",
        "real",
        "measured",
        "the most that the chance can be that fewer than t/2 rows are named, given the averages",
        title="chance that fewer than t/2 rows are named",
        bound="rate",
    ),
    Column("error", "real", "measured", "error, the largest over all p", title="largest error", worse=True),
    Column("apart", "real", "measured", "largest distance from the averages of all rows"),
    Column("rate", "real", "claimed", "the chance that Theorem 14 leaves, 1/(r+t)² with r + t = n", title="1/(r+t)²"),
)

KIND = Kind(
    name="tracing_law",
    cell=TracedByLaw,
    subjects=lambda: list(roundings()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=lambda cell, name: {"rate": cell.rate},
    rules=(
        Rule("expected = n chance", ("expected", "n", "chance"), lambda rows, n, chance: close(rows, n * chance)),
        at_most("chance", 1),
        at_most("few", 1),
        Rule(
            "chance is beyond ½ just where score is beyond level, nearly",
            ("chance", "score", "level"),
            lambda chance, score, level: np.where(score > level, chance >= HALF, chance <= 1 - HALF),
        ),
        Rule(
            "few = 1 where n chance ≤ half − 1",
            ("few", "n", "chance", "half"),
            lambda few, n, chance, half: (few == 1) | (n * chance * (1 + ROUNDED) > half - 1),
        ),
        Rule(
            "chance = 0 where level is null",
            ("chance", "level"),
            lambda chance, level: ~np.isnan(level) | (chance == 0),
            nulls=True,
        ),
        at_most("error", FARTHEST),
        at_most("apart", FARTHEST),
    ),
)
