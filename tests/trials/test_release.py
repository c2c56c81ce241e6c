"""Trials of release: exact by cell counts, pure, and what they refuse."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import chi2_contingency

from harness.covers import query_classes
from harness.covers.line import HeavyAtoms
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.release import releases
from harness.sweep.errors import InputError
from harness.trials.release import KIND, ReleaseBlock, ReleaseCell, refuse
from harness.trials.release_cell import dimensioned
from harness.trials.release_complexity import KIND as SEARCHED
from harness.trials.release_complexity import ReleaseSearch
from harness.trials.seeds import stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.sweep.spec import Sweep
    from tests.support.project import Project

ATOM = {"name": "atoms", "total": 0.5, "first": 0.25}
# So much ε that a run of 150 private points makes some updates and not others.
SMALL: dict[str, Any] = {"alpha": 0.5, "n": 150, "m": 12, "eps": 4000, "distribution": ATOM}


def outcomes(trials: int, seed: int, **changes: Any) -> tuple[list[float], list[int]]:
    """Error and updates of A_PAP in so many trials."""
    cell = ReleaseCell(**SMALL | changes)
    rows = [KIND.rows(cell, ["A_PAP"], seed, trial)[0] for trial in range(trials)]
    return [row["error"] for row in rows], [row["updates"] for row in rows]


def p_value(first: tuple[list[float], list[int]], second: tuple[list[float], list[int]]) -> float:
    """Of the χ² test that two joint samples of (error, updates) have one law, in 4 × 4 cells."""
    edges = [np.quantile(np.array([*first[i], *second[i]]), [0.25, 0.5, 0.75]) for i in (0, 1)]
    counts = []
    for error, updates in (first, second):
        at = 4 * np.searchsorted(edges[0], error) + np.searchsorted(edges[1], updates)
        counts.append(np.bincount(at, minlength=16))
    table = np.array(counts)
    return float(chi2_contingency(table[:, table.sum(axis=0) >= 20]).pvalue)


@pytest.mark.law
def test_counting_cells_has_the_law_of_drawing_all_points() -> None:
    """Jointly in the error and the number of updates. The test is false with probability 1e-6."""
    counted, drawn = outcomes(1500, 1), outcomes(1500, 2, sampling="full")
    assert len(set(counted[1])) > 4
    assert p_value(counted, drawn) > 1e-6


@pytest.mark.law
def test_that_law_is_another_where_duplicates_of_public_points_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each public point made distinct by an amount too small to matter: then the atom has cells of its own by the dozen."""
    printed = outcomes(1500, 1)
    cover = ThresholdQueries.cover

    def kept(self: ThresholdQueries, marginal: HeavyAtoms, points: np.ndarray) -> Any:
        return cover(self, marginal, points + 1e-9 * np.arange(len(points)))

    monkeypatch.setattr(ThresholdQueries, "cover", kept)
    assert p_value(printed, outcomes(1500, 2)) < 1e-6


def test_mechanisms_share_points_and_rows_are_pure() -> None:
    cell = ReleaseCell(**SMALL)
    names = ["gaussian_averages", "A_PAP", "exact_averages"]
    together = [{**row, "seconds": 0} for row in KIND.rows(cell, names, 7, 3)]
    alone = [{**KIND.rows(cell, [name], 7, 3)[0], "seconds": 0} for name in reversed(names)][::-1]
    assert together == alone
    assert len({(row["H"], row["radius"], row["distinct"]) for row in together}) == 1
    assert set(together[0]) == set(KIND.table)
    assert KIND.rows(cell, names, 8, 3)[1]["error"] != together[1]["error"]


def test_n_is_by_default_what_each_guarantee_asks_for() -> None:
    cell = ReleaseCell(alpha=0.1, m=2723)
    rows = {name: KIND.parameters(cell, name) for name in ("A_PAP", "gaussian_tree", "public_averages")}
    assert rows["A_PAP"]["n"] == rows["A_PAP"]["needed"] == 21_005_705
    assert rows["gaussian_tree"]["n"] == 31_124 and rows["public_averages"]["n"] == 0
    assert [rows[name]["bound"] for name in rows] == [0.1, 0.1, None]
    assert ReleaseCell(alpha=0.1).public == 2723 and ReleaseCell(alpha=0.1, cover="spacing").public == 381
    short = KIND.parameters(ReleaseCell(alpha=0.1, m=2722, n=10**12), "A_PAP")
    assert short["vacuous"] and short["bound"] is None


def test_no_two_cells_have_one_identity() -> None:
    """Classes and distributions without parameters differ in their names alone."""
    cells = [
        ReleaseCell(alpha=0.1, concept=name, distribution=distribution)
        for name, each in query_classes().items()
        for distribution in each.distributions
    ]
    assert len({cell.identity for cell in cells}) == len(cells)
    same = ReleaseCell(alpha=0.1, concept="cube_stumps", p=8), ReleaseCell(alpha=0.1, concept="cube_stumps", V=3)
    assert same[0].identity == same[1].identity != ReleaseCell(alpha=0.1, concept="cube_stumps", p=9).identity


