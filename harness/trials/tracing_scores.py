"""The tracing attack against answers that are scores: A_SL-Quer (BTT18a Algorithm 6) is asked more than n² queries.

BTT18a Section 5 says that the attack of Dwork, Smith, Steinke, Ullman and Vadhan 2015 cannot touch it: where all queries but T
are of ν-weak quality their answers are not spread. Here rows are in {0, 1}^p with independent coordinates, query i asks for the
chance μ_i of coordinate i, and a chunk is one row, whose prediction is what the row has there: the case in which a row hides
least. The attacker knows all chances, and names a row whose score Σ (answer_i − μ_i)(y_i − μ_i) a fresh row reaches with chance
1/n²; of a query without an answer it learns nothing.

Chances are of ATOMS values, so that coordinates come by types: a value, and how many of the n rows have a 1 there. How many
coordinates are of each type is drawn by its law, a multinomial one, at a cost free of p. Given these numbers the law of one
row's score is a sum of independent terms, and known. All scores together are drawn as the normal numbers with their mean,
variance and covariance, each of them being a sum of p terms.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf, sqrt
from typing import Annotated, ClassVar, Literal

import numpy as np
import scipy
from pydantic import Field

from harness.arrays import Ints, Reals
from harness.mechanisms.scoring import ScorePlan, ScoreRequest
from harness.mechanisms.scoring.a_sl_quer import MECHANISM as A_SL_QUER
from harness.mechanisms.scoring.histograms import Histograms
from harness.theory import tracing
from harness.theory.constants.btt18a_scores import ScoreTask, score_constants
from harness.theory.factors import set_named
from harness.trials.changes import constants_of
from harness.trials.columns import BETA, BY_WHOM, DELTA, EPS, SPENT, Column, K, N, T
from harness.trials.fields import Identified, Probability, Real, Whole
from harness.trials.kind import Columns, Kind, Measure, Row
from harness.trials.rules import Rule, at_most, no_more
from harness.trials.seeds import BlockStreams
from harness.trials.tracing import ROWS
from harness.trials.tracing_law import HALF

ATOMS = 16
"""Values that chances have."""

RAREST = 1e-25
"""The chance of a type below which it is left out: of p ≤ 10¹² coordinates none is of such a type but for a chance of 10⁻⁹."""

AVERAGES = "mean"
"""As the mechanism for scores is called that answers with averages as they are."""


class ScoresTraced(Identified, frozen=True):
    """A cell of the tracing attack on scores: n rows, each a chunk of its own, and p = times · n² queries.

    biases: of the chances of 1. weak, within nu of 0 or 1, half of them each; spread, over [0, 1]. T: how many queries may have
    no stable histogram. Privacy is (eps, 1/4n).
    """

    hashed_as: ClassVar[str] = "ScoresTraced"

    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    n: Annotated[Whole, Field(ge=11, le=10**5)]
    times: Annotated[Real, Field(ge=1e-3, le=100)] = 2.0
    biases: Literal["weak", "spread"] = "weak"
    nu: Annotated[Real, Field(ge=1e-9, lt=0.5)] = 1e-4
    T: Annotated[Real, Field(ge=1, le=1000)] = 1.0
    eps: Annotated[Real, Field(ge=1e-3, le=100)] = 1.0
    beta: Annotated[Probability, Field(ge=1e-15)] = 0.05
    constants: Annotated[str, constants_of(score_constants)] = "k_tight"

    @property
    def p(self) -> int:
        """The number of queries."""
        return ceil(self.times * self.n**2)

    @cached_property
    def chances(self) -> Reals:
        """The values of μ, (ATOMS,)."""
        grid = (np.arange(ATOMS) + 0.5) / ATOMS
        if self.biases == "spread":
            return grid
        return np.where(grid < 0.5, 2 * self.nu * grid, 1 - 2 * self.nu * (1 - grid))

    @cached_property
    def laws(self) -> list[tuple[Ints, Reals]]:
        """For each value of μ how many of the n rows may have a 1, and with what chances."""
        every = np.arange(self.n + 1)
        laws = (scipy.stats.binom.pmf(every, self.n, value) for value in self.chances)
        return [(known, law[known] / law[known].sum()) for law in laws for known in (np.flatnonzero(law > RAREST),)]

    @cached_property
    def task(self) -> ScoreTask:
        """The task of all p queries."""
        return ScoreTask(self.p, self.T, self.eps, 1 / (4 * self.n), self.beta)

    @cached_property
    def plan(self) -> ScorePlan:
        """The plan of A_SL-Quer. A chunk's prediction moves by √(2μ(1 − μ)) at most if its row is replaced."""
        moved = sqrt(2 * float((self.chances * (1 - self.chances)).max()))
        nu = self.nu if self.biases == "weak" else 0.5
        constants = set_named(self.constants, score_constants())
        return A_SL_QUER.plan(
            ScoreRequest(self.task, constants, self.n, nu, lambda s: moved, lambda s: self.chances, chunks=self.n)
        )

    @property
    def chunks(self) -> int:
        """How many chunks the constants ask for."""
        return set_named(self.constants, score_constants()).k(self.task)


