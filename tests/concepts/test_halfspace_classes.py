"""Classes of halfspaces: their dimensions and bounds, what they offer and what they refuse."""

from itertools import product
from math import inf, log

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from scipy.optimize import linprog

from harness.concepts import ConceptClass, Distribution
from harness.concepts.halfspaces import AffineHalfspaces, Gaussian, Halfspaces, Sphere
from harness.concepts.thresholds import MOST_NOISE
from harness.refusal import Refusal
from harness.theory import pac
from tests.support.situations import situation_of

Reals = NDArray[np.float64]
CLASSES: list[type[Halfspaces | AffineHalfspaces]] = [Halfspaces, AffineHalfspaces]

every_marginal = pytest.mark.parametrize("distribution", [Sphere(), Gaussian()], ids=["sphere", "gaussian"])


def shattered(rows: Reals, last: float | None = None) -> bool:
    """Whether every labelling of the rows is sign(row · w) for some w, of which the last coordinate may be given."""
    bounds = [(None, None)] * (rows.shape[1] - 1) + [(last, last)]
    labellings = (np.array(y)[:, np.newaxis] for y in product([1, -1], repeat=len(rows)))
    programs = (
        linprog(np.zeros(rows.shape[1]), A_ub=-y * rows, b_ub=np.full(len(rows), -1e-3), bounds=bounds) for y in labellings
    )
    return all(program.success for program in programs)


@pytest.mark.parametrize(
    "concept",
    [pytest.param(kind(d=d), marks=pytest.mark.law if d > 1 else ()) for kind in CLASSES for d in (1, 2, 3)],
    ids=repr,
)
def test_the_vc_dimensions_are_those_of_a_search(concept: Halfspaces | AffineHalfspaces) -> None:
    """As many points as the dimension are shattered, and no set of one more out of 30; by linear programs.

    A point x labels the direction (w, b) by (w, b) · (x, 1), so directions are shattered by points with a last coordinate of 1.
    """
    rng, d, V, last = np.random.default_rng(1), concept.d, concept.vc, 1.0 if concept.affine else None

    def lifted(x: Reals) -> Reals:
        return np.column_stack([x, np.ones(len(x))]) if concept.affine else x

    assert shattered(lifted(np.vstack([np.eye(d), np.zeros((V - d, d))])))
    assert not any(shattered(lifted(rng.standard_normal((V + 1, d)))) for _ in range(30))
    assert shattered(np.eye(d, V), last)
    assert not any(shattered(rng.standard_normal((concept.dual_vc + 1, V)), last) for _ in range(30))
    assert concept.dual_vc == d


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("V", [2, 5, 64, 10**6])
def test_V_sets_the_dimension(kind: type[Halfspaces | AffineHalfspaces], V: int) -> None:
    concept = kind.of_vc(V)
    assert concept.vc == V
    assert concept.dual_vc == concept.d == V - concept.affine


def test_the_line_has_homogeneous_halfspaces_of_dimension_one_and_no_affine_ones() -> None:
    assert Halfspaces.of_vc(1) == Halfspaces(d=1)
    with pytest.raises(ValueError, match=r"V = 1 is not attained: .*; allowed: V ≥ 2"):
        AffineHalfspaces.of_vc(1)


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("d", [0, -1, 1.5, 10**7, "x"])
def test_a_dimension_out_of_range_is_refused(kind: type[Halfspaces | AffineHalfspaces], d: object) -> None:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate({"d": d})
    assert refused.value.errors()[0]["loc"] == ("d",)


