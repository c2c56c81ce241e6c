"""Tables of votes: their neighbours, and how far each is from where its winner changes, by going through all of them."""

from itertools import product

import pytest

from harness.claims.btt18a.tables import (
    SHAPES,
    Table,
    corrected,
    gap,
    least_changes,
    neighbours,
    own_distance,
    pairs,
    printed,
    sensitivity,
    tables,
    unsettled,
    winner,
)


def test_tables_and_their_neighbours_are_all_there() -> None:
    assert sorted(tables(3, 2)) == [(0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]
    assert sorted(neighbours((1, 0, 1))) == [(0, 0, 2), (0, 1, 1), (1, 1, 0), (2, 0, 0)]
    assert all(sum(a) == sum(b) for a in tables(4, 5) for b in neighbours(a))


def test_all_shapes_are_gone_through() -> None:
    """Two labels, and more of them with odd and even k: C(k + labels − 1, k) tables each."""
    assert SHAPES == ((2, 7), (2, 8), (3, 6), (3, 7), (4, 6))
    assert [len(list(tables(*shape))) for shape in SHAPES] == [8, 9, 28, 36, 84]
    assert len(list(pairs())) == sum(len(list(neighbours(table))) for shape in SHAPES for table in tables(*shape))
    assert set(pairs(((2, 1),))) == {((0, 1), (1, 0)), ((1, 0), (0, 1))}


def test_the_three_distances_move_as_they_are_said_to() -> None:
    """Over any range as over two labels: the gap by 2, its half and the true distance by 1."""
    assert [sensitivity(each) for each in (own_distance, printed, corrected)] == [1, 2, 1]
    assert [unsettled(each) for each in (own_distance, printed, corrected)] == [0, 1, 0]
    assert all(corrected(table) <= own_distance(table) for labels, k in SHAPES for table in tables(labels, k))


def test_a_winner_has_most_votes_and_a_tie_is_of_the_smaller_label() -> None:
    assert [winner(table) for table in ((1, 2, 0), (2, 0, 2), (0, 1, 1), (0, 0, 1))] == [1, 0, 1, 2]
    assert [gap(table) for table in ((1, 2, 0), (2, 0, 2), (7, 1, 3), (0, 9))] == [1, 0, 4, 9]
    assert [printed(table) for table in ((1, 2, 0), (2, 0, 2), (7, 1, 3), (0, 9))] == [0, 0, 3, 8]
    assert [corrected(table) for table in ((1, 2, 0), (2, 0, 2), (7, 1, 3), (0, 9))] == [0, 0, 1, 4]


def another_wins(table: Table, of: Table) -> bool:
    return winner(table) != winner(of)


@pytest.mark.parametrize(("labels", "k"), [*SHAPES, (2, 3), (3, 4)])
def test_the_own_distance_is_one_less_than_the_moves_to_another_winner(labels: int, k: int) -> None:
    """d(a, b) votes are moved to get from a to b, half of what the counts differ by."""
    every = list(tables(labels, k))
    for table in every:
        moves = [
            sum(abs(a - b) for a, b in zip(table, other, strict=True)) // 2 for other in every if another_wins(other, table)
        ]
        assert own_distance(table) == min(moves) - 1


@pytest.mark.parametrize(("labels", "k"), [(2, 3), (3, 4), (4, 3)])
def test_the_least_changes_are_those_to_the_nearest_that_is_reached(labels: int, k: int) -> None:
    found = least_changes(labels, k, (k, *[0] * (labels - 1)).__eq__)
    assert found == {table: k - table[0] for table in product(range(k + 1), repeat=labels) if sum(table) == k}
    assert set(least_changes(labels, k, lambda table: False).values()) == {k + 1}
