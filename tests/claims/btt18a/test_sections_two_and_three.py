"""What the theory alone decides of the text's sections 2 and 3: by how much, and which false variants fall."""

from math import log

import pytest

from harness.claims.btt18a.c3 import ranges_spent, told_apart
from harness.claims.btt18a.c4 import mistaken
from harness.claims.btt18a.d3_1 import stability, unstable
from harness.claims.btt18a.l2 import JOINED, excess, loss, processed, two_laws, unlikely
from harness.claims.btt18a.l3 import agreeing, differing, fresh
from harness.claims.btt18a.t2 import _above, failing
from harness.claims.btt18a.t3 import SETTINGS, agreement, both, lost, most_eps, own_runs
from harness.claims.btt18a.tables import Table, corrected, own_distance, printed
from harness.claims.engine import Computed, Number, overall
from harness.claims.registry import claims


def outcome(numbers: "list[Number]") -> str:
    """The verdict on some comparisons."""
    return overall(verdict.outcome for verdict in Computed(lambda: numbers).computed("it"))


def generous(table: Table) -> int:
    """A vote more than its own distance."""
    return own_distance(table) + 1


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


@pytest.mark.parametrize(("share", "expected"), [(1.0, "holds"), (0.9, "holds"), (0.6, "refuted")])
def test_a_run_of_a_oqr_is_certified_with_somewhat_less_noise_and_not_with_much_less(share: float, expected: str) -> None:
    assert outcome(list(own_runs(share))) == expected


def test_a_run_of_a_subsamp_is_not_certified_at_every_eps() -> None:
    assert outcome(list(ranges_spent(printed, 20.0))) == "holds"
    assert outcome(list(ranges_spent(printed, 50.0))) == "refuted"
    assert outcome(list(ranges_spent(corrected, 100.0))) == "holds"


def test_from_some_eps_on_the_printed_distance_lets_out_what_a_neighbour_never_says() -> None:
    """At δ = 0.2 between ε = 20 and 21, at 10⁻⁶ between 47 and 48."""
    beyond = [
        number.where.split("ε = ")[1] for number in told_apart((20.0, 21.0, 47.0, 48.0)) if number.measured > number.bound
    ]
    assert {where for where in beyond if where.endswith(("1e-06", "0.2"))} == {
        *(f"{eps}, δ = 0.2" for eps in (21, 47, 48)),
        "48, δ = 1e-06",
    }


@pytest.mark.parametrize(("inner", "expected"), [("m", "refuted"), ("k", "holds"), ("k/1000", "refuted")])
def test_mistakes_of_k_hypotheses_need_the_logarithm_of_k(inner: str, expected: str) -> None:
    of = {"m": lambda m, k: m, "k": lambda m, k: k, "k/1000": lambda m, k: k / 1000}[inner]
    assert outcome(list(mistaken(of, ((1000, 0.25, 1.0),)))) == expected


@pytest.mark.parametrize(("constant", "expected"), [(72.0, "holds"), (60.0, "holds"), (45.0, "refuted")])
def test_72_is_more_than_is_needed_and_45_is_less(constant: float, expected: str) -> None:
    assert outcome(list(agreement(constant))) == expected


def test_a_stable_value_passes_at_every_corner_and_with_a_third_of_the_distance_it_does_not() -> None:
    assert outcome(list(failing(_above))) == "holds"
    assert outcome(list(failing(lambda *setting: (_above(*setting)[0] / 3, _above(*setting)[1])))) == "refuted"


def test_136_is_just_short_from_some_eps_on() -> None:
    setting = (1, 1.0, 1e-6, 0.05)
    short = [number.where for eps in (1.0, 4.5, 4.6) for number in both(eps, setting) if number.measured > number.bound]
    assert short == ["3(a + 1)/k, ε = 4.6, m = 1, T = 1, δ = 1e-06, β = 0.05"]
    assert most_eps(*setting) == pytest.approx(4.546, abs=1e-3)


@pytest.mark.parametrize("setting", SETTINGS)
def test_both_conditions_hold_up_to_the_repaired_eps_and_one_fails_beyond(setting: tuple[int, float, float, float]) -> None:
    """A tenth beyond the first of its two ends; the second, of 72 ln(2m/β), leaves what the logarithms differ by."""
    assert outcome(list(both(most_eps(*setting), setting))) == "holds"
    first = (136 - 96 * 2**0.5) / 3 * (setting[1] * log(2 / setting[2])) ** 0.5
    first *= log(4 * setting[0] * setting[1] / min(setting[2], setting[3] / 2))
    assert outcome(list(both(1.1 * first, setting))) == "refuted"


def test_a_stable_query_is_lost_only_where_chunks_are_few() -> None:
    few = lost(100.0, 100, 0.2, 0.2)
    assert few.where.endswith("k = 18") and few.measured == pytest.approx(0.42, abs=0.01)
    assert lost(1.0, 100, 0.2, 0.2).measured < 1e-9


def test_an_unstable_query_is_answered_more_often_in_a_run_than_at_its_start() -> None:
    """At the start the chance is ⅔ of δ/2m, and after 99 queries that might be ⊥ it is 1.17 of it."""
    start = [number.measured / number.bound for number in fresh(0, 1.0)]
    assert start == pytest.approx([2 / 3] * len(start), rel=1e-6)
    run = {number.where: (number.measured or 0) / (number.bound or 1) for number in claims()["BTT18a:L3.8-run"].computed()}
    assert max(run.values()) == pytest.approx(1.996, rel=1e-3)
    assert min(run.values()) < 1
