"""Black boxes: fitted to each chunk, counted at each query, and nothing but a named classifier can be had."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sklearn
from numpy.typing import NDArray
from pydantic import ValidationError
from scipy.stats import binom

from harness.arrays import Labels
from harness.ballots import Queries
from harness.concepts import Sampler, concepts
from harness.concepts.black_box import MODULES, BlackBox, BlackBoxSampler, _classifiers, named_class, settable, trouble
from harness.concepts.intervals import Intervals
from harness.concepts.intervals import Uniform as UniformIntervals
from harness.concepts.thresholds import Hard, Uniform
from harness.trials.black_box_spec import black_box
from tests.support.guests import guest
from tests.support.situations import least_s, situation_of

Reals = NDArray[np.float64]
NEIGHBOUR = BlackBox(estimator="neighbors.KNeighborsClassifier", parameters='{"n_neighbors": 1}')


def nearest_neighbours(sampler: Sampler, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Iterator[Labels]:
    """What k one-nearest-neighbour rules say, chunk by chunk, on points of a line."""
    points = sampler.features(queries.points)[:, 0]
    for _ in range(k):
        x, labels = sampler.examples(s, rng)
        yield labels[np.abs(points[:, np.newaxis] - x[:, 0]).argmin(axis=1)]


@pytest.mark.parametrize("labels", [2, 4])
def test_votes_and_mistakes_are_those_of_the_learner_on_each_chunk(labels: int) -> None:
    """The nearest neighbour on a line, counted by hand on the same chunks, some of which have one label only."""
    k, s = 40, 6
    sampler: Sampler = Uniform(target=0.3).at(situation_of(s))
    if labels > 2:
        sampler = UniformIntervals().at(situation_of(s, concept=Intervals(labels=labels)))
    queries = sampler.queries(150, np.random.default_rng(1))
    said = np.array(list(nearest_neighbours(sampler, queries, k, s, np.random.default_rng(2))))
    votes = BlackBoxSampler(sampler, NEIGHBOUR, labels).full(queries, k, s, np.random.default_rng(2))
    assert votes.counts.tolist() == [(said == label).sum(axis=0).tolist() for label in range(labels)]
    assert votes.max_mistakes == (said != queries.truth).sum(axis=1).max()
    assert votes.k == k
    assert np.array_equal(votes.truth, queries.truth)


@pytest.mark.parametrize("gamma", [0.0, 0.2])
def test_queries_at_one_point_are_predicted_once_and_all_counted(gamma: float, learner_of: "Learners") -> None:
    """Two atoms, and with noise both labels at each: the mistakes are those over all queries."""
    asked: list[int] = []

    class Zero:
        def fit(self, X: Reals, y: Labels) -> None:
            assert X.shape == (len(y), 1)

        def predict(self, X: Reals) -> list[int]:
            asked.append(len(X))
            return [0] * len(X)

    sampler = Hard(c=2).at(situation_of(50))
    queries = sampler.queries(300, np.random.default_rng(3)).flipped(gamma, np.random.default_rng(4))
    votes = BlackBoxSampler(sampler, learner_of(Zero), 2).full(queries, 20, 50, np.random.default_rng(5))
    assert asked == [2] * len(asked) and 0 < len(asked) <= 20
    assert votes.counts.shape == (2, 300)
    assert (votes.counts.sum(axis=0) == 20).all()
    # A chunk that saw the heavy atom only, which is labelled 1, is not fitted, and says 1 everywhere.
    zeros, ones = np.bincount(queries.truth).tolist()
    assert votes.max_mistakes == (max(zeros, ones) if len(asked) < 20 else ones)


@pytest.mark.parametrize("estimator", ["linear_model.LogisticRegression", "svm.SVC", "naive_bayes.GaussianNB"])
def test_a_chunk_of_one_label_is_answered_by_it(estimator: str) -> None:
    """With a single example a chunk, votes for 1 are the chunks whose example is labelled 1; most classifiers refuse these."""
    sampler = Uniform(target=0.7).at(situation_of(1))
    queries = sampler.queries(9, np.random.default_rng(6))
    votes = BlackBoxSampler(sampler, BlackBox(estimator=estimator), 2).full(queries, 500, 1, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    ones = sum(int(sampler.examples(1, rng)[1][0]) for _ in range(500))
    assert votes.counts.tolist() == [[500 - ones] * 9, [ones] * 9]


class Learners:
    """Gives the registry a class for one test."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def __call__(self, learner: type) -> BlackBox:
        self._stack.enter_context(guest(LEARNER=learner))
        return BlackBox(estimator=learner.__name__)


@pytest.fixture
def learner_of() -> Iterator[Learners]:
    with ExitStack() as stack:
        yield Learners(stack)


