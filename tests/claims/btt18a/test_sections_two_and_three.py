"""What the theory alone decides of the text's sections 2 and 3: by how much, and which false variants fall."""

import pytest

from harness.claims.btt18a.c3_10_ranges import ranges_spent
from harness.claims.btt18a.d3_1 import stability, unstable
from harness.claims.btt18a.l2_4 import JOINED, excess, processed, two_laws, unlikely
from harness.claims.btt18a.l2_6 import loss
from harness.claims.btt18a.l3_3 import agreeing
from harness.claims.btt18a.l3_4 import differing
from harness.claims.btt18a.l3_8 import fresh
from harness.claims.btt18a.t3_6 import own_runs
from harness.claims.btt18a.t3_11_proof import agreement, both
from harness.claims.engine import Computed, Number, overall
from harness.claims.registry import claims
from harness.theory.privacy.tables import (
    SHAPES,
    Table,
    corrected,
    neighbours,
    own_distance,
    printed,
    sensitivity,
    tables,
    unsettled,
)


def outcome(numbers: "list[Number]") -> str:
    """The verdict on some comparisons."""
    return overall(verdict.outcome for verdict in Computed(lambda: numbers).computed("it"))


def generous(table: Table) -> int:
    """A vote more than its own distance."""
    return own_distance(table) + 1


def test_tables_and_their_neighbours_are_all_there() -> None:
    assert sorted(tables(3, 2)) == [(0, 0, 2), (0, 1, 1), (0, 2, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0)]
    assert sorted(neighbours((1, 0, 1))) == [(0, 0, 2), (0, 1, 1), (1, 1, 0), (2, 0, 0)]
    assert all(sum(a) == sum(b) for a in tables(4, 5) for b in neighbours(a))


def test_the_three_distances_move_as_they_are_said_to() -> None:
    """Over any range as over two labels: the gap by 2, its half and the true distance by 1."""
    assert [sensitivity(each) for each in (own_distance, printed, corrected)] == [1, 2, 1]
    assert [unsettled(each) for each in (own_distance, printed, corrected)] == [0, 1, 0]
    assert all(corrected(table) <= own_distance(table) for labels, k in SHAPES for table in tables(labels, k))


def test_stability_and_instability_are_found_by_a_search() -> None:
    found = stability(3, 6)
    assert (found[6, 0, 0], found[0, 0, 6], found[3, 3, 0], found[2, 2, 2]) == (3, 2, 0, 0)
    assert unstable((3, 3, 0)) and unstable((0, 2, 4)) and not unstable((5, 1, 0))


def test_one_stab_falls_with_a_distance_of_twice_the_sensitivity_or_of_a_vote_more() -> None:
    """Lemma 3.3 asks for a sensitivity of 1, and Lemma 3.4 for the distance 0 where neighbours differ."""
    assert outcome(list(agreeing(own_distance))) == outcome(list(differing(own_distance))) == "holds"
    assert outcome(list(agreeing(lambda table: 2 * own_distance(table)))) == "refuted"
    assert outcome(list(agreeing(generous))) == "holds"
    assert outcome(list(differing(generous))) == "refuted"


def test_post_processing_falls_only_by_the_reading_of_outcomes() -> None:
    p, q = two_laws(1.0, 1e-6)
    assert unlikely(p, q, 1.0) <= 1e-6 and unlikely(q, p, 1.0) == 0
    joined_p, joined_q = processed(p, [JOINED])[0], processed(q, [JOINED])[0]
    assert unlikely(joined_p, joined_q, 1.0) == pytest.approx(0.250001)
    assert excess(joined_p, joined_q, 1.0) <= excess(p, q, 1.0) * (1 + 1e-9)
    assert excess(p, q, 1.0) == pytest.approx(1e-6)


def test_half_the_noise_spends_twice() -> None:
    assert loss(1.0, 1.0) == pytest.approx(1.0)
    assert loss(1.0, 0.5) == pytest.approx(2.0)


@pytest.mark.parametrize(("share", "expected"), [(1.0, "holds"), (0.6, "holds"), (0.4, "refuted")])
def test_a_run_of_a_oqr_is_certified_down_to_about_half_of_its_noise(share: float, expected: str) -> None:
    assert outcome(list(own_runs(share))) == expected


def test_a_run_of_a_subsamp_is_not_certified_at_every_eps() -> None:
    assert outcome(list(ranges_spent(printed, 5.0))) == "holds"
    assert outcome(list(ranges_spent(printed, 10.0))) == "refuted"
    assert outcome(list(ranges_spent(corrected, 10.0))) == "holds"


@pytest.mark.parametrize(("constant", "expected"), [(72.0, "holds"), (60.0, "holds"), (45.0, "refuted")])
def test_72_is_more_than_is_needed_and_45_is_less(constant: float, expected: str) -> None:
    assert outcome(list(agreement(constant))) == expected


def test_136_is_just_short_from_some_eps_on() -> None:
    short = [number.where for number in both((1.0, 4.0, 5.0)) if number.measured > number.bound]
    assert short == ["3(a + 1)/k, m = 1, T = 1, ε = 5, β = 0.05"]


def test_an_unstable_query_is_answered_more_often_in_a_run_than_at_its_start() -> None:
    """At the start the chance is ⅔ of δ/2m, and after 99 queries that might be ⊥ it is 1.17 of it."""
    start = [number.measured / number.bound for number in fresh(0, 1.0)]
    assert start == pytest.approx([2 / 3] * len(start), rel=1e-6)
    run = {number.where: (number.measured or 0) / (number.bound or 1) for number in claims()["BTT18a:L3.8-run"].computed()}
    assert max(run.values()) == pytest.approx(1.996, rel=1e-3)
    assert min(run.values()) < 1
