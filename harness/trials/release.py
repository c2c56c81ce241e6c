"""Statistical queries released: draw public points, count private ones on the cells, let each mechanism make G, and err.

The error is exact: sup over all of H of |G(h) − E h|, from what D puts on the cells. Private points are drawn by their counts
on the cells, so neither time nor memory depends on n.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from typing import ClassVar

import numpy as np

from harness.arrays import Reals
from harness.covers import MOST_QUERIES, Cover, Size
from harness.mechanisms import Streams
from harness.mechanisms.release import Problem, Release, Released, Site, releases
from harness.refusal import Refusal
from harness.trials.columns import BETA, DELTA, EPS, SPENT, TEXTS, VACUOUS, Column, N, V
from harness.trials.fields import kept
from harness.trials.kind import Columns, Kind, Measure, Promise, Row
from harness.trials.release_cell import MOST_FULL, ReleaseDrawn
from harness.trials.rules import ROUNDED, Rule, at_least, at_most, no_more, vacuous_without
from harness.trials.seeds import BlockStreams

FEW_TRIALS, MOST_TRIALS, CACHED_ANSWERS, MOST_ANSWERS = 4, 256, 2**18, 2**20
"""Of a block: a few trials where their answers fit, and more as far as these stay in the cache."""


class ReleaseCell(ReleaseDrawn, frozen=True):
    """A cell of releases: one setting with its distribution D."""

    hashed_as: ClassVar[str] = "ReleaseCell"


@dataclass(frozen=True)
class ReleaseBlock:
    """What the releases of a block of trials share: the cover of the public points, and the private points on it.

    trials: how many have the cover, which is then that of the grid; None of one with public points, or points one by one.
    """

    cell: ReleaseDrawn
    m: int
    streams: Streams
    trials: int | None = None

    def cover(self) -> Cover:
        """The cover of the public points, or of the grid where there are none."""
        cell, rng = self.cell, self.streams("public")
        if not self.m:
            return cell.grid_cover
        return cell.query_class.cover(cell.distribution, cell.query_class.draw(cell.distribution, self.m, rng))

    def site(self, cover: Cover, n: int, purpose: str = "private") -> Site:
        """n private points on a cover."""
        rng = self.streams(f"{purpose}/{n}")
        if n == 0:
            return Site(cover, n, None)
        if self.cell.sampling == "full":
            return Site(cover, n, cover.locate(self.cell.query_class.draw(self.cell.distribution, n, rng)))
        return Site(cover, n, cover.private(n, rng, self.trials))

    def made(self, release: Release, cover: Cover, n: int) -> Columns:
        """The columns of what one release makes of n private points on a cover."""
        problem = Problem(self.cell.asked, self.site(cover, n), self.m > 0, lambda: self.site(self.cell.grid_cover, n, "grid"))
        run = release.release if self.trials is None else release.release_block
        return self.measured(run(problem, self.streams(f"noise/{release.key}")), cover)

    def measured(self, done: Released, cover: Cover) -> Columns:
        """The columns of the errors of what was released."""
        answers = np.clip(done.answers, 0.0, 1.0)
        return {
            "distinct": cover.distinct if self.m else 0,
            "H": done.cover.queries,
            "log_X": done.cover.log_cells,
            "X": exp(done.cover.log_cells) if done.cover.log_cells < 700 else None,
            "radius": done.cover.radius,
            "error": lambda: done.cover.error(answers),
            "error_on_cover": lambda: done.cover.cover_error(answers),
            "updates": done.updates,
            "halted": done.halted,
            "spent": done.spent,
            **{column.name: done.noise.get(column.name) for column in NOISE},
        }


def together(cell: ReleaseDrawn, m: int) -> int:
    """How many trials are drawn at once: as many as memory allows where m = 0 and sampling is not full, else one."""
    if m > 0 or cell.sampling == "full":
        return 1
    queries = cell.grid_cover.queries
    return max(1, min(FEW_TRIALS, MOST_ANSWERS // queries), min(MOST_TRIALS, CACHED_ANSWERS // queries))


def errors(
    cell: ReleaseDrawn, name: str, n: int, m: int, indices: range, runs: Callable[[int], Streams], which: str = "error"
) -> Reals:
    """The errors of one release in several runs, (runs,), at n private and m public points.

    runs: the streams of a run, or of those from that one on that are drawn together. which: the error's column, or another's.
    """
    parts, size = [], together(cell, m)
    for start in indices[::size]:
        drawing = ReleaseBlock(cell, m, runs(start), min(size, indices.stop - start) if size > 1 else None)
        column = drawing.made(releases()[name], drawing.cover(), n)[which]
        parts.append(np.atleast_1d(column() if callable(column) else column))
    return np.concatenate(parts)


def measure(cell: ReleaseCell, streams: BlockStreams) -> Measure:
    """Draws a block of trials: releases share public points, and private ones where they have as many, and no noise."""
    trials = together(cell, cell.public)
    drawing = ReleaseBlock(cell, cell.public, streams, trials if trials > 1 else None)
    cover = drawing.cover()
    return lambda name: drawing.made(releases()[name], cover, resolved(cell, name)["n"])


@kept
def asked_for(cell: ReleaseDrawn, name: str) -> Row:
    """The columns of the m and the n that a release needs to keep what it promises."""
    return {"m_needed": cell.explicit_m, "needed": cell.needed(releases()[name])}


@kept
def resolved(cell: ReleaseDrawn, name: str) -> Row:
    """The numbers that a cell's parameters come to for a release, by column.

    `bound` is alpha where n and m are what is asked for, and null where less is given, or alpha is trivial.
    """
    row = asked_for(cell, name)
    needed = row["needed"]
    n = needed if cell.n is None else cell.n
    covered = cell.public == 0 or (cell.explicit_m is not None and cell.public >= cell.explicit_m)
    promised = needed is not None and n is not None and n >= needed and covered and releases()[name].promises
    return row | {
        "n": n,
        "bound": cell.alpha if promised else None,
        "vacuous": not promised,
    }


def planned(cell: ReleaseCell, row: Row) -> Row:
    """The columns of a release's noise on the cover of a row and of the ε that the release keeps to; left out where unknown."""
    release, setting = releases()[row["mechanism"]], (row["n"], cell.on_cover)
    size: Size | Cover = Size(row["H"], row["log_X"])
    numbers, spent = release.numbers(size, *setting), release.spent(size, *setting)
    if release.private and None in (numbers, spent) and (release.on_grid or not cell.public):
        numbers, spent = release.numbers(cell.grid_cover, *setting), release.spent(cell.grid_cover, *setting)
    noise = {} if numbers is None else {column.name: numbers.get(column.name) for column in NOISE}
    return noise | ({} if spent is None and release.private else {"spent": spent})