def test_random_state_comes_from_the_stream_anew_for_every_chunk(learner_of: Learners) -> None:
    states: list[int] = []

    class Dice:
        def __init__(self, random_state: int) -> None:
            states.append(random_state)

        def fit(self, X: Reals, y: Labels) -> None:
            pass

        def predict(self, X: Reals) -> Labels:
            return np.random.default_rng(states[-1]).integers(0, 2, len(X)).astype(np.int8)

    sampler = Uniform().at(situation_of(60))
    box, queries = learner_of(Dice), sampler.queries(30, np.random.default_rng(8))
    one, same, other = (
        BlackBoxSampler(sampler, box, 2).full(queries, 11, 60, np.random.default_rng(seed)).counts.tolist()
        for seed in (9, 9, 10)
    )
    assert one == same != other
    assert states[:11] == states[11:22] and len(set(states)) == 22
    assert settable(Dice) == []


def test_what_a_try_has_looked_for_is_not_looked_for_at_every_chunk(learner_of: Learners) -> None:
    looked: list[bool] = []

    class Looking:
        def fit(self, X: Reals, y: Labels) -> None:
            settings = sklearn.get_config()
            looked.append(not (settings["assume_finite"] and settings["skip_parameter_validation"]))

        def predict(self, X: Reals) -> list[int]:
            return [0] * len(X)

    learner, sampler = learner_of(Looking), Uniform(target=0.3).at(situation_of(50))
    assert trouble(learner, 50, 1) is None
    BlackBoxSampler(sampler, learner, 2).full(sampler.queries(5, np.random.default_rng(1)), 3, 50, np.random.default_rng(2))
    assert looked == [True, False, False, False]
    assert not sklearn.get_config()["assume_finite"]


def test_a_forest_is_the_same_for_one_seed() -> None:
    sampler = Uniform().at(situation_of(30))
    box = BlackBox(estimator="ensemble.RandomForestClassifier", parameters='{"n_estimators": 3}')
    queries = sampler.queries(200, np.random.default_rng(11))
    one, same, other = (
        BlackBoxSampler(sampler, box, 2).full(queries, 5, 30, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.counts, same.counts)
    assert not np.array_equal(one.counts, other.counts)


@pytest.mark.parametrize("prediction", [[2], [-1], [0, 1, 0, 1]], ids=str)
def test_a_learner_that_predicts_no_label_is_an_error(prediction: list[int], learner_of: Learners) -> None:
    class Wild:
        def fit(self, X: Reals, y: Labels) -> None:
            pass

        def predict(self, X: Reals) -> NDArray[np.int64]:
            return np.resize(prediction, len(X) if len(prediction) == 1 else 4)

    sampler = Uniform().at(situation_of(50))
    with pytest.raises(ValueError, match="Wild must predict one label, of 2, for each of 3 points"):
        BlackBoxSampler(sampler, learner_of(Wild), 2).full(
            sampler.queries(3, np.random.default_rng(0)), 2, 50, np.random.default_rng(0)
        )


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "base.ClassifierMixin",
        "tree.DecisionTreeRegressor",
        "tree.export_text",
        "tree.__builtins__",
        "tree._classes",
        "linear_model.SGDOneClassSVM",
        "ensemble.VotingClassifier",  # made of other estimators, which a spec cannot name
        "tree._classes.DecisionTreeClassifier",
        "tree.",
        ".DecisionTreeClassifier",
        "DecisionTreeClassifier",
        "__import__",
    ],
)
def test_nothing_but_an_exported_classifier_of_the_listed_modules_can_be_had(name: str) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        named_class(name)


@pytest.mark.parametrize("module", MODULES)
def test_every_listed_module_has_classifiers_and_most_learn_as_they_are(module: str) -> None:
    known = _classifiers(module)
    assert known
    some = [name for name in known if "CV" not in name and "Boosting" not in name][:3]
    for name in some:
        assert named_class(f"{module}.{name}") is known[name]
        # Two of naive Bayes' are for counts and categories, and radius neighbours find none far out.
        box = BlackBox(estimator=f"{module}.{name}")
        assert trouble(box, 40, 2) is None or name in ("CategoricalNB", "RadiusNeighborsClassifier")


@pytest.mark.parametrize(
    ("estimator", "parameters", "s", "said"),
    [
        ("tree.DecisionTreeClassifier", '{"max_depth": "deep"}', 100, "'max_depth' parameter"),
        ("neighbors.KNeighborsClassifier", '{"n_neighbors": 9}', 8, "n_neighbors"),
        ("svm.SVC", '{"kernel": "precomputed"}', 100, "square matrix"),
        ("neighbors.KNeighborsClassifier", '{"n_neighbors": 9}', 9, None),
        ("neighbors.KNeighborsClassifier", '{"n_neighbors": 9}', 1, None),  # a single example is never fitted
    ],
)
def test_what_an_estimator_refuses_is_found_by_a_try(estimator: str, parameters: str, s: int, said: str | None) -> None:
    found = trouble(BlackBox(estimator=estimator, parameters=parameters), s, 1)
    assert (found is None) if said is None else (found is not None and said in found and "\n" not in found)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ("{}", "MLPClassifier"),
        ('{"alpha": 0.001, "hidden_layer_sizes": [5, 2]}', "MLPClassifier(alpha=0.001, hidden_layer_sizes=[5, 2])"),
        ('{"early_stopping": true, "solver": "sgd"}', "MLPClassifier(early_stopping=True, solver='sgd')"),
    ],
)
def test_it_is_named_by_its_class_and_parameters(parameters: str, name: str) -> None:
    assert str(BlackBox(estimator="neural_network.MLPClassifier", parameters=parameters)) == name


