"""VC and dual VC dimensions of every class, by brute force at small size.

A class is given by the labellings that it realises on a finite pool of points. The VC dimension is that of the family of
labellings; the dual one that of the transposed table. A pool shows that a dimension is reached; that it is not passed is shown
for all sets of points of the pool, which is rich enough for every order type of so few points to occur.
"""

import re
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.concepts import ConceptClass, concepts
from harness.concepts.cube_stumps import CubeStumps
from harness.concepts.halfspaces import AffineHalfspaces, Halfspaces
from harness.concepts.stumps import Stumps
from harness.concepts.thresholds import Thresholds
from tests.support.situations import situation_of

Table = NDArray[np.bool_]  # (hypotheses, points)


def dimension(table: Table, most: int) -> int:
    """The largest number of points, up to `most`, that are shattered."""
    rows = np.unique(table, axis=0)
    reached = 0
    for size in range(1, most + 1):
        weights = 2 ** np.arange(size)
        if any(
            len(np.unique(rows[:, list(chosen)] @ weights)) == 2**size for chosen in combinations(range(table.shape[1]), size)
        ):
            reached = size
    return reached


def dual(table: Table, most: int) -> int:
    return dimension(np.unique(table.T, axis=0), most)


def thresholds() -> Table:
    points = np.arange(6)
    return np.array([points >= t for t in np.arange(-0.5, 7)])


def stumps(d: int) -> Table:
    """All orders that d coordinates can give v + 1 points: each coordinate a permutation, those chosen at random."""
    rng = np.random.default_rng(d)
    v = Stumps(d=d).vc
    found = []
    for _ in range(60):
        x = np.array([rng.permutation(v + 1) for _ in range(d)])
        table = np.array([sign ^ (x[i] >= t) for i in range(d) for t in np.arange(-0.5, v + 1.5) for sign in (False, True)])
        found.append(table)
    # Different placements of points side by side; hypotheses of one placement say nothing of another's points.
    return max(found, key=lambda table: dimension(table, v + 1))


def halfspaces(d: int, affine: bool) -> Table:
    """Random points in general position, and more directions than they have cells."""
    rng = np.random.default_rng(10 * d + affine)
    x = rng.standard_normal((d + affine + 3, d))
    x = np.column_stack([x, np.ones(len(x))]) if affine else x
    w = rng.standard_normal((40_000, d + affine))
    return np.unique(w @ x.T >= 0, axis=0)


CASES: dict[str, tuple[ConceptClass, Callable[[], Table]]] = {
    "thresholds": (Thresholds(), thresholds),
    "stumps in 1": (Stumps(d=1), lambda: stumps(1)),
    "stumps in 2": (Stumps(d=2), lambda: stumps(2)),
    "stumps in 3": (Stumps(d=3), lambda: stumps(3)),
    "halfspaces in 1": (Halfspaces(d=1), lambda: halfspaces(1, False)),
    "halfspaces in 2": (Halfspaces(d=2), lambda: halfspaces(2, False)),
    "halfspaces in 3": (Halfspaces(d=3), lambda: halfspaces(3, False)),
    "affine halfspaces in 1": (AffineHalfspaces(d=1), lambda: halfspaces(1, True)),
    "affine halfspaces in 2": (AffineHalfspaces(d=2), lambda: halfspaces(2, True)),
}


@pytest.mark.at_once("thresholds")
@pytest.mark.parametrize(("concept", "table"), CASES.values(), ids=CASES)
def test_the_vc_dimension_is_reached_and_not_passed(concept: ConceptClass, table: Callable[[], Table]) -> None:
    assert dimension(table(), concept.vc + 1) == concept.vc