def refuse(cell: ReleaseCell, name: str) -> Refusal | None:
    """Why a release cannot run on a cell, or None."""
    release = releases()[name]
    refusal = cell.refuse(release, cell.n)
    if refusal is not None:
        return refusal
    n = cell.n if cell.n is not None else cell.needed(release)
    if n is None:
        return Refusal(f"{name} has no guarantee that would say n; allowed: n", "n")
    if n > 10**15:
        return Refusal(f"{name} needs n = {n:.3g}; allowed: n ≤ 1e15", "alpha")
    if cell.sampling == "full" and cell.query_class.most_bits(n) > MOST_FULL:
        return Refusal(f"n = {n:.3g} would be drawn one by one; allowed: at most {MOST_FULL:g} numbers", "n")
    return None


POINTS = "points"
ACCURACY = Column("alpha", "real", "parameter", "error that is asked for", "α", title="error α that is asked for", caption=True)
PUBLIC = Column("m", "whole", "plan", "public points", "m", unit=POINTS, caption=True)
DUAL = Column("p", "whole", "parameter", "dual VC dimension", "p", caption=True)
NOISE = (
    Column("c", "real", "plan", "most releases of NumericSparse", "c", null=True),
    Column("eta", "real", "plan", "step of the multiplicative weights", "η", null=True),
    Column("threshold", "real", "plan", "threshold of NumericSparse before noise", "T", unit="share", null=True),
    Column("accuracy", "real", "plan", "accuracy that PMW is run with", "α′", unit="share", null=True),
    Column("sigma", "real", "plan", "scale of the noise on what is released", "σ", unit="share", null=True),
)
"""What mechanisms draw their noise with; a share is an average in [0, 1]."""

