"""Tables of votes over any number of labels: their neighbours, and how far each is from where its winner changes.

A table says how many of k chunks answer each label. One changed example changes one chunk, so its neighbours have one vote
moved to another label. All of them, for small k, decide what holds of every range: labels beyond the two that lead and the one
that a vote comes from or goes to are alike.
"""

from collections.abc import Callable, Iterator
from functools import cache

Table = tuple[int, ...]
SHAPES = ((2, 7), (2, 8), (3, 6), (3, 7), (4, 6))
"""Labels and k, odd and even, of the tables that are gone through."""


def tables(labels: int, k: int) -> Iterator[Table]:
    """All tables of k votes over some labels, C(k + labels − 1, k) of them."""
    if labels == 1:
        yield (k,)
        return
    for first in range(k + 1):
        for rest in tables(labels - 1, k - first):
            yield (first, *rest)


def neighbours(table: Table) -> Iterator[Table]:
    """The tables that a table becomes when one of its votes is moved to another label."""
    for source, votes in enumerate(table):
        for target in range(len(table)):
            if votes and target != source:
                moved = list(table)
                moved[source] -= 1
                moved[target] += 1
                yield tuple(moved)


def pairs(shapes: tuple[tuple[int, int], ...] = SHAPES) -> Iterator[tuple[Table, Table]]:
    """All pairs of neighbouring tables of votes, in both orders. shapes: numbers of labels and of votes."""
    for labels, k in shapes:
        for table in tables(labels, k):
            for neighbour in neighbours(table):
                yield table, neighbour


def winner(table: Table) -> int:
    """The label with the most votes in a table; a tie goes to the smaller one."""
    return table.index(max(table))


def gap(table: Table) -> int:
    """The lead of a table's winner in votes, ct(top) − ct(second)."""
    top, second = sorted(table)[-1:-3:-1]
    return top - second


def own_distance(table: Table) -> int:
    """The largest number of votes that can be moved anywhere without another winner (BTT18a Definition 3.1, Theorem 3.6).

    A vote that is moved from the winner to another label changes the lead by 2; at a tie the smaller label wins.
    """
    best = winner(table)
    leads = [(table[best] - votes, label < best) for label, votes in enumerate(table) if label != best]
    return min((lead + 1) // 2 - 1 if before else lead // 2 for lead, before in leads)


@cache
def least_changes(labels: int, k: int, reached: Callable[[Table], bool]) -> dict[Table, int]:
    """For every table of k votes, how many votes to move, at least, to one that has been `reached`; k + 1 where none can be."""
    fewest = {table: 0 if reached(table) else k + 1 for table in tables(labels, k)}
    edge = [table for table, changes in fewest.items() if changes == 0]
    while edge:
        nearer = []
        for table in edge:
            for neighbour in neighbours(table):
                if fewest[neighbour] > fewest[table] + 1:
                    fewest[neighbour] = fewest[table] + 1
                    nearer.append(neighbour)
        edge = nearer
    return fewest


def sensitivity(distance: Callable[[Table], int]) -> int:
    """The most by which a distance differs on two neighbouring tables, of all the small ones."""
    return max(abs(distance(table) - distance(neighbour)) for table, neighbour in pairs())


def unsettled(distance: Callable[[Table], int]) -> int:
    """The largest value of a distance on a table with a neighbour of another winner, of all the small tables."""
    return max(distance(table) for table, neighbour in pairs() if winner(table) != winner(neighbour))


def printed(table: Table) -> int:
    """The distance of a table, max(0, ct(top) − ct(second) − 1), as Algorithm 4 has it."""
    return max(0, gap(table) - 1)


def corrected(table: Table) -> int:
    """The distance of a table as it is corrected, max(0, ⌈gap/2⌉ − 1)."""
    return max(0, -(-gap(table) // 2) - 1)
