"""Queries of any finite or countable range that an analyst asks one after another, and what each mechanism says to them.

The mechanisms that ask chunks share the chunks where they have as many of one size, as far as they are asked the same queries:
those of an adaptive analyst depend on what was said.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from harness.analysts import Known, Poll
from harness.arrays import Bools, Ints
from harness.mechanisms.online import BOTTOM, onlines
from harness.trials.columns import BETA, DELTA, EPS, K_SCALE, SPENT, TEXTS, Column, K, M, N, S, T
from harness.trials.kind import NULL, Columns, Kind, Measure, Row
from harness.trials.rules import Rule, chunks_of_n, close, no_more, null_with
from harness.trials.seeds import BlockStreams
from harness.trials.stable_cell import StableCell


@dataclass
class Tally:
    """Counts of what a mechanism answered to an analyst, of one trial or of several, (trials,).

    promised: the distance from which on an answer is promised; None where none is. unstable: queries nearer than that.
    stable_failed: the others that were not answered f̂. lost: queries on which a chunk answers x_f with the stated chance, not
    answered x_f.
    """

    promised: float | None
    answered: int | Ints = 0
    bottoms: int | Ints = 0
    wrong: int | Ints = 0
    unstable: int | Ints = 0
    stable_failed: int | Ints = 0
    lost: int | Ints = 0

    @property
    def asked(self) -> int | Ints:
        """Queries so far."""
        return self.answered + self.bottoms

    @classmethod
    def of(cls, promised: float | None, polls: Known, distances: Ints | None, answers: Ints, heard: Ints) -> "Tally":
        """The counts of polls that were known. answers: (trials, m). heard: how many of them, (trials,)."""
        there = np.arange(answers.shape[1]) < heard[:, np.newaxis]
        bottom, right, best = answers == BOTTOM, answers == polls.truth, answers == polls.winner
        stable = None if promised is None or distances is None else distances >= promised

        def number(which: Bools) -> Ints:
            return np.asarray((there & which).sum(axis=1), np.int64)

        return cls(
            promised,
            answered=number(~bottom),
            bottoms=number(bottom),
            wrong=number(~bottom & ~right),
            unstable=0 if stable is None else number(~stable),
            stable_failed=0 if stable is None else number(stable & ~best),
            lost=number(polls.stable & ~right),
        )

    def count(self, poll: Poll, distance: float | None, answer: int | None) -> None:
        """Counts one more query."""
        self.bottoms += answer is None
        self.answered += answer is not None
        self.wrong += answer is not None and answer != poll.truth
        self.lost += poll.stable and answer != poll.truth
        if self.promised is not None and distance is not None:
            stable = distance >= self.promised
            self.unstable += not stable
            self.stable_failed += stable and answer != poll.winner


def measure(cell: StableCell, streams: BlockStreams) -> Measure:
    """Draws a block of `cell.block` trials in which an analyst asks and each mechanism answers."""

    def conversed(name: str) -> Columns:
        data, noise = streams(_shared(cell, name)), streams(f"noise/{onlines()[name].key}")
        way = answered if cell.analyst.at_once else converse
        return outcome(cell, name, way(cell, name, data, noise))

    return conversed


def _shared(cell: StableCell, name: str) -> str:
    """What names the data of a mechanism: those that divide it alike see the same."""
    site = cell.site(name)
    return "whole" if onlines()[name].whole else f"chunks/{site.k}/{site.s}"


def converse(cell: StableCell, name: str, data: np.random.Generator, noise: np.random.Generator) -> Tally:
    """Draws one trial: the analyst asks and the mechanism answers until m queries are asked or it halts.
    The counts of answers.
    """
    online, plan, site = onlines()[name], cell.plan(name), cell.site(name)
    responder = online.begin(plan, cell.m, cell.analyst.range_size, noise)
    session = cell.analyst.whole(site, plan.n, data) if online.whole else cell.analyst.chunks(site, data)
    tally, last = Tally(online.promised_distance(cell.calibration, cell.task, plan)), None
    while not responder.halted and tally.asked < cell.m:
        poll = session.ask(last)
        last = responder.answer(poll)
        tally.count(poll, online.distance(plan, poll), last)
    return tally


def answered(cell: StableCell, name: str, data: np.random.Generator, noise: np.random.Generator) -> Tally:
    """Draws all trials of a block whose queries are known beforehand: the counts of the mechanism's answers until it halts."""
    online, plan, site = onlines()[name], cell.plan(name), cell.site(name)
    polls = cell.analyst.known(site, cell.block, data, plan.n if online.whole else None)
    promised = online.promised_distance(cell.calibration, cell.task, plan)
    answers, heard = online.answer_known(plan, polls, cell.analyst.range_size, noise)
    return Tally.of(promised, polls, online.distances(plan, polls), answers, heard)


