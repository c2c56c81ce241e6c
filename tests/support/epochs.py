"""A_sparseVec epoch by epoch over types of queries in their places, by hypergeometric draws; and ways to get that wrong.

In an epoch with noisy threshold ŵ a query of value v is ⊥ with P(v + Lap(2λ) ≤ ŵ), independently. Of the r queries left of
each type a binomial number would be ⊥. The first of all F of these among the R left stands at the least of F places drawn from
R without replacement; its type is τ with probability F_τ/F; and of the others those that stand before it are multivariate
hypergeometric.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.stats import laplace

from harness.arrays import Ints, Reals
from harness.mechanisms.above_threshold import Stream
from harness.mechanisms.answering import per_bottom
from tests.support.layers import Plant

Values = Ints | Reals
Fault = Literal["places", "hypergeometric", "noise", "order", "halt"]
FAULTS: dict[Fault, str] = {
    "places": "the first ⊥ stands at the place of any ⊥",
    "hypergeometric": "those before it are drawn from all that are left, the other ⊥s among them",
    "noise": "an epoch keeps the noise of the one before it, so that the same queries would be ⊥",
    "order": "the types come one after the other",
    "halt": "the run halts at c = T",
}


def epochs(
    values: Values,
    sizes: Ints,
    lam: float,
    w: float,
    T: float,
    rng: np.random.Generator,
    fault: Fault | None = None,
) -> Stream:
    """As `a_sparse_vec` of one trial, for so few queries that numpy draws from them without replacement."""
    left, bottoms = sizes.copy(), np.zeros(len(sizes), dtype=np.int64)
    failing = np.zeros(len(sizes), dtype=np.int64)
    while left.any() and bottoms.sum() <= (T - 1 if fault == "halt" else T):
        if fault != "noise" or not bottoms.any():
            threshold = w + rng.laplace(0, lam)
            failing = rng.binomial(left, laplace.cdf(threshold - values, scale=2 * lam))
        if not failing.any():
            return Stream(bottoms, np.zeros_like(left))
        places = rng.permutation(left.sum())[: failing.sum()]
        before = int(places[0] if fault == "places" else places.min())
        if fault == "order":
            type_ = int(np.flatnonzero(failing)[0])
            passed = np.where(np.arange(len(left)) < type_, left, 0)
        else:
            type_ = int(rng.choice(len(left), p=failing / failing.sum()))
            others = left if fault == "hypergeometric" else left - failing
            passed = rng.multivariate_hypergeometric(others, min(before, int(others.sum())))
        out = (np.arange(len(left)) == type_).astype(np.int64)
        bottoms += out
        left = np.maximum(left - passed - out, 0)
        failing = np.minimum(failing - out, left).clip(0)
    return Stream(bottoms, left)


def in_its_place(faulty: Callable[..., Stream]) -> Plant:
    """Have it in the place of the loop: run after run, where a ballot has many."""

    def each(values: Values, sizes: Ints, *rest: Any) -> Stream:
        *of_loop, trial, trials = rest  # as a mechanism gives them
        if trial is None:
            return faulty(values, sizes, *of_loop)
        found = Stream(np.zeros_like(sizes), np.zeros_like(sizes))
        order = np.argsort(trial, kind="stable")
        for types in np.split(order, np.cumsum(np.bincount(trial, minlength=trials))[:-1]):
            one = faulty(values[types], sizes[types], *of_loop)
            found.bottoms[types], found.unanswered[types] = one.bottoms, one.unanswered
        return found

    return lambda patch: patch.setattr(per_bottom, "a_sparse_vec", each)
