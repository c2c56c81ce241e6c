"""The tracing attack, run: biases and rows are drawn, averages are released, and the attacker names rows by their scores.

BCMNUW20 Theorem 14, after Dwork, Smith, Steinke, Ullman and Vadhan 2015: the biases μ of p coordinates are uniform on
[−4α, 4α], rows are ±1 with these means, and from answers q and a row y the attacker makes ⟨q, y − μ⟩. It names the row where
that reaches the threshold that a fresh row reaches with chance 1/(n+m)². With biases of order 1, q − μ cut off at ±2α stands
for q. All rows are drawn and scored, block by block; what is released sees their averages alone.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.arrays import Bools, Reals, shared
from harness.covers.cube_biases import Biased
from harness.covers.cube_stumps import CubeStumpQueries, columns
from harness.mechanisms import Streams
from harness.mechanisms.leak import PublishedRows, leaks
from harness.mechanisms.release import Problem, Release, ReleaseRequest, Site, releases
from harness.mechanisms.rounding import Averages, roundings
from harness.refusal import Refusal
from harness.theory import tracing
from harness.theory.factors import set_named
from harness.trials.changes import constants_of
from harness.trials.columns import BY_WHOM, DELTA, EPS, SPENT, Column, N
from harness.trials.fields import Identified, Probability, Real, Whole
from harness.trials.kind import Kind, Measure, Row
from harness.trials.release import ACCURACY, DUAL, PUBLIC
from harness.trials.release_cell import pmw_constants
from harness.trials.rules import Rule, at_most, no_more
from harness.trials.seeds import BlockStreams

MOST_NUMBERS = 10**10
"""The most ±1 that are drawn in a trial."""

FARTHEST = 2.25
"""Of an answer within α ≤ 1/4 of averages of ±1 from other averages, or from a mean."""

KEPT = 2**25
"""Of one purpose so many bits are kept, a byte each, as they are looked at twice: first their averages, then their scores."""


class Attacked(Identified, frozen=True):
    """The setting of a tracing attack. p: coordinates. alpha: the answers' error, and a quarter of the largest narrow bias.

    biases: narrow, uniform on [−4α, 4α]; wide, on [−1, 1], with q − μ cut off at ±2α in the score. tail: the threshold by the
    exact tail of the score, or by Chernoff's bound. Private mechanisms are run at (eps, 1/4n), with the constants named.
    """

    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    p: Annotated[Whole, Field(ge=2, le=10**6)]
    alpha: Annotated[Real, Field(ge=1e-3, le=0.25)]
    biases: Literal["narrow", "wide"] = "narrow"
    tail: tracing.Tail = "exact"
    eps: Annotated[Real, Field(ge=1e-3, le=100)] = 1.0
    constants: Annotated[str, constants_of(pmw_constants)] = "BCMNUW20"

    @property
    def largest(self) -> float:
        """The largest bias."""
        return 4 * self.alpha if self.biases == "narrow" else 1.0

    def false_positives(self, rows: int) -> float:
        """The chance of naming a fresh row that the threshold is set to: 1/(n+m)²."""
        return 1 / max(4, rows) ** 2

    def refuse(self, name: str, n: int, m: int) -> Refusal | None:
        """Why an attack on so many rows cannot be tried, or None."""
        release = releases().get(name)
        if release is not None and (release.ordered or release.on_grid):
            return Refusal(f"{name} is for cells in an order, and the cube has none; allowed: another", "mechanisms")
        if release is not None and release.needs_public and m == 0:
            return Refusal(f"{name} is made of public points, and m = 0 means none; allowed: m ≥ 1", "mechanisms")
        if (n + m) * self.p > MOST_NUMBERS:
            why = f"n + m = {n + m:,} rows of p = {self.p:,} would be drawn one by one"
            return Refusal(f"{why}; allowed: at most {MOST_NUMBERS:g} numbers", "n")
        return None


class TracingCell(Attacked, frozen=True):
    """A cell of the tracing attack, run. n, m: private and public rows.
    outsiders: fresh rows that are scored as well, to see how many are named.

    rate: that of false positives, in place of 1/(n+m)².
    """

    hashed_as: ClassVar[str] = "TracingCell"

    n: Annotated[Whole, Field(ge=1, le=10**7)]
    m: Annotated[Whole, Field(ge=0, le=10**6)] = 0
    outsiders: Annotated[Whole, Field(ge=0, le=10**7)] = 0
    rate: Annotated[Probability, Field(ge=1e-30, le=0.1)] | None = None

    def false_positives(self, rows: int) -> float:
        return super().false_positives(rows) if self.rate is None else self.rate


@dataclass(frozen=True)
class Attack:
    """One trial of the tracing attack: draws biases and rows, averages the rows, and names rows by a mechanism's answers."""

    cell: Attacked
    n: int
    m: int
    streams: Streams

    @cached_property
    def marginal(self) -> Biased:
        """The distribution of rows."""
        return Biased.drawn(self.cell.p, self.cell.largest, self.streams("biases"))

    @property
    def centre(self) -> Reals:
        """The vector that scores are centred at: μ, (p,)."""
        return self.marginal.biases

    def rows(self, purpose: str) -> Callable[[], np.random.Generator]:
        """The stream of the rows of a purpose, from its start."""
        return partial(self.streams, purpose)

    @cached_property
    def _kept(self) -> dict[str, list[Bools]]:
        return {}

    def blocks(self, count: int, purpose: str) -> Iterable[Bools]:
        """The rows of a purpose, block by block: those that are kept, or drawn again."""
        if purpose not in self._kept:
            drawn = self.marginal.blocks(count, self.rows(purpose))
            if count * self.cell.p > KEPT:
                return drawn
            self._kept[purpose] = list(map(shared, drawn))
        return self._kept[purpose]

    @cached_property
    def averages(self) -> Averages:
        """The averages of the private and of the public rows."""
        private, public = (
            2 * self.marginal.total(self.blocks(count, purpose)) / max(1, count) - 1
            for count, purpose in ((self.n, "private"), (self.m, "public"))
        )
        return Averages(private, self.n, public, self.m, self.cell.largest)

    def answers(self, name: str) -> tuple[Reals, float | None]:
        """q, as ±1, (p,), and an ε that it certainly keeps to at 1/4n, None where there is none."""
        if name in roundings():
            return roundings()[name].answers(self.averages, self.cell.alpha), None
        if name in leaks():
            return self._published(leaks()[name]), 0.0
        return self._released(releases()[name])

    def _published(self, leak: PublishedRows) -> Reals:
        chosen = leak.published(self.n, 1 / (4 * self.n), self.streams(f"noise/{leak.key}"))
        if not chosen.any():
            return leak.answers(np.empty((0, self.cell.p)), self.cell.p)
        blocks, start, pieces = self.blocks(self.n, "private"), 0, []
        for block in blocks:
            pieces.append(block[chosen[start : start + len(block)]])
            start += len(block)
        return leak.answers(np.concatenate(pieces).astype(np.float64), self.cell.p)

    def _released(self, release: Release) -> tuple[Reals, float | None]:
        cell, cube = self.cell, CubeStumpQueries(dimension=self.cell.p)
        group = np.arange(cell.p)
        cover = cube.grid(self.marginal, 2)
        if self.m:
            points = np.concatenate([*self.blocks(self.m, "public")])
            group, cover = columns(points), cube.cover(self.marginal, points)
        site = Site(cover, self.n, ((1 + self.averages.private) / 2)[cover.chosen])
        request = ReleaseRequest(cell.alpha, cell.alpha, cell.eps, 1 / (4 * self.n), set_named(cell.constants, pmw_constants()))
        done = release.release(Problem(request, site, self.m > 0, lambda: site), self.streams(f"noise/{release.key}"))
        return 2 * np.clip(done.answers, 0.0, 1.0)[group] - 1, done.spent

    def weights(self, answers: Reals) -> Reals:
        """The weights that a row is multiplied with, (p,)."""
        if self.cell.biases == "narrow":
            return answers
        return np.asarray(np.clip(answers - self.centre, -2 * self.cell.alpha, 2 * self.cell.alpha))

    def scores(self, weights: Reals, count: int, purpose: str) -> Reals:
        """The scores of the rows of a purpose, (count,)."""
        moved = float(weights @ (self.marginal.biases - self.centre))
        return self.marginal.scores(weights, self.blocks(count, purpose)) + moved

    def made(self, name: str, outsiders: int = 0) -> Row:
        """The columns of what the attack on one mechanism names."""
        answers, spent = self.answers(name)
        weights, mu = self.weights(answers), self.centre
        rate = self.cell.false_positives(self.n + self.m)
        least, scale = tracing.threshold(weights, mu, rate, self.cell.tail), tracing.deviation(weights, mu)
        private = self.scores(weights, self.n, "private")
        named_private = int((private >= least).sum())
        named_public = int((self.scores(weights, self.m, "public") >= least).sum())
        return {
            "rate": rate,
            "named": named_private + named_public,
            "named_private": named_private,
            "named_public": named_public,
            "named_outsiders": int((self.scores(weights, outsiders, "outsiders") >= least).sum()),
            "level": least / scale if np.isfinite(least) else None,
            "score": max(0.0, float(private.mean())) / scale if scale else 0.0,
            "error": float(np.abs(answers - mu).max()),
            "apart": float(np.abs(answers - self.averages.all).max()),
            "spent": spent,
        }


