"""From runs on neighbours to a lower end for ε: the pair and the event from one half, the bound from the other.

An event of chance p on one data set and q on its neighbour shows that (ε, δ)-DP asks for ε ≥ ln((p − δ)/q). The lower end of p
and the upper end of q, by Clopper and Pearson at half of the stated error each, make it one for ε. Everything that is chosen is
chosen before the runs that it is bounded with, so however many pairs and events were looked at, one is judged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
import scipy

from harness.arrays import Ints, Reals
from harness.audits.rankings import Ranking, rankings
from harness.mechanisms.neighbours import NeighbourPair

Counts = Reals | Ints | int
Share = Reals | float
Streams = Callable[[str], np.random.Generator]
THRESHOLDS = 256  # of a rank that are tried
CHOOSING, HINTING = 0.05, 0.5  # the errors at which events are compared before one is chosen
FEW = 100  # runs of a pair of little weight, where others have more
FINALISTS = 3  # pairs that are looked at more closely
HALVED = 4  # runs of a pair at least: one half may learn a ranking that the other half tries
LEAST, MOST = 400, 4_000_000  # runs of an audit on either side
WARM = 32  # runs by which the time of one is found
KNOWN = 2000  # runs at most by which these are chosen
CURVE = 12  # thresholds of the privacy curve


@dataclass(frozen=True)
class Separation:
    """An event that is likelier on one of two neighbouring data sets: a ranking of outcomes with a threshold.

    above: whether the event is a rank ≥ the threshold, which speaks for the first data set; else a rank below it, which speaks
    for its neighbour.
    """

    ranking: Ranking
    threshold: float
    above: bool

    def __str__(self) -> str:
        """In words."""
        return self.ranking.in_words("≥" if self.above else "<", self.threshold)

    def hits(self, outcomes: Reals) -> int:
        """How often the event happened."""
        over = int((self.ranking.ranks(outcomes) >= self.threshold).sum())
        return over if self.above else len(outcomes) - over


@dataclass(frozen=True)
class LowerEnd:
    """The lower end for ε that an audit measured, with the event that shows it.

    lower: the lower end for ε at δ. pair, event: where and by what. hits, others: of `judged` runs, on the data set where the
    event is likelier and on its neighbour. runs: on either data set, of all pairs together. curve: points (ε, δ) that the
    mechanism is not (ε, δ)-DP below, all at once at the stated error, for a figure.
    """

    lower: float
    pair: str
    event: str
    hits: int
    others: int
    judged: int
    runs: int
    curve: tuple[tuple[float, float], ...]


def lower_end(hits: Counts, of: Counts, others: Counts, of_others: Counts, delta: Share, error: Share) -> Reals:
    """The lower end for ε from an event seen in `hits` of `of` runs and in `others` of `of_others`; 0 if it shows nothing."""
    p, q = ends(hits, of, others, of_others, error)
    with np.errstate(divide="ignore", invalid="ignore"):
        shown: Reals = np.where(p > delta, np.log(np.maximum(p - delta, 1e-300) / q), 0.0)
    return np.maximum(shown, 0.0)


def ends(hits: Counts, of: Counts, others: Counts, of_others: Counts, error: Share) -> tuple[Reals, Reals]:
    """The lower end of the event's chance on one data set, and the upper end of that on the other (Clopper, Pearson).
    Each is wrong with half of the error.
    """
    a, b = np.asarray(hits, np.float64), np.asarray(others, np.float64)
    low = np.where(a > 0, scipy.stats.beta.ppf(error / 2, np.maximum(a, 1), of - a + 1), 0.0)
    high = np.where(b < of_others, scipy.stats.beta.ppf(1 - error / 2, b + 1, np.maximum(of_others - b, 1)), 1.0)
    return low, high


@dataclass(frozen=True)
class Choice:
    """An event on a pair of neighbours that an audit may choose, with the numbers that rank it among others, in this order.

    shown: the lower end of ε at a small error. hinted: at a large one, where few runs show nothing. apart: how far the two
    chances are apart.
    """

    pair: NeighbourPair
    event: Separation
    shown: float
    hinted: float
    apart: float

    def telling(self) -> tuple[float, float, float, float]:
        """The key. Where nothing is shown, pairs of more runs come first: of few runs chance alone hints at more."""
        return self.shown, self.pair.weight, self.hinted, self.apart


def choose(pair: NeighbourPair, first: Reals, second: Reals, delta: float) -> Choice:
    """The event on a pair that shows the largest ε.
    Rankings are learned from one half of these outcomes, and thresholds compared on the other.
    """
    here, there, *tried = (part[place::2] for place in (0, 1) for part in (first, second))
    choices = [
        choice
        for ranking in rankings(pair.outputs, here, there)
        for choice in compared(pair, ranking, ranking.ranks(tried[0]), ranking.ranks(tried[1]), delta)
    ]
    nothing = Choice(pair, Separation(NoDifference(), 0.0, True), 0.0, 0.0, 0.0)
    return max([nothing, *choices], key=Choice.telling)


def compared(pair: NeighbourPair, ranking: Ranking, here: Reals, there: Reals, delta: float) -> Sequence[Choice]:
    """Two events by a ranking, above and below a threshold, each at its best, from the ranks of outcomes on either data set."""
    thresholds = np.unique(np.concatenate([here, there]))
    if len(thresholds) > THRESHOLDS:
        # Far out too, where few outcomes are and the ratio is largest.
        shares = 1 / (1 + np.exp(-np.linspace(-9, 9, THRESHOLDS)))
        thresholds = np.unique(np.quantile(np.concatenate([here, there]), shares, method="higher"))
    over = [len(ranks) - np.searchsorted(np.sort(ranks), thresholds) for ranks in (here, there)]
    under = [len(here) - over[0], len(there) - over[1]]
    choices = []
    for above, (hits, of), (others, of_others) in (
        (True, (over[0], len(here)), (over[1], len(there))),
        (False, (under[1], len(there)), (under[0], len(here))),
    ):
        shown, hinted = (lower_end(hits, of, others, of_others, delta, error) for error in (CHOOSING, HINTING))
        apart = hits / of - others / of_others
        best = int(np.lexsort((apart, hinted, shown))[-1])
        shares_shown = (float(each[best]) for each in (shown, hinted, apart))
        choices.append(Choice(pair, Separation(ranking, float(thresholds[best]), above), *shares_shown))
    return choices


class NoDifference(Ranking):
    """A ranking that gives all outcomes one rank."""

    def ranks(self, outcomes: Reals) -> Reals:
        return np.zeros(len(outcomes))

    def in_words(self, sign: str, threshold: float) -> str:
        return "none: every run says the same"


def measured(pairs: Sequence[NeighbourPair], delta: float, runs: int, error: float, streams: Streams) -> LowerEnd:
    """Audits by `runs` runs on either data set: the lower end for ε, a pure function of the arguments.

    A quarter of the runs is for choosing a few pairs, one for choosing of these a pair and its event, and half for judging it.
    """

    def chosen(pair: NeighbourPair, runs: int, purpose: str) -> Choice:
        first, second = (pair.sample(side, shares(pair, runs), streams, purpose) for side in (0, 1))
        return choose(pair, first, second, delta)

    screened = sorted((chosen(pair, runs // (4 * len(pairs)), "screen") for pair in pairs), key=Choice.telling)
    finalists = [choice.pair for choice in screened[-FINALISTS:]]
    best = max((chosen(pair, runs // (4 * len(finalists)), "choose") for pair in finalists), key=Choice.telling)
    pair, event = best.pair, best.event
    final = [pair.sample(side, shares(pair, runs // 2, LEAST), streams, "judge") for side in (0, 1)]
    likelier, other = final if event.above else final[::-1]
    hits, others = event.hits(likelier), event.hits(other)
    lower = float(lower_end(hits, len(likelier), others, len(other), delta, error))
    curve = seen_curve(
        event.ranking,
        [pair.sample(side, shares(pair, min(KNOWN, runs // 20)), streams, "curve") for side in (0, 1)],
        final,
        error,
    )
    return LowerEnd(lower, pair.words, str(event), hits, others, len(likelier), runs, curve)


def too_few(runs: int) -> str:
    """The reason why an audit cannot have so few runs; empty where it can."""
    return f"an event is not found and judged by {runs} runs; allowed: at least {LEAST}" if runs < LEAST else ""


def shares(pair: NeighbourPair, runs: int, least: int = FEW) -> int:
    """How many of an audit's runs a pair of neighbours gets.
    That is by its weight, but not less than `least`, as far as there are as many.
    """
    return max(HALVED, min(runs, max(least, int(runs * pair.weight))))


def seen_curve(
    ranking: Ranking, before: Sequence[Reals], after: Sequence[Reals], error: float
) -> tuple[tuple[float, float], ...]:
    """The points (ε, δ) of an audit's curve, all right at once: the largest lower end for δ over thresholds fixed before."""
    ranks_before = np.concatenate([ranking.ranks(part) for part in before])
    thresholds = np.unique(np.quantile(ranks_before, 1 / (1 + np.exp(-np.linspace(-7, 7, CURVE))), method="higher"))
    ranks = [ranking.ranks(part) for part in after]
    over = [np.array([(part >= each).sum() for each in thresholds]) for part in ranks]
    n, allowed = len(after[0]), error / (2 * max(1, len(thresholds)))
    above, below = ends(over[0], n, over[1], n, allowed), ends(n - over[1], n, n - over[0], n, allowed)
    low, high = (np.concatenate(both) for both in zip(above, below, strict=True))
    most = float(np.log(np.maximum(low, 1e-300) / high).max()) if len(thresholds) else 0.0
    points = np.linspace(0, max(most, 0.1), 40)
    return tuple((float(eps), float(max(0.0, (low - np.exp(eps) * high).max()))) for eps in points)


def affordable(pairs: Sequence[NeighbourPair], seconds: float, streams: Streams) -> int:
    """About how many runs on either data set take `seconds` seconds, to two digits.
    An audit by that many is deterministic again.
    """
    costs = []
    for pair in pairs:
        some = max(WARM, min(pair.block, 256))
        begun = process_time()
        for side in (0, 1):
            pair.sample(side, some, streams, "warm")
        costs.append((process_time() - begun) / some * pair.weight)
    cost = 0.25 * float(np.mean(costs)) + 0.75 * max(costs)
    runs = 0.7 * seconds / max(cost, 1e-9)
    digits = 10 ** max(0, int(np.log10(max(runs, 1))) - 1)
    return int(min(MOST, max(LEAST, runs // digits * digits)))
