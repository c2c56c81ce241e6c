"""Neighbouring tables of votes: one example changes one classifier, and so one vote of every query, in any way.

Votes are as many as the plan's k, so that the noise, the threshold and all that depends on k are those of the plan.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.arrays import Ints, Reals
from harness.ballots import Ballot
from harness.mechanisms.neighbours import ALONE, NeighbourPair, repeated, uncertain
from harness.theory.parameters import Task
from harness.theory.plan import Plan

if TYPE_CHECKING:
    from harness.mechanisms.answering import Answering

FEW = 40  # queries that are asked and looked at one by one; of more, those that are alike are counted
AT_ONCE = 1 << 16  # types of queries of a block of runs
TRIED = 96  # runs at each gap, in the search for one where the answer is uncertain


@dataclass(frozen=True)
class Tables:
    """Two neighbouring tables of votes, which differ in at most one vote of each query. before, after: (labels, types).

    words: a description for a reader. sizes: (types,), how many queries are of each type.
    Where every size is 1 the queries are asked in this order, if the mechanism can be asked in an order. Raises ValueError
    where more than one vote of a query differs.
    """

    words: str
    before: Ints
    after: Ints
    sizes: Ints

    def __post_init__(self) -> None:
        shapes = {np.shape(self.before), np.shape(self.after)}
        if len(shapes) != 1 or np.shape(self.sizes) != np.shape(self.before)[1:]:
            raise ValueError(
                f"{self.words}: the tables are of shapes {shapes}; allowed: (labels, types), with a size for each type"
            )
        moved = self.after - self.before
        if (np.minimum(self.before, self.after) < 0).any() or moved.sum(axis=0).any() or (np.abs(moved).sum(axis=0) > 2).any():
            raise ValueError(f"{self.words}: these are no neighbours; allowed: tables that differ in one vote of each query")

    def shifted_to(self, labels: int) -> "Tables":
        """The tables over `labels` labels, of which the further ones have no vote."""
        more = ((0, labels - len(self.before)), (0, 0))
        return Tables(self.words, np.pad(self.before, more), np.pad(self.after, more), self.sizes)


def neighbours(
    mechanism: "Answering[Any]", plan: Any, task: Task, labels: int, rng: np.random.Generator
) -> list[NeighbourPair]:
    """The pairs of neighbouring vote tables to audit a mechanism on: its own, the usual, and one at a gap where runs agree."""
    gaps = uncertain(lambda gap: lost_at(mechanism, plan, task, labels, gap, rng), plan.k)
    tables = [*mechanism.neighbours(plan, task, labels), *usual(plan.k, task.m, gaps)]
    fixed = repeated(lambda gap: outcomes(mechanism, plan, task, same("", task.m, plan.k, gap, gap), 0, 1, rng), plan.k)
    if fixed is not None:
        tables.append(
            same(f"gaps of {fixed} and {fixed - 2} votes, where runs repeat each other", task.m, plan.k, fixed, fixed - 2)
        )
    at_once = [runs_on(mechanism, plan, task, each.shifted_to(labels)) for each in tables]
    if not getattr(mechanism.answer, "whole_blocks", False):
        return at_once
    return at_once + [runs_on(mechanism, plan, task, each.shifted_to(labels), alone=True) for each in tables]


def runs_on(mechanism: "Answering[Any]", plan: Plan, task: Task, tables: Tables, alone: bool = False) -> NeighbourPair:
    """Pairs two neighbouring vote tables with a function that runs a mechanism on either. alone: one run at a time.

    That is to see what runs at once may hide.
    """
    types = len(tables.sizes)
    block = 1 if alone else max(1, AT_ONCE // types)
    words = f"{tables.words}, one run at a time" if alone else tables.words
    run = partial(outcomes, mechanism, plan, task, tables)
    return NeighbourPair(words, outputs(tables), run, block, ALONE if alone else 1.0)


def outputs(tables: Tables) -> tuple[str, ...]:
    """The names of an outcome's numbers: of each type how many queries get each label but the first, ⊥, and no answer."""
    sizes = tables.sizes.tolist()
    ends = np.cumsum(sizes).tolist()
    queries = [
        f"query {end}" if size == 1 else f"queries {end - size + 1} to {end}" for size, end in zip(sizes, ends, strict=True)
    ]
    labels = [f"label {label}" for label in range(1, len(tables.before))]
    names = [f"{said} of {query}" for said in (*labels, "⊥", "no answer") for query in queries]
    whole = [f"{said} of all queries" for said in (*labels, "⊥", "no answer")]
    return (*names, *(whole if len(queries) > 1 else []))