def outcome(cell: StableCell, name: str, tally: Tally) -> Columns:
    """The columns of counts of answers; `missed` counts queries not answered by the true x_f: wrong, ⊥ or not asked."""
    missed, heard = np.atleast_1d(cell.m - tally.answered + tally.wrong), np.atleast_1d(tally.asked)
    return {
        "answered": np.atleast_1d(tally.answered),
        "bottoms": np.atleast_1d(tally.bottoms),
        "wrong": np.atleast_1d(tally.wrong),
        "missed": missed,
        "missed_rate": missed / cell.m,
        "unstable": None if tally.promised is None else np.atleast_1d(tally.unstable),
        "stable_failed": None if tally.promised is None else np.atleast_1d(tally.stable_failed),
        "lost": None if right(cell, name) is None else np.atleast_1d(tally.lost),
        "halted_at": np.where(heard < cell.m, heard, NULL),
    }


def right(cell: StableCell, name: str) -> float | None:
    """A lower bound on the chance that one chunk gives the true answer x_f to a stable query; None where none is known."""
    return None if onlines()[name].whole else cell.analyst.right(cell.plan(name).s)


def resolved(cell: StableCell, name: str) -> Row:
    """The numbers that a cell's parameters come to for a mechanism of queries one by one, by column."""
    online, plan = onlines()[name], cell.plan(name)
    noise, spent = plan.noise, plan.spent
    return {
        "n": plan.n,
        "k": plan.k,
        "s": plan.s,
        "right": right(cell, name),
        "promised": online.promised_distance(cell.calibration, cell.task, plan),
        **{column.name: noise.get(column.name) for column in NOISE},
        "spent": spent if isfinite(spent) else None,
    }


NOISE = (
    Column("lam", "real", "plan", "noise scale of what pays for its ⊥s", "λ", unit="votes", null=True),
    Column("w", "real", "plan", "its threshold before noise", "w", unit="votes", null=True),
    Column("sigma", "real", "plan", "Gaussian noise on a count", "σ", unit="votes", null=True),
    Column("eps0", "real", "plan", "ε₀ of one query of the exponential mechanism", "ε₀", null=True),
)
"""What mechanisms draw their noise with."""

COLUMNS = (
    Column("analyst", "text", "parameter", "who asks the queries"),
    Column("analyst_parameters", "json", "parameter", "what shapes them"),
    *(column for column in TEXTS if column.name in ("sampling", "constants")),
    Column("adaptive", "truth", "parameter", "whether a query depends on the answers before it"),
    Column("values", "whole", "parameter", "size of a query's range", "|R|", unit="labels", null=True),
    *(M, EPS, DELTA, BETA),
    T.but(role="parameter", caption=True),
    K_SCALE,
    Column("k_asked", "whole", "parameter", "chunks that are asked for", "k", unit="chunks", null=True, axis="k"),
    *(N, K, S),
    Column("right", "real", "plan", "at least the chance that a chunk answers x_f, of a stable query", null=True),
    Column("promised", "real", "plan", "distance from which on an answer is promised", "a", unit="votes", null=True),
    *NOISE,
    SPENT,
    Column("answered", "whole", "measured", "queries that get a label", unit="queries"),
    Column("bottoms", "whole", "measured", "⊥ answers", unit="queries", worse=True),
    Column("wrong", "whole", "measured", "labels other than x_f", unit="queries", worse=True),
    Column("missed", "whole", "measured", "queries that are not answered x_f", unit="queries", worse=True),
    Column("missed_rate", "real", "measured", "share of queries that are not answered x_f", worse=True, of="m"),
    Column("unstable", "whole", "measured", "queries asked that are nearer than a", unit="queries", null=True),
    Column("stable_failed", "whole", "measured", "stable queries not answered f̂", unit="queries", null=True, worse=True),
    Column("lost", "whole", "measured", "likely queries not answered x_f", unit="queries", null=True, worse=True),
    Column("halted_at", "whole", "measured", "queries before an early halt", unit="queries", null=True),
)

KIND = Kind(
    name="stable_queries",
    cell=StableCell,
    subjects=lambda: list(onlines()),
    columns=COLUMNS,
    refuse=lambda cell, name: cell.refuse(name),
    measure=measure,
    block=lambda cell: cell.block,
    resolved=resolved,
    queries=lambda cell, name: cell.m,
    rules=(
        no_more("wrong", "answered"),
        Rule(
            "answered + bottoms = m, or halted_at where that is not null",
            ("answered", "bottoms", "m", "halted_at"),
            lambda answered, bottoms, m, halted: np.where(
                np.isnan(halted), answered + bottoms == m, (answered + bottoms == halted) & (halted < m)
            ),
            nulls=True,
        ),
        Rule("missed_rate = missed / m", ("missed_rate", "missed", "m"), lambda rate, missed, m: close(rate, missed / m)),
        null_with("unstable", "promised", "stable_failed"),
        Rule(
            "stable_failed + unstable ≤ answered + bottoms",
            ("stable_failed", "unstable", "answered", "bottoms"),
            lambda failed, unstable, answered, bottoms: failed + unstable <= answered + bottoms,
        ),
        null_with("lost", "right"),
        Rule("lost ≤ bottoms + wrong", ("lost", "bottoms", "wrong"), lambda lost, bottoms, wrong: lost <= bottoms + wrong),
        chunks_of_n(),
        Rule("missed = m − answered + wrong", ("missed", "m", "answered", "wrong"), lambda a, b, c, d: a == b - c + d),
    ),
)
