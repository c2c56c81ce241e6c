"""Votes of hypotheses that are each told by one number: how far from the target they lie."""

from collections.abc import Callable
from math import log

import numpy as np

from harness.arrays import Ints, Reals, binomials, indices_of, order_of
from harness.ballots import Ballot, Queries


def survives(mass: Reals | float, s: int) -> Reals:
    """(1 − mass)^s, the chance that s examples miss a mass ≥ 0; accurate where the mass is small and s large."""
    with np.errstate(divide="ignore"):  # ln 0 for a mass of 1 or more
        return np.asarray(np.exp(s * np.log1p(-np.minimum(mass, 1.0))))


Law = Callable[[Reals | float], Reals]

RANK = 4  # trials are drawn one by one in the time in which the next distance of all is looked at, but for its numbers


def usual_reach(k: int, s: int) -> float:
    """A distance from the target, beyond which one of k hypotheses lies once in a thousand times.

    Where P(offset > a) is at most (1 − a)^s.
    """
    return log(1000 * k) / s


def votes_by_offset(queries: Queries, k: int, above: Law, below: Law, reach: float, rng: np.random.Generator) -> Ballot:
    """Draws the votes of k i.i.d. hypotheses, each at an offset from the target and wrong on the queries in between.

    Each trial has its own hypotheses. above, below: P(offset > a) and P(−offset > a) for a ≥ 0; the offset is never 0. reach:
    beyond this distance there is rarely a hypothesis, and one looks there only when there is.
    """
    chance = float(above(0.0))
    k_above = rng.binomial(k, chance, queries.trials) if chance else np.zeros(queries.trials, dtype=np.int64)
    trial = np.zeros(len(queries.truth), dtype=np.int64) if queries.trial is None else queries.trial
    offsets, target = queries.points, queries.target
    ones, most = np.multiply(target, k, dtype=np.int64), np.zeros(queries.trials, dtype=np.int64)
    for side, law, hypotheses in ((1, above, k_above), (-1, below, k - k_above)):
        if not hypotheses.any():
            continue
        inner = indices_of((offsets >= 0) & (offsets < reach) if side > 0 else (offsets < 0) & (offsets > -reach))
        wrong, remaining = _beyond(np.abs(offsets[inner]), trial[inner], hypotheses, law, 0.0, reach, rng)
        erring = [inner[wrong > 0]]
        ones[inner] += wrong * (1 - 2 * target[inner])
        if remaining.any():
            outer = indices_of((offsets >= reach if side > 0 else offsets <= -reach) & (remaining > 0)[trial])
            wrong, _ = _beyond(np.abs(offsets[outer]), trial[outer], remaining, law, reach, 1.0, rng)
            ones[outer] += wrong * (1 - 2 * target[outer])
            erring.append(outer[wrong > 0])
        types = np.concatenate(erring)
        mistakes = np.bincount(trial[types], queries.sizes[types], queries.trials).astype(np.int64)
        most = np.maximum(most, mistakes)  # the farthest on a side errs wherever any other there does
    return Ballot.binary(ones, k, queries, max_mistakes=most)


def _beyond(
    distances: Reals, trial: Ints, count: Ints, law: Law, start: float, stop: float, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """How many of count[i] thresholds of trial i lie beyond each of its distances, and how many beyond `stop`, (trials,).

    The thresholds are i.i.d. beyond `start` with P(> a) = law(a)/law(start); the distances lie in [start, stop). Their numbers
    in the gaps between sorted distances are multinomial, so no threshold is ever drawn.
    """
    if not count.any():
        return np.zeros(len(distances), dtype=np.int64), count
    later, nearer = trial[1:] > trial[:-1], distances[1:] < distances[:-1]
    in_order = not ((trial[1:] < trial[:-1]) | (nearer & ~later)).any()  # as they mostly come
    order = slice(None) if in_order else order_of(distances, trial if len(count) > 1 else None)
    tails = law(np.concatenate([[start], distances[order], [stop]]))
    tails = tails / tails[0]
    wrong = np.empty(len(distances), dtype=np.int64)
    numbers = np.bincount(trial, minlength=len(count))
    together = RANK * (int(numbers.max(initial=0)) + 1) < len(count) + len(distances) / RANK
    draw = _chain if together and len(count) > 1 else _each
    beyond, remaining = draw(numbers, count, tails[1:-1], float(tails[-1]), rng)
    wrong[order] = beyond
    return wrong, remaining


def _each(numbers: Ints, count: Ints, tails: Reals, last: float, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """How many of each trial's thresholds lie beyond its distances, trial by trial.

    numbers: of distances, (trials,). tails: P(> a) at all of them, trial by trial and falling in each. last: at the end.
    """
    beyond, remaining = np.zeros(len(tails), dtype=np.int64), count.copy()
    ends = np.cumsum(numbers)
    for trial in np.flatnonzero(count):
        of_trial = slice(ends[trial] - numbers[trial], ends[trial])
        falling = np.concatenate([[1.0], tails[of_trial], [last]])
        gaps = rng.multinomial(count[trial], np.maximum(np.append(falling[:-1] - falling[1:], last), 0))
        beyond[of_trial], remaining[trial] = (count[trial] - np.cumsum(gaps))[:-2], gaps[-1]
    return beyond, remaining


def _chain(numbers: Ints, count: Ints, tails: Reals, last: float, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The same multinomial numbers, of all trials at once, one distance after the other: sooner where these are few."""
    alive = indices_of(count > 0)
    if len(alive) < len(count):
        inside, beyond, remaining = (count > 0).repeat(numbers), np.zeros(len(tails), dtype=np.int64), np.zeros_like(count)
        beyond[inside], remaining[alive] = _chain(numbers[alive], count[alive], tails[inside], last, rng)
        return beyond, remaining
    some = indices_of(numbers > 0)  # trials with distances
    ends = (numbers[some] + 1).cumsum() - 1  # the place after those of each
    place, inner = ends - numbers[some], np.ones(len(tails) + len(some), np.bool_)
    inner[ends] = False
    falling, before = np.full(len(inner), last), np.ones(len(inner))
    falling[inner] = tails
    before[1:] = falling[:-1]
    before[place] = 1.0
    stay = np.divide(falling, before, out=np.zeros(len(inner)), where=before > 0)
    stay = np.minimum(np.maximum(stay, 0, out=stay), 1, out=stay)
    chance, beyond = np.full(len(count), last), np.zeros(len(inner), dtype=np.int64)
    chance[some] = stay[place]
    remaining = binomials(count, chance, rng)
    left = remaining[some]
    while len(place):
        beyond[place] = left
        on = indices_of((left > 0) & inner[place])
        place = place[on] + 1
        left = binomials(left[on], stay[place], rng)
    remaining[some] = beyond[ends]
    return beyond[inner], remaining
