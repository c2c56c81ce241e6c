"""A_sparseVec: which of a stream of values exceed a threshold, paying only for those that do not (BTT18a Algorithm 1).

The values come by types, in a random order: give each query an arrival time, uniform on [0, 1]. A query can be ⊥ only if its
noisy value is at most the highest threshold that is ever in effect. Only such queries, the candidates, are drawn one by one;
of the others it matters how many arrive before a halt.

The printed loop keeps one noisy threshold ŵ until the next ⊥ and then redraws it. Here each candidate owns the threshold that
would be drawn if it were ⊥. Only one draw is ever used between two ⊥s, so the law is the printed one; but a decision now
depends on the past only through the last ⊥, not through how many there were, and the loop can be vectorised: guess the ⊥s,
look up the threshold that the guess puts in effect at each candidate, decide again, until nothing changes. The i-th decision is
right after i rounds at the latest, and in fact sooner: two guesses that meet in one ⊥ agree from there on. Many runs are
settled at once in the same way.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import floor, log

import numpy as np

from harness.arrays import Bools, Ints, Reals, indices_of, order_of
from harness.mechanisms.noise import binomial, laplace
from harness.mechanisms.sure_bottoms import SureStreams
from harness.theory.privacy.laplace import tail, upper_quantile

TINY = 1e-300  # in place of a chance of 0 that something divides
BLOCK = 1 << 12  # candidates settled at a time: enough to vectorise, few enough for tens of rounds
LEAST_BLOCK = 1 << 6  # of each run, where several share a block
FEW = 1 << 9  # candidates that are settled sooner one by one


class LoopNoise(ABC):
    """The base of a sparse vector's noise: draws the noise of thresholds and of values; the distribution of a value's noise.

    reach: about how far the highest threshold rises if e times as many are drawn.
    """

    reach: float

    @abstractmethod
    def thresholds(self, size: int, rng: np.random.Generator) -> Reals:
        """Draws the noise of `size` thresholds, (size,)."""

    @abstractmethod
    def values(self, size: int, rng: np.random.Generator) -> Reals:
        """Draws the noise of `size` values, (size,)."""

    @abstractmethod
    def below(self, x: Ints | Reals) -> Reals:
        """P(the noise of a value ≤ x), any shape, accurate where it is tiny."""

    @abstractmethod
    def quantile(self, chance: Reals) -> Reals:
        """The x with P(the noise of a value ≤ x) = chance, in (0, 1], any shape."""


@dataclass(frozen=True)
class LaplaceNoise(LoopNoise):
    """The noise of a sparse vector as in the papers: Lap(λ) on a threshold and Lap(2λ) on a value."""

    reach: float

    def thresholds(self, size: int, rng: np.random.Generator) -> Reals:
        return laplace(self.reach, size, rng)

    def values(self, size: int, rng: np.random.Generator) -> Reals:
        return laplace(2 * self.reach, size, rng)

    def below(self, x: Ints | Reals) -> Reals:
        return tail(-x / (2 * self.reach))

    def quantile(self, chance: Reals) -> Reals:
        return -(2 * self.reach * upper_quantile(chance))


def noise_of(noise: "LoopNoise | float") -> LoopNoise:
    """The noise of a sparse vector, given as it is or as λ, which stands for Lap(λ) on thresholds and Lap(2λ) on values."""
    return noise if isinstance(noise, LoopNoise) else LaplaceNoise(noise)


@dataclass(frozen=True)
class Stream:
    """What A_sparseVec answers. bottoms: (types,), how many queries of each type are ⊥. unanswered: how many come too late."""

    bottoms: Ints
    unanswered: Ints


@dataclass(frozen=True)
class Candidates:
    """Queries of a sparse vector that may be ⊥, in their order: types, times, noisy values, and the thresholds drawn for them.

    drawn: the place of each in the order in which they were drawn, and were given their thresholds.
    """

    type: Ints
    when: Reals
    noisy: Reals
    owned: Reals
    drawn: Ints

    def counted(self, which: slice | Ints, types: int) -> Ints:
        """How many of the candidates `which` are of each type, (types,)."""
        return np.bincount(self.type[which], minlength=types)


def a_sparse_vec(
    values: Ints | Reals,
    sizes: Ints,
    lam: LoopNoise | float,
    w: float,
    T: float,
    rng: np.random.Generator,
    trial: Ints | None = None,
    trials: int = 1,
) -> Stream:
    """Runs A_sparseVec on sizes[i] queries of value values[i], (types,), in random order, all in units of the values.

    lam: the noise scale λ, or other noise. w: the threshold. T: the cutoff; the loop runs while c ≤ T, so it lets ⌊T⌋ + 1 ⊥s
    out before it halts. trial, trials: of which of so many independent runs each type is; by default there is one.
    """
    run, noise = np.zeros(len(values), dtype=np.int64) if trial is None else trial, noise_of(lam)
    allowed = np.full(trials, floor(T) + 1)
    sure = SureStreams.of(values, sizes, run, noise.reach, w, allowed) if isinstance(noise, LaplaceNoise) else None
    begun = (np.zeros_like(sizes), sizes.copy(), noise.thresholds(trials, rng)) if sure is None else sure.up_to_the_first(rng)
    bottoms, left, in_effect, unanswered = begun[0], begun[1], w + begun[2], np.zeros_like(sizes)
    allowed -= np.bincount(run, bottoms, trials).astype(np.int64)
    types = np.arange(len(values) if left.any() else 0)  # of the runs that go on
    while len(types):
        chosen = slice(None) if len(types) == len(values) else types
        value, of = values[chosen], run[chosen]
        share = share_of_time(value, left[chosen], noise, w, in_effect, of)
        arriving = left[chosen].copy() if (share == 1).all() else binomial(left[chosen], share[of], rng)
        left[chosen] -= arriving
        candidates = reveal(value, arriving, in_effect, noise, lambda type_: w + noise.thresholds(len(type_), rng), rng, of)
        by_run = of[candidates.type]
        settled = settle_runs(candidates.noisy, by_run, in_effect, candidates.owned, allowed)
        if len(settled):
            bottoms[chosen] += candidates.counted(settled, len(types))
            in_effect[by_run[settled]] = candidates.owned[settled]  # of several the last
            allowed -= np.bincount(by_run[settled], minlength=trials)
        halted = indices_of(allowed[of] == 0) if not allowed.all() else types[:0]
        if len(halted):
            unanswered[types[halted]] = left[types[halted]] + after_the_last(candidates, settled, arriving, of, halted, rng)
        some = types[left[chosen] > 0]
        types = types[((allowed > 0) & (np.bincount(run[some], minlength=trials) > 0))[of]] if len(some) else some
    return Stream(bottoms, unanswered)


def after_the_last(
    candidates: Candidates, settled: Ints, arriving: Ints, run: Ints, types: Ints, rng: np.random.Generator
) -> Ints:
    """How many arriving queries of each of some types, (types,), come after the last settled candidate of their run.

    settled: the indices of candidates that are ⊥, or of scores whose first test fails. arriving, run: of all types.
    """
    by_run, last = run[candidates.type], np.full(int(run.max()) + 1, -1)
    last[by_run[settled]] = settled
    quiet = (arriving - candidates.counted(slice(None), len(run)))[types]  # neither settled nor in danger of it
    after = candidates.counted(indices_of(np.arange(len(by_run)) > last[by_run]), len(run))[types]
    return binomial(quiet, 1 - candidates.when[last[run[types]]], rng) + after


def in_order_by_run(
    values: Ints | Reals, run: Ints, lam: LoopNoise | float, w: float, T: float, rng: np.random.Generator
) -> tuple[Bools, Bools]:
    """Runs A_sparseVec several times: which values are ⊥, and which come after their run's halt, (values,) each.

    values: run after run, and within a run in the order in which they are asked. run: of each value, from 0 on.
    """
    runs, n, noise = int(run[-1]) + 1, len(values), noise_of(lam)
    first, allowed = w + noise.thresholds(runs, rng), np.full(runs, floor(T) + 1)
    noisy, owned = values + noise.values(n, rng), w + noise.thresholds(n, rng)
    bottoms = settle_runs(noisy, run, first, owned, allowed)
    bottom = np.zeros(n, np.bool_)
    bottom[bottoms] = True
    before: Ints = np.cumsum(bottom) - bottom
    passed: Ints = before - before[np.searchsorted(run, run)]  # ⊥s of the same run so far
    return bottom, passed >= allowed[run]


def scan(noisy: Reals, first: float, redraw: Callable[[Ints], Reals], allowed: int) -> Ints:
    """A sparse vector's loop on given noise, in a given order: the indices of the ⊥s, at most `allowed` of them.

    noisy: (m,). first: the first noisy threshold. redraw: gives the thresholds that queries own, asked once for each query that
    may be ⊥: as in `reveal`, up to the highest threshold known.
    """
    candidates = indices_of(noisy <= first)
    owned = redraw(candidates)
    low, reach = first, max(first, owned.max(initial=first))
    while reach > low:
        new = indices_of((noisy > low) & (noisy <= reach))
        fresh = redraw(new)
        candidates, owned = np.concatenate([candidates, new]), np.concatenate([owned, fresh])
        low, reach = reach, max(reach, fresh.max(initial=reach))
    order = np.argsort(candidates)
    bottoms: Ints = candidates[order][settle(noisy[candidates[order]], first, owned[order], allowed)]
    return bottoms


def settle(noisy: Reals, first: float, owned: Reals, allowed: int) -> Ints:
    """A sparse vector's loop on candidates with given noise: the indices of those that are ⊥, in order, at most `allowed`.

    noisy: (candidates,). first: the threshold in effect at the beginning. owned: (candidates,), the thresholds that are drawn
    after them. A candidate is ⊥ where its noisy value is at most the threshold in effect.
    """
    if len(noisy) <= FEW:
        return _one_by_one(noisy, first, owned, allowed)
    settled: list[Ints] = [np.empty(0, dtype=np.int64)]
    for start in range(0, len(noisy), BLOCK):
        block = slice(start, start + BLOCK)
        bottom = start + indices_of(_decide(noisy[block], first, owned[block]))
        if len(bottom):
            settled.append(bottom[:allowed])
            first, allowed = float(owned[bottom[-1]]), allowed - len(settled[-1])
        if not allowed:
            break
    return np.concatenate(settled)


def settle_runs(noisy: Reals, run: Ints, first: Reals, owned: Reals, allowed: Ints) -> Ints:
    """A sparse vector's loop on candidates of several runs, in the order of the runs: the indices of those that are ⊥.

    first, allowed: of each run, (runs,).
    """
    if len(first) == 1:
        return settle(noisy, float(first[0]), owned, int(allowed[0]))
    if not (noisy <= first[run]).any():
        return np.empty(0, dtype=np.int64)
    counts = np.bincount(run, minlength=len(first))
    parts: list[Ints] = [np.empty(0, dtype=np.int64)]
    for long in indices_of(counts > BLOCK):
        of_run = slice(int(counts[:long].sum()), int(counts[: long + 1].sum()))
        parts.append(of_run.start + settle(noisy[of_run], float(first[long]), owned[of_run], int(allowed[long])))
    short = indices_of((counts <= BLOCK)[run])
    bottom = _decide_runs(noisy[short], run[short], first, owned[short])
    before = np.cumsum(bottom)
    begins = np.append(0, before)[np.searchsorted(run[short], run[short])]
    parts.append(short[bottom & (before - begins <= allowed[run[short]])])
    return np.sort(np.concatenate(parts))


def _decide_runs(noisy: Reals, run: Ints, first: Reals, owned: Reals) -> Bools:
    """Which candidates are ⊥, each run beginning with its own threshold in effect: `_decide` of all of them at once.

    A place in effect is coded so that the highest of those up to a candidate is the latest: 2i where run begins at i, and
    2i + 1 where candidate i is ⊥.
    """
    places = 2 * np.arange(len(noisy))
    begins = np.diff(run, prepend=-1) != 0
    start, bottom = first[run], noisy <= first[run]
    while True:
        after = np.where(bottom, places + 1, 0)
        latest = np.maximum.accumulate(np.where(begins, places, np.append(0, after[:-1]) if len(after) else after))
        decided: Bools = noisy <= np.where(latest % 2 == 1, owned[latest // 2], start)
        if (decided == bottom).all():
            return decided
        bottom = decided


def _one_by_one(noisy: Reals, in_effect: float, owned: Reals, allowed: int) -> Ints:
    """`settle` as it is printed."""
    bottoms: list[int] = []
    for place, value in enumerate(noisy.tolist()):
        if value <= in_effect:
            bottoms.append(place)
            if len(bottoms) == allowed:
                break
            in_effect = owned[place]
    return np.array(bottoms, dtype=np.int64)


def _decide(noisy: Reals, first: float, owned: Reals) -> Bools:
    """Which candidates of a block are ⊥, when it begins with `first` in effect."""
    thresholds, bottom = np.append(first, owned), noisy <= first
    while True:
        decided: Bools = noisy <= thresholds[_last_bottom(bottom)]
        if (decided == bottom).all():
            return decided
        bottom = decided


def _last_bottom(bottom: Bools) -> Ints:
    """For each position, 1 + the position of the last ⊥ before it, or 0 if there is none."""
    latest = np.zeros(len(bottom) + 1, dtype=np.int64)
    np.maximum.accumulate(np.arange(1, len(bottom) + 1) * bottom, out=latest[1:])
    return latest[:-1]


def share_of_time(values: Ints | Reals, left: Ints, lam: LoopNoise | float, w: float, in_effect: Reals, run: Ints) -> Reals:
    """The fraction of its remaining queries that each sparse-vector run takes, (runs,), to meet about a block of candidates.

    1 where these are all that is left, or where no type has more than one query left.
    in_effect: (runs,). run: of each type, (types,). Several runs share a block.
    """
    many, runs, noise = indices_of(left > 1), len(in_effect), noise_of(lam)
    if not len(many):
        return np.ones(runs)
    block = max(BLOCK // runs, LEAST_BLOCK)
    high = np.maximum(in_effect, w + noise.reach * log(block))  # as high as the thresholds of a block of candidates are
    if left[many].sum() * noise.below(high.max() - values[many].min()) <= block:
        return np.ones(runs)  # as in most runs, even if all values were the lowest
    expected = np.bincount(run[many], left[many] * noise.below(high[run[many]] - values[many]), runs)
    return block / np.maximum(expected, block)


def reveal(
    values: Ints | Reals,
    arriving: Ints,
    in_effect: Reals,
    lam: LoopNoise | float,
    redraw: Callable[[Ints], Reals],
    rng: np.random.Generator,
    run: Ints,
) -> Candidates:
    """Draws the candidates of a sparse vector among arriving[i] queries of each type, in the order of their runs.

    in_effect: of each run, (runs,). run: of each type, (types,). redraw: draws the thresholds that queries of these types own,
    (queries,). A query can be ⊥ only under a threshold of a query of its run that can be ⊥, so noisy values are drawn up to the
    highest threshold known, with thresholds of their own, until that no longer rises. Those of the others stay undrawn and are
    never needed.
    """
    hidden, low, reach, noise = arriving.copy(), np.zeros(len(values)), in_effect, noise_of(lam)
    parts: list[tuple[Ints, Reals, Reals]] = [(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))]
    types = np.arange(len(values))  # of runs where the highest threshold has risen
    while len(types):
        chosen = slice(None) if len(types) == len(values) else types
        up_to = noise.below(reach[run[chosen]] - values[chosen])
        rise, room = up_to - low[chosen], 1 - low[chosen]
        revealed = binomial(hidden[chosen], rise / np.maximum(room, rise + TINY), rng)
        some = indices_of(revealed > 0)
        place = np.repeat(some, revealed[some])
        type_ = types[place]
        chance = low[type_] + rise[place] * (1 - rng.random(len(type_)))
        owned = redraw(type_)
        parts.append((type_, values[type_] + noise.quantile(chance), owned))
        hidden[chosen] -= revealed
        low[chosen] = up_to
        high, reach = reach, reach.copy()
        if len(reach) == 1:
            reach[0] = owned.max(initial=reach[0])
        else:
            np.maximum.at(reach, run[type_], owned)
        types = indices_of((reach > high)[run]) if (reach > high).any() else types[:0]
    type_, noisy, owned = (np.concatenate(each) for each in zip(*parts, strict=True))
    when = rng.random(len(type_))
    order = order_of(when, run[type_] if len(in_effect) > 1 else None)
    return Candidates(type_[order], when[order], noisy[order], owned[order], order)