@every_marginal
def test_what_cannot_be_built_is_refused_with_what_can(distribution: Distribution) -> None:
    def refused(concept: ConceptClass, learner: str, gamma: float = 0.0) -> Refusal | None:
        return distribution.refuse(situation_of(10, learner, concept=concept, gamma=gamma))

    assert (
        refused(Halfspaces(d=5), "svm") is refused(AffineHalfspaces(d=255), "svm") is refused(Halfspaces(), "erm", 0.3) is None
    )
    for concept, learner, gamma, told, key in [
        (Halfspaces(d=257), "svm", 0.0, "257 coordinates; allowed: 1 to 256", "distribution"),
        (AffineHalfspaces(d=256), "svm", 0.0, "257 coordinates; allowed: 1 to 256", "distribution"),
        (Halfspaces(d=5), "erm", 0.1, "at most 4 coordinates, not V = 5; allowed: svm", "learner"),
        (Halfspaces(d=5), "svm", 0.1, "no halfspace separates noisy labels; allowed: 0", "gamma"),
        (AffineHalfspaces(d=3), "svm", 0.1, "allowed: 0, or learner: erm", "gamma"),
        (AffineHalfspaces(d=1), "erm", 0.495, f"allowed: 0 ≤ gamma ≤ {MOST_NOISE:g}", "gamma"),
    ]:
        refusal = refused(concept, learner, gamma)
        assert refusal is not None
        assert refusal.message.endswith(told)
        assert refusal.parameter == key


@every_marginal
@pytest.mark.parametrize(("concept", "most"), [(Halfspaces(d=3), 4096), (AffineHalfspaces(d=3), 256)], ids=repr)
def test_chunks_on_which_least_risk_would_take_long_are_refused(
    distribution: Distribution, concept: ConceptClass, most: int
) -> None:
    def refused(s: int, gamma: float, learner: str = "erm") -> Refusal | None:
        return distribution.refuse(situation_of(s, learner, concept=concept, gamma=gamma))

    told = f"least risk among V = {concept.vc} coordinates takes time of order s^{concept.vc - 1}; allowed: s ≤ {most}"
    assert refused(most, 0.0) is refused(most, 0.1) is refused(10**12, 0.0, "svm") is None
    assert refused(most + 1, 0.0) == Refusal(f"{told} a chunk, or svm", "learner")
    assert refused(most + 1, 0.1) == Refusal(f"{told} a chunk", "learner")


def test_each_sampling_is_offered_where_its_law_holds() -> None:
    def offered(distribution: Distribution, concept: ConceptClass, learner: str) -> set[str]:
        return set(distribution.samplings(concept, learner))

    assert offered(Sphere(), Halfspaces(), "svm") == {"sufficient", "full", "deferred"}
    assert offered(Gaussian(), Halfspaces(), "svm") == {"full", "deferred"}
    assert offered(Gaussian(), Halfspaces(), "erm") == offered(Sphere(), Halfspaces(), "erm") == {"sufficient", "full"}
    for distribution in (Sphere(), Gaussian()):
        assert offered(distribution, Halfspaces(d=5), "svm") == {"full", "deferred"}
        for line in (Halfspaces(d=1), AffineHalfspaces(d=1), AffineHalfspaces(d=2)):
            assert offered(distribution, line, "svm") == {"full"}


def test_the_bound_is_that_of_the_class_and_learner() -> None:
    for kind in CLASSES:
        V5, plane = kind.of_vc(5), kind.of_vc(2)
        assert V5.pac_bound("svm", 0)(10**4, 0.01) == pytest.approx(2 * (5 * log(4) + log(100)) / (10**4 - 10))
        assert V5.pac_bound(None, 0)(10**4, 0.01) == V5.pac_bound("erm", 0)(10**4, 0.01) == pac.blumer(10**4, 0.01, 5)
        assert plane.pac_bound("svm", 0)(10**4, 0.01) == plane.pac_bound(None, 0)(10**4, 0.01) == log(200) / 10**4
        assert V5.pac_bound("svm", 0.1)(10**4, 0.01) == pac.vc_agnostic(10**4, 0.01, 5)


def test_so_few_examples_that_they_could_all_be_support_points_are_no_bound() -> None:
    assert pac.stable_compression(10, 0.05, 5) == inf
    assert 1 < pac.stable_compression(11, 0.05, 5) < inf
