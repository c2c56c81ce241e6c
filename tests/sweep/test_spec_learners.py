"""Learners that a spec names by a mapping, and classes of many labels: what is refused, and where it is told.

In the small sweep learner stands on line 7, n on 8 and mechanisms on 10; what is added stands on line 13 and after.
"""

import json
from typing import TYPE_CHECKING

import pytest

from harness.concepts.black_box import ROUNDS, BlackBox, trouble
from harness.trials.answers import KIND
from harness.trials.cell import Cell
from tests.sweep.test_spec_errors import matches

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

TREE = "{sklearn: tree.DecisionTreeClassifier, max_depth: 1}"
GOOD: dict[str, str | None] = {"learner": TREE, "sampling": "full", "n": "1e6", "figure": "{x: m}"}
MANY: dict[str, str | None] = {"concept": "intervals", "distribution": None, "learner": None, "figure": "{x: m}"}


def learner(text: str) -> dict[str, str | None]:
    return GOOD | {"learner": text}


BAD: dict[str, tuple[dict[str, str | None], str]] = {
    # which estimator
    "a module that is not listed": (
        learner("{sklearn: cluster.KMeans}"),
        "7: learner.sklearn: no module 'cluster' of scikit-learn to choose from; allowed: tree, linear_model, …",
    ),
    "a misspelt module": (
        learner("{sklearn: tee.X}"),
        "7: learner.sklearn: no module 'tee' …; did you mean 'tree'? allowed: …",
    ),
    "a module of Python": (
        learner("{sklearn: os.system}"),
        "7: learner.sklearn: no module 'os' of scikit-learn …; allowed: tree, …",
    ),
    "a longer path": (
        learner("{sklearn: sklearn.tree.DecisionTreeClassifier}"),
        "7: learner.sklearn: module.Class of scikit-learn is needed, …, not 'sklearn.tree…Classifier'; "
        "allowed modules: tree, …",
    ),
    "code": (
        learner("{sklearn: 'tree.X()'}"),
        "7: learner.sklearn: module.Class … is needed, …, not 'tree.X()'; allowed modules: …",
    ),
    "no text": (
        learner("{sklearn: [tree]}"),
        "7: learner.sklearn: module.Class … is needed, …, not ['tree']; allowed modules: …",
    ),
    "a misspelt estimator": (
        learner("{sklearn: tree.DecisionTreeClasifier}"),
        "7: learner.sklearn: no classifier 'DecisionTreeClasifier' in sklearn.tree; "
        "did you mean 'DecisionTreeClassifier'? allowed: DecisionTreeClassifier, ExtraTreeClassifier",
    ),
    "not a classifier": (
        learner("{sklearn: linear_model.LinearRegression}"),
        "7: learner.sklearn: no classifier 'LinearRegression' in sklearn.linear_model; …allowed: LogisticRegression, …",
    ),
    "made of other estimators": (
        learner("{sklearn: ensemble.VotingClassifier}"),
        "7: learner.sklearn: no classifier 'VotingClassifier' in sklearn.ensemble; …allowed: AdaBoostClassifier, …",
    ),
    "no registered learner": (learner("{name: Mine}"), "7: learner.name: no learner 'Mine' of one's own; allowed: none, …"),
    "no name": (learner("{max_depth: 1}"), "7: learner: a mapping must say which learner; allowed: sklearn: …, or name: …"),
    "scikit-learn's under the other key": (learner("{name: svm.SVC}"), "7: learner: a mapping must say …; allowed: sklearn: …"),
    # its appetite
    "trees without end": (
        learner("{sklearn: ensemble.RandomForestClassifier, n_estimators: 1e9}"),
        "7: learner.n_estimators: '1e9' takes too long; allowed: at most 1,000",
    ),
    "rounds without end": (
        learner("{sklearn: linear_model.SGDClassifier, max_iter: 1000000000, tol: null}"),
        "7: learner.max_iter: 1000000000 takes too long; allowed: at most 100,000",
    ),
    "samples without end": (
        learner("{sklearn: ensemble.RandomForestClassifier, max_samples: 1e9}"),
        "7: learner.max_samples: '1e9' takes too long; allowed: at most 100,000",
    ),
    "memory without end": (
        learner("{sklearn: naive_bayes.CategoricalNB, min_categories: 1000000000}"),
        "7: learner.min_categories: 1000000000 takes too long; allowed: at most 1,000",
    ),
    "a number out of all proportion": (
        learner("{sklearn: svm.LinearSVC, C: 1e-300}"),
        "7: learner.C: not 1e-300; allowed: 0, and numbers from 1e-100 to 1e+100",
    ),
    "layers without end": (
        learner("{sklearn: neural_network.MLPClassifier, hidden_layer_sizes: [500, 500, 1]}"),
        "7: learner.hidden_layer_sizes: [500, 500, 1] takes too long; allowed: at most 1,000",
    ),
    # its parameters
    "a misspelt parameter": (
        learner("{sklearn: tree.DecisionTreeClassifier, max_dept: 1}"),
        "7: learner.max_dept: unknown key; did you mean 'max_depth'? allowed: criterion, splitter, max_depth, …",
    ),
    "the random state": (
        learner("{sklearn: tree.DecisionTreeClassifier, random_state: 1}"),
        "7: learner.random_state: unknown key; …allowed: criterion, …",
    ),
    "threads": (
        learner("{sklearn: neighbors.KNeighborsClassifier, n_jobs: 2}"),
        "7: learner.n_jobs: unknown key; …allowed: n_neighbors, …",
    ),
    "a mapping for a parameter": (
        learner("{sklearn: svm.SVC, class_weight: {a: 1}}"),
        "7: learner.class_weight: not {'a': 1}; allowed: a finite number, text, true, false, null, or a list of these",
    ),
    "an infinite parameter": (learner("{sklearn: svm.SVC, C: .inf}"), "7: learner.C: not inf; allowed: a finite number, …"),
    "a parameter of a wrong type": (
        learner("{sklearn: tree.DecisionTreeClassifier, max_depth: deep}"),
        "7: learner: DecisionTreeClassifier(max_depth='deep') does not learn from … examples: The 'max_depth' parameter of "
        "DecisionTreeClassifier must be an int …; allowed: parameters with which it does",
    ),
    "a parameter out of range": (
        learner("{sklearn: svm.SVC, C: -1}"),
        "7: learner: SVC(C=-1) does not learn from … examples: The 'C' parameter of SVC must be a float …; allowed: …",
    ),
    "more neighbours than examples": (
        learner("{sklearn: neighbors.KNeighborsClassifier, n_neighbors: 1000}"),
        "7: learner: KNeighborsClassifier(n_neighbors=1000) does not learn from … examples: …n_neighbors…; allowed: …",
    ),
    # what belongs together
    "no sampling": (
        learner(TREE) | {"sampling": None},
        " sampling: no sampling 'sufficient' with DecisionTreeClassifier(max_depth=1), which needs the examples themselves; "
        "allowed: full",
    ),
    "sufficient sampling": (
        learner(TREE) | {"sampling": "sufficient"},
        "13: sampling: no sampling 'sufficient' …; allowed: full",
    ),
    "solving for n": (
        learner(TREE) | {"n": None, "alpha": "0.1"},
        "7: learner: no PAC bound is known for the learner DecisionTreeClassifier(max_depth=1), …; allowed: n, or n and T, …",
    ),
    "another's bound": (learner(TREE) | {"pac_bound": "blumer"}, "7: learner: no PAC bound is known …; …pac_bound: class"),
    "a class without examples": (
        learner(TREE) | {"concept": "ensemble", "distribution": "split"},
        "7: learner: nothing is learned in the class ensemble; allowed: none",
    ),
    # many labels
    "one label": (MANY | {"concept": "{name: intervals, labels: 1}"}, "5: concept.labels: a number ≥ 2 is needed, not 1"),
    "no dimension": (MANY | {"V": "0"}, "…: V: a number ≥ 1 is needed, not 0"),
    "a dimension beyond": (MANY | {"V": "100"}, "…: V: V = 100 is not attained: …; allowed: 1 to 99"),
    "a mechanism for two labels": (
        MANY | {"mechanisms": "[A_subSamp, A_binClas]"},
        "8: mechanisms: A_binClas is for two labels, intervals has 3 here; allowed: …A_subSamp, …majority…",
    ),
    "too much noise on many labels": (
        MANY | {"gamma": "0.7", "mechanisms": "[majority]"},
        "…: gamma: …rate of 0.7; allowed: 0 ≤ gamma ≤ …",
    ),
}


