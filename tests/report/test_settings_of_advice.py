"""Which settings advice tries of releases and classifiers, what it leaves out and why, and what it says of the best."""

from collections.abc import Mapping
from math import inf, nan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.covers import Size
from harness.mechanisms.release import releases
from harness.report.advice import classifiers
from harness.report.advice import releases as advised
from harness.report.advice.classifiers import ClassifierQuestion, TriedConstruction
from harness.report.advice.means import MeanOfRuns
from harness.report.advice.race import Contender
from harness.report.advice.releases import ReleaseQuestion, TriedRelease
from harness.theory.constants import constants
from harness.trials.release_cell import ReleaseSetting, pmw_constants

FEW = ReleaseQuestion(n=20_000, grid=16)
POINTS = ReleaseQuestion(n=20_000, m=1000)


def axes(question: Any, name: str, coarse: bool = False) -> Mapping[str, Any]:
    return (TriedRelease(question, name, coarse) if coarse else TriedRelease(question, name)).search.axes


def test_releases_are_tried_at_every_accuracy_and_set_of_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    """And at that at which something is promised; every other accuracy on the thinner grid."""
    monkeypatch.setattr(advised, "promised", lambda question, release: (0.123, {}))
    assert axes(FEW, "PMW")["alpha"] == [*advised.ALPHAS, 0.123] and axes(FEW, "PMW")["constants"] == list(pmw_constants())
    assert axes(FEW, "PMW", coarse=True)["alpha"] == [0.8, 0.3, 0.1, 0.03, 0.01, 0.002]
    monkeypatch.setattr(advised, "promised", lambda question, release: None)
    assert axes(FEW, "PMW")["alpha"] == list(advised.ALPHAS)


def test_public_points_are_tried_by_fourths_and_fixed_grids_beside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advised, "promised", lambda question, release: None)
    by_name = {each.on_grid: name for name, each in releases().items() if each.private and each.needs_private}
    assert axes(POINTS, by_name[True])["grid"] == [4, 16, 64, 256, 1024, 4096, 16384]
    assert axes(POINTS, by_name[True])["m"] == [1000, 250, 62, 15, 4] and axes(POINTS, by_name[False])["grid"] == [100]
    assert (axes(FEW, by_name[True])["grid"], axes(FEW, by_name[True])["m"]) == ([16], [0])
    assert axes(ReleaseQuestion(n=10, m=4), "PMW")["m"] == [4] and axes(ReleaseQuestion(n=10, m=5), "PMW")["m"] == [5, 4]


@pytest.mark.parametrize(("m", "long"), [(199_999, False), (200_000, False), (200_001, True)])
def test_a_run_is_long_from_four_million_numbers_on(m: int, long: bool) -> None:
    """Twenty a public point."""
    assert ReleaseQuestion(n=10, m=m).long == long


def test_a_question_of_releases_has_its_budget_in_every_cell_and_counts_all_distributions() -> None:
    asked = ReleaseQuestion(n=300, m=9, eps=2, delta=1e-7, beta=0.1)
    cell = asked.cell("uniform", m=9, alpha=0.2)
    assert (cell.n, cell.m, cell.eps, cell.delta, cell.beta, cell.alpha) == (300, 9, 2, 1e-7, 0.1, 0.2)
    assert list(asked.distributions) == list(asked.concept.distributions)
    alone = ReleaseQuestion(n=300, distribution="log_uniform")
    assert alone.distributions == {"log_uniform": "log_uniform"} and asked.cell("uniform").alpha == 0.1
    assert (asked.blind.words, asked.blind.wrong) == ("answering every query with 0", 1.0)