def outcomes(
    mechanism: "Answering[Any]", plan: Plan, task: Task, tables: Tables, side: int, runs: int, rng: np.random.Generator
) -> Reals:
    """What `runs` runs of a mechanism answer on one of two tables (side 0 or 1), (runs, outputs)."""
    counts, types = (tables.before, tables.after)[side], len(tables.sizes)
    ballot = Ballot(
        np.tile(counts, runs),
        int(counts[:, 0].sum()),
        np.zeros(runs * types, np.int8),
        np.tile(tables.sizes, runs),
        trial=None if runs == 1 else np.repeat(np.arange(runs), types),
        trials=runs,
    )
    answers = mechanism.answer_in_order(ballot, plan, task, rng)
    answers.refuse_strange(ballot)
    nothing = np.zeros(runs * types, np.int64)
    outputs = [*answers.given[1:], *(nothing if each is None else each for each in (answers.bottoms, answers.unanswered))]
    by_query = np.array(outputs, np.float64).reshape(len(outputs), runs, types)
    one_by_one = by_query.transpose(1, 0, 2).reshape(runs, -1)
    return one_by_one if types == 1 else np.concatenate([one_by_one, by_query.sum(axis=2).T], axis=1)


def usual(k: int, m: int, gaps: Sequence[int]) -> Iterator[Tables]:
    """The neighbouring tables that are tried of every mechanism. gaps: those at which the mechanism's answer is uncertain."""
    tie = k % 2
    yield same("all queries tied, and broken by the one voter", m, k, tie, tie - 2)
    yield alternating("queries tied, and broken by the one voter now to one label and now to the other", m, k, tie, tie - 2)
    if m > 1:
        yield same("a single query, tied and broken by the one voter, and others unanimous", m, k, tie, tie - 2, alone=True)
        words = "queries tied, and broken by the one voter, the last one to the other label"
        yield turned(words, m, k, tie, tie - 2)
    yield same("all queries unanimous but for the one voter", m, k, k, k - 2)
    for gap in gaps:
        where = f"at gaps of {gap} and {gap - 2} votes, about where the answer is uncertain"
        yield same(f"all queries {where}", m, k, gap, gap - 2)
        if m > 1:
            yield alternating(f"queries moved down and up in turn, {where}", m, k, gap, gap - 2)
            yield turned(f"queries moved down but for the last, which is moved up, {where}", m, k, gap, gap - 2)
            yield halves(f"the first half of the queries moved down and the others up, {where}", m, k, gap, gap - 2)
            yield halves(f"the first half of the queries moved up and the others down, {where}", m, k, gap - 2, gap)


def column(k: int, gap: Ints) -> Ints:
    """The votes of k classifiers for two labels, (2, types), from the signed gaps between them, (types,), odd or even as k."""
    return np.array([(k + gap) // 2, (k - gap) // 2])


def tables_of(words: str, k: int, before: Sequence[int], after: Sequence[int], sizes: Sequence[int]) -> Tables:
    """Two neighbouring tables over two labels, from the gaps of each type before and after one vote of each query has moved."""
    first, second = (column(k, np.array(gaps, np.int64)) for gaps in (before, after))
    return Tables(words, first, second, np.array(sizes, np.int64))


def same(words: str, m: int, k: int, before: int, after: int, alone: bool = False) -> Tables:
    """Neighbouring tables on which all m queries have one gap. alone: all but the first are unanimous on both tables."""
    if alone:
        sizes = [1] * m if m <= FEW else [1, m - 1]
        others = [k] * (len(sizes) - 1)
        return tables_of(words, k, [before, *others], [after, *others], sizes)
    sizes = [1] * m if m <= FEW else [m]
    return tables_of(words, k, [before] * len(sizes), [after] * len(sizes), sizes)


def alternating(words: str, m: int, k: int, before: int, after: int) -> Tables:
    """Neighbouring tables on which every other query of m moves from gap `before` to `after`, and the rest move back."""
    sizes = [1] * m if m <= FEW else [m - m // 2, m // 2]
    first, second = ([(before, after)[(place + side) % 2] for place in range(len(sizes))] for side in (0, 1))
    return tables_of(words, k, first, second, sizes)


def turned(words: str, m: int, k: int, before: int, after: int) -> Tables:
    """Neighbouring tables on which all of m queries but the last move from gap `before` to `after`, and the last moves back."""
    sizes = [1] * m if m <= FEW else [m - 1, 1]
    others = len(sizes) - 1
    return tables_of(words, k, [before] * others + [after], [after] * others + [before], sizes)


def halves(words: str, m: int, k: int, before: int, after: int) -> Tables:
    """Neighbouring tables on which the first half of m queries moves from gap `before` to `after`; the second moves back."""
    sizes = [1] * m if m <= FEW else [m - m // 2, m // 2]
    late = [2 * place >= len(sizes) for place in range(len(sizes))]
    first, second = ([after if back else before for back in late], [before if back else after for back in late])
    return tables_of(words, k, first, second, sizes)


def lost_at(mechanism: "Answering[Any]", plan: Plan, task: Task, labels: int, gap: int, rng: np.random.Generator) -> float:
    """The share of runs in which the first query, at this gap, does not get its winner."""
    tables = tables_of("", plan.k, [gap], [gap], [1]).shifted_to(labels)
    lost = outcomes(mechanism, plan, task, tables, 0, TRIED, rng)
    return float((lost.sum(axis=1) > 0).mean())
