"""Audits whose event is chosen beforehand, of two neighbouring vote tables, with the exact chances of that event on both.

These come from the quadrature and not from the code that is audited: what is counted is to agree with them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from harness.mechanisms.a_stab import a_stab, printed_threshold
from harness.mechanisms.above_threshold import in_order_by_run
from harness.theory.constants import calibrations
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.sparse_vector import first_bottom
from harness.theory.privacy.witness import strongest_witness
from harness.trials.audited.subject import AuditSetting

EPS_KNOWN, DELTA_KNOWN = (0.1, 10.0), (1e-9, 0.1)
"""Of which the exact chances are known."""
AT_ONCE = 1 << 18  # queries of runs that are made together
SEEN = 0.1  # about how often the event happens on the table where it is the likelier one


@dataclass(frozen=True)
class KnownEvent:
    """An event on two neighbouring tables of votes, of which the exact chances are known.

    counts: how often it happens in so many runs of the code, on the first table and on its neighbour. p, q: its exact
    probabilities there.
    """

    counts: Callable[[int, np.random.Generator], tuple[int, int]]
    p: float
    q: float


def stab_attack(distance: str, cell: AuditSetting) -> KnownEvent:
    """The event that one A_stab gives the label, at a gap where that has probability about SEEN, and at that gap less 2."""
    threshold = printed_threshold(cell.eps, cell.delta)
    gaps = np.arange(3, 4 * int(threshold) + 8)  # above 2, so that both tables have the same winner
    release = scipy.stats.laplace.sf(threshold - DISTANCES[distance].of(gaps), scale=1 / cell.eps)
    gap = int(gaps[np.argmin(np.abs(np.log(release / SEEN)))])
    first, second = (int(DISTANCES[distance].of(np.array([g]))[0]) for g in (gap, gap - 2))

    def counts(runs: int, rng: np.random.Generator) -> tuple[int, int]:
        tables = (np.full(runs, dist, dtype=np.int64) for dist in (first, second))
        hits = [int(a_stab(table, threshold, cell.eps, rng).sum()) for table in tables]
        return hits[0], hits[1]

    p, q = (float(scipy.stats.laplace.sf(threshold - dist, scale=1 / cell.eps)) for dist in (first, second))
    return KnownEvent(counts, p, q)


def epoch_attack(cell: AuditSetting) -> KnownEvent:
    """The event of where the first ⊥ of one epoch of A_binClas falls, T = 1, on the tables of the strongest witness."""
    setting = (cell.eps, cell.delta, 1000, 1.0)
    printed = calibrations()["printed"]
    witness, lam, w = strongest_witness(printed, *setting), printed.lam(*setting), printed.w(*setting)
    bottoms = np.array(sorted(witness.bottoms))

    def ends(table: tuple[int, ...], runs: int, rng: np.random.Generator) -> int:
        m, most = len(table), max(1, AT_ONCE // len(table))
        firsts = np.zeros(m + 1, dtype=np.int64)  # how many runs have their first ⊥ at each query, or none
        for done in range(0, runs, most):
            some = min(most, runs - done)
            run = np.repeat(np.arange(some), m)
            bottom, _ = in_order_by_run(np.tile(table, some), run, lam, w, 0.0, rng)
            first_at = bottom.reshape(some, m).sum(axis=0)
            firsts += [*first_at, some - first_at.sum()]
        return int(firsts[bottoms].sum())

    def counts(runs: int, rng: np.random.Generator) -> tuple[int, int]:
        return ends(witness.distances, runs, rng), ends(witness.moved, runs, rng)

    p, q = (float(first_bottom((np.array(table) - w) / lam)[bottoms].sum()) for table in (witness.distances, witness.moved))
    return KnownEvent(counts, p, q)


ATTACKS: dict[str, Callable[[AuditSetting], KnownEvent]] = {
    "A_stab_printed": lambda cell: stab_attack("printed", cell),
    "A_stab_corrected": lambda cell: stab_attack("corrected", cell),
    "A_binClas_epoch": epoch_attack,
}
