"""The worst that is (0, δ)-private: each row is published with chance δ. It spends what δ allows, where noise does not.

For the attack of BCMNUW20 Theorem 14 the rows come as answers: the averages of those that are published, or 0 of none.
"""

from collections.abc import Mapping

import numpy as np

from harness.arrays import Bools, Reals
from harness.mechanisms import Mechanism
from harness.registry import parts


class PublishedRows(Mechanism):
    """Publishes each row with chance δ, which is (0, δ)-DP: a replaced row changes the answers only if it is published."""

    name = "published_rows"
    source = "not in the papers: the plainest mechanism that is (0, δ)-private and spends all of δ"
    legend = "each row published with chance δ"
    private = True

    def published(self, n: int, delta: float, rng: np.random.Generator) -> Bools:
        """Draws which of n rows are published, (n,)."""
        return np.asarray(rng.random(n) < delta)

    def answers(self, rows: Reals, p: int) -> Reals:
        """The averages of rows as 0 and 1, (rows, p), as ±1, (p,)."""
        return 2 * rows.mean(axis=0) - 1 if len(rows) else np.zeros(p)


def leaks() -> Mapping[str, PublishedRows]:
    """All registered mechanisms that publish rows, by name."""
    return parts("mechanism", PublishedRows)


MECHANISM = PublishedRows()
