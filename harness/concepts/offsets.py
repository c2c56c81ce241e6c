"""Votes of hypotheses that are each told by one number: how far from the target they lie."""

from collections.abc import Callable

import numpy as np

from harness.arrays import Ints, Reals
from harness.ballots import Ballot, Queries


def survives(mass: Reals | float, s: int) -> Reals:
    """(1 − mass)^s, the chance that s examples miss a mass ≥ 0; accurate where the mass is small and s large."""
    with np.errstate(divide="ignore"):  # ln 0 for a mass of 1 or more
        return np.asarray(np.exp(s * np.log1p(-np.minimum(mass, 1.0))))


Law = Callable[[Reals | float], Reals]


def votes_by_offset(queries: Queries, k: int, above: Law, below: Law, rng: np.random.Generator) -> Ballot:
    """Votes of k i.i.d. hypotheses, each at an offset from the target, that err on the queries between it and the target.

    above, below: P(offset > a) and P(−offset > a) for a ≥ 0; the offset is never 0.
    """
    k_above = int(rng.binomial(k, above(0.0)))
    offsets, target = queries.points, queries.target
    ones, most = np.multiply(target, k, dtype=np.int64), 0
    for side, law, hypotheses in ((1, above, k_above), (-1, below, k - k_above)):
        inner = np.flatnonzero(offsets >= 0 if side > 0 else offsets < 0)
        wrong = _beyond(np.abs(offsets[inner]), hypotheses, law, rng)
        ones[inner] += wrong * (1 - 2 * target[inner])
        # The farthest on a side errs wherever any other there does.
        most = max(most, int(queries.sizes[inner[wrong > 0]].sum()))
    return Ballot.binary(ones, k, queries, max_mistakes=most)


def _beyond(distances: Reals, count: int, law: Law, rng: np.random.Generator) -> Ints:
    """How many of `count` hypotheses lie beyond each distance; they are i.i.d. with P(> a) = law(a)/law(0).

    Their numbers in the gaps between sorted distances are multinomial, so no hypothesis is ever drawn.
    """
    wrong = np.zeros(len(distances), dtype=np.int64)
    if count and len(distances):
        order = np.argsort(distances)
        beyond = law(np.append(0.0, distances[order]))
        shares = np.maximum(np.append(beyond[:-1] - beyond[1:], beyond[-1]), 0) / beyond[0]
        wrong[order] = count - np.cumsum(rng.multinomial(count, shares))[:-1]
    return wrong
