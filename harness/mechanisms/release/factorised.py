"""Gaussian noise by a factorisation of the queries' matrix that is found for the largest error.

Averages are W x, x the shares of the cells, and W = L R + c 1ᵀ for any c, as shares add up to 1. Released is W x + L z, which
follows from Gaussian noise z on R x. What counts is the longest row of L times how far R x moves with a point. (For columns in
place of differences of columns the least product is the norm γ₂ of W: Edmonds, Nikolov, Ullman 2020.)
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, sqrt

import numpy as np
from scipy.special import ndtri

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.runs import RunsCover
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling
from harness.mechanisms.release.histogram import GaussianHistogram
from harness.mechanisms.release.noisy import GaussianAverages, gaussian_sigma
from harness.mechanisms.release.square_root import SquareRootSums
from harness.theory.privacy.gaussian import gaussian_eps

MOST_WORK = 5e7
"""|H̃| |X̃| min(|H̃|, |X̃|) of a cover up to which a factorisation is searched for."""

STEPS = 30
"""Of the search, at most."""

NEAR = 1.01
"""How near the product of the longest row and column to the sum of singular values, which it is at least, where it ends."""

LEAST = 1e-7
"""A singular value, as a share of the largest, below which it is raised: L R stays what it is."""

AT_ONCE = 100
"""So many numbers of a matrix product take as long as one elsewhere."""

ROUNDING = 1e-9
"""More than the last digits of a matrix product."""


@dataclass(frozen=True, eq=False)
class Factors:
    """A factorisation L R of the queries' matrix, for noise L z.

    left: L, (|H̃|, rank). moved: how far R x moves with a point, times n. row: the length of the longest row of L.
    """

    left: Reals
    moved: float
    row: float

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        """The error that Gaussian noise by these factors keeps to but for a chance β, with that of the sample."""
        far = -float(ndtri(request.beta / (4 * size.queries)))
        sigma = gaussian_sigma(self.moved**2, n, request.eps, request.delta)
        return sampling(size, n, request) + 2 * far * self.row * sigma


class FactorisedAverages(Release):
    """Averages with Gaussian noise by a factorisation of the queries' matrix: searched for, or in closed form.

    In closed form where the cover is large or that is promised to err less.

    The closed forms are noise on the averages themselves, on the cells, and on cumulative sums by their square root.
    """

    name = "factorised_averages"
    source = "Edmonds, Nikolov, Ullman 2020: the factorisation mechanism; Balle, Wang 2018 Theorem 8"
    legend = "factorised averages"
    private = True
    at_once = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        cover, size = site.cover, size_of(site.cover)
        promised = promises(size, site.n, request)
        closed = min(promised, key=lambda name: promised[name])
        by_search = factors(cover) if searched(cover) else None
        if by_search is None or by_search.error(size, site.n, request) > promised[closed]:
            return CLOSED[closed].release(problem, rng)
        sigma = gaussian_sigma(by_search.moved**2, site.n, request.eps, request.delta)
        drawn = rng.normal(0, sigma, (*site.averages.shape[:-1], by_search.left.shape[1])) @ by_search.left.T
        spent = gaussian_eps(by_search.moved / site.n / sigma, request.delta)
        return Released(cover, site.averages + drawn, spent, noise={"sigma": sigma})

    def work(self, size: Size, n: int, request: ReleaseRequest) -> float:
        search = exp(min(size.log_cells, log(MOST_WORK) + 1)) * size.queries
        search *= min(size.queries, search / size.queries)
        return size.queries + STEPS * min(search, MOST_WORK) / AT_ONCE

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        """The least of the closed forms: what is found is taken only where it is promised to err no more."""
        return min(promises(size, n, request).values())


CLOSED: dict[str, Release] = {each.name: each for each in (GaussianAverages(), GaussianHistogram(), SquareRootSums())}


def promises(size: Size, n: int, request: ReleaseRequest) -> dict[str, float]:
    """The error that each mechanism with a closed-form factorisation promises on covers of this size, by mechanism name."""
    errors = {name: each.error(size, n, request) for name, each in CLOSED.items()}
    return {name: error for name, error in errors.items() if error is not None}


def size_of(cover: Cover) -> Size:
    """A cover's numbers of queries and cells; on ordered cells also of directions, and the most sums that make an average."""
    if not isinstance(cover, RunsCover):
        return Size(cover.queries, cover.log_cells)
    segment = np.searchsorted(cover.ends, cover.starts[:, :1], side="right").clip(1, len(cover.ends) - 1)
    bounds = cover.ends[segment - 1], cover.ends[segment]
    some = cover.starts < cover.stops
    inner = [some & (edges != bounds[0]) & (edges != bounds[1]) for edges in (cover.starts, cover.stops)]
    most = int((inner[0].sum(axis=1) + inner[1].sum(axis=1)).max())
    cells = int(np.diff(cover.ends).max())
    directions = len(cover.ends) - 1
    return Size(cover.queries, directions * log(cells), directions, max(1, most))


