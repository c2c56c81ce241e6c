"""On-average stability where it has no closed form: by pairs of chunks that differ in one example (BTT18a Definition 5.7)."""

from functools import lru_cache

import numpy as np

from harness.scores import Instance, Learner
from harness.scores.replacement import Pairs, fitted

PAIRS = 512
SURE = 3.0
"""So many standard errors are added to the mean square, at each of the points that are asked about."""

MOST = 1 << 13
"""The largest chunks that are drawn for it."""


@lru_cache(maxsize=256)
def estimated_alpha(instance: Instance, learner: Learner, s: int) -> float | None:
    """An estimate from above of the α of which a learner is α-on-average stable; None where chunks exceed MOST examples.

    The largest over the points asked about.

    Of a fixed seed: a plan has one.
    """
    if s > MOST:
        return None
    rng = np.random.default_rng(s)
    first = Pairs.drawn(instance, s, PAIRS, rng)
    points = instance.draw(rng, (PAIRS,))
    second = first.given(points, instance.labels(rng, points))
    here, there = fitted(learner, instance, first, second, rng.integers(2**62, size=PAIRS))
    squares = first.weights[:, np.newaxis] * (here - there) ** 2
    high = squares.mean(axis=0) + SURE * squares.std(axis=0, ddof=1) / np.sqrt(PAIRS)
    return float(np.sqrt(high.max()))
