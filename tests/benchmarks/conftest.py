"""Benchmarks compare two things measured in one run; no absolute time is ever asked for."""

from collections.abc import Callable
from time import perf_counter

import pytest

Work = Callable[[], object]
AtMost = Callable[[float, Work, Work, int], None]

ATTEMPTS = 5


def seconds(work: Work) -> float:
    """How long it takes, once."""
    start = perf_counter()
    work()
    return perf_counter() - start


@pytest.fixture
def takes_at_most(request: pytest.FixtureRequest) -> AtMost:
    """`takes_at_most(2.0, work, reference, rounds)`: the work takes at most twice as long as the reference.

    The two take turns for so many rounds, and their least times are compared: what disturbs a measurement only ever adds time.
    A ratio over the limit is measured afresh a few times, for the machine may have been busy.
    """

    def check(limit: float, work: Work, reference: Work, rounds: int) -> None:
        ratios: list[float] = []
        for _ in range(ATTEMPTS):
            pairs = [(seconds(work), seconds(reference)) for _ in range(rounds)]
            least = [min(times) for times in zip(*pairs, strict=True)]
            ratios.append(least[0] / least[1])
            print(f"{request.node.name}: {ratios[-1]:.3g} (limit {limit:g}; {1e3 * least[0]:.2f} / {1e3 * least[1]:.2f} ms)")
            if ratios[-1] <= limit:
                return
        pytest.fail(f"took {min(ratios):.3g} times as long as the reference at best; the limit is {limit:g}")

    return check
