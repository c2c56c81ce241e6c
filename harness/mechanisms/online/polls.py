"""Neighbouring data sets of queries that come one by one: what is said to each of them on either."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from harness.analysts import Poll, of_records
from harness.mechanisms.answering.tables import FEW, Tables
from harness.mechanisms.answering.tables import usual as usual_tables


@dataclass(frozen=True)
class Polls:
    """Two neighbouring data sets, by the polls of m queries in order. words: for a reader. before, after: the polls on each."""

    words: str
    before: Sequence[Poll]
    after: Sequence[Poll]


def of_chunks(tables: Tables) -> Polls:
    """Two neighbouring data sets by their polls, from two neighbouring tables of the votes of k chunks."""
    sides = (
        [
            Poll(np.arange(len(counts)), counts, 0)
            for counts, size in zip(table.T, tables.sizes, strict=True)
            for _ in range(size)
        ]
        for table in (tables.before, tables.after)
    )
    return Polls(tables.words, *sides)


def usual(k: int, m: int, gaps: Sequence[int]) -> Iterator[Polls]:
    """The neighbouring data sets that are tried of every mechanism with k chunks. gaps: where its answer is uncertain."""
    yield from map(of_chunks, usual_tables(k, min(m, FEW), gaps))


def usual_whole(n: int, m: int, gaps: Sequence[int]) -> Iterator[Polls]:
    """The usual neighbouring data sets for audits of mechanisms without chunks: one record of the losing label is added."""
    for gap in {n % 2: "tied", **{gap: f"at gaps of {gap} and {gap - 1} records" for gap in gaps}}.items():
        yield Polls(f"all queries {gap[1]}, and one record added", *([_records(n, gap[0], more)] * m for more in (0, 1)))


def _records(n: int, gap: int, more: int) -> Poll:
    """Two labels, of which the first leads by a gap among n records; and so many more for the second."""
    return of_records(np.arange(2), np.array([(n + gap) // 2, (n - gap) // 2 + more]), 0)
