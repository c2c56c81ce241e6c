import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from math import inf, log, nan
from types import new_class
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.concepts import concepts
from harness.concepts.stumps import Stumps
from harness.mechanisms.answering import mechanisms
from harness.theory import pac
from harness.theory.constants import constants
from harness.theory.fixed_point import plan_for_alpha, plan_for_n
from harness.trials import kinds
from harness.trials.cell import Cell, Planned, Setting
from harness.trials.concept_cell import named_model
from harness.trials.fields import exact_number, shown, whole_number
from harness.trials.kind import Kind

CONSTANTS = constants()

BASE: dict[str, Any] = {"m": 1000, "n": 10**12}

OTHER: dict[str, Any] = {
    "m": 1001,
    "n": 10**12 + 1,
    "eps": 0.5,
    "delta": 1e-7,
    "beta": 0.04,
    "constants": "BTT18a",
    "pac_bound": "blumer",
    "distribution": "hard",
    "learner": "midpoint",
    "sampling": "full",
    "k_scale": 0.9,
}


def identity(**fields: Any) -> str:
    return Cell.model_validate(BASE | fields).identity


def test_the_identity_is_the_sha256_of_the_fields_that_are_not_at_their_defaults() -> None:
    """A field that is added to the model later, at its default, must not change any cell's random numbers."""
    fields = {
        "kind": "Cell",
        "V": 1,
        "m": 1000,
        "n": 10**12,
        "distribution": {"name": "uniform"},
        "learner": "leftmost",
    }
    assert identity() == sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_a_class_by_another_name_names_the_same_random_numbers(kind: Kind) -> None:
    """And no other kind's: each model is known by a name of its own."""
    bases: Any = (kind.cell,)
    renamed: Any = new_class("Renamed", bases, {"frozen": True})
    assert renamed.hashed_as == kind.cell.hashed_as
    assert [each.name for each in kinds().values() if each.cell.hashed_as == kind.cell.hashed_as] == [kind.name]
    with pytest.raises(ValueError, match="`hashed_as` of its own"):
        replace(kind, cell=renamed)


def test_every_field_of_a_cell_changes_its_identity() -> None:
    varied = [identity(**{field: value}) for field, value in OTHER.items()]
    by_alpha, by_T = Cell(m=1000, alpha=0.1).identity, Cell(m=1000, T=10).identity
    distributions = [identity(distribution=d) for d in ({"name": "uniform", "target": 0.3}, {"name": "hard", "mass": 0.1})]
    everything = [identity(), *varied, by_alpha, by_T, *distributions]
    assert len(set(everything)) == len(everything)
    # These have one allowed value so far; the list above is otherwise complete.
    assert set(Cell.model_fields) - set(OTHER) == {"concept", "V", "gamma", "alpha", "T"}


@pytest.mark.parametrize(
    "fields",
    [
        {"n": "1e12"},
        {"n": 1e12},
        {"n": "1000000000000"},
        {"n": "1.0E+12"},
        {"m": "1e3"},
        {"m": 1000.0},
        {"eps": 1},
        {"eps": "1"},
        {"eps": "1e0"},
        {"delta": "1e-6"},
        {"delta": 0.000001},
        {"beta": "0.05"},
        {"beta": "5e-2"},
        {"gamma": "0"},
        {"V": 1},
        {"V": "1"},
        {"V": None},
        {"alpha": None},
        {"distribution": {"name": "uniform"}},
        {"distribution": {"name": "uniform", "target": "0.5"}},
        {"distribution": {"target": 0.5, "name": "uniform"}},
        {"learner": "leftmost"},
        {"learner": ""},
        {"constants": "BTT18", "pac_bound": "class", "concept": "thresholds", "sampling": "sufficient"},
    ],
    ids=str,
)
def test_the_identity_does_not_depend_on_how_a_value_is_written(fields: dict[str, Any]) -> None:
    assert identity(**fields) == identity()


