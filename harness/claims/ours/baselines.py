"""The baselines that pay for every query: each one's least k, and the privacy of the whole run.

The k of a baseline suffices, and the union bound over the m queries is nearly attained: six tenths of it do not. What it spends
over all m queries is known by exact accounting of its noise.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from harness.claims.engine import ANSWERED, PROBE, Claim, Computed, Number, stable_votes, task_of
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_query import PerQuery
from harness.sources import PACKAGE
from harness.theory.constants import constants

INVERTED = ("gaussian",)
"""Those whose noise is calibrated by the very function that accounts for it."""


def _spends(baseline: PerQuery[Any]) -> Iterator[Number]:
    for eps, delta, m in ((0.1, 1e-6, 1000), (1.0, 1e-6, 1), (1.0, 1e-9, 1000), (1.0, 1e-6, 10**6), (10.0, 1e-6, 100)):
        task = task_of(m, beta=0.05, eps=eps, delta=delta)
        spent = baseline.plan(constants()["BTT18"], task, n=1).spent
        yield Number(f"ε spent at ε = {eps:g}, δ = {delta:g}, m = {m:,}", spent, eps)


def _about(baseline: PerQuery[Any]) -> tuple[Claim, Claim, Claim]:
    name, source = baseline.name, baseline.source
    right = f"At the least k of {name}, with probability at least 1 − β all queries on which at least 2k/3 votes agree are "
    right += "answered with that label"
    return (
        Claim(
            f"baselines:{name}-k",
            f"not in the papers: the least k for {source}",
            f"{right}.",
            where=stable_votes(name, "BTT18"),
            decider=ANSWERED,
            nature="ours",
        ),
        Claim(
            f"{PROBE}baselines:{name}-k-six-tenths",
            f"not in the papers: the least k for {source}",
            f"{right}, already at 0.6 of that k. (False at the m and β tried.)",
            where=stable_votes(name, "BTT18", k_scale=0.6),
            decider=ANSWERED,
            expected="refuted",
            nature="probe",
            of=f"baselines:{name}-k",
        ),
        Claim(
            f"baselines:{name}-private",
            f"not in the papers: exact accounting of {source}",
            f"All m answers of {name} together are (ε, δ)-DP.",
            decider=Computed(partial(_spends, baseline)),
            nature="ours",
            check="self-check" if name in INVERTED else "",
        ),
    )


def _own() -> Iterator[PerQuery[Any]]:
    """The baselines of the harness; a user's has claims in the user's file."""
    for mechanism in mechanisms().values():
        if isinstance(mechanism, PerQuery) and type(mechanism).__module__.startswith(f"{PACKAGE}."):
            yield mechanism


CLAIMS = tuple(claim for baseline in _own() for claim in _about(baseline))
