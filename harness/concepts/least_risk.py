"""Transfer of labels to thresholds: the least risk on given labels, and the few of m uniform points that matter to it.

Points are offsets from the target, as thresholds keep them. Far from the target nearly all of k thresholds agree with it, and
so do the labels of a private mechanism; a threshold of least risk among the points near the target, and the one next to them on
each side, is then one among all points. Where points have noisy labels of their own, the walk of `noisy_thresholds` says how
near the least risk is. Either way the cost follows the number of points near the target, and not m.
"""

from collections.abc import Callable
from math import exp, expm1, log

import numpy as np

from harness.arrays import Labels, Reals
from harness.concepts import DISSENT

BEYOND = 40.0  # what is less likely than e^−40 is left out
FEW_POINTS = 1 << 12  # to draw all of so many is as quick
# P(Bin(k, DISSENT/2) > DISSENT·k) ≤ exp(−k·KL) (Chernoff).
KL = DISSENT * log(2) + (1 - DISSENT) * log((1 - DISSENT) / (1 - DISSENT / 2))


def least_risk_gap(offsets: Reals, labels: Labels, ends: tuple[float, float], side: int) -> tuple[float, float]:
    """The ends of the gap between neighbouring points where a threshold errs least; of several the first or the last (side).

    offsets: (m,), in any order, equal ones allowed. labels: (m,), 0 or 1. ends: what stands for neighbours beyond all points.
    side: −1 for the first gap, +1 for the last.
    """
    order = np.argsort(offsets)
    at = offsets[order]
    last = np.append(at[1:] > at[:-1], True)[: len(at)]  # of points in one place
    # Past a point, a threshold labels it 0: right where that is its label.
    risk = np.append(0, np.cumsum(2 * labels[order] - 1, dtype=np.int64)[last])
    at = at[last]
    gap = int(risk.argmin()) if side < 0 else len(at) - int(risk[::-1].argmin())
    edges = np.concatenate([[ends[0]], at, [ends[1]]])
    return float(edges[gap]), float(edges[gap + 1])


def share_beyond(k: int) -> float:
    """A chance of one threshold to lie beyond a point at which, but for e^−40, no more than a share DISSENT of k do."""
    return DISSENT / 2 if k * KL > BEYOND else exp(-BEYOND) / k


def reach(k: int, s: int) -> float:
    """A mass beyond which, on either side of the target, a consistent threshold lies with probability `share_beyond` at most.

    P(no example within a) = (1 − a)^s.
    """
    return -expm1(log(share_beyond(k)) / s)


def near_points(m: int, radii: tuple[float, float], ends: tuple[float, float], rng: np.random.Generator) -> Reals:
    """Of m uniform points between the ends, those within a radius of 0, of either side its own, and the next one beyond each.

    In random order, as i.i.d. points are. Needs radii within the ends.
    """
    (below, above), length = radii, ends[1] - ends[0]
    inside = int(rng.binomial(m, (below + above) / length))
    higher = int(rng.binomial(m - inside, (ends[1] - above) / (length - below - above)))
    points = [(below + above) * rng.random(inside) - below]
    for count, radius, end, sign in ((higher, above, ends[1], 1), (m - inside - higher, below, -ends[0], -1)):
        if count:  # the least of so many uniform points is at 1 − U^(1/count)
            points.append(np.array([sign * (radius - (end - radius) * expm1(-rng.standard_exponential() / count))]))
    near = np.concatenate(points)
    # Only the places of the last ones are not random yet: each takes that of a random one, which goes to the end.
    for last in range(inside, len(near)):
        place = int(rng.integers(0, last + 1))
        near[[place, last]] = near[[last, place]]
    return near


def erring_mass(learned: float, ends: tuple[float, float]) -> float:
    """The mass between a threshold at an offset and the target."""
    return abs(min(max(learned, ends[0]), ends[1]))


Rule = Callable[[Reals, Reals], Reals]


def learn_offset(offsets: Reals, labels: Labels, ends: tuple[float, float], side: int, rule: Rule) -> float:
    """The threshold that a rule puts in the gap of least risk."""
    low, high = least_risk_gap(offsets, labels, ends, side)
    return float(rule(np.float64(low), np.float64(high)))  # type: ignore[arg-type]
