"""Cells in words: what a spec gave them, said as people read it."""

import pickle
from typing import TYPE_CHECKING

import pytest

from harness.report.settings import Settings, View
from harness.trials.cell import Cell

if TYPE_CHECKING:
    from tests.support.project import Project

ALONE: dict[str, str | None] = {"learner": "leftmost", "m": "20", "figure": "{x: m}"}
SEARCH: dict[str, str | None] = dict.fromkeys(("n", "m", "claims")) | {
    "kind": "sample_complexity",
    "alpha": "0.1",
    "mechanisms": "[non_private]",
    "figure": "{x: alpha, y: n_star}",
}


def said(project: "Project", axis: str, **changes: str | None) -> str:
    """What the only cell of a sweep is said to have on an axis."""
    settings = Settings.of(project.sweep(**ALONE | changes))
    (cell,) = settings.cells
    assert settings.shown(cell, axis) == settings.shown(cell.identity, axis) == settings.where(cell, [axis])
    return settings.shown(cell, axis)


@pytest.mark.parametrize(
    ("distribution", "name"),
    [
        ("uniform", "uniform"),
        ("{name: uniform, target: 0.25}", "uniform (target = 0.25)"),
        ("{name: hard, c: 0.693147}", "hard (c = 0.693)"),
    ],
)
def test_a_distribution_is_named_with_what_shapes_it(project: "Project", distribution: str, name: str) -> None:
    assert said(project, "distribution", distribution=distribution) == name


@pytest.mark.parametrize(
    ("concept", "V", "name"),
    [
        ("thresholds", None, "thresholds"),
        ("halfspaces", "5", "halfspaces (d = 5)"),
        ("{name: halfspaces, d: 5}", None, "halfspaces (d = 5)"),
        ("stumps", "3", "stumps (d = 2)"),
    ],
)
def test_a_class_has_the_dimensions_that_it_or_V_sets(project: "Project", concept: str, V: str | None, name: str) -> None:
    changes = {"concept": concept, "V": V, "distribution": None if concept == "thresholds" else "{name: hard, c: 1}"}
    sweep = project.sweep(**ALONE | changes | {"learner": None})
    settings = Settings.of(sweep)
    (cell,) = settings.cells
    assert settings.value(cell, "concept") == name and settings.bare(cell, "concept") == name.partition(" ")[0]


def test_the_scale_of_noise_is_told_where_there_is_noise(project: "Project") -> None:
    hard = "{name: hard, c: 1, scale: 2}"
    noisy: dict[str, str | None] = {"gamma": "0.01", "learner": None, "distribution": hard}
    assert said(project, "distribution", **noisy) == "hard (c = 1, scale = 2)"
    assert said(project, "distribution", distribution=hard) == "hard (c = 1)"


def test_a_parameter_is_told_with_what_makes_it_plain(project: "Project") -> None:
    changes: dict[str, str | None] = {"n": "1e12", "eps": "0.5"}
    axes = ("n", "eps", "learner", "sampling", "pac_bound", "k_scale", "constants")
    told = [said(project, axis, **changes) for axis in axes]
    assert told == ["n = 10¹²", "ε = 0.5", "leftmost", "sufficient sampling", "class PAC bound", "k/k₀ = 1", "BTT18"]
    assert said(project, "alpha", n=None, alpha="0.01", figure="{x: alpha}") == "α = 0.01"


@pytest.mark.parametrize(("target", "told"), [("theorem", "to its theorem's error"), ("alpha", "to α itself")])
def test_a_name_has_its_own_phrase(project: "Project", target: str, told: str) -> None:
    assert said(project, "target", **SEARCH, target=target) == told


def test_what_is_not_given_is_a_dash(project: "Project") -> None:
    assert [said(project, axis) for axis in ("alpha", "T")] == ["α = –", "T = –"]


def test_cells_are_told_apart_by_the_axes_on_which_they_differ_names_first(project: "Project") -> None:
    settings = Settings.of(project.sweep(eps="[1, 2.5]", figure="{x: m, panels: [learner, eps]}"))
    assert settings.varying()[0] == "learner" and set(settings.varying()) == {"learner", "eps", "m"}
    told = [settings.where(cell) for cell in settings.cells]
    assert len(set(told)) == 8 and told[0].startswith("leftmost, ") and {"ε = 1", "m = 20"} < set(told[0].split(", "))
    assert Settings.of(project.sweep(**ALONE)).varying() == ["m"]


def test_a_view_is_the_same_in_another_process(project: "Project") -> None:
    view = View.of(project.sweep())
    again = pickle.loads(pickle.dumps(view))
    assert again.spec == view.spec and again.settings.cells == view.settings.cells
    assert [again.settings.where(cell) for cell in again.settings.cells] == [
        view.settings.where(c) for c in view.settings.cells
    ]


def test_an_axis_is_drawn_along_the_column_that_holds_it(project: "Project") -> None:
    """The plan's own α and T may be others than those that were asked for."""
    view = View.of(project.sweep())
    assert [view.column(axis) for axis in ("n", "alpha", "T")] == ["n", "alpha_target", "T_target"]
    assert [view.heading(name) for name in ("T", "eps", "m", "misclassification_rate")] == [
        "cutoff T",
        "privacy ε",
        "queries m",
        "misclassification rate (⊥ counts)",
    ]
    search = View.of(project.sweep(**ALONE | SEARCH))
    assert search.column("alpha") == "alpha" and search.heading("n_star") == "examples needed, n*"


def test_whose_pac_bounds_make_the_plans_is_told_once_each_and_of_many_how_many_more() -> None:
    def told(*learners: str) -> list[str]:
        return Settings("answers", [Cell(m=100, n=10**9, learner=name) for name in learners]).bounds_told

    assert told("leftmost", "leftmost", "midpoint") == [
        "PAC bound ln(1/q)/s: the leftmost or rightmost consistent threshold, which errs on one side only; learner: leftmost",
        "PAC bound ln(2/q)/s: any consistent threshold, by the union of the two sides; learner: midpoint",
    ]
    many = [Cell.model_validate({"m": 100, "n": 10**9, "concept": "cube_stumps", "V": V}) for V in range(1, 8)]
    assert Settings("answers", many).bounds_told[-1] == "and 3 other PAC bounds"
