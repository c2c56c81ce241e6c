"""The mean of a count over trials, beside what is claimed of it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.claims.engine import Claim, Event
from harness.claims.registry import claims
from harness.report import style
from harness.report.figures.marks import OWN, Mark, MarkPlot
from harness.report.settings import View
from harness.sweep.table.samples import Sample
from harness.trials.columns import VACUOUS, Column

LEVEL = 0.95
RESAMPLED = 5000  # different values of a mean that is resampled; of more the resamples are normal
FEW = 3  # of so many trials the resampled mean of one value alone is likely enough to end the interval


class Means(MarkPlot):
    """Plots the mean of a column over trials, beside the column that is declared to be its bound.
    Where that is empty, or there is none, the bounds are those of the spec's claims about it.
    """

    name = "means"
    counts = True
    by_cell = True
    drawn: ClassVar[Sequence[str] | None] = ()
    sampled: ClassVar[bool] = True

    def sample(self, rows: pd.DataFrame, view: View) -> Sample:
        """The sample that a mark is the mean of."""
        return view.sample(rows, view.figure.y)

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first, of, sample = rows.iloc[0], view.table[view.figure.y].of, self.sample(rows, view)
        if not sample.trials:  # a sampler or mechanism that does not say
            return mean_mark(sample)
        bounds = self._bounds(first, view)
        floor = (1.0 / first[of] if of else 1.0) / sample.trials
        return replace(mean_mark(sample), bounds=bounds, hollow=view.vacuous(first) and not bounds, floor=floor)

    def _bounds(self, first: pd.Series, view: View) -> dict[str, float]:
        bound = self._declared(view)
        if bound and not view.vacuous(first):
            label = f"{OWN}{style.style(first['mechanism']).legend}"
            return {bound.heading if bound.role == "plan" else label: float(first[bound.name])}
        bounds = {}
        for claim in (claims()[name] for name in view.spec.claims):
            event = claim.decider
            if isinstance(event, Event) and event.quantity == view.figure.y and claim.applies(first):
                bounds[_said(claim, event, view)] = event.bound(first)
        return {name: bound for name, bound in bounds.items() if bound is not None}

    def shared_bound(self, frame: pd.DataFrame, view: View) -> str:
        bound = self._declared(view)
        if bound is None or bound.role == "plan":
            return ""
        claimed = frame[frame[bound.name].notna() & ~frame.get(VACUOUS.name, pd.Series(False, frame.index)).astype(bool)]
        alike = claimed.groupby("cell")[bound.name].nunique().max() == 1
        return bound.heading if alike and claimed["mechanism"].nunique() > 1 else ""

    def mechanisms(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        """Of a count that plans have a limit on, only those whose plan has it: without a cutoff T none ever answers ⊥."""
        bound = self._declared(view)
        rows = frame[frame[bound.name].notna()] if bound and bound.role == "plan" else frame
        return list(rows["mechanism"].unique())

    def _declared(self, view: View) -> Column | None:
        """The column with what is claimed of what is drawn, where one is declared."""
        return view.table.get(view.table[view.figure.y].bound)

    def axis_label(self, view: View) -> str:
        return view.heading(view.figure.y)

    def caption(self, view: View) -> str:
        trials = view.spec.trials
        if isinstance(trials, int) and trials <= FEW:
            return "bars: from the least to the largest of them, down to the axis where the least is 0"
        return f"bars: {LEVEL:.0%} intervals of the mean, down to the axis where they include 0"

    def of_numbers(self, view: View) -> str:
        return super().of_numbers(view).partition(", down to the axis")[0]


def _said(claim: Claim, event: Event, view: View) -> str:
    """What the legend calls a claim's bound: what it is, where that has a name, else where it is claimed."""
    limit = event.limits[0]
    symbol = view.table[limit.most].symbol if isinstance(limit.most, str) and limit.most in view.table else ""
    most = limit.said or symbol
    return f"claimed: {most}" if most else claim.place


def mean_mark(sample: Sample) -> Mark:
    """The mark of a sample's mean, with an interval that has the mean in it; NaN of no trials.
    Equal values can differ from their mean by rounding.
    """
    if not sample.trials:
        return Mark(np.nan, np.nan, np.nan, {})
    mean, (low, high) = sample.mean, mean_interval(sample)
    return Mark(mean, min(low, mean), max(high, mean), {})


def mean_interval(sample: Sample) -> tuple[float, float]:
    """The percentile bootstrap's interval of a sample's mean, from 2000 resamples.

    Of more than RESAMPLED different values it is the normal one, to which that comes: resamples would take 16 kB a value.
    """
    occurring = sample.occurring(RESAMPLED)
    if occurring is None:
        reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(sample.squares) / sample.trials
        return sample.mean - reach, sample.mean + reach
    values, times = occurring
    return _bootstrapped(values.tobytes(), times.tobytes())


@lru_cache(4096)  # panels and legend ask for the same ones
def _bootstrapped(values: bytes, numbers: bytes) -> tuple[float, float]:
    """A resample of counts is a multinomial draw over the values that occur, few of them however many the trials."""
    occurring, times = np.frombuffer(values), np.frombuffer(numbers, np.int64)
    shares = np.random.default_rng(0).multinomial(times.sum(), times / times.sum(), size=2000) / times.sum()
    low, high = np.quantile(shares @ occurring, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


PLOT = Means()
