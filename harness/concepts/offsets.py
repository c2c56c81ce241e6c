"""Votes of hypotheses that are each told by one number: how far from the target they lie."""

from collections.abc import Callable
from math import log

import numpy as np

from harness.arrays import Ints, Reals
from harness.ballots import Ballot, Queries


def survives(mass: Reals | float, s: int) -> Reals:
    """(1 − mass)^s, the chance that s examples miss a mass ≥ 0; accurate where the mass is small and s large."""
    with np.errstate(divide="ignore"):  # ln 0 for a mass of 1 or more
        return np.asarray(np.exp(s * np.log1p(-np.minimum(mass, 1.0))))


Law = Callable[[Reals | float], Reals]


def usual_reach(k: int, s: int) -> float:
    """Where P(offset > a) is at most (1 − a)^s, one of k hypotheses is beyond this once in a thousand times."""
    return log(1000 * k) / s


def votes_by_offset(queries: Queries, k: int, above: Law, below: Law, reach: float, rng: np.random.Generator) -> Ballot:
    """Votes of k i.i.d. hypotheses, each at an offset from the target, that err on the queries between it and the target.

    above, below: P(offset > a) and P(−offset > a) for a ≥ 0; the offset is never 0. reach: beyond this distance there is rarely
    a hypothesis, and one looks there only when there is.
    """
    k_above = int(rng.binomial(k, above(0.0)))
    offsets, target = queries.points, queries.target
    ones, most = np.multiply(target, k, dtype=np.int64), 0
    near = np.flatnonzero((offsets < reach) & (offsets > -reach))
    for side, law, hypotheses in ((1, above, k_above), (-1, below, k - k_above)):
        inner = near[offsets[near] >= 0] if side > 0 else near[offsets[near] < 0]
        wrong, remaining = _beyond(np.abs(offsets[inner]), hypotheses, law, 0.0, reach, rng)
        ones[inner] += wrong * (1 - 2 * target[inner])
        mistakes = queries.sizes[inner[wrong > 0]].sum()
        if remaining:
            outer = np.flatnonzero(offsets >= reach if side > 0 else offsets <= -reach)
            wrong, _ = _beyond(np.abs(offsets[outer]), remaining, law, reach, 1.0, rng)
            ones[outer] += wrong * (1 - 2 * target[outer])
            mistakes += queries.sizes[outer[wrong > 0]].sum()
        most = max(most, int(mistakes))  # the farthest on a side errs wherever any other there does
    return Ballot.binary(ones, k, queries, max_mistakes=most)


def _beyond(distances: Reals, count: int, law: Law, start: float, stop: float, rng: np.random.Generator) -> tuple[Ints, int]:
    """How many of `count` thresholds lie beyond each distance, and how many beyond `stop`.

    The thresholds are i.i.d. beyond `start` with P(> a) = law(a)/law(start); the distances lie in [start, stop). Their numbers
    in the gaps between sorted distances are multinomial, so no threshold is ever drawn.
    """
    if not count:
        return np.zeros(len(distances), dtype=np.int64), 0
    order = distances.argsort(kind="stable")  # of types, they are in order already
    edges = law(np.concatenate([[start], distances[order], [stop]])) / law(start)
    gaps = rng.multinomial(count, np.maximum(np.append(edges[:-1] - edges[1:], edges[-1]), 0))
    after = count - np.cumsum(gaps)
    wrong = np.empty(len(distances), dtype=np.int64)
    wrong[order] = after[:-2]
    return wrong, int(gaps[-1])
