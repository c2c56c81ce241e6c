"""The ladder of atoms: its masses, its noise, its law of votes, and that it is hard at every size."""

from math import log

import numpy as np
import pytest
from scipy.stats import binom
from scipy.stats import poisson as poisson_law

from harness.concepts import Situation
from harness.concepts.halfspaces import Halfspaces
from harness.concepts.ladder import Ladder, LadderSampler, poisson, wrong_shares


def sampler(V: int = 8, gamma: float = 0.0, first: float = 4, last: float = 400) -> LadderSampler:
    return Ladder(first=first, last=last, scale=0.1).at(Situation(Halfspaces(d=V), "svm", 10, gamma))


def test_without_noise_half_of_the_chunks_of_its_size_miss_an_atom() -> None:
    masses, noise = Ladder(first=4, last=400).sizes(3, 0.0)
    assert masses == pytest.approx([log(2) / 12, log(2) / 120, log(2) / 1200])
    assert not noise.any()


@pytest.mark.parametrize("gamma", [1e-6, 1e-3, 0.1])
def test_with_noise_the_best_error_is_gamma_and_flips_are_scale_off_a_coin(gamma: float) -> None:
    ladder = Ladder(first=4e4, last=4e8, scale=0.1)
    masses, noise = ladder.sizes(64, gamma)
    assert masses @ noise == pytest.approx(gamma)
    S = 64 * np.geomspace(4e4, 4e8, 64)
    inside = noise > 0
    assert ((0.5 - noise) * np.sqrt(masses * S))[inside] == pytest.approx(0.1)
    assert masses * np.sqrt(S) == pytest.approx(masses[0] * np.sqrt(S[0]))


def test_it_is_one_instance_whatever_the_chunks_are() -> None:
    one, other = (Ladder().at(Situation(Halfspaces(d=8), "svm", s)) for s in (10, 10**6))
    assert one == other


def test_a_share_of_wrong_votes_is_a_sum_over_what_a_chunk_sees() -> None:
    """Right labels no more than wrong ones, of a Poisson number of examples; sums by hand."""
    masses, noise, s = (0.01, 0.02, 0.03), (0.0, 0.2, 0.49), 300
    hits = np.arange(60)
    for share, mass, flips in zip(wrong_shares(masses, noise, s), masses, noise, strict=True):
        expected = float(poisson_law.pmf(hits, s * mass) @ binom.cdf(hits // 2, hits, 1 - flips))
        assert share == pytest.approx(expected, rel=1e-9)


def test_of_a_great_many_examples_the_share_goes_over_into_the_normal_law() -> None:
    below, beyond = (wrong_shares((0.1,), (0.4999,), s)[0] for s in (10**7 - 10, 10**7))
    assert below == pytest.approx(beyond, abs=2e-6)


@pytest.mark.parametrize("gamma", [0.0, 0.05])
def test_drawing_all_examples_gives_the_same_votes(gamma: float) -> None:
    """Fixed and Poisson sizes of chunks differ by a share of the mass alone: of 8 rare atoms, all within 2 % together, the
    votes' means agree within their deviations, a false failure having probability below 1e-6 (six deviations, 8 atoms).
    """
    ladder = Ladder(first=200, last=20_000, scale=0.1).at(Situation(Halfspaces(d=8), "svm", 10, gamma * 0.1))
    rng, k, s = np.random.default_rng(5), 4000, 20_000
    queries = ladder.queries(10**6, rng)
    asked = [int(np.flatnonzero(queries.points == atom)[0]) for atom in range(1, 9)]
    full, drawn = ladder.full(queries, k, s, rng), poisson.votes(ladder, queries, k, s, rng)
    ones = np.array([votes.counts[1][asked] for votes in (full, drawn)])
    p = ones.mean(axis=0) / k
    assert (np.abs(ones[0] - ones[1]) <= 6 * np.sqrt(2 * k * p * (1 - p)) + 1).all()
    assert p.min() < 0.45 < p.max()
    assert (full.counts[1][queries.points == 0] == k).all()


def test_queries_come_as_the_masses_say_and_flips_as_the_noise_does() -> None:
    """Counts of atoms and flips against their law, by χ²: a false failure has probability 1e-6."""
    ladder = sampler(gamma=0.02, first=50, last=5000)
    queries = ladder.queries(200_000, np.random.default_rng(3))
    atoms = queries.points.astype(int)
    counts, total = np.bincount(atoms, minlength=9), 200_000 * np.array([1 - sum(ladder.masses), *ladder.masses])
    assert ((counts - total) ** 2 / total).sum() < 56  # χ² of 8 degrees beyond 56: 3e-9
    flipped = np.array([[(queries.truth != queries.target)[atoms == a].sum(), (atoms == a).sum()] for a in range(1, 9)])
    expected = np.array(ladder.noise) * flipped[:, 1]
    assert (np.abs(flipped[:, 0] - expected) <= 6 * np.sqrt(expected)).all()
    assert (queries.target == (atoms == 0)).all() and (queries.truth == 1)[atoms == 0].all()


def test_it_is_hard_at_every_size_of_chunks_in_proportion_to_the_dimension() -> None:
    """Mass on which most chunks err, times s/V: the same to a step of the ladder, at sizes a thousand times apart."""
    for V, step in ((64, 1.25), (512, 1.03)):
        masses, noise = Ladder(first=5, last=1e6).sizes(V, 0.0)
        hard = [
            masses[wrong_shares(tuple(masses), tuple(noise), s) > 0.5].sum() * s / V for s in (V * 100, V * 1000, V * 20_000)
        ]
        assert max(hard) / min(hard) < 1.03 * step
        assert hard[0] == pytest.approx(log(2) / log(1e6 / 5), rel=step - 0.97)


def test_what_has_no_room_is_refused_and_first_is_below_last() -> None:
    refused = Ladder().refuse(Situation(Halfspaces(d=64), "svm", 10, gamma=0.6))
    assert refused is not None and "would have mass 1." in refused.message
    assert Ladder().refuse(Situation(Halfspaces(d=1), "svm", 10)) is not None
    assert Ladder().refuse(Situation(Halfspaces(d=8), "svm", 10)) is None
    with pytest.raises(ValueError, match="first = 5 is not below last = 5"):
        Ladder(first=5, last=5)


def test_all_queries_on_an_atom_are_of_one_type_or_two() -> None:
    """None is drawn one by one."""
    for gamma in (0.0, 0.1):
        of = sampler(gamma=gamma)
        assert of.singles(10**6, 9, 100) == 0 and len(of.types(10**6, 9, 100, np.random.default_rng(1)).truth) == 9 * (
            2 if gamma else 1
        )