@pytest.mark.parametrize(
    ("estimator", "key", "most"),
    [
        ("ensemble.RandomForestClassifier", "n_estimators", 1000),
        ("linear_model.LogisticRegression", "max_iter", 100_000),
        ("neural_network.MLPClassifier", "max_fun", 10**6),
        ("neural_network.MLPClassifier", "hidden_layer_sizes", 1000),
        ("linear_model.LogisticRegressionCV", "Cs", 100),
        ("linear_model.LogisticRegressionCV", "cv", 100),
        ("ensemble.BaggingClassifier", "max_samples", 100_000),
        ("naive_bayes.CategoricalNB", "min_categories", 1000),
    ],
)
def test_a_spec_may_ask_for_so_much_of_what_takes_time_and_no_more(estimator: str, key: str, most: int) -> None:
    assert black_box({"sklearn": estimator, key: most}).parameters == f'{{"{key}": {most}}}'
    with pytest.raises(ValidationError, match=f"takes too long; allowed: at most {most:,}"):
        black_box({"sklearn": estimator, key: most + 1})


@pytest.mark.parametrize(
    ("estimator", "parameters", "few"),
    [
        ("ensemble.RandomForestClassifier", '{"n_estimators": 700}', '{"n_estimators": 10}'),
        ("ensemble.RandomForestClassifier", '{"n_estimators": 7, "max_depth": 50}', '{"n_estimators": 7, "max_depth": 50}'),
        ("ensemble.RandomForestClassifier", "{}", "{}"),
        ("svm.SVC", "{}", '{"max_iter": 10}'),  # which is endless where nothing is said
        ("svm.SVC", '{"max_iter": 10000}', '{"max_iter": 10}'),
    ],
)
def test_a_try_has_few_rounds_of_what_is_counted_and_all_else_as_it_is(estimator: str, parameters: str, few: str) -> None:
    assert BlackBox(estimator=estimator, parameters=parameters).brief == BlackBox(estimator=estimator, parameters=few)
    own = BlackBox(estimator="OfOnesOwn", parameters='{"max_iter": 10000}')
    assert own.brief == own


def test_two_learners_of_one_name_are_refused(learner_of: Learners) -> None:
    class Twice:
        pass

    learner_of(Twice)
    learner_of(Twice)
    with pytest.raises(ValueError, match="there is a learner 'Twice' already"):
        named_class("Twice")


SOURCES: dict[str, Any] = {
    f"{name}-{kind}-{gamma}": (concept(), distribution(), learner, gamma)
    for name, concept in concepts().items()
    if not concept.synthetic
    for kind, distribution in concept.distributions.items()
    for gamma in (0.0, 0.1)
    for learner in list(concept.learners)[-1:]
    if distribution().refuse(situation_of(1000, learner, concept=concept(), gamma=gamma)) is None
}


@pytest.mark.parametrize(("concept", "distribution", "learner", "gamma"), SOURCES.values(), ids=SOURCES)
def test_every_source_has_labelled_examples_in_the_form_of_its_queries(
    concept: Any, distribution: Any, learner: str, gamma: float
) -> None:
    """And the labels are the target's, or noisy. False-failure probability: 2e-9 a case; exact binomial tails."""
    s = least_s(distribution, 50, learner, concept, gamma)
    sampler = distribution.at(situation_of(s, learner, concept=concept, gamma=gamma))
    x, labels = sampler.examples(4000, np.random.default_rng(12))
    queries = sampler.queries(4000, np.random.default_rng(13))
    features = sampler.features(queries.points)
    assert x.shape == (4000, features.shape[1]) and features.shape[0] == 4000
    assert x.dtype == np.float64 and np.isfinite(x).all()
    assert labels.dtype == np.int8 and set(labels.tolist()) <= set(range(concept.label_count))
    # On atoms, where all points of examples are points of queries too, the target's labels are known.
    target = {point.tobytes(): label for point, label in zip(features, queries.target.tolist(), strict=True)}
    known = [target.get(point.tobytes()) for point in x]
    wrong = sum(each not in (None, label) for each, label in zip(known, labels.tolist(), strict=True))
    if gamma == 0:
        assert wrong == 0
    elif None not in known:
        assert 1e-9 < binom.cdf(wrong, 4000, gamma) < 1 - 1e-9


def test_features_are_in_the_order_of_the_points() -> None:
    for sampler in (Uniform(target=0.3).at(situation_of(9)), UniformIntervals().at(situation_of(9, concept=Intervals()))):
        queries = sampler.queries(500, np.random.default_rng(14))
        x = sampler.features(queries.points)[:, 0]
        order = np.argsort(x)
        assert 0 <= x.min() < x.max() <= 1
        assert all(one <= other for one, other in pairwise(queries.truth[order].tolist()))