def test_dimensions_are_set_by_p_and_V() -> None:
    assert ReleaseCell(alpha=0.1, concept="cube_stumps", p=300).query_class.dual_vc == 300
    assert ReleaseCell(alpha=0.1, concept="cube_stumps", V=5).query_class.dual_vc == 32
    assert ReleaseCell(alpha=0.1, concept="interval_unions", V=6, p=4).query_class.vc == 6
    assert ReleaseCell(alpha=0.1, concept="interval_unions", V=2).query_class.dual_vc == 2
    assert ReleaseCell(alpha=0.1, concept={"name": "stumps", "d": 7}).meant_by("p") == 7


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"concept": "halfspace"}, "no class of queries 'halfspace'; did you mean 'halfspaces'? allowed: affine_halfspaces"),
        ({"concept": "thresholds", "p": 3}, "p = 3 is not attained: thresholds has p = 1; allowed: 1"),
        ({"concept": "cube_stumps", "p": 8, "V": 4}, "V = 4 is not attained: cube_stumps has V = 3; allowed: 3"),
        ({"concept": {"name": "stumps", "d": 2}, "p": 3}, "p = 3 is not attained: with d = 2 it is 2; allowed: 2"),
        ({"distribution": "product"}, "no distribution 'product'; allowed: uniform, log_uniform, atoms"),
        ({"distribution": {"name": "atoms", "total": 1.5}}, "less than or equal to 1"),
        ({"distribution": {"name": "atoms", "count": 3, "first": 0.5}}, "the last atom would be at 1.16667; allowed: below 1"),
        ({"constants": "tight"}, "no constants 'tight'; allowed: BCMNUW20, repaired"),
    ],
)
def test_a_cell_says_what_is_wrong(given: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as error:
        ReleaseCell(**{"alpha": 0.1, **given})
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("given", "name", "parameter", "said"),
    [
        ({"m": 0}, "A_PAP", "mechanisms", "A_PAP is made of public points, and m = 0 means none; allowed: exact_averages"),
        ({"m": 50, "n": 0}, "gaussian_tree", "n", "releases what private points say, and n = 0 means none"),
        (
            {"m": 50, "n": 9, "concept": "cube_stumps"},
            "gaussian_tree",
            "concept",
            "is for cells in an order; allowed: half",
        ),
        (
            {"m": 3000, "n": 9, "concept": "interval_unions"},
            "A_PAP",
            "m",
            "3,000 public points would make |H̃| up to 3.37e+12",
        ),
        ({"n": 9, "concept": "intervals", "alpha": 0.001}, "A_PAP", "alpha", "allowed: |H̃| ≤ 2,000,000"),
        ({"m": 0, "n": 9, "concept": "interval_unions", "alpha": 0.01}, "PMW", "alpha", "a grid of 400 cells would make"),
        ({"m": 10**8, "n": 9}, "A_PAP", "m", "m = 1e+08 public points of thresholds would be drawn"),
        ({"m": 10**4, "n": 9, "concept": "cube_stumps", "p": 10**6}, "A_PAP", "m", "1e+10 numbers; allowed: m ≤ 10,000,000"),
        ({"m": 100}, "mwem_public", "n", "mwem_public has no guarantee that would say n; allowed: n"),
        ({"m": 100, "n": 10**12, "sampling": "full"}, "A_PAP", "n", "n = 1e+12 would be drawn one by one"),
        ({"alpha": 1e-6, "m": 10**6}, "A_PAP", "alpha", "A_PAP needs n = "),
    ],
)
def test_what_cannot_be_run_is_refused_with_what_is_allowed(
    given: Mapping[str, Any], name: str, parameter: str, said: str
) -> None:
    refusal = refuse(ReleaseCell(**{"alpha": 0.1, **given}), name)
    assert refusal is not None and said in refusal.message and refusal.parameter == parameter


@pytest.mark.at_once("cube_stumps", "thresholds", "halfspaces")
@pytest.mark.parametrize("concept", ["thresholds", "cube_stumps", "affine_halfspaces", "stumps", "halfspaces"])
def test_private_alone_and_public_alone(concept: str) -> None:
    private = ReleaseCell(alpha=0.8, m=0, n=10**7, concept=concept)
    names = [name for name in releases() if refuse(private, name) is None]
    assert {"PMW", "gaussian_averages", "private_grid"} <= set(names) and "A_PAP" not in names
    for row in KIND.rows(private, names, 1, 0):
        assert row["distinct"] == 0 and 0 <= row["error"] <= 2
    public = ReleaseCell(alpha=0.8, m=30, n=0, concept=concept)
    assert [name for name in releases() if refuse(public, name) is None] == ["public_averages"]
    assert KIND.rows(public, ["public_averages"], 1, 0)[0]["spent"] == 0


