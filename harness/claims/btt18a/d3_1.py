"""BTT18a Definition 3.1: k-stability and the distance to instability are two words for one number."""

from collections.abc import Iterator

from harness.claims.btt18a.tables import SHAPES, Table, least_changes, neighbours, own_distance, winner
from harness.claims.engine import Claim, Computed, Number, Quote


def unstable(table: Table) -> bool:
    """Whether moving one vote of a table can change its winner."""
    return any(winner(neighbour) != winner(table) for neighbour in neighbours(table))


def stability(labels: int, k: int) -> dict[Table, int]:
    """For every table of k votes the most votes that can be moved anywhere with the same winner, by trying all tables."""
    to_each = [least_changes(labels, k, _Wins(label)) for label in range(labels)]
    return {
        table: min(found[table] for label, found in enumerate(to_each) if label != winner(table)) - 1 for table in to_each[0]
    }


class _Wins:
    """Whether a label wins."""

    def __init__(self, label: int) -> None:
        self.label = label

    def __call__(self, table: Table) -> bool:
        return winner(table) == self.label


def _numbers() -> Iterator[Number]:
    for labels, k in SHAPES:
        to_instability, stable = least_changes(labels, k, unstable), stability(labels, k)
        differ = sum(to_instability[table] != stable[table] for table in stable)
        yield Number(f"tables where they differ, {labels} labels, {k} chunks", differ, 0)
        wrong = sum(own_distance(table) != stable[table] for table in stable)
        yield Number(f"tables where the formula differs from a search, {labels} labels, {k} chunks", wrong, 0)


CLAIMS = (
    Claim(
        "BTT18a:D3.1",
        "BTT18a Definition 3.1",
        "D is k-stable if and only if its distance to instability, the least number of changes to data that is not stable, "
        "is at least k. Decided by a search through all tables of votes of 2 to 4 labels and up to 8 chunks.",
        decider=Computed(_numbers),
        quote=Quote(
            "BTT18a §3.1 (after Definition 3.1)",
            "Note that D is k-stable if and only if its distance to instability is at least k.",
        ),
        check="identity",
    ),
)
