"""The example of BTT18a Section 5: X = ℝ ∖ (−c, c), y = sign(x + z) with z ~ N(0, c²/8), so that p(1|x) = Φ(x√8/c).

The text leaves open how x falls: here |x|/c is uniform on [1, 2], with either sign. Points are x/c: c is no more than a unit.
"""

from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field
from scipy.special import ndtr

from harness.arrays import Reals
from harness.scores import Instance, Points

FAR = 2.0
Point = Annotated[float, Field(ge=-FAR, le=FAR)]


class BeyondC(Instance, frozen=True):
    """The instance of BTT18a Section 5, where |x| ≥ c and p(1|x) = Φ(x√8/c).

    points: x/c of the points that are asked about, equally often; by default both ends and both edges.

    Features are (1, x/2c)/√2.
    """

    name: ClassVar[str] = "beyond_c"

    points: Annotated[tuple[Point, ...], Field(min_length=1, max_length=1000)] = (-2.0, -1.0, 1.0, 2.0)

    @property
    def asked(self) -> Reals:
        return np.array(self.points)

    @property
    def shares(self) -> Reals:
        return np.full(len(self.points), 1 / len(self.points))

    def chance(self, points: Points) -> Reals:
        chances: Reals = ndtr(points * sqrt(8))
        return chances

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Points:
        u = rng.uniform(-1, 1, shape)
        return u + np.copysign(1.0, u)

    def features(self, points: Points) -> Reals:
        return np.stack([np.ones(points.shape), points / FAR], axis=-1) / sqrt(2)

    @property
    def half(self) -> Reals:
        return np.array([sqrt(0.5), 0.0])


INSTANCE = BeyondC
