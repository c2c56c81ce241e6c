"""The least n that is enough, with an interval: a search that spends runs where they inform, and knows what it has shown.

There is a chance of failure at every n, which does not grow with n. n* is the least n at which it is at most what is allowed.
Each point of a fixed grid has a confidence sequence of its own for its chance of failure, and all of these together are right
with probability 1 − error, whatever points are visited, in what order, and how often. So where the search goes is guesswork,
and what it finds is not: the chance is too large at `low` and small enough at `high`, so low < n* ≤ high.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, copysign, exp, inf, log, sqrt

import numpy as np

from harness.arrays import Bools
from harness.theory.confidence import excludes

RATIO = 1.02  # between neighbours on the grid
LOOK = 12  # runs that make up a guess
SURER = 8 * LOOK  # where the first guesses led astray
FINE = 4  # grid steps within which an end of the interval is usually not moved any more
STRIDE = 70  # grid steps, a factor of 4, from one guess to the next until the answer is between two of them


@dataclass(frozen=True)
class SearchBudget:
    """Where a search spends fewer runs than its budget, as at an n whose runs show little; by default it gives up no n early.

    hope: an n is given up where its share of failures, were it so many standard errors farther from what is allowed, would
    still show nothing at the end of the budget. growth: the share of the runs at an n by which these grow from one look to the
    next. stride: grid steps to the next n from a first one that showed nothing. wide: where the interval's ends are more than
    so many times apart, it is looked for once more, with surer guesses.
    """

    hope: float = inf
    growth: float = 1.0
    stride: int = 1
    wide: float = inf


@dataclass(frozen=True)
class Found:
    """The interval that a search found for the least n that is enough.
    low: the largest n shown to be too small, 0 if none was. high: the least shown to be enough, or None. runs: spent.
    """

    low: int
    high: int | None
    runs: int


Probe = Callable[[int, range], Bools]
"""Which of the runs of these indices fail at an n, each independently of all others."""


def one_by_one(fails: Callable[[int, int], bool]) -> Probe:
    """The probe that makes runs one after the other. fails: whether the run of an index fails at an n."""
    return lambda n, indices: np.fromiter((fails(n, index) for index in indices), np.bool_, len(indices))


class Search:
    """A search for the least n that is enough. probe: which runs fail. allowed: the chance of a failing run, in (0, 1).

    most: the largest n to try. error: of the interval. budget: runs at any one n. ratio: between neighbours on the grid.
    close: whether both ends are moved inwards as far as the budget shows, where runs are cheap. patience: where to spend less
    than the budget, which touches how narrow the interval is and never whether it is right.
    """

    def __init__(
        self,
        probe: Probe,
        allowed: float,
        most: int,
        error: float,
        budget: int,
        ratio: float = RATIO,
        patience: SearchBudget = SearchBudget(),
        close: bool = False,
    ) -> None:
        self._probe, self._allowed, self._budget, self._step = probe, allowed, budget, log(ratio)
        self._patience, self._look, self._close = patience, LOOK, close
        self._last = int(log(most) / self._step)
        self._error = error / (self._last + 1)
        self._seen: dict[int, tuple[int, int]] = {}

    def point(self, g: int) -> int:
        """n at a point of the grid, g ≥ 0."""
        return ceil(exp(g * self._step))

    def find(self, start: int) -> Found:
        """Searches from a first guess at n*: the interval that is found."""
        interval = self._found(start)
        if interval.high is None or interval.high <= self._patience.wide * max(1, interval.low):
            return interval
        self._look = SURER
        return self._found(start)

    def _found(self, start: int) -> Found:
        low, high = self._bracket(min(self._last, max(0, round(log(start) / self._step))))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._seems_enough(middle) else (middle, high)
        enough = self._first_shown(high, +1) if high <= self._last else None
        too_small = self._first_shown(low, -1) if low >= 0 else None
        runs = sum(runs for _, runs in self._seen.values())
        return Found(0 if too_small is None else self.point(too_small), None if enough is None else self.point(enough), runs)

    def _bracket(self, guess: int) -> tuple[int, int]:
        """Grid points that seem too small, or −1 below them all, and enough, or one beyond them all."""
        step = -STRIDE if self._seems_enough(guess) else STRIDE
        while 0 <= guess + step <= self._last:
            guess += step
            if self._seems_enough(guess) != (step < 0):
                return (guess, guess + STRIDE) if step < 0 else (guess - STRIDE, guess)
        return (-1, guess) if step < 0 else (guess, self._last + 1)

    def _seems_enough(self, g: int) -> bool:
        failures, runs = self._run(g, self._look)
        return failures <= self._allowed * runs

    def _first_shown(self, g: int, direction: int) -> int | None:
        """From a grid point on, about the first that is shown to be enough (+1) or too small (−1).

        In longer and longer steps, the last of which is halved again.
        """
        step = 1
        while self._close and self._shown(g) == direction and 0 <= g - direction * step <= self._last:
            g -= direction * step
            step *= 2
        step, open_end = 1 if self._shown(g) else self._patience.stride, g
        while self._shown(g) != direction:
            open_end, g = g, g + direction * step
            step *= 2
            if not 0 <= g <= self._last:
                return None
        while abs(g - open_end) > (1 if self._close else FINE):
            middle = (g + open_end) // 2
            if self._shown(middle) == direction:
                g = middle
            else:
                open_end = middle
        return g

    def _shown(self, g: int) -> int:
        """+1 where the chance is shown to be small enough, −1 where it is shown to be too large, 0 where the budget ends."""
        while True:
            failures, runs = self._run(g, LOOK)
            if excludes(self._allowed, failures, runs, self._error):
                return +1 if failures < self._allowed * runs else -1
            if runs >= self._budget or self._hopeless(failures, runs):
                return 0
            self._run(g, min(self._budget, runs + max(LOOK, int(self._patience.growth * runs))))

    def _hopeless(self, failures: int, runs: int) -> bool:
        """Whether so many failures let expect that the budget ends with nothing shown."""
        away = failures / runs - self._allowed
        farther = away + copysign(self._patience.hope * sqrt(self._allowed * (1 - self._allowed) / runs), away)
        likely = round(self._budget * min(1.0, max(0.0, self._allowed + farther)))
        return self._patience.hope < inf and not excludes(self._allowed, likely, self._budget, self._error)

    def _run(self, g: int, runs: int) -> tuple[int, int]:
        """(failures, runs) at a grid point, of at least so many runs."""
        failures, done = self._seen.get(g, (0, 0))
        if runs > done:
            failures += int(self._probe(self.point(g), range(done, runs)).sum())
            self._seen[g] = failures, runs
        return failures, max(done, runs)
