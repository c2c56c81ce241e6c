"""Hypotheses that err on arcs: their votes and mistakes by going through hypotheses and points one by one."""

import numpy as np
import pytest

from harness.concepts.arcs import Arcs, Circle
from tests.support.situations import situation_of


@pytest.mark.parametrize("share", [0.2, 0.41, 0.5, 1.0])
@pytest.mark.parametrize(("k", "s", "m"), [(1, 5, 30), (7, 10, 200), (40, 6, 100)])
def test_the_votes_are_those_of_hypotheses_that_each_err_on_their_own_arc(share: float, k: int, s: int, m: int) -> None:
    sampler = Circle(share=share).at(situation_of(s, "spread", concept=Arcs()))
    rng = np.random.default_rng([k, s])
    queries = sampler.queries(m, rng)
    votes = sampler.sufficient(queries, k, s, rng)
    mass = 1 / s / share
    errs = np.array(
        [[point < mass and (point / mass - j / k) % 1 < share for point in queries.points] for j in range(k)], dtype=bool
    )
    assert votes.wrong.tolist() == errs.sum(axis=0).tolist()
    assert votes.max_mistakes == errs.sum(axis=1).max()


def test_each_hypothesis_errs_on_mass_one_over_s_and_each_point_of_the_circle_has_the_share() -> None:
    """A fine lattice of points, so that masses are counts."""
    s, k, share, m = 10, 100, 0.4, 400_000
    sampler = Circle(share=share).at(situation_of(s, "spread", concept=Arcs()))
    queries = sampler.queries(m, np.random.default_rng(1))
    lattice = type(queries)((np.arange(m) + 0.5) / m, queries.truth)
    votes = sampler.sufficient(lattice, k, s, np.random.default_rng(1))
    assert votes.max_mistakes == pytest.approx(m / s, abs=2)
    on = lattice.points < 1 / s / share
    assert set(votes.wrong[on].tolist()) == {40} and not votes.wrong[~on].any()


def test_a_circle_of_more_than_all_mass_is_refused() -> None:
    refused = Circle(share=0.1).refuse(situation_of(5, "spread", concept=Arcs()))
    assert refused is not None and refused.parameter == "distribution" and "mass 2" in refused.message
    assert Circle(share=0.2).refuse(situation_of(5, "spread", concept=Arcs())) is None