def measure(cell: TracingCell, streams: BlockStreams) -> Measure:
    """Attacks each mechanism in one trial: all share biases and rows, and the noise of each is its own."""
    attack = Attack(cell, cell.n, cell.m, streams)
    return lambda name: attack.made(name, cell.outsiders)


def resolved(cell: TracingCell, name: str) -> Row:
    """The columns of how many rows (ε, 1/4n)-privacy lets the attack name, and of its rate of false positives."""
    rate = cell.false_positives(cell.n + cell.m)
    bound = tracing.allowed(cell.n, rate, cell.eps)
    return {"rate": rate, "rows": cell.n + cell.m, "delta": 1 / (4 * cell.n), "bound": bound}


def refuse(cell: TracingCell, name: str) -> Refusal | None:
    """Why a mechanism cannot be attacked on a cell, or None."""
    return cell.refuse(name, cell.n, cell.m)


def subjects() -> list[str]:
    """The names of all that can be attacked: mechanisms of release, roundings, and what publishes rows."""
    return [*releases(), *roundings(), *leaks()]


ROWS = "rows"
BIASES = {"": "{} biases"}
TAILS = {"exact": "exact tail", "chernoff": "Chernoff's bound"}
NAMED = Column("named_private", "whole", "measured", "private rows that are named", unit=ROWS, title="private rows named")
ATTACKED = (
    DUAL.but(meaning="coordinates", unit=""),
    ACCURACY.but(meaning="error of the answers", title="error α of the answers"),
    Column("biases", "text", "parameter", "narrow: uniform on [−4α, 4α]; wide: on [−1, 1]", phrases=BIASES, caption=True),
    Column("tail", "text", "parameter", "what the threshold is set by", phrases=TAILS),
    EPS.but(caption=False),
    Column("constants", "text", "parameter", "set of constants of PMW and A_PAP"),
)
COLUMNS = (
    *ATTACKED,
    N.but(role="parameter", meaning="private rows", unit=ROWS, title="private rows n"),
    PUBLIC.but(role="parameter", meaning="public rows", unit=ROWS),
    Column("rows", "whole", "plan", "all rows", "n + m", ROWS),
    DELTA.but(role="plan", caption=False),
    Column("outsiders", "whole", "parameter", "fresh rows that are scored too", unit=ROWS),
    Column("rate", "real", "parameter", "false-positive rate of the attack", title="false-positive rate"),
    Column("named", "whole", "measured", "rows that are named", unit=ROWS, of="rows"),
    NAMED.but(bound="bound"),
    Column("named_public", "whole", "measured", "public rows that are named", unit=ROWS),
    Column("named_outsiders", "whole", "measured", "fresh rows that are named", unit=ROWS),
    Column("level", "real", "measured", "threshold, in deviations of a fresh row's score", null=True),
    Column("score", "real", "measured", "mean score of the private rows, in the same unit, or 0 where it is less"),
    Column("error", "real", "measured", "error, the largest over all p", title="largest error", worse=True),
    Column("apart", "real", "measured", "largest distance from the averages of all rows"),
    SPENT.but(role="measured", meaning=f"ε that it keeps to at 1/4n: {BY_WHOM}"),
    Column(
        "bound", "real", "claimed", "private rows that (ε, 1/4n)-privacy lets be named on average", title="what privacy allows"
    ),
)

KIND = Kind(
    name="tracing",
    cell=TracingCell,
    subjects=subjects,
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=resolved,
    rules=(
        no_more("named_private", "n"),
        no_more("named_public", "m"),
        no_more("named_outsiders", "outsiders"),
        Rule(
            "named = named_private + named_public",
            ("named", "named_private", "named_public"),
            lambda all_, private, public: all_ == private + public,
        ),
        Rule(
            "named = named_outsiders = 0 where level is null",
            ("named", "named_outsiders", "level"),
            lambda named, outsiders, level: ~np.isnan(level) | (named + outsiders == 0),
            nulls=True,
        ),
        at_most("error", FARTHEST),
        at_most("apart", FARTHEST),
    ),
)
