"""An empirical audit: run the mechanism's own code on two neighbouring vote tables and count an event chosen beforehand.

What (ε, δ)-DP asks of the event's two probabilities bounds ε from below, whatever the theory says. The tables and the event
are fixed by the cell; the exact probabilities stand beside the counts, from the quadrature and not from the code that is
audited.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import scipy
from pydantic import Field

from harness.mechanisms.a_stab import a_stab, printed_threshold
from harness.mechanisms.above_threshold import in_order
from harness.theory.constants import calibrations
from harness.theory.privacy.distance import DISTANCES
from harness.theory.privacy.sparse_vector import first_bottom
from harness.theory.privacy.witness import strongest_witness
from harness.trials.columns import DELTA, EPS, Column
from harness.trials.fields import Identified, Probability, Real, Whole, kept
from harness.trials.kind import Kind, Measure
from harness.trials.rules import no_more
from harness.trials.seeds import BlockStreams

SEEN = 0.1  # about how often the event happens on the table where it is the likelier one


class AuditCell(Identified, frozen=True):
    """What is claimed, (ε, δ), and how many runs on each of the two tables make one trial."""

    hashed_as: ClassVar[str] = "AuditCell"

    eps: Annotated[Real, Field(ge=0.1, le=10)]
    delta: Annotated[Probability, Field(ge=1e-9, le=0.1)] = 1e-6
    runs: Annotated[Whole, Field(ge=1, le=10**7)]


@dataclass(frozen=True)
class Attack:
    """An event on two neighbouring tables.

    counts: how often it happens in so many runs of the code, on the first table and on its neighbour. p, q: its exact
    probabilities there.
    """

    counts: Callable[[int, np.random.Generator], tuple[int, int]]
    p: float
    q: float


def stab_attack(distance: str, cell: AuditCell) -> Attack:
    """The release of the label by one A_stab, at a gap where it happens with probability about SEEN, and at that gap less 2."""
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
    return Attack(counts, p, q)


def epoch_attack(cell: AuditCell) -> Attack:
    """Where the first ⊥ of one epoch of A_binClas falls, T = 1, on the tables and the event of the strongest witness."""
    given = (cell.eps, cell.delta, 1000, 1.0)
    printed = calibrations()["printed"]
    witness, lam, w = strongest_witness(printed, *given), printed.lam(*given), printed.w(*given)
    bottoms = np.array(sorted(witness.bottoms))

    def ends(table: tuple[int, ...], runs: int, rng: np.random.Generator) -> int:
        found = [in_order(np.array(table), lam, w, 0.0, rng) for _ in range(runs)]
        firsts = [int(each[0]) if len(each) else len(table) for each in found]
        return int(np.isin(firsts, bottoms).sum())

    def counts(runs: int, rng: np.random.Generator) -> tuple[int, int]:
        return ends(witness.distances, runs, rng), ends(witness.moved, runs, rng)

    p, q = (float(first_bottom((np.array(table) - w) / lam)[bottoms].sum()) for table in (witness.distances, witness.moved))
    return Attack(counts, p, q)


ATTACKS: dict[str, Callable[[AuditCell], Attack]] = {
    "A_stab_printed": lambda cell: stab_attack("printed", cell),
    "A_stab_corrected": lambda cell: stab_attack("corrected", cell),
    "A_binClas_epoch": epoch_attack,
}


def measure(cell: AuditCell, streams: BlockStreams) -> Measure:
    """One trial: `hits` and `hits_neighbour` of an attack in `runs` runs on either table."""
    return lambda name: dict(zip(HITS, attack(cell, name).counts(cell.runs, streams(name)), strict=True))


@kept
def attack(cell: AuditCell, name: str) -> Attack:
    """The event of an attack on a cell."""
    return ATTACKS[name](cell)


HITS = ("hits", "hits_neighbour")
KIND = Kind(
    name="audit",
    cell=AuditCell,
    subjects=lambda: list(ATTACKS),
    columns=(
        *(EPS, DELTA),
        Column("p", "real", "claimed", "the event's exact chance on the first table"),
        Column("q", "real", "claimed", "the event's exact chance on its neighbour"),
        Column("runs", "whole", "parameter", "runs on either table", unit="runs"),
        Column("hits", "whole", "measured", "how often the event happened on the first table", unit="runs"),
        Column("hits_neighbour", "whole", "measured", "how often it happened on its neighbour", unit="runs"),
    ),
    measure=measure,
    resolved=lambda cell, name: {"p": attack(cell, name).p, "q": attack(cell, name).q},
    rules=(no_more("hits", "runs"), no_more("hits_neighbour", "runs"), no_more("q", "p")),
)