def test_a_hard_distribution_is_the_same_by_default_and_by_name() -> None:
    written: list[Any] = ["hard", {"name": "hard"}, {"name": "hard", "c": log(2)}, {"name": "hard", "c": str(log(2))}]
    assert len({identity(distribution=distribution) for distribution in written}) == 1


@pytest.mark.parametrize("concept", concepts())
def test_a_cell_defaults_to_the_classs_own_dimension_and_first_learner(concept: str) -> None:
    known = concepts()[concept]()
    sampling = next(iter(known.distributions.values()))().samplings(known, next(iter(known.learners)))
    cell = Cell.model_validate({"m": 10, "n": 10**9, "concept": concept, "sampling": next(iter(sampling))})
    assert cell.V == concepts()[concept]().vc
    assert cell.learner == next(iter(concepts()[concept].learners))


def test_a_cell_resolves_to_the_fixed_point_of_its_constants() -> None:
    by_n = Cell(m=1000, n=10**9, constants="BTT18a", learner="midpoint", eps=0.5)
    assert by_n.task.pac_bound == pac.thresholds_consistent
    assert (by_n.task.m, by_n.task.eps, by_n.task.delta, by_n.task.beta) == (1000, 0.5, 1e-6, 0.05)
    assert by_n.solved == plan_for_n(CONSTANTS["BTT18a"], by_n.task, 10**9)
    by_alpha = Cell(m=1000, alpha=0.01)
    assert by_alpha.solved == plan_for_alpha(CONSTANTS["BTT18"], by_alpha.task, 0.01)
    assert by_alpha.task.pac_bound == pac.thresholds_extremal
    for name in mechanisms():
        assert by_alpha.plan(name).n == by_alpha.solved.n


def test_the_calculators_bound_is_for_any_consistent_learner_or_any_class_of_that_dimension() -> None:
    assert Setting(m=10, n=10**9).task.pac_bound == pac.thresholds_consistent
    noisy = Setting(m=10, n=10**9, gamma=0.1).task.pac_bound
    for s in (10, 10**4, 10**9):
        assert noisy(s, 0.01) == min(pac.thresholds_agnostic(s, 0.01), pac.vc_agnostic(s, 0.01, V=1))
    of_any_class = Setting(m=10, n=10**9, V=7, pac_bound="blumer").task.pac_bound
    assert of_any_class(10**6, 0.01) == pac.blumer(10**6, 0.01, V=7)
    agnostic = Setting(m=10, n=10**9, V=7, pac_bound="blumer", gamma=0.1).task.pac_bound
    assert agnostic(10**6, 0.01) == pac.vc_agnostic(10**6, 0.01, V=7)


UNNAMED: list[Any] = ["unifrom", None, 3, {}, {"target": 0.5}, {"name": "nope"}, []]
OUT_OF_RANGE: list[tuple[str, Any]] = [
    *(("m", value) for value in (0, -1, 1.5, "many", True, 10**15 + 1, nan, inf, None)),
    *(("n", value) for value in (0, -1, 1.5, "1e19", True, nan, inf, "1e400")),
    *(("V", value) for value in (0, 2, 1.5, "x", True)),
    *((field, value) for field in ("delta", "beta") for value in (0, 1, -0.1, 1.5, nan, inf, "x", True)),
    *(("eps", value) for value in (0, -1, nan, inf, "x", True)),
    *(("gamma", value) for value in (-0.1, 1, nan, "x")),
    *(("distribution", value) for value in UNNAMED),
    *(("learner", value) for value in ("leftmots", 3)),
    *(("concept", value) for value in ("treshholds", 3)),
    *(("constants", value) for value in ("BTT", 18)),
    *(("pac_bound", value) for value in ("clas", None)),
    *(("sampling", value) for value in ("fulll", None)),
    ("no_such_field", 1),
]


