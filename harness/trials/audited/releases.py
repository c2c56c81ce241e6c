"""Releases: averages for thresholds on a grid of m places, of data sets that differ in one private point."""

from collections.abc import Iterator
from functools import cache, partial

import numpy as np

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.line import Line
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.neighbours import NeighbourPair
from harness.mechanisms.release import Problem, Release, ReleaseRequest, Site, releases
from harness.mechanisms.release.points import MovedPoint, usual
from harness.trials.audited.subject import AuditSetting, Subject, SubjectSort, named_constants
from harness.trials.release_cell import pmw_constants

FEW = 1000  # private points, where nothing says how many: noise is in proportion to 1/n
AT_ONCE = 64  # runs
"""Of a mechanism that is faster on many."""


@cache
def grid(places: int) -> Cover:
    """The cover of a grid of so many places, by thresholds."""
    return ThresholdQueries().grid(Line(), max(2, places))


def neighbours(
    release: Release, cover: Cover, request: ReleaseRequest, n: int, rng: np.random.Generator
) -> list[NeighbourPair]:
    """The pairs of neighbouring data sets to audit a release on: its own `neighbours`, then those tried of every release."""
    ends = cover.locate(np.array([0.0])), cover.locate(np.array([1.0]))
    names = tuple(f"average {place + 1}" for place in range(cover.queries))
    pairs: Iterator[MovedPoint] = iter([*release.neighbours(cover, n), *usual(cover, ends, n)])
    return [NeighbourPair(each.words, names, partial(outcomes, release, cover, request, n, each), AT_ONCE) for each in pairs]


def outcomes(
    release: Release,
    cover: Cover,
    request: ReleaseRequest,
    n: int,
    pair: MovedPoint,
    side: int,
    runs: int,
    rng: np.random.Generator,
) -> Reals:
    """The averages that so many runs release on one of two data sets, (runs, |H̃|)."""
    site = Site(cover, n, np.tile((pair.before, pair.after)[side], (runs, 1)))
    return release.release_block(Problem(request, site, release.needs_public, lambda: site), rng).answers


def subject(name: str, setting: AuditSetting) -> Subject:
    """The release of this name as a subject of audits, on n points, by default as many as its own guarantee asks for."""
    release, cover = releases()[name], grid(setting.m)
    constants = named_constants(setting, pmw_constants, "BCMNUW20")
    request = ReleaseRequest(setting.alpha, setting.beta, setting.eps, setting.delta, constants)
    size = Size(cover.queries, cover.log_cells, directions=1, sums=1)
    n = setting.n or release.needed(size, request) or FEW
    site = Site(cover, n, cover.uniform())
    done = release.release(Problem(request, site, release.needs_public, lambda: site), np.random.default_rng(0))
    return Subject.of(release, setting.eps, done.spent, partial(neighbours, release, cover, request, n))


SORT = SubjectSort("release", releases, subject)