class Tried(SimpleNamespace):
    """A release that is tried, as far as its methods read it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(TriedRelease, name).__get__(self)


def cell_of(public: int = 0, queries: float = 10) -> Any:
    """A cell with so many queries by its points, and three more on its grid."""
    of = SimpleNamespace(grid_sizes=lambda cells: Size(queries + 3, 3.0), numbers=lambda size: 7 * size.queries)
    return SimpleNamespace(public=public, query_class=of, cells=4, sizes=Size(queries, 3.0), on_cover=None)


def test_the_work_of_a_run_is_that_of_the_release_and_twenty_a_public_point() -> None:
    """On the grid where there are no points, or the release needs it."""
    release = SimpleNamespace(on_grid=False, work=lambda size, n, asked: size.queries * 1000 + n)
    tried: Any = Tried(release=release, question=SimpleNamespace(n=5))
    assert tried.work(cell_of()) == 91_005 and tried.work(cell_of(public=3)) == 70_065
    release.on_grid = True
    assert tried.work(cell_of(public=3)) == 91_065
    tried.question.n = 0
    assert tried.work(cell_of()) == 91_001
    release.on_grid = False
    within, beyond = (tried.work(cell_of(1, queries)) for queries in (2_000_000, 2_000_001))
    assert within < inf and beyond == inf


PROVED = next(name for name, each in pmw_constants().items() if each.noise < 1)
MANY = ReleaseQuestion(n=10**9, m=10**5)


@pytest.mark.parametrize(("name", "asked"), [("gaussian_tree", FEW), ("public_averages", POINTS), ("A_PAP", MANY)])
def test_what_is_promised_of_a_release_is_the_least_error_for_which_its_points_are_enough(name: str, asked: Any) -> None:
    """One by a thousandth less is not kept with the points that there are."""
    release = releases()[name]
    found = advised._least(asked, release, PROVED)

    def enough(alpha: float) -> bool:
        if not release.needs_private:
            return bool(asked.concept.deviation(asked.m, alpha) <= asked.beta)
        grid = {} if asked.m else {"grid": asked.grid}
        setting = ReleaseSetting.model_validate(
            {**asked.budget, "m": asked.m, "alpha": alpha, "constants": PROVED, **grid} | COVER
        )
        n, m = setting.needed(release, sharp=True), setting.explicit_m
        return n is not None and n <= asked.n and (asked.m == 0 or (m is not None and m <= asked.m))

    assert found is not None and found < 1 and enough(found * 1.00001) and not enough(found * 0.999)


COVER = {"cover": "spacing"}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("A_PAP", FEW),
        ("public_averages", FEW),
        ("gaussian_averages", ReleaseQuestion(n=3, grid=16)),
        ("A_PAP", ReleaseQuestion(n=10**12, m=3)),
        ("gaussian_tree", ReleaseQuestion.model_validate({"n": 10**9, "concept": {"name": "parities", "d": 5}})),
    ],
)
def test_nothing_is_promised_without_points_or_an_order_or_of_too_few(name: str, asked: Any) -> None:
    assert advised._least(asked, releases()[name], PROVED) is None


def test_where_all_cells_weigh_alike_a_release_is_no_question() -> None:
    assert ReleaseQuestion(n=100, grid=16, distribution="uniform").trivial
    assert not ReleaseQuestion(n=100, grid=16, distribution="log_uniform").trivial and not FEW.trivial


@pytest.mark.parametrize(
    ("work", "stage", "long", "runs"),
    [
        (1.0, 0, False, 12),
        (1.0, 1, False, 200),
        (4e5, 0, False, 5),
        (4e7, 0, False, 4),
        (1e6, 1, False, 100),
        (4e7, 1, False, 24),
        (4e7, 0, True, 2),
        (4e7, 1, True, 4),
        (4.1e7, 0, False, None),
    ],
)
def test_runs_are_as_many_as_the_work_allows_and_none_of_what_is_dearer(
    work: float, stage: int, long: bool, runs: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Any]()
    monkeypatch.setattr(advised, "refuse", lambda cell, name: None)
    monkeypatch.setattr(
        advised, "errors", lambda cell, name, n, m, which, streams, column: asked.append((n, m, len(which), column))
    )
    tried: Any = Tried(name="any", question=SimpleNamespace(long=long, n=50), release=SimpleNamespace(needs_private=True))
    tried.work, tried.cell = lambda cell: work, lambda setting, name: SimpleNamespace(public=0)
    tried.runs({}, "uniform", stage)
    assert asked == ([] if runs is None else [(50, 0, runs, "error_on_cover")])
    tried.cell, tried.release.needs_private = lambda setting, name: SimpleNamespace(public=9), False
    tried.runs({}, "uniform", stage)
    assert asked[1:] == ([] if runs is None else [(0, 9, runs, "error")])
    monkeypatch.setattr(advised, "refuse", lambda cell, name: "it is refused")
    assert tried.runs({}, "uniform", stage) is None


def test_what_counts_is_the_distribution_on_which_most_is_wrong_and_all_must_run() -> None:
    tried: Any = Tried(question=SimpleNamespace(distributions=["a", "b", "c"]))
    runs: dict[str, Any] = {"a": np.array([1.0, 1.0]), "b": np.array([2.0, 4.0]), "c": np.array([0.0, 1.0])}
    tried.runs = lambda setting, name, stage: runs[name]
    assert tried.sought({}) == MeanOfRuns(3.0, 1.0)
    runs["c"] = None
    assert tried.sought({}) is None


def entry_of(monkeypatch: pytest.MonkeyPatch, spent: float | None = 1.0, by: str = "certified", best: bool = True) -> Contender:
    """Of a release that was tried on two distributions."""
    runs = {"a": np.arange(10.0), "b": np.arange(20.0)}
    tried = SimpleNamespace(
        proved=(0.5, {"constants": "lean"}),
        best=lambda: ({"m": 0, "alpha": 0.25, "constants": "lean"}, None) if best else None,
        runs=lambda setting, name, stage: runs[name],
        spent=lambda setting: spent,
        reason=lambda: "it is dear",
        question=SimpleNamespace(m=0),
        search=SimpleNamespace(says=lambda setting: ["alpha", "constants", "m"]),
    )
    monkeypatch.setattr(advised, "TriedRelease", lambda question, name: tried)
    monkeypatch.setattr(advised, "spent_by", lambda name: by)
    question: Any = SimpleNamespace(distributions=["a", "b"], beta=0.1, eps=1.0)
    return advised.entry(question, "any")


def test_a_release_enters_with_its_error_where_it_is_largest_and_with_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = entry_of(monkeypatch)
    assert found.error is not None and found.error.mean == 9.5 and (found.where, found.most, found.why) == ("b", 18.0, None)
    assert found.settings == {"α": "0.25", "constants": "lean"} and (found.promised, found.promised_at) == (
        0.5,
        {"constants": "lean"},
    )
    none = entry_of(monkeypatch, best=False)
    assert (none.error, none.why, none.promised) == (None, "it is dear", 0.5)


@pytest.mark.parametrize(
    ("spent", "by", "why"),
    [
        (1.0, "declared", "(ε, δ)-DP as its author declares, certified by no accountant"),
        (1.1, "certified", "not certified to be (ε, δ)-DP"),
        (None, "certified", "not certified to be (ε, δ)-DP"),
        (1.0 + 1e-12, "certified", None),
    ],
)
def test_a_release_is_in_the_race_by_what_an_accountant_certifies(
    spent: float | None, by: str, why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert entry_of(monkeypatch, spent, by).why == why


@pytest.mark.parametrize(("told", "spent"), [(0.7, 0.7), (nan, None), (None, None)])
def test_what_a_run_spends_is_none_where_it_says_none(told: Any, spent: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advised, "errors", lambda cell, name, n, m, which, streams, column: [told] * len(which))
    assert TriedRelease(FEW, "PMW").spent({"m": 0, "grid": 16, "alpha": 0.5, "constants": "repaired"}) == spent


def test_settings_of_a_release_are_told_in_words_where_they_have_a_say() -> None:
    says = SimpleNamespace(says=lambda setting: list(setting))
    tried: Any = SimpleNamespace(search=says, question=SimpleNamespace(m=1000))
    setting = {"m": 250, "grid": 4096, "alpha": 0.12345, "constants": "lean"}
    assert advised._words(tried, setting) == {"public points": "250", "grid": "4,096", "α": "0.123", "constants": "lean"}
    assert "public points" not in advised._words(tried, setting | {"m": 1000})


def test_a_question_of_releases_is_told_with_what_is_kept_and_proved() -> None:
    asked = FEW.model_copy(update={"alpha": 0.3})
    one = MeanOfRuns(0.1, 0.0)
    every = [
        Contender("kept", error=one, most=0.3, promised=0.31),
        Contender("proved", error=one, most=0.4, promised=0.3),
        Contender("out", error=one, most=0.1, promised=0.1, why="it is out"),
    ]
    first, last = advised._notes(asked, every)
    assert "the largest over the queries of the grid" in first and "95%: not exceeded in so many runs" in first
    assert last == "An error of 0.3 is kept in 95% of the runs by kept; proved of proved."
    assert "by none; proved of none." in list(advised._notes(asked, []))[1]
    assert len(list(advised._notes(FEW, every))) == 1 and "over the class" in next(advised._notes(POINTS, every))
    few, cover = ([*advised._notes(ReleaseQuestion(n=9, m=m), every)][1] for m in (2**18, 2**17 * 2 + 1))
    assert few == cover and few.endswith("of fewer settings; a cover is made of 131,072 public points at most.")


QUESTION = ClassifierQuestion(n=10**5)


def test_classifiers_are_tried_at_every_error_and_share_of_k_and_every_other_on_the_thinner_grid() -> None:
    fine, coarse = (TriedConstruction(QUESTION, "exponential", *thin).search.axes for thin in ((), (True,)))
    assert fine == {
        "alpha": classifiers.ALPHAS,
        "constants": list(constants()),
        "k_scale": tuple(2.0**power for power in range(-8, 3)),
    }
    assert coarse["alpha"] == (0.3, 0.1, 0.02, 0.005) and coarse["k_scale"] == tuple(4.0**power for power in range(-4, 2))
    assert (QUESTION.blind.words, QUESTION.blind.wrong) == ("a coin", 0.5)


def why(monkeypatch: pytest.MonkeyPatch, m: int | None = None, n: int = 100, **changes: Any) -> str | None:
    """Why a construction is not run on a cell."""
    values: dict[str, Any] = {"points": 50, "most": inf, "T": 0.0, "singles": 0, "labels": True, "keeps": True} | changes
    plan = SimpleNamespace(s=5, k=9, noise={"T": values["T"]}, keeps_to=lambda eps: values["keeps"])
    learner = SimpleNamespace(
        points=lambda problem: values["points"],
        most_examples=values["most"],
        labelling=lambda problem, n: (values["points"], plan) if values["labels"] else None,
    )
    asked = {(values["points"], 9, 5): values["singles"]}  # of so many points, chunks, and examples a chunk
    sampler = SimpleNamespace(singles=lambda m, k, s: asked[m, k, s]) if values["singles"] is not None else None
    cell: Any = SimpleNamespace(problem=None, sampler=lambda s: sampler)
    monkeypatch.setattr(classifiers, "refusal_of", lambda cell, name: values.get("refused"))
    tried: Any = SimpleNamespace(name="any", learner=learner, question=SimpleNamespace(m=m, n=n, eps=1.0))
    return TriedConstruction._why(tried, cell)


@pytest.mark.parametrize(
    ("within", "beyond", "said"),
    [
        ({"m": 50}, {"m": 49}, "it labels m = 50 public points or more, and there are 49"),
        (
            {"most": 10**9, "n": 100_000},
            {"most": 10**9, "n": 100_001},
            "it is not measured: it would draw n = 100,001 examples a run",
        ),
        (
            {"labels": False, "points": 3000},
            {"labels": False, "points": 3001},
            "it is not measured: it labels m = 3,001 public points by",
        ),
        ({"singles": None}, {"singles": 3001}, "it is not measured: learners may differ on 3,001 public points of a run"),
        ({"singles": 3000}, {"singles": 3001}, "it is not measured: learners may differ on 3,001 public points of a run"),
        ({"T": 2000.0}, {"T": 2001.0}, "it is not measured: up to T = 2,001 points of a run may be ⊥"),
        ({"keeps": True}, {"keeps": False}, "not certified to be (ε, δ)-DP"),
        ({}, {"refused": "it is refused"}, "it is refused"),
        ({"n": 10**9}, {"n": 10**9, "most": 5.0}, "and 100,000 are the most"),
    ],
)
def test_a_construction_is_run_up_to_what_would_take_too_long(
    within: dict[str, Any], beyond: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why(monkeypatch, **within) is None
    assert said in (why(monkeypatch, **beyond) or "")


def test_a_guarantee_of_classifiers_is_the_least_error_at_which_the_examples_are_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of constants by which 5/α or 9/α examples are needed, on as many public points; claimed is 2α."""
    sets = {"fewer": 5.0, "more": 9.0}

    class Cell(SimpleNamespace):
        problem = property(lambda self: self)

    learner = SimpleNamespace(
        needed=lambda cell: sets[cell.constants] / cell.alpha,
        points=lambda cell: sets[cell.constants] / cell.alpha,
        claimed=lambda cell: 2 * cell.alpha,
    )
    monkeypatch.setattr(classifiers, "constants", lambda: sets)
    monkeypatch.setattr(classifiers, "private_learners", lambda: {"any": learner})
    monkeypatch.setattr(classifiers, "refusal_of", lambda cell, name: None)

    def found(n: int, m: int | None = None) -> Any:
        asked: Any = SimpleNamespace(n=n, m=m, cell=lambda alpha, constants: Cell(alpha=alpha, constants=constants))
        return classifiers.promised(asked, "any")

    def least(enough: float) -> float:
        return 2 * float(min(alpha for alpha in classifiers.FINER if alpha >= enough))

    assert found(1000) == (pytest.approx(least(0.005)), {"constants": "fewer"})
    assert found(10**9, 100) == (pytest.approx(least(0.05)), {"constants": "fewer"})
    assert found(1) is None
    sets["more"] = 5.0
    assert found(1000) == (pytest.approx(least(0.005)), {})
    monkeypatch.setattr(classifiers, "refusal_of", lambda cell, name: "it is refused")
    assert found(1000) is None
