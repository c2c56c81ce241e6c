"""Soft labels: k learners predict a score at each query, and each mechanism makes one of the k of them.

The queries of one trial are shared, and the predictions where mechanisms share k. The error is that of the theorems: how far
scores are from E h(x), the mean over chunks of the size that the mechanism's own k leaves.
"""

from functools import cached_property
from math import inf
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.arrays import Ints, shared
from harness.mechanisms.scoring import Answered, ScorePlan, ScoreRequest, scorings
from harness.mechanisms.scoring.histograms import MOST_BINS, half_edges
from harness.refusal import Refusal
from harness.scores.estimate import estimated_alpha
from harness.theory.constants.btt18a_scores import (
    ScoreTask,
    score_constants,
    whole_width,
)
from harness.theory.factors import set_named
from harness.trials.changes import constants_of
from harness.trials.columns import BETA, DELTA, EPS, K_SCALE, SPENT, VACUOUS, Column, K, M, N, S, T
from harness.trials.fields import Probability, Real, Whole
from harness.trials.kind import Columns, Kind, Measure, Promise, Row
from harness.trials.rules import Rule, at_most, chunks_of_n, no_more, null_with, vacuous_without
from harness.trials.scores_cell import NAMES, ScoresDrawn
from harness.trials.seeds import BlockStreams

RATE = 2.0
"""O(1/n') of Section 5 with the constant of Hardt, Recht, Singer 2015 Theorem 3.9: two runs of SGD on neighbouring data are
2L/γn' apart, for losses that are L-Lipschitz and γ-strongly convex, here both 1."""

MOST_TRIALS, MOST_COUNTS = 1 << 6, 1 << 18
"""Of a block: as many trials as have so many counts in half-bins."""

MOST_CHUNKS = 1 << 24
"""The most chunks whose predictions are drawn one by one."""


