"""A learner that a spec names by a mapping, with its parameters: what is taken, and what is told at which key."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from harness.trials import black_box_spec
from harness.trials.cell import Cell, Planned, without_bound
from harness.trials.concept_cell import ConceptCell
from harness.trials.fields import LEAST, MOST


class Tree:
    """A classifier that a spec may name, with what it may be told."""

    def __init__(self, depth: Any = None, C: float = 1.0, n_estimators: int = 1, cv: Any = 5, random_state: int = 0) -> None:
        """It learns nothing."""


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where scikit-learn has no other classifier, and nobody a learner of his own but one."""

    def named(name: str) -> type:
        if name not in ("tree.Tree", "mine"):
            raise ValueError(f"no learner {name!r}; allowed: tree.Tree, mine")
        return Tree

    monkeypatch.setattr(black_box_spec, "named_class", named)


@pytest.mark.usefixtures("trees")
@pytest.mark.parametrize(
    ("entry", "parameters"),
    [
        ({"sklearn": "tree.Tree"}, {}),
        ({"sklearn": "tree.Tree", "n_estimators": 1000, "depth": 3}, {"depth": 3, "n_estimators": 1000}),
        ({"sklearn": "tree.Tree", "C": "1e-3", "depth": "gini"}, {"C": 0.001, "depth": "gini"}),
        ({"sklearn": "tree.Tree", "cv": [50, 50]}, {"cv": [50, 50]}),
        ({"sklearn": "tree.Tree", "cv": ["1e1", 0], "depth": None}, {"cv": [10, 0], "depth": None}),
        ({"sklearn": "tree.Tree", "C": -1e100, "depth": 1e-100}, {"C": -1e100, "depth": 1e-100}),
        ({"name": "mine", "n_estimators": 5000}, {"n_estimators": 5000}),
    ],
)
def test_a_learner_is_named_with_its_parameters_sorted(entry: dict[str, Any], parameters: Any) -> None:
    found = black_box_spec.black_box(entry)
    assert found.estimator == ("tree.Tree" if "sklearn" in entry else "mine")
    assert found.parameters == json.dumps(parameters, sort_keys=True)


@pytest.mark.usefixtures("trees")
@pytest.mark.parametrize(
    ("entry", "key", "said"),
    [
        ({"depth": 3}, "", "a mapping must say which learner; allowed: sklearn: module.Class, or name: a registered one"),
        ({"name": "a b"}, "", "a mapping must say which learner"),
        ({"name": "yours"}, "name", "no learner 'yours'; allowed: tree.Tree, mine"),
        ({"sklearn": "tree.Bush"}, "sklearn", "no learner 'tree.Bush'; allowed: tree.Tree, mine"),
        (
            {"sklearn": "Tree"},
            "sklearn",
            "module.Class of scikit-learn is needed, such as tree.DecisionTreeClassifier, not 'Tree'",
        ),
        ({"sklearn": "tree.Tree", "leaves": 3}, "leaves", "unknown key; "),
        ({"sklearn": "tree.Tree", "random_state": 3}, "random_state", "unknown key; "),
        ({"sklearn": "tree.Tree", "n_estimators": 1001}, "n_estimators", "1001 takes too long; allowed: at most 1,000"),
        ({"sklearn": "tree.Tree", "cv": [60, [40, 1]]}, "cv", "takes too long; allowed: at most 100"),
        ({"sklearn": "tree.Tree", "C": MOST * 1.001}, "C", "allowed: 0, and numbers from 1e-100 to 1e+100"),
        ({"sklearn": "tree.Tree", "C": -LEAST / 2}, "C", "allowed: 0, and numbers from 1e-100 to 1e+100"),
        (
            {"sklearn": "tree.Tree", "C": float("inf")},
            "C",
            "allowed: a finite number, text, true, false, null, or a list of these",
        ),
        ({"sklearn": "tree.Tree", "C": [{"a": 1}]}, "C", "allowed: a finite number, text, true, false, null"),
    ],
)
def test_a_learner_that_may_not_be_named_is_told_why_at_its_key(entry: dict[str, Any], key: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as raised:
        black_box_spec.black_box(entry)
    assert not key or (isinstance(raised.value, ValidationError) and raised.value.errors()[0]["loc"] == (key,))


@pytest.mark.parametrize("model", [Cell, Planned])
@pytest.mark.parametrize("entry", [3, 0.5, ["svm"]])
def test_what_is_no_name_and_no_mapping_is_no_learner(entry: Any, model: type[ConceptCell]) -> None:
    with pytest.raises(ValidationError, match="valid string"):
        model.model_validate({"n": 1000, "m": 10, "learner": entry})


def test_of_a_black_box_no_bound_is_known_and_it_is_asked_with_as_many_features_as_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it has no example, nothing is said of it."""
    asked_with: list[tuple[int, int]] = []
    monkeypatch.setattr("harness.trials.cell.trouble", lambda _, s, features: asked_with.append((s, features)))
    space = {"concept": {"name": "halfspaces", "d": 3}, "distribution": "gaussian", "learner": {"sklearn": "svm.LinearSVC"}}
    box = Cell.model_validate(space | {"n": 10**6, "m": 10, "sampling": "full"})
    plan = box.plan("A_binClas")
    assert box.refuse("A_binClas") is None and asked_with == [(plan.s, 3)]
    assert plan.s > 1 and plan.bound is None
    bound = replace(plan, bound=0.5)
    assert [without_bound(replace(bound, s=s), box.learner).bound for s in (0, 1, 2)] == [0.5, None, None]
