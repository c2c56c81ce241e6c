"""A pair of neighbouring tables and an event that show how much a run spends at least."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import expm1, inf, log1p

import numpy as np

from harness.arrays import Reals
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_event, epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.sparse_vector import first_bottom


@dataclass(frozen=True)
class Witness:
    """An attack on a sparse vector, and the ε that it shows to be spent; the analyst chooses queries as the run goes on.

    In each of n epochs it asks the same j queries in turn until one is ⊥. If none is, it closes the epoch with queries that are
    ⊥ on both tables all but surely: at distance 0 or, where values may be any, far below w.

    distances, moved: (j,), the distances on the one table and on its neighbour. bottoms: the places, from 0, of a first ⊥ that
    speak for the first table; j stands for no ⊥ among the j queries. The event is that at least t of the n epochs end so.
    eps: what it shows to be spent; 0 if nothing.
    """

    distances: tuple[int, ...]
    moved: tuple[int, ...]
    bottoms: frozenset[int]
    n: int
    t: int
    eps: float


def strongest_witness(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> Witness:
    """The attack, of a fixed family of about fifty, that shows the largest ε at δ of a run at a calibration's λ and w.

    Distances are multiples of Δ and stay positive where they are distances to instability, so they belong to real tables: the
    printed distances of an odd k are even and move by 2. With one closing query an epoch the n epochs take fewer than m
    queries. For these not to suffice two closing queries must be answered, which has probability below δ² and is left out.
    """
    n = min(epochs(m, calibration.last(T)), max(1, (m - 1) // 2))
    longest = max(1, (m - 1) // n - 1)
    lam, w = calibration.lam(eps, delta, m, T), calibration.w(eps, delta, m, T)
    step = calibration.distance.sensitivity
    least = -inf if calibration.distance.unsettled is None else step
    events = []
    for levels, signs in _patterns(longest):
        distances = np.maximum(step * np.rint((w + lam * levels) / step), least)
        moved = distances + step * signs
        p, q = first_bottom((distances - w) / lam), first_bottom((moved - w) / lam)
        order = np.argsort(q / p)
        for size in range(1, len(order)):
            bottoms = order[:size]
            shown, t = compose_event(float(p[bottoms].sum()), float(q[bottoms].sum()), n, delta)
            events.append((shown, t, distances, moved, bottoms))
    shown, t, distances, moved, bottoms = max(events, key=lambda entry: entry[0])
    return Witness(
        distances=tuple(distances.astype(int).tolist()),
        moved=tuple(moved.astype(int).tolist()),
        bottoms=frozenset(bottoms.tolist()),
        n=n,
        t=t,
        eps=shown,
    )


def label_event(distance: Distance, lam: float, w: float, n: int) -> float:
    """P(n epochs give a label that the neighbouring table never gives) in an attack; where it is above δ no ε will do.

    Each epoch asks the query whose winner differs, at its greatest distance. It is answered, which is the event, or is ⊥ and
    ends the epoch. `label_leak` bounds the chance of any such label from above by n of these, without what the union costs.
    """
    if distance.unsettled is None:
        return 0.0
    return -expm1(n * log1p(-float(difference_tail(w - distance.unsettled, lam))))


def _patterns(longest: int) -> Iterator[tuple[Reals, Reals]]:
    """Levels above w in units of λ, (j,), and which way each moves, ±1, (j,), for j up to longest.

    Opposite: all move down but the last, which moves up: the outcomes ⊤…⊤⊥ reach the whole 2Δ/λ of an epoch, but seldom; it
    is the strongest over few epochs. Alternating, on a falling ladder of levels: whether an odd or an even query is ⊥ tells
    nearly as much as can be told on average; it is the strongest over many epochs.
    """
    for j in sorted({min(j, longest) for j in (2, 5, 15, 60)}):
        place = np.arange(j)
        alternating, opposite = np.where(place % 2, -1.0, 1.0), np.where(place < j - 1, -1.0, 1.0)
        for top, drop in ((0.0, 0.0), (0.5, 2.0), (1.0, 6.0)):
            for sign in (1.0, -1.0):
                yield top - drop * place / j, sign * alternating
        for top in (0.0, 1.0):
            for last in (-1.0, 0.0):
                yield np.where(opposite < 0, top, last), opposite