@pytest.mark.parametrize(("field", "value"), OUT_OF_RANGE, ids=str)
def test_a_bad_value_is_refused_at_its_field(field: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        Cell.model_validate(BASE | {field: value})
    assert {error["loc"][0] for error in refused.value.errors()} == {field}


@pytest.mark.parametrize(
    ("distribution", "key"),
    [
        ({"name": "uniform", "target": 1}, "target"),
        ({"name": "uniform", "target": "x"}, "target"),
        ({"name": "uniform", "targte": 0.5}, "targte"),
        ({"name": "hard", "c": 0}, "c"),
        ({"name": "hard", "c": "inf"}, "c"),
        ({"name": "hard", "mass": 1}, "mass"),
        ({"name": "hard", "mass": True}, "mass"),
    ],
    ids=str,
)
def test_a_bad_parameter_of_a_distribution_is_refused_at_its_key(distribution: dict[str, Any], key: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Cell.model_validate(BASE | {"distribution": distribution})
    assert refused.value.errors()[0]["loc"] == ("distribution", key)


@pytest.mark.parametrize(
    ("field", "value", "meant"),
    [
        ("concept", "treshholds", "thresholds"),
        ("constants", "BTT18b", "BTT18"),
        ("distribution", "unifrom", "uniform"),
        ("distribution", {"name": "hrad", "c": 1}, "hard"),
        ("learner", "leftmots", "leftmost"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest_and_all_allowed(field: str, value: Any, meant: str) -> None:
    with pytest.raises(ValidationError, match=rf"did you mean '{meant}'\? allowed: .*\b{meant}\b"):
        Cell.model_validate(BASE | {field: value})


@pytest.mark.parametrize("fields", [{"m": 10}, {"m": 10, "n": 10**9, "alpha": 0.1}, {"m": 10, "alpha": 0.1, "T": 2}])
@pytest.mark.parametrize("kind", [Setting, Cell])
def test_exactly_one_of_n_alpha_and_T_is_needed(kind: type[Setting], fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="exactly one of n, alpha and T"):
        kind.model_validate(fields)


def test_a_dimension_that_the_class_lacks_is_for_the_calculator_with_the_general_bound_only() -> None:
    assert Setting(m=10, n=10**9, V=5, pac_bound="blumer").V == 5
    refused: list[Callable[[], Setting]] = [
        partial(Setting, m=10, n=10**9, V=5),
        partial(Cell, m=10, n=10**9, V=5),
        partial(Cell, m=10, n=10**9, V=5, pac_bound="blumer"),
    ]
    for make in refused:
        with pytest.raises(ValidationError, match=r"V = 5 is not attained.*allowed: 1"):
            make()


@pytest.mark.parametrize(
    ("written", "number"),
    [("1e12", 10**12), (1e12, 10**12), ("123456789012345678", 123456789012345678), ("0.1", 0.1), (0.1, 0.1), ("-2", -2)],
)
def test_numbers_are_exact_integers_where_they_are_whole(written: str | float, number: float) -> None:
    assert exact_number(written) == number
    assert type(exact_number(written)) is type(number)


def test_a_cell_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Cell(m=10, n=10**9).m = 11  # type: ignore[misc]


def test_a_black_box_learns_from_noisy_halfspaces_in_any_dimension() -> None:
    """No learner of the class has least risk there, and none is needed."""
    box = {"sklearn": "svm.LinearSVC", "C": 0.1}
    cell = Cell(concept="halfspaces", V=5, gamma=0.1, m=50, n=3 * 10**6, T=1, sampling="full", learner=box)
    assert cell.refuse("single_learner") is None
    sampler = cell.sampler("single_learner")
    queries = sampler.queries(20_000, np.random.default_rng(1))
    assert abs(np.mean(queries.truth != queries.target) - 0.1) < 5 * np.sqrt(0.09 / 20_000)
    refusal = Cell(concept="halfspaces", V=5, gamma=0.1, m=50, n=10**6, sampling="full").refuse("A_binClas")
    assert refusal is not None


def test_under_blumers_bound_a_plan_may_have_any_dimension_and_a_run_has_that_of_its_class() -> None:
    assert Planned(V=7, m=10, n=10**6, pac_bound="blumer").V == 7
    assert Planned(V=7, m=10, n=10**6, pac_bound="blumer").concept_class == concepts()["thresholds"]()
    with pytest.raises(ValidationError, match="V = 7"):
        Cell(V=7, m=10, n=10**6, pac_bound="blumer")
    assert (
        Cell.model_validate(
            {"concept": "halfspaces", "V": 5, "m": 10, "n": 10**6, "pac_bound": "blumer", "sampling": "full"}
        ).concept_class.vc
        == 5
    )


def test_a_plan_has_the_first_learner_of_its_class_and_no_say_on_it_where_there_is_no_such_class() -> None:
    planned = Planned.model_validate({"concept": "intervals", "m": 10, "n": 10**6})
    assert planned.learner == next(iter(planned.concept_class.learners)) != ""
    with pytest.raises(ValidationError) as refused:
        Planned.model_validate({"concept": "nothing", "m": 10, "n": 10**6, "learner": "nobody"})
    assert [each["loc"] for each in refused.value.errors()] == [("concept",)]


def test_a_text_of_80_characters_is_shown_whole_with_its_quotes() -> None:
    text = "x" * 78
    assert shown(text) == f"'{text}'" and "..." in shown(text + "x")


def test_the_parameters_of_what_a_spec_names_are_known_keys_with_numbers_in_any_form() -> None:
    assert named_model("concept class", {"name": "stumps", "d": "1e3"}, concepts()) == Stumps(d=1000)
    for key, said in (("D", "unknown key; .*d"), ("dd", "unknown key; .*d")):
        with pytest.raises(ValidationError, match=said):
            named_model("concept class", {"name": "stumps", key: 3}, concepts())


def test_a_number_nearer_to_none_than_any_float_is_none_however_long_its_exponent() -> None:
    for number in (exact_number, whole_number):
        assert number("1e-99999999999999999999") == 0


def test_a_number_has_at_most_four_hundred_characters() -> None:
    longest = "0." + "1" * 398
    assert exact_number(longest) == pytest.approx(1 / 9)
    with pytest.raises(ValueError, match="not 401 characters; allowed: at most 400"):
        exact_number(longest + "1")


def test_an_axis_is_meant_as_it_is_given_but_for_the_class_whose_dimension_another_sets() -> None:
    cell = Cell.model_validate({"concept": "stumps", "V": 4, "m": 10, "n": 10**9, "eps": 0.5})
    assert cell.meant_by("concept") == cell.concept_class != cell.concept
    assert [cell.meant_by(axis) for axis in ("V", "m", "n", "eps", "T")] == [4, 10, 10**9, 0.5, None]


@pytest.mark.parametrize(
    "fields", [{"learner": {"sklearn": "tree.DecisionTreeClassifier"}}, {"concept": "halfspaces", "V": 5}], ids=str
)
def test_a_sampling_that_nobody_chose_is_refused_where_it_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=r"sampling '?sufficient.*full"):
        Cell.model_validate({"m": 10, "n": 10**6} | fields)
    assert Cell.model_validate({"m": 10, "n": 10**6, "sampling": "full"} | fields).sampling == "full"


@pytest.mark.parametrize("n", [10**6, 10**12])
@pytest.mark.parametrize("fields", [{"concept": "stumps", "V": 4}, {"gamma": 0.1}], ids=str)
def test_of_several_bounds_that_is_told_which_is_least_where_the_plan_is(fields: dict[str, Any], n: int) -> None:
    """At its s, and at β over its chunks."""
    cell = Cell.model_validate({"m": 10, "n": n} | fields)
    of: Any = cell.task.pac_bound
    least = min(of.keywords["bounds"], key=lambda bound: bound(cell.solved.s, cell.beta / cell.solved.k))
    assert len(of.keywords["bounds"]) > 1 and cell.bound_told == pac.in_words(least, 1, 0.5)