@dataclass(frozen=True)
class ScoreTypes:
    """Coordinates grouped by what attack and mechanism see of them, (types,) each.

    chance: μ. ones: how many rows have a 1. counts: how many coordinates there are.
    """

    chance: Reals
    ones: Ints
    counts: Ints

    @classmethod
    def drawn(cls, cell: ScoresTraced, rng: np.random.Generator) -> "ScoreTypes":
        """The coordinates of one trial."""
        sizes = rng.multinomial(cell.p, np.full(ATOMS, 1 / ATOMS))
        by_law = [rng.multinomial(size, law) for size, (_, law) in zip(sizes, cell.laws, strict=True)]
        ones = [known for known, _ in cell.laws]
        types = cls(np.repeat(cell.chances, [len(each) for each in ones]), np.concatenate(ones), np.concatenate(by_law))
        there = types.counts > 0
        return cls(types.chance[there], types.ones[there], types.counts[there])


@dataclass(frozen=True)
class Scored:
    """Scores that a mechanism answers: the score, how many coordinates of a type get it, and the type, (answers,) each."""

    score: Reals
    counts: Reals
    type_: Ints


def a_sl_quer(cell: ScoresTraced, types: ScoreTypes, rng: np.random.Generator) -> tuple[Scored, Row]:
    """The scores that A_SL-Quer answers, and how many queries get none, by column."""
    bins = np.full(len(types.ones), round(1 / (cell.plan.width or 1.0)), np.int64)
    halves = np.zeros((len(bins), 2 * int(bins[0])), np.int64)
    halves[:, 0], halves[:, -1] = cell.n - types.ones, types.ones
    done = A_SL_QUER.tested(cell.plan, Histograms(halves, bins), types.counts, rng)
    assert done.seen is not None
    every = np.arange(len(bins))
    both = Scored(
        np.concatenate([done.seen.plain.midpoint, done.seen.shifted.midpoint]),
        np.concatenate([done.first, done.second]).astype(np.float64),
        np.concatenate([every, every]),
    )
    return both, {"bottoms": int(done.bottoms.sum()), "unanswered": int(done.unanswered.sum())}


def averages(cell: ScoresTraced, types: ScoreTypes, rng: np.random.Generator) -> tuple[Scored, Row]:
    """Answers every query by the average of all rows, without privacy: the scores, and 0 as the counts of ⊥s and unanswered."""
    every = np.arange(len(types.ones))
    return Scored(types.ones / cell.n, types.counts.astype(np.float64), every), {"bottoms": 0, "unanswered": 0}


ANSWERS = {A_SL_QUER.name: a_sl_quer, AVERAGES: averages}


def attacked(cell: ScoresTraced, types: ScoreTypes, answered: Scored, rng: np.random.Generator) -> Row:
    """Attacks the scores that a mechanism answered: the columns of how many private rows are named, and the largest error.
    Weights and rows are of ±1, twice the numbers of 0 and 1.
    """
    used = answered.counts > 0
    counts, type_ = answered.counts[used], answered.type_[used]
    mu, averages = 2 * types.chance[type_] - 1, 2 * types.ones[type_] / cell.n - 1
    weights = 2 * answered.score[used] - 1 - mu
    rate = 1 / cell.n**2
    least, scale = tracing.threshold(weights, mu, rate, counts=counts), tracing.deviation(weights, mu, counts)
    moved = float((counts * weights) @ (averages - mu))
    normal = rng.normal(size=cell.n)
    spread = tracing.deviation(weights, averages, counts) * sqrt(cell.n / (cell.n - 1))
    scores = moved + spread * (normal - normal.mean())
    return {
        "named_private": int((scores >= least).sum()),
        "expected": 0.0 if least == inf else cell.n * tracing.reached(weights, averages, least - moved, counts),
        "level": least / scale if least < inf else None,
        "score": max(0.0, moved) / scale if scale else 0.0,
        "error": float(np.abs(weights).max()) / 2 if len(weights) else None,
    }


