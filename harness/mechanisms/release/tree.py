"""Gaussian noise on sums of ordered cells, from which every average follows: on cumulative sums, or on a binary tree of cells.

After the noise, cumulative sums are made to rise from 0 to 1 again, by isotonic regression, which costs no privacy.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil, exp, log2, sqrt

import numpy as np
import scipy
from scipy.special import ndtri

from harness.arrays import Reals
from harness.covers import Cover, Size
from harness.covers.runs import RunsCover
from harness.mechanisms.release import Problem, Release, Released, ReleaseRequest, sampling
from harness.mechanisms.release.noisy import GaussianAverages, gaussian_sigma
from harness.theory.privacy.gaussian import gaussian_eps


class GaussianSums(Release):
    """Averages from cumulative sums of cells, each with N(0, σ²): as many noises as cells, whatever the number of queries."""

    name = "gaussian_sums"
    source = "Balle, Wang 2018 Theorem 8, on cumulative sums"
    legend = "Gaussian noise on cumulative sums"
    private = True
    at_once = True
    ordered = True

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float | None:
        """The guaranteed error: the noise on as many cumulative sums as an average has; isotonic regression adds nothing."""
        if not size.directions:
            return None
        cells = max(2, round(exp(size.log_cells / size.directions)))
        sigma = gaussian_sigma(size.directions * self.moved(cells), n, request.eps, request.delta)
        far = -float(ndtri(request.beta / (4 * size.directions * cells))) * sigma * sqrt(self.nodes(cells))
        return sampling(size, n, request) + 2 * size.sums * far

    def nodes(self, cells: int) -> float:
        """How many noises a cumulative sum has at most."""
        return 1

    def moved(self, cells: int) -> float:
        """The square of how far one point moves what is noised, times n², of a segment of so many cells."""
        return max(1, cells - 1)

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        assert isinstance(site.cover, RunsCover) and site.shares is not None
        cells = np.diff(site.cover.ends)
        sigma = self._sigma(site.cover, site.n, request)
        sums, start = site.cover.sums(site.shares), 0
        for count in cells:
            inner = slice(start + 1, start + int(count))
            for of_trial in np.atleast_2d(sums)[:, inner] if count > 1 else ():
                rising = scipy.optimize.isotonic_regression(of_trial + self.noise(int(count), sigma, rng)).x
                of_trial[:] = np.clip(rising, 0, 1)
            start += int(count) + 1
        spent = self.spent(site.cover, site.n, request)
        return Released(site.cover, site.cover.of_sums(sums), spent, noise={"sigma": sigma})

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float] | None:
        return {"sigma": self._sigma(size, n, request)} if isinstance(size, RunsCover) else None

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float | None:
        if not isinstance(size, RunsCover):
            return None
        return gaussian_eps(sqrt(self._moved(size)) / n / self._sigma(size, n, request), request.delta)

    def _moved(self, cover: RunsCover) -> float:
        """The square of how far one point moves all that is noised, times n²."""
        return sum(self.moved(int(each)) for each in np.diff(cover.ends))

    def _sigma(self, cover: RunsCover, n: int, request: ReleaseRequest) -> float:
        return gaussian_sigma(self._moved(cover), n, request.eps, request.delta)

    def noise(self, cells: int, sigma: float, rng: np.random.Generator) -> Reals:
        """Draws the noise on the sums of the first 1, 2, …, cells − 1 cells."""
        return np.asarray(rng.normal(0, sigma, cells - 1))


class GaussianTree(GaussianSums):
    """Averages from a binary tree of cells, with N(0, σ²) on each node: a point moves two nodes a level.

    A cumulative sum is of at most one node a level.
    """

    name = "gaussian_tree"
    source = "Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011, with Gaussian noise"
    legend = "tree of Gaussians"

    def nodes(self, cells: int) -> float:
        return levels(cells)

    def moved(self, cells: int) -> float:
        return 2 * levels(cells)

    def noise(self, cells: int, sigma: float, rng: np.random.Generator) -> Reals:
        sums, summed = np.arange(1, cells), np.zeros(cells - 1)
        for level in range(levels(cells)):
            nodes = rng.normal(0, sigma, (cells >> level) + 1)
            summed += np.where(sums >> level & 1, nodes[(sums >> level) - 1], 0.0)
        return summed


def levels(cells: int) -> int:
    """The number of levels of a binary tree over so many cells, at least 1, without the root, whose total is public."""
    return max(1, ceil(log2(cells)))


class PrivateGrid(Release):
    """Averages of private points alone, on a fixed grid: by a tree of Gaussians on ordered cells, else with noise on each."""

    name = "private_grid"
    source = "no public points, for comparison"
    legend = "private points alone, fixed grid"
    private = True
    at_once = True
    on_grid = True

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site = problem.grid()
        return self._own(site.cover).release(replace(problem, site=site), rng)

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float] | None:
        return self._own(size).numbers(size, n, request) if isinstance(size, Cover) else None

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float | None:
        return self._own(size).spent(size, n, request) if isinstance(size, Cover) else None

    def _own(self, cover: Cover) -> Release:
        """What it is on a cover."""
        return GaussianTree() if isinstance(cover, RunsCover) else GaussianAverages()


MECHANISM = (GaussianSums(), GaussianTree(), PrivateGrid())
