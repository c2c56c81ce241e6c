"""Benchmarks compare two things measured in one run; no absolute time is ever asked for."""

from time import perf_counter

import pytest

from tests.support.ratios import PATIENCE, AtMost, Work


def seconds(work: Work) -> float:
    """How long it takes, once."""
    start = perf_counter()
    work()
    return perf_counter() - start


@pytest.fixture
def takes_at_most(request: pytest.FixtureRequest) -> AtMost:
    """`takes_at_most(2.0, work, reference, rounds)`: the work takes at most twice as long as the reference.

    The two take turns for so many rounds, and their least times are compared: what disturbs a measurement only ever adds time.
    A ratio over the limit may be such a disturbance, for the machine may be busy: there are up to PATIENCE times as many rounds
    until both have had a quiet one.
    """

    def check(limit: float, work: Work, reference: Work, rounds: int) -> None:
        times: list[tuple[float, float]] = []
        while len(times) < PATIENCE * rounds:
            times.append((seconds(work), seconds(reference)))
            ours, theirs = (min(each) for each in zip(*times, strict=True))
            if len(times) >= rounds and ours / theirs <= limit:
                break
        said = f"{ours / theirs:.3g} (limit {limit:g}; {1e3 * ours:.2f} / {1e3 * theirs:.2f} ms, least of {len(times)})"
        print(f"{request.node.name}: {said}")
        assert ours / theirs <= limit, said

    return check
