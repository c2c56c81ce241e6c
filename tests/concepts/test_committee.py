"""A committee whose majority misleads: its masses, votes and least empirical risk, by going through hypotheses one by one."""

from itertools import combinations

import numpy as np
import pytest

from harness.arrays import Bools
from harness.concepts import Situation
from harness.concepts.committee import Committee, CommitteeSampler, Misled
from harness.trials.learner import LearnerCell

CASES = [(3, 0.1, 0.0), (5, 0.05, 0.05), (15, 0.02, 0.1), (31, 0.01, 0.0)]


def sampler_of(p: int, alpha: float, gamma: float, lure: float = 0.95) -> CommitteeSampler:
    distribution, situation = Misled(parts=p, lure=lure), Situation(Committee(), "erm", 20, gamma, alpha=alpha)
    assert distribution.refuse(situation) is None
    return distribution.at(situation)


@pytest.mark.parametrize(("p", "alpha", "gamma"), CASES)
def test_each_member_errs_gamma_plus_alpha_and_their_majority_nearly_twice_that(p: int, alpha: float, gamma: float) -> None:
    sampler = sampler_of(p, alpha, gamma)
    errors = sampler.errs @ sampler.masses
    assert sampler.masses.min() >= 0 and sampler.masses.sum() == pytest.approx(1)
    assert errors[1:-1] == pytest.approx(gamma + alpha)
    assert errors[-1] == errors.min() == pytest.approx(gamma)
    majority = 2 * sampler.errs[1:-1].sum(axis=0) > p
    assert sampler.masses @ majority == pytest.approx(2 * (gamma + alpha) * p / (p + 1))
    apart = sampler.masses @ (sampler.errs != majority).T
    assert apart[0] == pytest.approx(0.95 * apart[1:-1].min()), "the decoy fits the majority best"


@pytest.mark.parametrize(("p", "alpha", "gamma"), CASES)
@pytest.mark.parametrize("k", [1, 7, 100])
def test_the_votes_are_those_of_members_in_turn(p: int, alpha: float, gamma: float, k: int) -> None:
    sampler = sampler_of(p, alpha, gamma)
    queries = sampler.queries(200, np.random.default_rng([p, k]))
    votes = sampler.sufficient(queries, k, 20, np.random.default_rng(0))
    regions = queries.points.astype(int).tolist()
    errs = np.array([[r < p and (r - j) % p <= p // 2 for r in regions] for j in range(k)])
    assert votes.wrong.tolist() == errs.sum(axis=0).tolist()
    assert votes.max_mistakes == errs.sum(axis=1).max()


def test_what_is_learned_is_of_least_empirical_risk_and_the_decoy_of_several() -> None:
    sampler, rng = sampler_of(5, 0.05, 0.05), np.random.default_rng(1)
    for _ in range(50):
        points = sampler.queries(40, rng)
        labels = rng.integers(0, 2, 40, dtype=np.int8)
        learned = sampler.learn(points, labels)
        risks = [(row[points.points.astype(int)] != labels).sum() for row in sampler.errs]
        given = np.zeros((2, 40), dtype=np.int64)
        given[labels, np.arange(40)] = 1
        assert (learned.predict(points.points) != labels).sum() == min(risks)
        assert sampler.learn(*sampler.placed(points, given, rng)).error == learned.error
    nothing = sampler.learn(points.only(slice(0, 0)), labels[:0])
    assert nothing.error == pytest.approx(sampler.masses @ sampler.errs[0])


def test_m_points_by_region_are_as_many_as_one_by_one() -> None:
    """Both laws are multinomial: 10⁶ points of each, within 6 standard deviations (false with probability below 1e-7)."""
    sampler, m = sampler_of(5, 0.05, 0.05), 10**6
    counted = sampler.types(m, 10, 20, np.random.default_rng(2))
    drawn = np.bincount(sampler.queries(m, np.random.default_rng(3)).points.astype(int), minlength=8)
    sd = np.sqrt(m * sampler.masses * (1 - sampler.masses))
    for counts in (counted.sizes, drawn):
        assert (np.abs(counts - m * sampler.masses) <= 6 * sd).all() and counts.sum() == m


@pytest.mark.parametrize(
    ("cell", "allowed"),
    [
        ({"alpha": 0.2, "gamma": 0.2}, "alpha ≤ 0.0667"),
        ({"alpha": 0.2, "gamma": 0.25}, "gamma < 1/4"),
    ],
)
def test_what_does_not_fit_is_refused(cell: dict[str, float], allowed: str) -> None:
    refused = LearnerCell(concept="committee", **cell).distribution.refuse(Situation(Committee(), "erm", 20, **cell))
    assert refused is not None and allowed in refused.message


def test_an_even_committee_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: an odd number"):
        Misled(parts=4)


@pytest.mark.parametrize("parts", [3, 5, 9, 11])
def test_no_three_hypotheses_make_all_regions_and_three_points_are_shattered_from_nine_parts_on(parts: int) -> None:
    """By all sets of hypotheses, and of regions, where labels are wrong."""
    errs = CommitteeSampler(parts, 0.1, 0.0, 1.0).errs

    def shattered(rows: Bools, size: int) -> bool:
        return any(len({*map(tuple, rows[list(some)].T)}) == 2**size for some in combinations(range(len(rows)), size))

    assert shattered(errs, 2) and not shattered(errs, 3) and Committee().dual_vc == 2
    assert shattered(errs.T, 3) == (parts >= 9) and not shattered(errs.T, 4) and Committee().vc == 3