def searched(cover: Cover) -> bool:
    """Whether a factorisation is searched for on a cover: its cells are listed, in one segment, and few enough."""
    cells = len(cover.masses)
    listed = not cover.separate and (not isinstance(cover, RunsCover) or len(cover.segments) == 1)
    return listed and cells > 1 and cover.queries * cells * min(cover.queries, cells) <= MOST_WORK


def factors(cover: Cover) -> Factors:
    """The best factors that a search finds of the queries' matrix, less the mean of each row."""
    table = np.ascontiguousarray(cover.table(), dtype=bool)
    return _factors(table.tobytes(), table.shape)


@lru_cache(64)
def _factors(table: bytes, shape: tuple[int, ...]) -> Factors:
    """Factors by the numbers of the matrix: covers of the same public points have the same."""
    matrix = np.frombuffer(table, dtype=bool).reshape(shape).astype(np.float64)
    matrix -= matrix.mean(axis=1, keepdims=True)
    rows, columns = (np.full(count, 1 / count) for count in matrix.shape)
    tried = list[Factors]()
    for _ in range(STEPS):
        left, right, total = split(matrix, rows, columns)
        of_rows, of_columns = (left**2).sum(axis=1), (right**2).sum(axis=0)
        tried.append(Factors(left, farthest(right), sqrt(of_rows.max())))
        if sqrt(of_rows.max() * of_columns.max()) <= NEAR * total:
            break
        # Weights rise where rows and columns are long. At a fixed point all that have weight are of one length.
        rows, columns = (weights * lengths for weights, lengths in ((rows, of_rows), (columns, of_columns)))
        rows, columns = (np.maximum(each / each.sum(), 1e-12) for each in (rows, columns))
    return min(tried, key=lambda one: one.row * one.moved)


def split(matrix: Reals, rows: Reals, columns: Reals) -> tuple[Reals, Reals, float]:
    """L and R whose product is the matrix, from U S Vᵀ = √rows · matrix · √columns: U √S Vᵀ and V √S Vᵀ; and the sum of S.

    V comes from the smaller of two squares. It is orthogonal, so that L R is exact whatever S is taken for. With it on both
    sides of S neither L nor R, nor the noise, depends on which eigenvectors a processor comes by.
    """
    if len(rows) < len(columns):
        right, left, total = split(matrix.T, columns, rows)
        return left.T, right.T, total
    weighted = np.sqrt(rows)[:, np.newaxis] * matrix * np.sqrt(columns)
    squares, basis = np.linalg.eigh(weighted.T @ weighted)
    values = np.sqrt(np.maximum(squares, 0))
    roots = np.sqrt(np.maximum(values, max(LEAST * values.max(), 1e-300)))
    left = weighted @ (basis / roots @ basis.T) / np.sqrt(rows)[:, np.newaxis]
    return left, basis * roots @ basis.T / np.sqrt(columns), float(values.sum())


def farthest(right: Reals) -> float:
    """The largest distance between two columns of a matrix."""
    squares = (right**2).sum(axis=0)
    return sqrt(float((squares[:, np.newaxis] + squares - 2 * right.T @ right).max()) * (1 + ROUNDING))


MECHANISM = FactorisedAverages()