def test_an_atom_of_mass_one_costs_nothing() -> None:
    cell = ReleaseCell(alpha=0.1, m=20, n=1000, distribution={"name": "atoms", "total": 1})
    for row in KIND.rows(cell, ["public_averages", "exact_averages", "gaussian_averages"], 1, 0):
        assert row["distinct"] == 1 and row["H"] == 2 and row["error"] < 0.1


def test_a_spec_of_release_is_refused_at_its_line(project: "Project", release_spec: "Callable[..., Sweep]") -> None:
    with pytest.raises(InputError, match=r"small.yaml:\d+: m: m = 100 .* \|H̃\| ≤ 2,000,000"):
        release_spec(concept="interval_unions", m="[100, 3000]")
    with pytest.raises(InputError, match=r"small.yaml:\d+: mechanisms: A_PAP is made of public"):
        release_spec(m="[0, 10]")
    with pytest.raises(InputError, match="did you mean 'A_PAP'"):
        release_spec(mechanisms="[A_PAPP]")


@pytest.fixture
def release_spec(project: "Project") -> "Callable[..., Sweep]":
    """A small sweep of release, with keys changed."""

    def make(**changes: str) -> "Sweep":
        own = dict.fromkeys(("learner", "constants", "claims")) | {
            "kind": "release",
            "concept": "thresholds",
            "distribution": "uniform",
            "alpha": "0.2",
            "n": "1e6",
            "m": "[10, 20]",
            "mechanisms": "[A_PAP]",
            "figure": "{x: m, y: error}",
        }
        return project.sweep(**own | changes)

    return make


def test_a_sweep_of_release_runs_as_any_other(project: "Project", release_spec: "Callable[..., Sweep]") -> None:
    frame = project.run(release_spec(trials="3")).table.frame()
    assert len(frame) == 6 and set(frame["m"]) == {10, 20} and frame["error"].between(0, 2).all()


@pytest.mark.law
def test_a_search_finds_the_least_n_and_the_least_m() -> None:
    """Private points alone on the cube: the least n is where Gaussian noise and sampling are within α together."""
    n_cell = ReleaseSearch(alpha=0.3, m=0, concept="cube_stumps", p=16, beta=0.2, budget=200, error=1e-4)
    (row,) = SEARCHED.rows(n_cell, ["gaussian_averages"], 1, 0)
    assert row["low"] < row["least"] < row["high"] <= row["asked"]
    m_cell = ReleaseSearch(alpha=0.3, find="m", n=10, beta=0.2, budget=200, error=1e-4)
    (found,) = SEARCHED.rows(m_cell, ["public_averages"], 1, 0)
    assert 10 < found["low"] < found["high"] < found["asked"] and found["n"] == 10
    (again,) = SEARCHED.rows(m_cell, ["public_averages"], 1, 0)
    assert {**again, "seconds": 0} == {**found, "seconds": 0}
    for start in (1, 10**12):  # wherever it begins, the interval has n*, so that any two of one n* meet
        other = ReleaseSearch(alpha=0.3, m=0, concept="cube_stumps", p=16, beta=0.2, budget=200, error=1e-4, start=start)
        (begun,) = SEARCHED.rows(other, ["gaussian_averages"], 1, 0)
        assert begun["low"] < row["high"] and row["low"] < begun["high"] and begun["runs"] != row["runs"]
    assert SEARCHED.refuse(n_cell.model_copy(update={"start": 10**17}), "gaussian_averages") is None
    beyond = SEARCHED.refuse(m_cell.model_copy(update={"start": 10**6}), "public_averages")
    assert beyond is not None and beyond.parameter == "start" and "allowed: at most" in beyond.message
    for given in ({"find": "n", "n": 5}, {"find": "m"}, {"find": "m", "n": 10, "m": 3}):
        with pytest.raises(ValidationError, match="searched for"):
            ReleaseSearch(alpha=0.3, **given)


def test_full_and_sufficient_give_the_same_cover() -> None:
    covers = []
    for sampling in ("full", "sufficient"):
        cell = ReleaseCell(**SMALL | {"sampling": sampling})
        covers.append(ReleaseBlock(cell, 12, lambda purpose: stream("a", 1, 2, purpose)).cover())
    np.testing.assert_array_equal(covers[0].low, covers[1].low)


def test_of_a_class_with_several_parameters_those_that_were_set_are_told() -> None:
    for name, count, rest in (("random_queries", {"count": 50}, "seed"), ("windows", {"ring": 19}, "width")):
        with pytest.raises(ValueError, match="is not attained: with ") as raised:
            dimensioned(query_classes()[name].model_validate(count), 40, None)
        ((key, value),) = count.items()
        assert f"with {key} = {value} it is" in str(raised.value) and rest not in str(raised.value)
