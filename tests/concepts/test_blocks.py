"""Blocks of trials: their queries and votes have the law of trials drawn one by one, and no trial has another's."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from harness.ballots import Ballot
from harness.concepts import Sampler, Sampling
from tests.support.cases import EVERY, distinct
from tests.support.laws import Ints, SameLaw

PAIRS = 200
SETTINGS = ((400, 40, 600), (5_000, 300, 20_000), (5_000, 70_000, 50_000))
"""m, k and s at which votes differ: few queries and chunks, many, and more chunks than are counted one by one."""


def in_blocks() -> Iterator[tuple[str, tuple[Sampler, Sampling, tuple[int, int, int]]]]:
    """What is drawn in blocks at any of the settings."""
    for name, case in distinct(EVERY).items():
        for setting in SETTINGS:
            if case.distribution.refuse(case.situation(setting[-1])) is not None:
                continue
            sampler = case.sampler(setting[-1])
            for sampling, sample in case.samplings().items():
                if sample.at_once(sampler, *setting) > 1:
                    yield f"{name}-{sampling}-{setting[1]}", (sampler, sample, setting)


def said(ballot: Ballot) -> Ints:
    """Of each trial: queries labelled 1, those with a wrong vote and with a third of them, wrong votes, most mistakes."""
    most = -1 if ballot.max_mistakes is None else ballot.max_mistakes
    return np.column_stack(
        [
            ballot.number(ballot.truth == 1),
            ballot.number(ballot.wrong > 0),
            ballot.number(3 * ballot.wrong > ballot.k),
            ballot.sums(ballot.wrong * ballot.sizes),
            np.broadcast_to(most, ballot.trials),
        ]
    ).astype(np.int64)


CASES = dict(in_blocks())
ON_A_CHANGE = ("thresholds-uniform-leftmost-0.0", "thresholds-hard", "intervals-uniform-leftmost-0.0", "cube_stumps-hard")
"""Cases that are asked on every change, with few chunks; the others every night."""


def by_tier(name: str) -> Any:
    """A case, marked where it is for the night."""
    early = name.startswith(ON_A_CHANGE) and name.endswith("-40")
    return pytest.param(name, marks=() if early else pytest.mark.law)


@pytest.mark.parametrize("name", [by_tier(name) for name in CASES])
def test_trials_in_blocks_have_the_law_of_trials_one_by_one_and_neighbours_are_independent(
    name: str, assert_same_law: SameLaw
) -> None:
    """Of pairs of neighbours in a block, against pairs of trials that were drawn one by one."""
    sampler, sample, (m, k, s) = CASES[name]
    rng, at_once = np.random.default_rng(1), min(2 * PAIRS, sample.at_once(sampler, m, k, s))
    blocks: list[Ints] = []
    while sum(map(len, blocks)) < 2 * PAIRS:
        queries = sample.queries(sampler, m, k, s, at_once, rng)
        ballot = sample.votes(sampler, queries, k, s, rng)
        assert ballot.trials == at_once and ballot.m == m
        assert (ballot.sums(ballot.sizes) == m).all()
        blocks.append(said(ballot))
    ones = (sample.votes(sampler, sample.queries(sampler, m, k, s, 1, rng), k, s, rng) for _ in range(2 * PAIRS))
    alone = [said(ballot) for ballot in ones]
    pairs = [np.concatenate(found)[: 2 * PAIRS].reshape(PAIRS, -1) for found in (blocks, alone)]
    assert_same_law(*pairs)
