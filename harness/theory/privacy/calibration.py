"""A calibration: how the noise scale λ and the threshold w follow from what is claimed of a run.

That is (ε, δ)-DP over m queries with cutoff T. Those that there are stand in `theory.constants`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from harness.theory.privacy.distance import Distance

Scale = Callable[[float, float, int, float], float]
"""A function of (ε, δ, m, T)."""


@dataclass(frozen=True)
class Calibration:
    """One way to set λ and w, and the distance it is meant for. lam, w: noise scale and threshold, in units of distances."""

    name: str
    source: str
    distance: Distance
    lam: Scale
    w: Scale
