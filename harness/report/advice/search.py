"""The settings at which a mechanism does best: each in turn, for as long as another value of any of them does better."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Self

from pydantic import BaseModel

from harness.report.advice.means import MeanOfRuns

ROUNDS = 4
Setting = Mapping[str, Any]


class TriedQuestion(BaseModel, frozen=True):
    """The base of questions of advice for which mechanisms' best settings are found by trial runs, and n or m can be varied."""

    @abstractmethod
    def tried(self, name: str) -> tuple[Setting, MeanOfRuns] | None:
        """A mechanism at its best of half of the settings, and its error there; None where it cannot be run."""

    def value(self, axis: str) -> int:
        """n or m."""
        return int(getattr(self, axis))

    def moved(self, axis: str, value: int) -> Self:
        """The question with another n or m."""
        return self.model_copy(update={axis: value})

    def least(self, name: str, below: float = inf) -> float:
        """The error of a mechanism at its best; infinite where it cannot be run."""
        best = self.tried(name)
        return best[1].mean if best else inf


@dataclass(frozen=True)
class GridSearch:
    """A search on a grid for settings of least error. axes: each setting's values. measure: gives the error, None for no run.

    Runs at any two settings have their randomness in common. So where two values of a setting give the same number to the last
    digit, it has no say.
    """

    axes: Mapping[str, Sequence[Any]]
    measure: Callable[[Setting], MeanOfRuns | None]
    measured: dict[tuple[Any, ...], MeanOfRuns | None] = field(default_factory=dict)

    def error(self, setting: Setting) -> MeanOfRuns | None:
        """The error at a setting, measured once."""
        key = self._key(setting)
        if key not in self.measured:
            self.measured[key] = self.measure(setting)
        return self.measured[key]

    def best(self, starts: Sequence[Setting], branches: str) -> tuple[Setting, MeanOfRuns] | None:
        """The best that is found from some settings, at each value of the axis `branches`; None where nothing can be run.

        Where that axis has no say at the best of the starts, the others are left out.
        """
        first = min(starts, key=self._mean)
        others = [{**first, branches: value} for value in self.axes[branches]]
        if any(self.error(other) != self.error(first) for other in others):
            groups = ([{**start, branches: value} for start in starts] for value in self.axes[branches])
            ends = [self._descended(min(group, key=self._mean)) for group in groups]
        else:
            ends = [self._descended(first)]
        setting = min(ends, key=self._mean)
        error = self.error(setting)
        return None if error is None else (setting, error)

    def _descended(self, setting: Setting) -> Setting:
        for _ in range(ROUNDS):
            before = setting
            for axis in self.axes:
                setting = self._along(setting, axis)
            if setting == before:
                break
        return setting

    def says(self, setting: Setting) -> list[str]:
        """The settings that have a say there, as far as was tried."""
        here = self.error(setting)
        others = {
            axis: [self.measured.get(self._key({**setting, axis: value}), here) for value in values]
            for axis, values in self.axes.items()
        }
        return [axis for axis, errors in others.items() if any(error is not None and error != here for error in errors)]

    def _key(self, setting: Setting) -> tuple[Any, ...]:
        return tuple(setting[axis] for axis in self.axes)

    def _mean(self, setting: Setting) -> float:
        error = self.error(setting)
        return inf if error is None else error.mean

    def _along(self, setting: Setting, axis: str) -> Setting:
        others = [{**setting, axis: value} for value in self.axes[axis] if value != setting[axis]]
        ends = [others[0], others[-1]] if others else []
        if self.error(setting) is not None and all(self.error(end) == self.error(setting) for end in ends):
            return setting
        return min([setting, *others], key=self._mean)