@pytest.mark.parametrize(("changes", "said"), BAD.values(), ids=BAD)
def test_it_is_told_in_one_line_and_nothing_is_written(
    project: "Project", harness: "Harness", changes: dict[str, str | None], said: str
) -> None:
    ended = harness("run", project.spec(**changes), "--serial")
    assert (ended.code, ended.out, project.files()) == (2, "", set())
    assert ended.err.count("\n") == 1 and len(ended.err) < 1500
    assert matches(ended.err.removeprefix("error: experiments/small.yaml:").rstrip("\n"), said), ended.err


@pytest.mark.parametrize("more", [{}, {"max_iter": -1}])
def test_one_that_goes_on_until_it_is_exact_is_tried_for_few_rounds(more: dict[str, int]) -> None:
    """As scikit-learn's own default has it, which comes to no end at such a tolerance."""
    learner = BlackBox(estimator="svm.SVC", parameters=json.dumps({"tol": 1e-100} | more))
    assert json.loads(learner.brief.parameters)["max_iter"] == ROUNDS and trouble(learner, 100, 1) is None


def test_a_list_of_learners_is_an_axis_and_the_table_names_them(project: "Project") -> None:
    """Numbers with a power of ten are numbers here, and 1.0 is not 1, which to scikit-learn means another thing."""
    forest = "{sklearn: ensemble.ExtraTreesClassifier, n_estimators: 2, max_features: %s}"
    each = ["midpoint", "{sklearn: svm.LinearSVC, C: 1e3, tol: 1e-2}", forest % "1.0", forest % "1"]
    changes = {"learner": f"[{', '.join(each)}]", "sampling": "full", "m": "20", "trials": "1", "claims": '["BTT18:L3.3"]'}
    spec = {"n": "1e4", "T": "1", "k_scale": "0.003", "constants": "k_tight", "figure": "{x: m, panels: [learner]}"}
    table = project.run(project.sweep(**changes, **spec, mechanisms="[majority]")).table
    names = ["midpoint", "LinearSVC(C=1000, tol=0.01)"]
    names += [f"ExtraTreesClassifier(max_features={value}, n_estimators=2)" for value in ("1.0", "1")]
    assert table.rows["learner"].to_pylist() == names
    assert len(set(table.rows["cell"].to_pylist())) == 4
    assert table.provenance["makes"]["scikit-learn"] == table.provenance["packages"]["scikit-learn"]


