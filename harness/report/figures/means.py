"""The mean of a count over trials, beside what is claimed of it."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.claims.engine import Event
from harness.claims.registry import claims
from harness.report import style
from harness.report.figures.marks import Mark, MarkPlot
from harness.report.settings import View

LEVEL = 0.95
RATES = ("misclassification_rate", "fresh_error")  # of m queries


class Means(MarkPlot):
    """Bounds: a mechanism's own on its misclassification rate, T on its ⊥s, else that of the spec's claim about the column."""

    name = "means"

    def mark(self, rows: pd.DataFrame, view: View) -> Mark:
        first = rows.iloc[0]
        values = rows[view.figure.y].dropna().to_numpy(float)
        if not len(values):  # a sampler or mechanism that does not say
            return Mark(np.nan, np.nan, np.nan, {})
        mean = float(values.mean())
        low, high = mean_interval(values)
        unit = 1.0 / first["m"] if view.figure.y in RATES else 1.0
        bounds = self._bounds(first, view)
        return Mark(
            value=mean,
            low=min(low, mean),  # equal values can differ from their mean by rounding
            high=max(high, mean),
            bounds=bounds,
            hollow=bool(first["vacuous"]) and not bounds,
            floor=unit / len(values),
        )

    def _bounds(self, first: pd.Series, view: View) -> dict[str, float]:
        if view.figure.y in ("misclassification_rate", "bottoms") and first["vacuous"]:
            return {}
        if view.figure.y == "misclassification_rate":
            return {f"bound, {style.style(first['mechanism']).label}": float(first["bound"])}
        if view.figure.y == "bottoms":
            return {"cutoff T": float(first["T"])}
        found = {}
        for claim in (claims()[name] for name in view.spec.claims):
            event = claim.decider
            if isinstance(event, Event) and event.quantity == view.figure.y and claim.applies(first):
                found[claim.id] = event.bound(first)
        return {name: bound for name, bound in found.items() if bound is not None}

    def mechanisms(self, frame: pd.DataFrame, view: View) -> Sequence[str]:
        """Only the ones that have a cutoff T ever answer ⊥."""
        rows = frame[frame["T"].notna()] if view.figure.y == "bottoms" else frame
        return list(rows["mechanism"].unique())

    def axis_label(self, view: View) -> str:
        return view.label(view.figure.y)

    def caption(self, view: View) -> str:
        return f"bars: {LEVEL:.0%} intervals of the mean"


def mean_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The percentile bootstrap's interval of the mean, from 2000 resamples."""
    return _bootstrapped(np.sort(values).tobytes())


@lru_cache(4096)  # panels and legend ask for the same ones
def _bootstrapped(values: bytes) -> tuple[float, float]:
    """A resample of counts is a multinomial draw over the values that occur, few of them however many the trials."""
    occurring, times = np.unique(np.frombuffer(values), return_counts=True)
    shares = np.random.default_rng(0).multinomial(times.sum(), times / times.sum(), size=2000) / times.sum()
    low, high = np.quantile(shares @ occurring, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


PLOT = Means()
