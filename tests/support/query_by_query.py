"""Trials one query at a time: the papers' pseudo-code as it stands, and what its answers amount to."""

from collections.abc import Callable, Iterable
from math import ceil
from typing import Any

import numpy as np

from harness.arrays import Ints
from harness.ballots import Ballot
from tests.support.one_by_one import BOTTOM, UNANSWERED

Tally = list[int]  # the counts of one query's votes, by label
Says = Callable[[list[Tally], Any, np.random.Generator], list[int]]  # queries in order, a plan, noise → labels


def gap(tally: Tally) -> int:
    """ct(top) − ct(second)."""
    second, top = sorted(tally)[-2:]
    return top - second


def argmax(values: Iterable[float]) -> int:
    """The first label of those with the most."""
    given = list(values)
    return given.index(max(given))


def printed(tally: Tally) -> int:
    """BTT18 and BTT18a: dist = max(0, ct(top) − ct(second) − 1)."""
    return max(0, gap(tally) - 1)


def corrected(tally: Tally) -> int:
    """With the sensitivity that one changed vote has: max(0, ⌈gap/2⌉ − 1)."""
    return max(0, ceil(gap(tally) / 2) - 1)


def a_oqr(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """BTT18a Algorithms 3 and 4, BTT18 Algorithm 2: while c ≤ T, A_stab with Γ = ŵ and ε = 1/(2λ); on ⊥ a new ŵ."""
    said = []
    dist = {"printed": printed, "corrected": corrected}[plan.distance]
    c, threshold = 0, plan.w + rng.laplace(0, plan.lam)
    for tally in tallies:
        if c > plan.T:
            break
        if dist(tally) + rng.laplace(0, 2 * plan.lam) > threshold:
            said.append(argmax(tally))
        else:
            said.append(BOTTOM)
            c += 1
            threshold = plan.w + rng.laplace(0, plan.lam)
    return said + [UNANSWERED] * (len(tallies) - len(said))


def gaussian_sparse_vector(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """Distance + N(0, σ²) > w, while c ≤ T; λ is σ."""
    said: list[int] = []
    for tally in tallies:
        if said.count(BOTTOM) <= plan.T:
            said.append(argmax(tally) if corrected(tally) + rng.normal(0, plan.lam) > plan.w else BOTTOM)
        else:
            said.append(UNANSWERED)
    return said


def exponential_sparse_vector(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """Distance − Exp(√2 λ) > w − Exp(λ), while c ≤ T; on ⊥ a new threshold."""
    said: list[int] = []
    threshold = plan.w - rng.exponential(plan.lam)
    for tally in tallies:
        if said.count(BOTTOM) > plan.T:
            said.append(UNANSWERED)
        elif corrected(tally) - rng.exponential(2**0.5 * plan.lam) > threshold:
            said.append(argmax(tally))
        else:
            said.append(BOTTOM)
            threshold = plan.w - rng.exponential(plan.lam)
    return said


def a_stab(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """BTT18 Algorithm 1, with a share ε₀ for each query."""
    passes = (corrected(tally) + rng.laplace(0, 1 / plan.eps0) > plan.threshold for tally in tallies)
    return [argmax(tally) if passed else BOTTOM for tally, passed in zip(tallies, passes, strict=True)]


def noisy_majority(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """sign(ct(1) − ct(0) + Lap(2/ε₀))."""
    return [int(ones - zeros + rng.laplace(0, 2 / plan.eps0) > 0) for zeros, ones in tallies]


def gaussian(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """sign(ct(1) − ct(0) + N(0, σ²))."""
    return [int(ones - zeros + rng.normal(0, plan.sigma) > 0) for zeros, ones in tallies]


def report_noisy_max(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """DR14 Claim 3.9: argmax_r ct(r) + Lap(2/ε₀)."""
    return [argmax(count + rng.laplace(0, 2 / plan.eps0) for count in tally) for tally in tallies]


def noisy_max_exponential(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """argmax_r ct(r) + Exp(2/ε₀)."""
    return [argmax(count + rng.exponential(2 / plan.eps0) for count in tally) for tally in tallies]


def gnmax(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """PATE: argmax_r ct(r) + N(0, σ²)."""
    return [argmax(count + rng.normal(0, plan.sigma) for count in tally) for tally in tallies]


def confident_gnmax(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """PATE: where max_r ct(r) + N(0, σ₁²) ≥ threshold, GNMax; else ⊥."""
    confident = (max(tally) + rng.normal(0, plan.sigma_check) >= plan.threshold for tally in tallies)
    return [gnmax([tally], plan, rng)[0] if sure else BOTTOM for tally, sure in zip(tallies, confident, strict=True)]


def majority(tallies: list[Tally], plan: Any, rng: np.random.Generator) -> list[int]:
    """argmax_r ct(r)."""
    return [argmax(tally) for tally in tallies]


SAYS: dict[str, Says] = {
    "A_binClas": a_oqr,
    "A_subSamp": a_oqr,
    "A_OQR": a_oqr,
    "A_sparseVec": a_oqr,
    "gaussian_sparse_vector": gaussian_sparse_vector,
    "exponential_sparse_vector": exponential_sparse_vector,
    "A_stab_per_query": a_stab,
    "noisy_majority": noisy_majority,
    "noisy_majority_t320": noisy_majority,
    "gaussian": gaussian,
    "report_noisy_max": report_noisy_max,
    "noisy_max_exponential": noisy_max_exponential,
    "GNMax": gnmax,
    "Confident_GNMax": confident_gnmax,
    "majority": majority,
    "single_learner": majority,
}
"""Every mechanism by name."""

COUNTED = ("bottoms", "wrong", "halted_at", "unstable", "stable_failed", "max_mistakes")
"""What a trial counts, jointly; halted_at is m + 1 where there is no early halt, max_mistakes 0 where it is not drawn."""


def counted(ballot: Ballot, said: list[int]) -> list[int]:
    """The same counts by going through the queries; the votes in `ballot` are those of one query each, in order."""
    tallies, truths = ballot.counts.T.tolist(), ballot.truth.tolist()
    bottoms = wrong = unstable = stable_failed = 0
    halted_at = len(said) + 1
    for i, (tally, truth, label) in enumerate(zip(tallies, truths, said, strict=True)):
        many = 3 * (ballot.k - tally[truth]) > ballot.k
        bottoms += label == BOTTOM
        wrong += label >= 0 and label != truth
        unstable += many
        stable_failed += not many and label != truth
        if label == UNANSWERED:
            halted_at = min(halted_at, i)
    return [bottoms, wrong, halted_at, unstable, stable_failed, int(np.max(ballot.max_mistakes or 0))]


def expanded(ballot: Ballot, rng: np.random.Generator) -> Ballot:
    """The queries of a ballot one by one, in a random order."""
    type_: Ints = rng.permutation(np.repeat(np.arange(len(ballot.truth)), ballot.sizes))
    return Ballot(ballot.counts[:, type_], ballot.k, ballot.truth[type_], max_mistakes=ballot.max_mistakes)
