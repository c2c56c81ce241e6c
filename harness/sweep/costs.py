"""What trials cost: measured where some have run, guessed from the most similar cells elsewhere."""

from collections.abc import Sequence

import numpy as np

from harness.arrays import Ints, Reals
from harness.trials.fields import Identified

Task = tuple[Identified, tuple[str, ...]]
"""A cell, and the mechanisms that its trials are for."""

Key = tuple[str, tuple[str, ...]]

ANCHORS = 64  # measured tasks that a guess looks at
DEARER = {"alpha": -1.0, "error": -1.0, "eps": 0.0, "delta": 0.0, "beta": 0.0, "gamma": 0.0}
"""How a trial's cost goes with an axis, where it is not that more is dearer."""


class Costs:
    """Seconds a trial, by task. It outlives a sweep's rounds, and what was measured before the run counts in it."""

    def __init__(self) -> None:
        self._spent: dict[Key, tuple[float, int]] = {}
        self._least: dict[Key, float] = {}

    def learn(self, task: Task, seconds: float, trials: int) -> None:
        """So many trials of a task took so long together."""
        self._least.pop(key(task), None)
        before, count = self._spent.get(key(task), (0.0, 0))
        self._spent[key(task)] = (before + seconds, count + trials)

    def at_least(self, task: Task, seconds: float) -> None:
        """A trial of a task takes longer than this."""
        self._least[key(task)] = seconds

    def of(self, task: Task) -> float | None:
        """Seconds a trial, by all that were measured, or at least so many; None where nothing is known."""
        seconds, trials = self._spent.get(key(task), (0.0, 0))
        return seconds / trials if trials else self._least.get(key(task))

    @property
    def all_ended(self) -> bool:
        """Whether no trial is known only to take longer than was waited for."""
        return not self._least


class Alike:
    """Tasks of one sweep, how alike they are, and what a trial of each costs."""

    def __init__(self, tasks: Sequence[Task], costs: Costs) -> None:
        self._tasks, self._costs = tasks, costs
        self._numbers, self._kinds, self._size = _features(tasks)
        self._guessed: Reals | None = None
        self._anchors = 0

    def next_to_measure(self, measured: Sequence[int]) -> int:
        """Which task to measure after these: first what is probably dearest, then what is least like any of them, large rather
        than small. What was measured so bounds what the others cost."""
        if not measured:
            return int(np.argmax(self._size))
        apart = np.min([self._apart(index) for index in measured], axis=0)
        return int(np.argmax(apart * (1 + self._size)))

    def seconds(self) -> Reals:
        """What a trial of each task costs, in their order; 0 where nothing is known of any."""
        known = [self._costs.of(task) for task in self._tasks]
        found = np.array([np.nan if cost is None else cost for cost in known])
        missing = np.isnan(found)
        if missing.any():
            found[missing] = self._guesses(found)[missing]
        return found

    def _guesses(self, known: Reals) -> Reals:
        """Means of the logarithms of what is known, weighted by the inverse square of how far the cells are apart.

        To make them takes time, so it is done when twice as many are known as before.
        """
        anchors = np.flatnonzero(~np.isnan(known))
        if self._guessed is None or len(anchors) >= 2 * self._anchors:
            self._anchors = len(anchors)
            chosen = anchors[:: max(1, len(anchors) // ANCHORS)]
            logs, weights = np.zeros(len(known)), np.zeros(len(known))
            for index in chosen:
                weight = 1 / (self._apart(index) ** 2 + 1e-6)
                logs += weight * np.log(max(known[index], 1e-7))
                weights += weight
            self._guessed = np.exp(logs / weights) if len(chosen) else np.zeros(len(known))
        return self._guessed

    def _apart(self, index: int) -> Reals:
        """How far each task is from one: the whole range of an axis counts as much as another name."""
        numbers = np.abs(self._numbers - self._numbers[index]).sum(axis=1)
        return np.asarray(numbers + (self._kinds != self._kinds[index]).sum(axis=1), dtype=np.float64)


def key(task: Task) -> Key:
    """What tells a task from others."""
    cell, names = task
    return cell.identity, names


def _features(tasks: Sequence[Task]) -> tuple[Reals, Ints, Reals]:
    """By task: the logarithms of the axes that vary, each from 0 to 1; codes of those that are no numbers; and their size."""
    axes = type(tasks[0][0]).model_fields if tasks else ()
    columns: dict[str, list[object]] = {axis: [getattr(cell, axis) for cell, _ in tasks] for axis in axes}
    columns["mechanisms"] = [len(names) for _, names in tasks]
    numbers, codes, size = [np.zeros(len(tasks))], [np.zeros(len(tasks), np.int64)], np.zeros(len(tasks))
    for name, values in columns.items():
        texts = list(map(str, values))
        if len(set(texts)) <= 1:
            continue
        if all(isinstance(value, int | float) and value > 0 for value in values):
            logs = np.log(np.array(values, dtype=np.float64))
            numbers.append((logs - logs.min()) / (logs.max() - logs.min() or 1.0))
            size += DEARER.get(name, 1.0) * numbers[-1]
        else:
            codes.append(np.unique(texts, return_inverse=True)[1])
    return np.stack(numbers, axis=1), np.stack(codes, axis=1), size - size.min(initial=0.0)