def measure(cell: ScoresTraced, streams: BlockStreams) -> Measure:
    """Attacks each mechanism of scores in one trial: all mechanisms see the same rows."""
    types = ScoreTypes.drawn(cell, streams("rows"))

    def traced(name: str) -> Columns:
        answered, missing = ANSWERS[name](cell, types, streams(f"noise/{name}"))
        return missing | attacked(cell, types, answered, streams(f"scores/{name}"))

    return traced


def resolved(cell: ScoresTraced, name: str) -> Row:
    """The columns of what a mechanism promises, and of how many rows privacy lets the attack name."""
    private = name == A_SL_QUER.name
    return {
        "delta": cell.task.delta,
        "k": cell.n,
        "width": cell.plan.width if private else None,
        "spent": cell.plan.spent if private and cell.plan.spent < inf else None,
        "within": cell.plan.bound if private else None,
        "bound": tracing.allowed(cell.n, 1 / cell.n**2, cell.eps),
    }


QUERIES = "queries"
COLUMNS = (
    N.but(role="parameter", meaning="private rows", unit=ROWS, title="private rows n", caption=False),
    Column("times", "real", "parameter", "queries over n²", "p/n²", caption=True),
    Column(
        "biases",
        "text",
        "parameter",
        "chances of 1. weak: within ν of 0 or 1; spread: over [0, 1]",
        phrases={"weak": "queries of weak quality", "spread": "queries with spread answers"},
    ),
    Column("nu", "real", "parameter", "how near to 0 or 1 weak chances are", "ν", caption=True),
    T.but(role="parameter", meaning="queries that may have no stable histogram"),
    EPS,
    BETA.but(caption=False),
    Column("constants", "text", "parameter", "set of constants of A_SL-Quer"),
    Column("p", "whole", "plan", "queries", "p", unit=QUERIES),
    DELTA.but(role="plan", caption=False),
    K.but(meaning="chunks, of one row each"),
    Column("chunks", "whole", "plan", "chunks that the constants ask for", unit="chunks"),
    Column("width", "real", "plan", "width of the bins", "γ", null=True),
    Column("bottoms", "whole", "measured", "answers ⊥", unit=QUERIES),
    Column("unanswered", "whole", "measured", "queries after the halt", unit=QUERIES, of="p", worse=True),
    Column(
        "named_private",
        "whole",
        "measured",
        "private rows that are named",
        unit=ROWS,
        title="private rows named",
        bound="bound",
    ),
    Column("expected", "real", "measured", "private rows named on average, given the answers", unit=ROWS),
    Column("level", "real", "measured", "threshold, in deviations of a fresh row's score", null=True),
    Column("score", "real", "measured", "mean score of the private rows, in the same unit, or 0 where it is less"),
    Column("error", "real", "measured", "largest distance of an answer from the chance", null=True, worse=True),
    SPENT.but(meaning=f"ε that it keeps to at 1/4n: {BY_WHOM}"),
    Column("within", "real", "claimed", "error that Theorem 5.14 claims", null=True),
    Column(
        "bound", "real", "claimed", "private rows that (ε, 1/4n)-privacy lets be named on average", title="what privacy allows"
    ),
)

KIND = Kind(
    name="tracing_scores",
    cell=ScoresTraced,
    subjects=lambda: list(ANSWERS),
    columns=COLUMNS,
    measure=measure,
    resolved=resolved,
    rules=(
        no_more("named_private", "n"),
        no_more("expected", "n"),
        Rule(
            "named_private = expected = 0 where level is null",
            ("named_private", "expected", "level"),
            lambda named, expected, level: ~np.isnan(level) | (named + expected == 0),
            nulls=True,
        ),
        at_most("error", 1),
        Rule(
            "expected is beyond n/2 just where score is beyond level, nearly",
            ("expected", "n", "score", "level"),
            lambda expected, n, score, level: np.where(score > level, expected >= HALF * n, expected <= (1 - HALF) * n),
        ),
        Rule(
            "error is null just where bottoms + unanswered = p",
            ("error", "bottoms", "unanswered", "p"),
            lambda error, bottoms, unanswered, p: np.isnan(error) == (bottoms + unanswered == p),
            nulls=True,
        ),
        Rule(
            "bottoms + unanswered ≤ p",
            ("bottoms", "unanswered", "p"),
            lambda bottoms, after, all_: bottoms + after <= all_,
        ),
    ),
)
