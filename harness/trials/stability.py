"""How stable a learner of scores is: replace an example, or change the coins, and see how far a score moves.

Each trial has its own chunks, all of them learned from at once.
"""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.arrays import Reals
from harness.refusal import Refusal
from harness.scores import HELD
from harness.scores.replacement import Pairs, fitted
from harness.scores.sgd import Sgd
from harness.trials.columns import Column, S
from harness.trials.fields import Whole
from harness.trials.kind import Kind, Measure, Row
from harness.trials.rules import ROUNDED, Rule, at_most, close, null_with
from harness.trials.scores_cell import NAMES, ScoresDrawn
from harness.trials.seeds import BlockStreams

MOST_PAIRS = 10**5
MOST_WEIGHT = 3  # of a pair: see `replacement.places`


class StabilityCell(ScoresDrawn, frozen=True):
    """A cell of a score's stability. s: examples of a chunk. query: which of the points asked about, from 0.
    pairs: of chunks a trial.
    """

    hashed_as: ClassVar[str] = "StabilityCell"

    sampling: str = Field(default="full", validate_default=True)
    s: Annotated[Whole, Field(ge=1, le=HELD // 4)]
    query: Annotated[Whole, Field(ge=0)] = 0
    pairs: Annotated[Whole, Field(ge=2, le=MOST_PAIRS)] = 200

    @property
    def closed(self) -> float | None:
        """α of Definition 5.7 at the point, in closed form."""
        changes = self.learner.changes(self.distribution, self.s)
        return None if changes is None else sqrt(float(changes[self.query]))

    @property
    def hardest(self) -> bool:
        """Whether another label at the point is known to change its score the most, whatever the other examples are.

        So it is where scores are affine in the labels of a single atom: there all other examples drop out.
        """
        learner, alone = self.learner, getattr(self.distribution, "masses", None) == (1.0,)
        affine = isinstance(learner, Sgd) and learner.loss == "squared" and (learner.steps != "inverse" or learner.gamma == 1)
        return alone and (affine or learner.name == "means")


Moving = Callable[[StabilityCell, np.random.Generator], Row]


def _moved(cell: StabilityCell, first: Pairs, second: Pairs, rng: np.random.Generator) -> tuple[Reals, Reals]:
    """The scores of the first of each pair at the point, (K,), and the weighted squares of how far the second's are off."""
    coins = rng.integers(2**62, size=cell.pairs)
    here, there = (each[:, cell.query] for each in fitted(cell.learner, cell.distribution, first, second, coins))
    return here, first.weights * (here - there) ** 2


def on_average(cell: StabilityCell, rng: np.random.Generator) -> Row:
    """Measures the change of a score by Definition 5.7: the j-th of s i.i.d. examples is replaced by a fresh one."""
    first = Pairs.drawn(cell.distribution, cell.s, cell.pairs, rng)
    here, squares = _moved(cell, first, first.given(*cell.distribution.examples(rng, (cell.pairs,))), rng)
    return _found(squares) | {"deviation": abs(float(here[0] - cell.scorer.means(cell.s)[cell.query]))}


def uniform(cell: StabilityCell, rng: np.random.Generator) -> Row:
    """Measures the change of a score when one example, at the point, has its label changed; the others are i.i.d.

    That is the mean over data sets of what the definition of uniform stability takes the largest of: at most α² of it, for the
    learner after a permutation.
    """
    first = Pairs.drawn(cell.distribution, cell.s, cell.pairs, rng)
    points = np.full(cell.pairs, cell.distribution.asked[cell.query])
    no, yes = (first.given(points, np.full(cell.pairs, label, np.int8)) for label in (0, 1))
    return _found(_moved(cell, no, yes, rng)[1])


def coins(cell: StabilityCell, rng: np.random.Generator) -> Row:
    """Measures how far mean scores differ (Definition 5.9) between two coins, seeds of the learner, on the same chunks."""
    chunks = Pairs.drawn(cell.distribution, cell.s, cell.pairs, rng)
    scores = [
        cell.learner.fit(cell.distribution, chunks.points, chunks.labels, np.full(cell.pairs, each))[:, cell.query]
        for each in rng.integers(2**62, size=2)
    ]
    apart = scores[0] - scores[1]
    return {"gap": abs(float(apart.mean())), "gap_error": float(apart.std(ddof=1) / sqrt(cell.pairs))}


def _found(squares: Reals) -> Row:
    mean = float(squares.mean())
    return {"mean_square": mean, "change": sqrt(mean)}


MEASURES: Mapping[str, Moving] = {"on_average": on_average, "uniform": uniform, "coins": coins}


def resolved(cell: StabilityCell, name: str) -> Row:
    """The columns of a cell's point before a trial: P(label 1), and how far Lemma 5.8 lets a score be from its mean."""
    closed = cell.closed
    return {
        "chance": float(cell.distribution.truth[cell.query]),
        "radius": None if closed is None else 4 * closed * sqrt(2 * cell.s),
    }


MEASURED = ("mean_square", "change", "deviation", "gap", "gap_error")


def measure(cell: StabilityCell, streams: BlockStreams) -> Measure:
    """Measures a score's stability in one trial: each measure has chunks of its own."""
    return lambda name: dict.fromkeys(MEASURED) | MEASURES[name](cell, streams(name))


def refuse(cell: StabilityCell, name: str) -> Refusal | None:
    """Why a cell's stability cannot be measured, or None."""
    if cell.sampling != "full":
        return Refusal(f"sampling {cell.sampling!r} draws no examples that could be replaced; allowed: full", "sampling")
    if cell.query >= cell.scorer.types:
        return Refusal(f"query {cell.query} of {cell.scorer.types} points; allowed: below {cell.scorer.types}", "query")
    if 2 * cell.s * cell.pairs > 8 * HELD:
        held = 4 * HELD // cell.s
        return Refusal(f"{cell.pairs} pairs of s = {cell.s} examples would be held; allowed: at most {held}", "pairs")
    return cell.scorer.refuse(cell.s)


COLUMNS = (
    *NAMES,
    S.but(role="parameter", symbol="n′", meaning="examples a chunk", title="examples a chunk n′", caption=True),
    Column("query", "whole", "parameter", "points of the instance before the one that is asked about", unit="points"),
    Column("chance", "real", "plan", "probability of label 1 at the point", "p(1|x)"),
    Column("pairs", "whole", "parameter", "pairs of chunks in a trial", "K", unit="pairs", caption=True),
    Column("closed", "real", "plan", "α of on-average stability at the point, in closed form", "α", null=True),
    Column("radius", "real", "claimed", "how far Lemma 5.8 lets a score be from its mean", "4α√(2n′)", null=True),
    Column("hardest", "truth", "plan", "whether no other pair of data sets is known to differ more than those of `uniform`"),
    Column("mean_square", "real", "measured", "mean squared change of a score", null=True, worse=True),
    Column("change", "real", "measured", "root-mean-square change of a score", null=True, worse=True),
    Column("deviation", "real", "measured", "how far a score is from its mean", "|h(x) − E h(x)|", null=True, worse=True),
    Column("gap", "real", "measured", "how far apart mean scores are under two coins", null=True),
    Column("gap_error", "real", "measured", "its standard error", null=True),
)

KIND = Kind(
    name="stability",
    cell=StabilityCell,
    subjects=lambda: list(MEASURES),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=resolved,
    rules=(
        Rule("change = √mean_square", ("change", "mean_square"), lambda change, square: close(change, np.sqrt(square))),
        at_most("mean_square", MOST_WEIGHT),
        at_most("deviation", 1),
        null_with("change", "mean_square"),
        null_with("gap_error", "gap"),
        Rule(
            "gap is null just where mean_square is not",
            ("gap", "mean_square"),
            lambda gap, square: np.isnan(gap) != np.isnan(square),
            nulls=True,
        ),
        Rule(
            "deviation is null where mean_square is",
            ("deviation", "mean_square"),
            lambda apart, square: np.isnan(apart) | ~np.isnan(square),
            nulls=True,
        ),
        Rule(
            "gap² + (pairs − 1) gap_error² ≤ 1, as no scores are further apart than 1",
            ("gap", "gap_error", "pairs"),
            lambda gap, error, pairs: gap**2 + (pairs - 1) * error**2 <= 1 + ROUNDED,
        ),
    ),
)
