"""What makes averages for all queries of a class from private and public points: one file a mechanism.

Each says the noise that it draws and the ε that it certainly keeps to at δ. Neighbours differ in one private point, so a
share of the n private points moves by at most 1/n. Averages are shares in [0, 1], and errors those of averages of ±1, twice
as large.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import log, sqrt
from typing import Literal

import numpy as np

from harness.arrays import Bools, Ints, Reals, Shared, shared
from harness.covers import Cover, Size
from harness.mechanisms import Mechanism
from harness.mechanisms.release.points import MovedPoint
from harness.registry import parts
from harness.theory.constants.bcmnuw20 import REPAIRED, PmwConstants, least

Inequality = Literal["Hoeffding", "DKW"]


@dataclass(frozen=True)
class ReleaseRequest:
    """What is asked of a release: error at most α but for a chance β, (ε, δ)-DP, and the constants that PMW is run with.

    sharp: whether promises bound the sample's error by the sharper of two inequalities; else by Hoeffding's, as tables have it.
    """

    alpha: float
    beta: float
    eps: float
    delta: float
    constants: PmwConstants
    sharp: bool = False

    def halved(self) -> "ReleaseRequest":
        """The request with half of α and half of β, as BCMNUW20 Algorithm 3 leaves to PMW: the rest is for the cover."""
        return replace(self, alpha=self.alpha / 2, beta=self.beta / 2)


EXAMPLE = ReleaseRequest(0.1, 0.05, 1.0, 1e-6, REPAIRED)


@dataclass(frozen=True)
class Site(Shared):
    """A cover with the shares of n private points on its X̃, of one trial or of several, (trials, …); None where n = 0."""

    cover: Cover
    n: int
    shares: Reals | None

    @cached_property
    def averages(self) -> Reals:
        """The averages of the private points, (…, |H̃|)."""
        assert self.shares is not None
        return shared(self.cover.answers(self.shares))

    def of(self, trial: int) -> "Site":
        """The site of one of the trials."""
        return Site(self.cover, self.n, None if self.shares is None else self.shares[trial])


@dataclass(frozen=True)
class Problem:
    """The input of a release: the accuracy and privacy asked for, and a cover with the private points on it.

    public: whether the cover is made of public points; else of a fixed grid.

    grid: the same private points on the cover of a fixed grid; asked for at most once.
    """

    request: ReleaseRequest
    site: Site
    public: bool
    grid: Callable[[], Site]

    @property
    def on_cover(self) -> ReleaseRequest:
        """What is asked for on the cover: where public points make it, the other halves of α and β are for that."""
        return self.request.halved() if self.public else self.request


@dataclass(frozen=True)
class Released:
    """What a release outputs: the averages and what it spent.

    answers: G on the H̃ of `cover`, as shares, (…, |H̃|). updates: of weights. halted: before all queries were asked.

    spent: an ε' at which it is certainly (ε', δ)-DP; 0 where it saw no private point, None where it promises nothing. noise:
    the numbers that it drew with.
    """

    cover: Cover
    answers: Reals
    spent: float | None
    updates: int | Ints | None = None
    halted: bool | Bools = False
    noise: Mapping[str, float] = field(default_factory=dict)


class Release(Mechanism):
    """A mechanism that releases the averages G of all functions of a class at once.

    needs_public, needs_private: what it cannot do without. ordered: whether it is for ordered cells alone.

    on_grid: whether it is on the fixed grid, whatever public points there are. at_once: whether `release` takes several trials
    as well, of one site; else it is given one after the other. sample: the share of beta that its `error` leaves to the sample.
    """

    needs_public: bool = False
    needs_private: bool = True
    ordered: bool = False
    on_grid: bool = False
    at_once: bool = False
    sample: float = 0.5

    @property
    def promises(self) -> bool:
        """Whether a guarantee of the release says how many private points are enough."""
        return self.needs_private and self.needed(Size(2, log(2), 1, 1), EXAMPLE) is not None

    @abstractmethod
    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        """Releases G for all of the cover, with noise from `rng`."""

    def release_block(self, problem: Problem, rng: np.random.Generator) -> Released:
        """Releases G in each of the trials of the problem's site, all with noise from `rng`."""
        shares, grid = problem.site.shares, cache(problem.grid)
        # at_once is said of the class alone that has this `release`.
        declaring = next(vars(each) for each in type(self).__mro__ if "release" in vars(each))
        if declaring.get("at_once") or shares is None:
            return self.release(problem, rng)

        def of(trial: int) -> Problem:
            return replace(problem, site=problem.site.of(trial), grid=lambda: grid().of(trial))

        made = [self.release(of(trial), rng) for trial in range(len(shares))]
        return replace(
            made[0],
            answers=np.array([each.answers for each in made]),
            updates=None if made[0].updates is None else np.array([each.updates for each in made]),
            halted=np.array([each.halted for each in made]),
        )

    def neighbours(self, cover: Cover, n: int) -> Sequence[MovedPoint]:
        """Neighbouring data sets of n points that an audit should try beside the usual ones; by default none."""
        return ()

    def numbers(self, size: Size | Cover, n: int, request: ReleaseRequest) -> Mapping[str, float] | None:
        """The numbers of the noise on n private points; None, as by default, where a cover's size does not say them."""
        return None

    def work(self, size: Size, n: int, request: ReleaseRequest) -> float:
        """About how many numbers a run goes through: those of all queries, once and at each update."""
        return size.queries * (1 + min((self.numbers(size, n, request) or {}).get("c", 0.0), size.queries))

    def spent(self, size: Size | Cover, n: int, request: ReleaseRequest) -> float | None:
        """An ε' that the release keeps to on n points; None, as by default, where there is none, or size does not say it."""
        return None

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float | None:
        """The error that the release guarantees on a cover of this size, but for a chance β; None where it guarantees none."""
        return None

    def sample_by(self, size: Size, request: ReleaseRequest) -> Inequality | None:
        """The inequality that the guarantee has for the error of the sample; None if there is none, or constants say n."""
        if self.error(size, 1, request) is None:
            return None
        errors = deviations(size, 1, self.sample * request.beta, request.sharp)
        return min(errors, key=lambda inequality: errors[inequality])

    def needed(self, size: Size, request: ReleaseRequest) -> int | None:
        """The least n at which the guaranteed `error` is at most α; None where there is no guarantee."""
        if self.error(size, 1, request) is None:
            return None
        return least(lambda n: (self.error(size, n, request) or 0.0) > request.alpha)


def sampling(size: Size, n: int, request: ReleaseRequest, share: float = Release.sample) -> float:
    """A bound on how far averages of n points err, which fails with chance share · β: the least that `deviations` gives."""
    return min(deviations(size, n, share * request.beta, request.sharp).values())


def deviations(size: Size, n: int, chance: float, sharp: bool = True) -> dict[Inequality, float]:
    """Bounds on how far averages of n points err that fail with `chance`, by inequality; Hoeffding's: √(2 ln(2|H̃|/chance)/n).

    sharp: where cells are ordered also r√(2 ln(2d/chance)/n), of r cumulative sums that make an average and d directions. By
    Dvoretzky, Kiefer and Wolfowitz, with Massart's constant, all sums of a direction are within half of √(2 ln(2/chance)/n).
    """
    errors: dict[Inequality, float] = {"Hoeffding": sqrt(2 * log(2 * size.queries / chance) / n)}
    if sharp and size.directions:
        errors["DKW"] = size.sums * sqrt(2 * log(2 * size.directions / chance) / n)
    return errors


def releases() -> Mapping[str, Release]:
    """All registered mechanisms that release averages, by name."""
    return parts("mechanism", of=Release)
