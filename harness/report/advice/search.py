"""The settings at which a mechanism does best: each in turn, for as long as another value of any of them does better."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from harness.report.advice.means import MeanOfRuns

ROUNDS = 4
Setting = Mapping[str, Any]


@dataclass(frozen=True)
class GridSearch:
    """axes: the values of each setting. measure: what comes of them, None where they cannot be run.

    Runs at any two settings have their randomness in common. So where two values of a setting give the same number to the last
    digit, it has no say.
    """

    axes: Mapping[str, Sequence[Any]]
    measure: Callable[[Setting], MeanOfRuns | None]
    known: dict[tuple[Any, ...], MeanOfRuns | None] = field(default_factory=dict)

    def at(self, setting: Setting) -> MeanOfRuns | None:
        """What comes of a setting, measured once."""
        key = tuple(setting[axis] for axis in self.axes)
        if key not in self.known:
            self.known[key] = self.measure(setting)
        return self.known[key]

    def best(self, starts: Sequence[Setting], each: str) -> tuple[Setting, MeanOfRuns] | None:
        """The best that is found from some settings, at each value of one of the axes; None where nothing can be run.

        Where that axis has no say at the best of the starts, the others are left out.
        """
        first = min(starts, key=self._mean)
        others = [{**first, each: value} for value in self.axes[each]]
        if all(self.at(other) == self.at(first) for other in others):
            ends = [self._descended(first)]
        else:
            ends = [
                self._descended(min(({**start, each: value} for start in starts), key=self._mean)) for value in self.axes[each]
            ]
        at = min(ends, key=self._mean)
        found = self.at(at)
        return None if found is None else (at, found)

    def _descended(self, at: Setting) -> Setting:
        for _ in range(ROUNDS):
            before = at
            for axis in self.axes:
                at = self._along(at, axis)
            if at == before:
                break
        return at

    def says(self, setting: Setting) -> list[str]:
        """The settings that have a say there, as far as was tried."""
        own = self.at(setting)
        others = {
            axis: [self.known.get(self._key(setting, axis, value), own) for value in self.axes[axis]] for axis in self.axes
        }
        return [axis for axis, found in others.items() if any(each is not None and each != own for each in found)]

    def _key(self, setting: Setting, axis: str, value: Any) -> tuple[Any, ...]:
        return tuple({**setting, axis: value}[each] for each in self.axes)

    def _mean(self, setting: Setting) -> float:
        found = self.at(setting)
        return inf if found is None else found.mean

    def _along(self, at: Setting, axis: str) -> Setting:
        others = [{**at, axis: value} for value in self.axes[axis] if value != at[axis]]
        ends = [others[0], others[-1]] if others else []
        if self.at(at) is not None and all(self.at(end) == self.at(at) for end in ends):
            return at
        return min([at, *others], key=self._mean)
