"""The product of axes: what is zipped advances together, what a rule names is left out, in the order of the axes."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.sweep.errors import InputError
from harness.sweep.spec.document import KeyPath
from harness.sweep.spec.grid import Grid
from harness.trials import kinds
from harness.trials.cell import Cell

HARD = {"name": "hard", "c": 1}
VALUES: dict[str, list[Any]] = {
    "m": [10, "1e1", 20, "20", 30.0],
    "eps": [1, "1.0", 0.5, "5e-1"],
    "learner": ["leftmost", "midpoint", "erm"],
    "distribution": ["uniform", "hard", HARD, {"name": "hard", "c": "1e0"}, {"name": "hard", "c": 2}],
}


def complain(message: str, place: KeyPath) -> InputError:
    return InputError(message, ".".join(map(str, place)))


def grid(axes: dict[str, Any], zipped: list[list[str]] | None = None, exclude: list[dict[str, Any]] | None = None) -> Grid:
    return Grid(Cell, axes, zipped or [], exclude or [], complain)


def meant(value: Any) -> Any:
    """What a value of those above says."""
    if isinstance(value, dict):
        return {key: meant(item) for key, item in value.items()}
    try:
        return float(value)
    except ValueError:
        return value


def named(value: Any, rule: Any) -> bool:
    """Whether a rule's value is an axis's, by its meaning."""
    if isinstance(rule, list):
        return any(named(value, each) for each in rule)
    return bool(meant(value) == meant(rule)) or (isinstance(value, dict) and value["name"] == rule)


def some(key: str) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.sampled_from(VALUES[key]), min_size=1, max_size=4)


axes_of = st.fixed_dictionaries({key: some(key) for key in VALUES})
rules_of = st.lists(
    st.fixed_dictionaries({}, optional={key: some(key) | st.sampled_from(VALUES[key]) for key in VALUES} | {"n": st.just(1)}),
    max_size=4,
)


@given(axes_of, rules_of)
def test_what_a_rule_names_is_left_out_and_nothing_else(axes: dict[str, list[Any]], rules: list[dict[str, Any]]) -> None:
    """By going through all combinations and all rules."""
    expected = []
    for combination in product(*(range(len(values)) for values in axes.values())):
        position = dict(zip(axes, combination, strict=True))
        out = [
            rule and all(key in axes and named(axes[key][position[key]], value) for key, value in rule.items())
            for rule in rules
        ]
        if not any(out):
            expected.append(position)
    assert list(grid(axes, exclude=rules)) == expected


def test_zipped_axes_are_excluded_together() -> None:
    found = grid(
        {"m": [1, 2, 3], "eps": [4, 5], "n": [7, 8, 9]}, [["m", "n"]], [{"m": [1, 2], "n": [8, 9]}, {"eps": 5, "n": 9}]
    )
    assert list(found) == [
        {"m": 0, "n": 0, "eps": 0},
        {"m": 0, "n": 0, "eps": 1},
        {"m": 2, "n": 2, "eps": 0},
    ]


def test_every_axis_of_whole_numbers_is_rounded_to_them() -> None:
    cell = kinds()["audit"].cell
    assert Grid(cell, {"runs": {"geom": [1, 100, 4]}}, [], [], complain).axes == {"runs": [1, 5, 22, 100]}
    assert grid({"V": {"geom": [1, 9, 3]}, "eps": {"geom": [1, 9, 3]}}).axes == {"V": [1, 3, 9], "eps": [1, 3.0, 9]}


@pytest.mark.parametrize("key", ["concept", "distribution", "learner"])
def test_a_mapping_is_a_rule_only_where_numbers_are_meant(key: str) -> None:
    assert grid({key: {"name": "x"}}).axes == {key: [{"name": "x"}]}