@pytest.mark.parametrize("p", [2, 3, 4, 5, 8, 16])
def test_the_dimensions_of_stumps_on_the_cube(p: int) -> None:
    """All 2^p points, labelled by p coordinates."""
    cube = np.array(list(product([False, True], repeat=p)), dtype=bool) if p <= 8 else None
    concept = CubeStumps(p=p)
    if cube is not None:
        assert dual(cube.T, p) == concept.dual_vc == p  # of p coordinates every subset is 1 at some point
    assert 2**concept.vc <= p < 2 ** (concept.vc + 1)
    # V points are shattered if their 2^V labellings are 2^V of the p coordinates.
    chosen = np.array(list(product([False, True], repeat=concept.vc)), dtype=bool)
    table = np.vstack([chosen, np.zeros((p - len(chosen), concept.vc), dtype=bool)])
    assert dimension(table, concept.vc) == concept.vc


@pytest.mark.at_once("False-1", "True-1", "False-2")
@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("affine", [False, True])
def test_the_dual_dimension_of_halfspaces_is_that_of_arrangements(d: int, affine: bool) -> None:
    """d + 1 hyperplanes cut space in fewer than 2^(d+1) cells; d in general position cut it in 2^d."""
    rng = np.random.default_rng(7)
    w = rng.standard_normal((d + 2, d))
    b = rng.standard_normal(d + 2) if affine else np.zeros(d + 2)
    x = 20 * rng.standard_normal((60_000, d)) * rng.random((60_000, 1)) ** 3
    cells = np.unique(x @ w.T + b >= 0, axis=0)
    concept = AffineHalfspaces(d=d) if affine else Halfspaces(d=d)
    assert dimension(cells, d + 1) == concept.dual_vc == d


def test_the_dual_dimension_of_thresholds_and_of_stumps_is_that_of_their_orders() -> None:
    assert dual(thresholds(), 2) == Thresholds().dual_vc == 1
    for d in (1, 2, 3):
        grid = np.array(list(product(range(3), repeat=d)))
        table = np.array([grid[:, i] >= t for i in range(d) for t in (0.5, 1.5)])
        assert dual(table, d + 1) == Stumps(d=d).dual_vc == d


@pytest.mark.parametrize("name", [name for name, concept in concepts().items() if not concept.synthetic])
def test_the_class_of_a_dimension_has_it_and_is_the_least(name: str) -> None:
    known = concepts()[name]
    attained = [
        V for V in range(1, 7) if name != "thresholds" or V == 1 if V > 1 or name not in ("stumps", "affine_halfspaces")
    ]
    for V in sorted(set(range(1, 7)) - set(attained)):
        with pytest.raises(ValueError, match="allowed: "):
            known.of_vc(V)
    for V in attained:
        concept = known.of_vc(V)
        assert concept.vc == V
        for field, value in concept.model_dump().items():
            if value > known.model_fields[field].metadata[0].ge:
                assert known(**{field: value - 1}).vc < V


@pytest.mark.parametrize("name", ["thresholds", "intervals", "stumps", "cube_stumps"])
def test_the_largest_dimension_is_the_one_that_is_told(name: str) -> None:
    known = concepts()[name]
    with pytest.raises(ValueError, match="allowed: ") as refused:
        known.of_vc(10**9)
    told = re.search(r"allowed: (\d+)(?: to (\d+))?$", str(refused.value))
    assert told is not None
    least, most = (int(each) for each in (told[1], told[2] or told[1]))
    assert known.of_vc(least).vc == least and known.of_vc(most).vc == most
    for V in (least - 1, most + 1):
        with pytest.raises(ValueError, match="allowed: "):
            known.of_vc(V)


@pytest.mark.parametrize(("of", "key"), [(Stumps, "d"), (CubeStumps, "p")])
def test_uniform_examples_have_as_many_coordinates_as_is_told(of: type[Stumps | CubeStumps], key: str) -> None:
    uniform = of.distributions["uniform"]()
    refused = uniform.refuse(situation_of(10, "erm", concept=of.model_validate({key: 10**6})))
    assert refused is not None and refused.parameter == "distribution"
    most = int(refused.message.rpartition("at most ")[2])
    for count, fits in ((most, True), (most + 1, False)):
        assert (uniform.refuse(situation_of(10, "erm", concept=of.model_validate({key: count}))) is None) == fits
    assert most >= 1000