def test_nothing_is_promised_of_a_black_box_and_its_cell_says_why() -> None:
    box = BlackBox(estimator="naive_bayes.GaussianNB")
    for size in ({"n": 10**12}, {"n": 10**6, "T": 5}, {"T": 5}):
        cell = Cell.model_validate({"m": 100, "learner": box, "sampling": "full", **size})
        for name in ("A_binClas", "majority", "A_OQR", "noisy_majority"):
            plan = cell.plan(name)
            assert plan.vacuous and plan.alpha == float("inf")
            assert plan.reason == "no PAC bound is known for the learner GaussianNB"
    tiny = Cell.model_validate({"m": 100, "learner": box, "sampling": "full", "n": 10, "T": 5})
    assert "is less than k" in str(tiny.plan("A_binClas").reason)


def test_with_n_and_T_the_chunks_are_those_of_the_cutoff() -> None:
    given = {"m": 100, "T": 5, "constants": "k_tight"}
    learned = Cell.model_validate(given | {"n": 10**6, "sampling": "full", "learner": {"sklearn": "naive_bayes.GaussianNB"}})
    own = Cell.model_validate(given)
    for name in ("A_binClas", "majority"):
        assert (learned.plan(name).k, learned.plan(name).s) == (own.solved.k, 10**6 // own.solved.k)


def test_one_learner_is_one_cell_however_it_is_written() -> None:
    def cell(**learner: object) -> Cell:
        return Cell.model_validate({"m": 9, "n": 10**6, "sampling": "full", "learner": learner})

    one = cell(sklearn="svm.SVC", C=2, kernel="linear")
    assert one.identity == cell(kernel="linear", C=2, sklearn="svm.SVC").identity
    assert one.identity == Cell(m=9, n=10**6, sampling="full", learner=one.learner).identity
    others = [
        cell(sklearn="svm.SVC"),
        cell(sklearn="svm.SVC", C=2.0, kernel="linear"),
        cell(sklearn="svm.SVC", C=2, kernel="rbf"),
    ]
    assert len({one.identity, *(other.identity for other in others)}) == 4


def test_a_trial_is_the_same_again_and_shares_votes_among_mechanisms() -> None:
    given = {"m": 30, "n": 2000, "T": 1, "constants": "k_tight", "k_scale": 0.01, "sampling": "full"}
    cell = Cell.model_validate(given | {"learner": {"sklearn": "tree.ExtraTreeClassifier"}})
    both, again, alone = (KIND.rows(cell, names, 3, 0) for names in (["A_binClas", "majority"], ["A_binClas"], ["majority"]))
    assert [row | {"seconds": 0} for row in both] == [row | {"seconds": 0} for row in again + alone]
    assert both[0]["unstable"] == both[1]["unstable"] and both[0]["max_mistakes"] == both[1]["max_mistakes"] > 0