class SoftLabelsCell(ScoresDrawn, frozen=True):
    """A cell of m queries for scores, on n examples.

    T: how many queries may have no stable histogram. nu: ν of Definition 5.11. rule: which α the width of bins follows from:
    closed, its closed form; rate, 2/n'; estimate, from pairs of chunks. width: γ itself, taken up to 1/integer. k: chunks, the
    same for all mechanisms; by default each takes its own. hard: how many queries are of the point that is asked about last;
    by default as chance has it.
    """

    hashed_as: ClassVar[str] = "SoftLabelsCell"

    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    n: Annotated[Whole, Field(ge=1, le=10**18)]
    m: Annotated[Whole, Field(ge=1, le=10**12)] = 1000
    T: Annotated[Real, Field(ge=1, le=10**5)] = 1.0
    eps: Annotated[Real, Field(ge=1e-3, le=5000)] = 1.0
    delta: Annotated[Real, Field(ge=1e-15, le=0.5)] = 1e-6
    beta: Annotated[Probability, Field(ge=1e-15)] = 0.05
    nu: Annotated[Real, Field(ge=0, le=0.5)] = 0.02
    rule: Literal["closed", "rate", "estimate"] = "closed"
    width: Annotated[Real, Field(ge=1e-5, le=0.5)] | None = None
    constants: Annotated[str, constants_of(score_constants)] = "BTT18a"
    k_scale: Annotated[Real, Field(gt=0, le=100)] = 1.0
    k: Annotated[Whole, Field(ge=1, le=MOST_CHUNKS)] | None = None
    hard: Annotated[Whole, Field(ge=0)] | None = None

    @cached_property
    def task(self) -> ScoreTask:
        """The task that every mechanism of scores gets."""
        return ScoreTask(self.m, self.T, self.eps, self.delta, self.beta)

    def alpha(self, s: int) -> float | None:
        """The α of Definition 5.7 that the rule says of chunks of s examples; None where it says none."""
        if self.rule == "estimate":
            return estimated_alpha(self.distribution, self.learner, s)
        return RATE / s if self.rule == "rate" else self.scorer.stability(s)

    @cached_property
    def asked(self) -> ScoreRequest:
        """The request that every mechanism of scores gets."""
        constants = set_named(self.constants, score_constants()).scaled(self.k_scale)
        width = None if self.width is None else whole_width(self.width)
        return ScoreRequest(self.task, constants, self.n, self.nu, self.alpha, self.scorer.means, width, self.k)

    def plan(self, name: str) -> ScorePlan:
        """The plan of a mechanism of scores; the same object whenever it is asked for."""
        if name not in self._plans:
            self._plans[name] = scorings()[name].plan(self.asked)
        return self._plans[name]

    @cached_property
    def _plans(self) -> dict[str, ScorePlan]:
        return {}

    def sizes(self, trials: int, rng: np.random.Generator) -> Ints:
        """How many queries of each trial are of each point that is asked about, (trials, q)."""
        shares = self.distribution.shares
        if self.hard is None:
            return rng.multinomial(self.m, shares, trials)
        hard = np.full((trials, 1), self.hard)
        if len(shares) == 1:
            return hard
        return np.hstack([rng.multinomial(self.m - self.hard, shares[:-1] / shares[:-1].sum(), trials), hard])

    @cached_property
    def block(self) -> int:
        """How many trials are drawn together, whatever mechanisms are run; 1 where predictions are drawn one by one."""
        plan = self.plan("A_SL_Quer")
        assert plan.width is not None
        bins = round(1 / plan.width)
        if plan.s < 1 or self.scorer.refuse(plan.s) is not None:
            return 1
        if not self.scorer.by_law(plan.s, half_edges(np.full(self.scorer.types, bins, np.int64))):
            return 1
        return max(1, min(MOST_TRIALS, MOST_COUNTS // (2 * bins * self.scorer.types)))


def measure(cell: SoftLabelsCell, streams: BlockStreams) -> Measure:
    """Draws a block of `cell.block` trials in which each mechanism answers the queries by scores."""
    return measured_in(cell, cell.block, streams)


def measured_in(cell: SoftLabelsCell, trials: int, streams: BlockStreams) -> Measure:
    """Draws `trials` trials together in which each mechanism answers the queries by scores."""
    sizes = shared(cell.sizes(trials, streams("queries")))

    def answered(name: str) -> Columns:
        plan, mechanism = cell.plan(name), scorings()[name]
        votes, noise = streams(f"votes/{plan.k}"), streams(f"noise/{mechanism.key}")
        return measured(cell, plan, sizes, mechanism.answer_block(plan, cell.scorer, sizes, votes, noise))

    return answered


def measured(cell: SoftLabelsCell, plan: ScorePlan, sizes: Ints, answered: Answered) -> Columns:
    """The columns of what one mechanism of scores answered in some trials, with its errors."""
    means = cell.scorer.means(plan.s)
    unsure = (means >= cell.nu) & (means <= 1 - cell.nu)
    return {
        "unsure": sizes[:, unsure].sum(axis=1),
        "bottoms": answered.bottoms.sum(axis=1),
        "second": answered.second.sum(axis=1),
        "unanswered": answered.unanswered.sum(axis=1),
        "error": answered.error(means),
        "excess": answered.error(cell.scorer.means(cell.n)),
    } | (stable(cell, plan, sizes, answered) if answered.seen is not None else dict.fromkeys(STABLE))


STABLE = ("short", "first_failed", "second_failed", "either_failed", "split", "agreed_failed")


def stable(cell: SoftLabelsCell, plan: ScorePlan, sizes: Ints, answered: Answered) -> Columns:
    """Counts by column: queries with no stable histogram or no 2k/3 in a bin, and others that a test left unanswered."""
    assert answered.seen is not None
    plain, shifted, d = answered.seen.plain, answered.seen.shifted, cell.asked.constants.stable(cell.task)
    first, agreed = plain.distance > d, (3 * plain.top >= 2 * plan.k) | (3 * shifted.top >= 2 * plan.k)
    second = ~first & (shifted.distance > d)
    either = answered.first + answered.second
    return {
        "short": (sizes * ~first).sum(axis=1),
        "first_failed": ((sizes - answered.first) * first).sum(axis=1),
        "second_failed": ((sizes - answered.second) * second).sum(axis=1),
        "either_failed": ((sizes - either) * second).sum(axis=1),
        "split": (sizes * ~agreed).sum(axis=1),
        "agreed_failed": ((sizes - either) * agreed).sum(axis=1),
    }


def resolved(cell: SoftLabelsCell, name: str) -> Row:
    """The numbers that a cell's parameters come to for a mechanism of scores, by column."""
    plan = cell.plan(name)
    return {
        "n": plan.n,
        "k": plan.k,
        "s": plan.s,
        "alpha": plan.alpha,
        "width": plan.width,
        "d": cell.asked.constants.stable(cell.task),
        **{column.name: plan.noise.get(column.name) for column in NOISE},
        "spent": plan.spent if plan.spent < inf else None,
        "bound": plan.bound,
        "vacuous": plan.bound is None,
    }


def refuse(cell: SoftLabelsCell, name: str) -> Refusal | None:
    """Why a mechanism of scores cannot run on a cell, or None."""
    if cell.hard is not None and (cell.hard > cell.m or (len(cell.distribution.shares) == 1 and cell.hard < cell.m)):
        others = "there is no other point" if cell.hard <= cell.m else f"there are m = {cell.m}"
        return Refusal(f"hard = {cell.hard} queries of the last point, and {others}; allowed: at most m", "hard")
    refusal = cell.scorer.refuse(max(1, cell.n))
    if refusal is not None and refusal.parameter != "n":
        return refusal
    plan = cell.plan(name)
    if plan.s < 1:
        return Refusal(f"n = {cell.n} is less than k = {plan.k}, the chunks of {name}; allowed: n ≥ {plan.k}", "n")
    if plan.k > MOST_CHUNKS and cell.sampling != "poisson" and not scorings()[name].averages:
        return Refusal(f"k = {plan.k} chunks of {name}; allowed: at most {MOST_CHUNKS:,}, or sampling: poisson", "T")
    if plan.width is not None and (halves := 2 * round(1 / plan.width) * cell.scorer.types) > MOST_BINS:
        return Refusal(f"γ = {plan.width:g} makes {halves:,} half-bins of all points; allowed: at most {MOST_BINS:,}", "width")
    return cell.scorer.refuse(plan.s)


QUERIES = "queries"
WITHIN = Column("bound", "real", "claimed", "claimed error", null=True)
NOISE = (
    Column("lam", "real", "plan", "noise scale", "λ", unit="votes", null=True),
    Column("w", "real", "plan", "threshold before noise", "w", unit="votes", null=True),
    Column("cutoff", "whole", "plan", "the largest c at which the loop goes on", unit="failed tests", null=True),
    Column("sigma", "real", "plan", "standard deviation of the noise on averages", "σ", null=True),
    Column("share", "real", "plan", "privacy of one query", "ε₀", null=True),
)
SETTING = (
    Column("nu", "real", "parameter", "how near to 0 or 1 the means of all others are", "ν", caption=True),
    Column("rule", "text", "parameter", "whose α the width follows from"),
    Column("constants", "text", "parameter", "set of constants", caption=True),
    K_SCALE,
    Column("hard", "whole", "parameter", "queries of the last point", unit=QUERIES, null=True),
)
RULES = (
    Rule(
        "bottoms + second + unanswered ≤ m",
        ("bottoms", "second", "unanswered", "m"),
        lambda bottoms, second, unanswered, m: bottoms + second + unanswered <= m,
    ),
    Rule(
        "error is null just where bottoms + unanswered = m",
        ("error", "bottoms", "unanswered", "m"),
        lambda error, bottoms, unanswered, m: np.isnan(error) == (bottoms + unanswered == m),
        nulls=True,
    ),
    null_with("excess", "error"),
    at_most("error", 1),
    at_most("excess", 1),
    no_more("unsure", "m"),
    null_with("short", "split", *(each for each in STABLE if each.endswith("_failed"))),
    Rule("first_failed ≤ m − short", ("first_failed", "m", "short"), lambda failed, m, short: failed <= m - short),
    Rule("agreed_failed ≤ m − split", ("agreed_failed", "m", "split"), lambda failed, m, split: failed <= m - split),
    no_more("second_failed", "short"),
    no_more("either_failed", "second_failed"),
    *(
        Rule(
            f"{failed} ≤ bottoms + unanswered",
            (failed, "bottoms", "unanswered"),
            lambda failed, bottoms, unanswered: failed <= bottoms + unanswered,
        )
        for failed in ("either_failed", "agreed_failed")
    ),
    Rule(
        "first_failed ≤ second + bottoms + unanswered",
        ("first_failed", "second", "bottoms", "unanswered"),
        lambda failed, second, bottoms, unanswered: failed <= second + bottoms + unanswered,
    ),
    chunks_of_n(),
    vacuous_without(),
)
WIDTH = Column("width", "real", "plan", "width of the bins", "γ", null=True, title="width γ of the bins")
KIND = Kind(
    name="soft_labels",
    cell=SoftLabelsCell,
    subjects=lambda: list(scorings()),
    columns=(
        *NAMES,
        *(N, M, T.but(role="parameter", meaning="queries that may have no stable histogram", caption=True), EPS, DELTA, BETA),
        *SETTING,
        K,
        S,
        Column("alpha", "real", "plan", "on-average stability at s", "α", null=True),
        WIDTH,
        Column("d", "real", "plan", "distance of a stable histogram in Theorem 5.6", "d", unit="votes"),
        *NOISE,
        Column("unsure", "whole", "votes", "queries whose mean is not within ν of 0 or 1", unit=QUERIES),
        Column("short", "whole", "votes", "queries whose histogram is not d-stable", unit=QUERIES, null=True),
        Column("split", "whole", "votes", "queries of whose k predictions no bin has 2k/3", unit=QUERIES, null=True),
        Column("bottoms", "whole", "measured", "answers ⊥", unit=QUERIES, worse=True),
        Column("second", "whole", "measured", "queries answered by the shifted partition", unit=QUERIES),
        Column("unanswered", "whole", "measured", "queries left when the run halts", unit=QUERIES, worse=True),
        Column(
            "first_failed", "whole", "measured", "d-stable queries without their midpoint", unit=QUERIES, null=True, worse=True
        ),
        Column(
            "second_failed",
            "whole",
            "measured",
            "queries d-stable only on the shifted partition, without its midpoint",
            unit=QUERIES,
            null=True,
            worse=True,
        ),
        Column("either_failed", "whole", "measured", "such queries without a score", unit=QUERIES, null=True, worse=True),
        Column(
            "agreed_failed",
            "whole",
            "measured",
            "queries with 2k/3 in a bin, without a score",
            unit=QUERIES,
            null=True,
            worse=True,
        ),
        Column(
            "error",
            "real",
            "measured",
            "largest distance of a score from E h",
            null=True,
            worse=True,
            bound="bound",
            title="largest error |ŝ − E h|",
        ),
        Column("excess", "real", "measured", "largest distance of a score from E h on all n examples", null=True, worse=True),
        SPENT.but(worse=True),
        WITHIN,
        VACUOUS,
    ),
    refuse=refuse,
    measure=measure,
    block=lambda cell: cell.block,
    resolved=resolved,
    rules=RULES,
    promises=(Promise("error", "bound", betas=1, least={"k_scale": 1.0}, only={"rule": "closed"}),),
)