NEEDED = Column("needed", "whole", "plan", "n that its own guarantee asks for", unit="examples", null=True)
NAMED = {"concept": "class of queries", "distribution": "distribution of all points", "concept_parameters": "its dimensions"}
NAMES = tuple(
    column.but(meaning=NAMED.get(column.name, column.meaning))
    for column in TEXTS
    if column.name not in ("learner", "pac_bound")
)
COVER = Column("cover", "text", "parameter", "whose m is asked for: any, of any class; spacing, of this one")
GRID = Column("grid", "whole", "parameter", "cells of the fixed grid", unit="cells")
PARAMETERS = (
    *NAMES,
    COVER,
    *(V, DUAL, ACCURACY, EPS, DELTA, BETA),
    GRID,
    Column("m_needed", "whole", "plan", "m that the cover asks for", unit=POINTS, null=True),
    NEEDED,
)
COLUMNS = (
    *PARAMETERS,
    N,
    PUBLIC,
    Column("distinct", "whole", "votes", "distinct public points", "m̂", unit=POINTS),
    Column("H", "whole", "votes", "size of the cover H̃", "|H̃|", unit="queries", title="size of the cover |H̃|"),
    Column("log_X", "real", "votes", "logarithm of the size of the representative domain", "ln |X̃|", worse=True),
    Column("X", "real", "votes", "size of the representative domain", "|X̃|", unit="cells", null=True, worse=True),
    Column("radius", "real", "votes", "least radius of which H̃ is a cover", title="cover radius", worse=True),
    Column("error", "real", "measured", "error, the largest over H", title="largest error over H", worse=True, bound="bound"),
    Column("error_on_cover", "real", "measured", "error, the largest over H̃", title="largest error over H̃", worse=True),
    Column("updates", "whole", "measured", "updates of the weights", unit="updates", null=True, worse=True),
    Column("halted", "truth", "measured", "whether NumericSparse halted before all queries were asked"),
    SPENT.but(worse=True),
    *(column.but(worse=True) for column in NOISE),
    Column("bound", "real", "claimed", "claimed error", null=True, title="claimed: α"),
    VACUOUS,
)

RULES = (
    no_more("distinct", "m"),
    Rule("distinct = 0 just where m = 0", ("distinct", "m"), lambda distinct, m: (distinct == 0) == (m == 0)),
    at_least("H", 1),
    at_most("H", MOST_QUERIES),
    Rule(
        "X = e^log_X, null from 700 on",
        ("X", "log_X"),
        lambda X, log_X: np.where(log_X < 700, np.isclose(X, np.exp(log_X), rtol=ROUNDED, atol=0), np.isnan(X)),
        nulls=True,
    ),
    at_most("radius", 1),
    at_most("error", 2),
    Rule(
        "error_on_cover ≤ error ≤ error_on_cover + 2 radius",
        ("error_on_cover", "error", "radius"),
        lambda cover, error, radius: (cover <= error + ROUNDED) & (error <= cover + 2 * radius + ROUNDED),
    ),
    Rule("updates not null where c is not", ("updates", "c"), lambda updates, c: ~np.isnan(updates) | np.isnan(c), nulls=True),
    Rule("updates ≤ ⌈c⌉", ("updates", "c"), lambda updates, c: updates <= np.ceil(c)),
    Rule(
        "halted just where updates make c releases, one or two each",
        ("halted", "updates", "c"),
        lambda halted, updates, c: np.where(halted > 0, 2 * updates >= c, updates < c),
    ),
    Rule("bound = alpha", ("bound", "alpha"), lambda bound, alpha: bound == alpha),
    vacuous_without(),
)

KIND = Kind(
    name="release",
    cell=ReleaseCell,
    subjects=lambda: list(releases()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    block=lambda cell: together(cell, cell.public),
    resolved=resolved,
    planned=planned,
    waits=("H", "log_X"),
    rules=RULES,
    promises=(Promise("error_on_cover", "bound", betas=1),),
)
