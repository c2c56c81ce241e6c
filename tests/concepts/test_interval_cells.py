"""Chunks counted by the gaps that their boundaries lie in, against chunks that are drawn one by one, on the same queries."""

from dataclasses import replace

import numpy as np
import pytest

from harness.ballots import Queries
from harness.concepts.intervals.samplers import ConsistentSampler, IntervalSampler
from tests.support.laws import SameLaw

TRIALS = 1000
SETTINGS = {"few near": (3, 200, 900, 4000), "many near": (3, 400, 500, 2500), "labels": (5, 60, 800, 8000)}
"""L, m, k and s."""


def in_every_trial(queries: Queries) -> Queries:
    """The same queries, once in each of many trials."""
    once = queries.only(np.repeat(np.arange(len(queries.truth)), TRIALS))
    return replace(once, trial=np.tile(np.arange(TRIALS), len(queries.truth)), trials=TRIALS)


@pytest.mark.at_once("types-few near-rightmost")
@pytest.mark.parametrize("learner", ["leftmost", "rightmost"])
@pytest.mark.parametrize("setting", ["few near", *(pytest.param(name, marks=pytest.mark.law) for name in (*SETTINGS,)[1:])])
@pytest.mark.parametrize("public", [False, True], ids=["types", "public"])
def test_wrong_votes_and_most_mistakes_have_one_law(
    learner: str, setting: str, public: bool, assert_same_law: SameLaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On queries that may be of many at a point, as public ones are, and of one."""
    labels, m, k, s = SETTINGS[setting]
    monkeypatch.setattr("harness.concepts.least_risk.FEW_POINTS", 0)
    sampler, rng = ConsistentSampler(labels, learner, 0.0), np.random.default_rng([3, public])
    queries = (sampler.public if public else sampler.types)(m, k, s, rng)
    assert queries.width is not None and sampler._by_cells(m, k, s)
    beside = np.flatnonzero(np.sign(queries.points[:, 1]) == sampler.ties)[:8]
    block = sampler.sufficient(in_every_trial(queries), k, s, rng)
    assert isinstance(block.max_mistakes, np.ndarray)
    by_cells = np.column_stack([block.wrong.reshape(-1, TRIALS)[beside].T, block.max_mistakes])
    alone = (IntervalSampler.sufficient(sampler, queries, k, s, rng) for _ in range(TRIALS))
    by_chunk = np.array([np.append(ballot.wrong[beside], ballot.max_mistakes or 0) for ballot in alone])
    assert by_cells[:, :-1].any()
    assert_same_law(by_cells, by_chunk)
