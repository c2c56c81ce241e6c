"""What trials cost: measured where some have run, guessed from the most similar cells elsewhere."""

from collections import deque
from collections.abc import Collection, Sequence
from math import inf

import numpy as np

from harness.arrays import Ints, Reals
from harness.trials.fields import Identified

Task = tuple[Identified, tuple[str, ...]]
"""A cell, and the mechanisms that its trials are for."""

Key = tuple[str, tuple[str, ...]]

RECENT, FAR = 16, 4.0  # results of a task that tell what it costs now; what took so many times as long as the others is none
TINY = 1e-7  # seconds
ANCHORS = 64  # measured tasks that a guess looks at
DEARER = {"alpha": -1.0, "error": -1.0, "eps": 0.0, "delta": 0.0, "beta": 0.0, "gamma": 0.0}
"""How a trial's cost goes with an axis, where it is not that more is dearer."""


class Costs:
    """The seconds of a trial by task, as measured before a run and learned from its results; kept over all rounds of a sweep.

    A task's first trial in a run has more in it than a trial: its plan is solved, and code is loaded that is there later. It
    counts as long as little else is known of its task, made as much shorter as elsewhere later trials were than first ones.
    """

    def __init__(self) -> None:
        self._first: dict[Key, float] = {}
        self._later: dict[Key, deque[tuple[float, int]]] = {}
        self._usual: dict[Key, float] = {}
        self._sure = set[Key]()  # whose usual cost was measured apart, or more than once
        self._least: dict[Key, float] = {}
        self._share: float | None = None  # of a first trial that is a trial; None: to be found anew

    def measured(self, task: Task, seconds: float) -> None:
        """A trial of a task took so long when it was measured, without what only the first one takes."""
        self._sure.add(key(task))
        self._add(key(task), seconds, 1)

    def learn(self, task: Task, seconds: float, trials: int) -> None:
        """So many trials of a task took so long together in the run."""
        if key(task) in self._first:
            self._add(key(task), seconds, trials)
        else:
            self._first[key(task)] = seconds / trials
            self._least.pop(key(task), None)
            self._share = None

    def _add(self, of: Key, seconds: float, trials: int) -> None:
        self._least.pop(of, None)
        results = self._later.setdefault(of, deque(maxlen=RECENT))
        results.append((seconds, trials))
        self._usual[of], self._share = usual(results), None
        if len(results) > 1:
            self._sure.add(of)

    def at_least(self, task: Task, seconds: float) -> None:
        """A trial of a task takes longer than this."""
        self._least[key(task)] = seconds

    def of(self, task: Task) -> float | None:
        """Seconds a trial, by the latest that were measured, or at least so many; None where nothing is known."""
        which = key(task)
        if which in self._sure:
            return self._usual[which]
        if which not in self._first:
            return self._least.get(which)
        return min(self._first[which] * self._a_trial(), self._usual.get(which, inf))

    def _a_trial(self) -> float:
        """The share of a first trial that is what each later one takes too: in the middle of those tasks that tell."""
        if self._share is None:
            both = [
                self._usual[each] / self._first[each] for each in self._usual.keys() & self._first.keys() if self._first[each]
            ]
            self._share = min(1.0, float(np.median(both))) if both else 1.0
        return self._share

    @property
    def all_ended(self) -> bool:
        """Whether no trial is known only to take longer than was waited for."""
        return not self._least


def usual(results: Collection[tuple[float, int]]) -> float:
    """The mean seconds of a trial over results of so many trials each, without results at over FAR times the median.

    Each worker's first result of a task has the same in it as the first of all.
    """
    costs = sorted((seconds / trials, trials) for seconds, trials in results)
    seen, half = 0, sum(trials for _, trials in costs) / 2
    for middle, trials in costs:  # noqa: B007
        seen += trials
        if seen >= half:
            break
    kept = [(cost, trials) for cost, trials in costs if cost <= FAR * middle]
    return sum(cost * trials for cost, trials in kept) / sum(trials for _, trials in kept)


class Alike:
    """Tells the seconds that a trial of each task of a sweep takes: measured, or guessed from measured tasks like it."""

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
        """The seconds that a trial of each task takes, in their order; 0 where nothing is known of any."""
        costs = [self._costs.of(task) for task in self._tasks]
        trial_seconds = np.array([np.nan if cost is None else cost for cost in costs])
        missing = np.isnan(trial_seconds)
        if missing.any():
            trial_seconds[missing] = self._guesses(trial_seconds)[missing]
        return trial_seconds

    def _guesses(self, measured: Reals) -> Reals:
        """Means of the logarithms of what is known, weighted by the inverse square of how far the cells are apart.

        To make them takes time, so it is done when twice as many are known as before.
        """
        anchors = np.flatnonzero(~np.isnan(measured))
        if self._guessed is None or len(anchors) >= 2 * self._anchors:
            self._anchors = len(anchors)
            chosen = anchors[:: max(1, len(anchors) // ANCHORS)]
            logs, weights = np.zeros(len(measured)), np.zeros(len(measured))
            for index in chosen:
                weight = 1 / (self._apart(index) ** 2 + 1e-6)
                logs += weight * np.log(max(measured[index], TINY))
                weights += weight
            self._guessed = np.exp(logs / weights) if len(chosen) else np.zeros(len(measured))
        return self._guessed

    def _apart(self, index: int) -> Reals:
        """How far each task is from one: the whole range of an axis counts as much as another name."""
        numbers = np.abs(self._numbers - self._numbers[index]).sum(axis=1)
        return np.asarray(numbers + (self._kinds != self._kinds[index]).sum(axis=1), dtype=np.float64)


def key(task: Task) -> Key:
    """The key that tells a task from others: its cell's identity, and mechanisms."""
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
