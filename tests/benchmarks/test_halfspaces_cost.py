"""What learning halfspaces costs: chunk by chunk with scikit-learn, all together, and by drawing only what matters."""

import tracemalloc
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from harness.concepts import ConceptClass, Distribution
from harness.concepts.halfspaces import AffineHalfspaces, Gaussian, Halfspaces, Sphere, samplers
from harness.concepts.hard_margin import HardMargin
from tests.support.situations import situation_of

AtMost = Callable[[float, Callable[[], object], Callable[[], object], int], None]


def test_hard_margins_are_8_times_as_fast_a_chunk_as_linear_svc_on_the_same_chunks(takes_at_most: AtMost) -> None:
    """ℝ⁵ and s = 1000; 200 chunks together against 40 of them one by one, at the C that comes near to a hard margin.

    The training error is zero on every chunk.
    """
    rng, together, alone = np.random.default_rng(1), 200, 40
    x = rng.standard_normal((together, 5, 1000))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    labels = np.where(x[:, 0] < 0, -1, 1)
    z = labels[:, np.newaxis] * x

    def batched() -> HardMargin:
        machine = HardMargin.untrained(together, 5)
        machine.fit(z)
        return machine

    def one_by_one() -> None:
        with warnings.catch_warnings(action="ignore"):  # it stops before it converges
            for chunk, y in zip(x[:alone], labels, strict=False):
                LinearSVC(fit_intercept=False, C=1e6).fit(chunk.T, y)

    assert (np.einsum("bd,bds->bs", batched().w, z) > 0).all()
    takes_at_most(together / alone / 8, batched, one_by_one, 3)


def test_full_sampling_takes_at_most_6_times_as_long_as_drawing_its_normals(takes_at_most: AtMost) -> None:
    """ℝ⁵, s = 1000, k = 2000: ten million coordinates, in blocks. What votes cost at few queries is small beside that."""
    sampler, rng = Sphere().at(situation_of(1000, "svm", concept=Halfspaces(d=5))), np.random.default_rng(2)
    queries = sampler.queries(100, rng)

    def normals() -> None:
        for _ in range(10):
            rng.standard_normal(10**6)

    takes_at_most(6.0, lambda: sampler.full(queries, 2000, 1000, rng), normals, 2)


def test_deferred_sampling_at_a_million_times_the_examples_takes_at_most_20_times_as_long(takes_at_most: AtMost) -> None:
    """ℝ⁵, s = 10⁹ against s = 10³ and the same k: what is drawn grows like log s."""
    samplers = [Sphere().at(situation_of(s, "svm", concept=Halfspaces(d=5))) for s in (10**9, 10**3)]
    rng = np.random.default_rng(3)
    queries = samplers[0].queries(100, rng)
    many, few = (
        lambda sampler=sampler, s=s: sampler.deferred(queries, 2000, s, rng)
        for sampler, s in zip(samplers, (10**9, 10**3), strict=True)
    )
    takes_at_most(20.0, many, few, 2)


@pytest.mark.parametrize("distribution", [Sphere(), Gaussian()], ids=["sphere", "gaussian"])
@pytest.mark.parametrize("concept", [Halfspaces(d=5), AffineHalfspaces(d=2)], ids=repr)
def test_memory_does_not_grow_with_n(distribution: Distribution, concept: ConceptClass) -> None:
    """All coordinates would take 120 MB; the peak is a few blocks of 8 MB, whether chunks are many or larger than a block."""

    def peak(k: int, s: int) -> int:
        sampler, rng = distribution.at(situation_of(s, "svm", concept=concept)), np.random.default_rng(4)
        queries = sampler.queries(100, rng)
        tracemalloc.start()
        try:
            sampler.full(queries, k, s, rng)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small, many, large = peak(800, 1000), peak(3000, 1000), peak(3, 10**6)
    assert many < 1.3 * small
    assert max(small, many, large) < 4 * 8 * samplers.FULL_BLOCK
