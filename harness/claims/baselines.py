"""The baselines that pay for every query: each one's least k, and the privacy of the whole run."""

from collections.abc import Iterable
from typing import ClassVar

from harness.claims.btt18_stable_queries import StableQueriesAnswered
from harness.claims.claim import ComputedClaim, Number, Outcome
from harness.claims.given import task_of
from harness.theory.baselines import BASELINES, Baseline


class LeastK(StableQueriesAnswered):
    """The k of a baseline suffices: the union bound over the m queries is nearly attained."""

    def __init__(self, baseline: Baseline) -> None:
        self.id = f"baselines:{baseline.name}-k"
        self.source = f"not in the papers: the least k for {baseline.source}"
        self.statement = (
            f"At the least k of {baseline.name}, with probability at least 1 − β all queries on which at least 2k/3 votes "
            "agree are answered with that label."
        )
        self.mechanism = baseline.name


class SixTenthsOfLeastK(LeastK):
    """Six tenths of it do not."""

    expected: ClassVar[Outcome] = "refuted"
    k_scale = 0.6

    def __init__(self, baseline: Baseline) -> None:
        super().__init__(baseline)
        self.id += "-six-tenths"
        self.statement = f"{self.statement[:-1]}, already at 0.6 of that k. (False: the k is nearly necessary.)"


class Private(ComputedClaim):
    """What a baseline spends over all m queries, by exact accounting of its noise."""

    def __init__(self, baseline: Baseline) -> None:
        self.id = f"baselines:{baseline.name}-private"
        self.source = f"not in the papers: exact accounting of {baseline.source}"
        self.statement = f"All m answers of {baseline.name} together are (ε, δ)-DP."
        self._baseline = baseline

    def numbers(self) -> Iterable[Number]:
        for eps, delta, m in ((0.1, 1e-6, 1000), (1.0, 1e-6, 1), (1.0, 1e-9, 1000), (1.0, 1e-6, 10**6), (10.0, 1e-6, 100)):
            spent = self._baseline.spent(task_of(m, beta=0.05, eps=eps, delta=delta))
            yield Number(f"ε spent at ε = {eps:g}, δ = {delta:g}, m = {m:,}", spent, eps)


CLAIMS = tuple(kind(baseline) for kind in (LeastK, SixTenthsOfLeastK, Private) for baseline in BASELINES.values())
