"""Any learner: a classifier of scikit-learn, or a class of one's own, fitted to each chunk of drawn examples.

Nothing is known of such a learner but what it predicts: it has `full` sampling only, at a cost of one fit a chunk, and no PAC
bound. It learns from any sampler that has examples: see `Sampler.examples` and `Sampler.features`.
"""

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from inspect import Parameter, signature
from textwrap import shorten
from typing import Any, Protocol, cast

import numpy as np
from pydantic import BaseModel

from harness.arrays import Indices, Labels, Reals
from harness.ballots import Ballot, Queries
from harness.concepts import Sampler
from harness.registry import nearest, parts

MODULES = (
    "tree",
    "linear_model",
    "neighbors",
    "svm",
    "naive_bayes",
    "ensemble",
    "dummy",
    "discriminant_analysis",
    "neural_network",
)
"""The modules of scikit-learn whose classifiers may be named."""

NOT_FOR_SPECS = ("random_state", "n_jobs", "verbose")  # the first comes from the trial's stream; a trial has one thread
TRIED, ROUNDS = 1000, 10  # examples at most in a first try, and rounds of those that it counts
MOST: Mapping[str, int] = {
    "n_estimators": 1000,
    "max_iter": 100_000,
    "max_fun": 10**6,
    "hidden_layer_sizes": 1000,
    "Cs": 100,
    "cv": 100,
    "max_samples": 100_000,
    "min_categories": 1000,
}
"""How much a classifier of scikit-learn may be told to do, by what time or memory grows with; of a list in all."""
COUNTED = ("n_estimators", "max_iter", "max_fun")
ENDLESS = -1  # of what is counted: as many as it takes


class Estimator(Protocol):
    """The methods that a learner of one's own must have, in scikit-learn's form; a spec may set its constructor's parameters.

    A file gives a class of one's own to LEARNER, and specs name it as {name: its name, …}. If the constructor has a parameter
    `random_state`, it is given a whole number from the trial's stream for every chunk, and must be the only source of
    randomness.
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from features X (s, d) and labels y (s,), at least two of them distinct."""

    def predict(self, X: Any) -> Any:
        """Labels (m,) for features X (m, d), out of those that it has seen."""


class BlackBox(BaseModel, frozen=True, extra="forbid"):
    """A learner of scikit-learn or of one's own, by its name and its constructor's parameters; where both are equal, it is one.

    estimator: module.Class in scikit-learn, or the name of a class of one's own, which has no dot. parameters: a JSON object,
    its keys sorted.
    """

    estimator: str
    parameters: str = "{}"

    def __str__(self) -> str:
        """As tables and figures name it: `DecisionTreeClassifier(max_depth=1)`."""
        parameters = ", ".join(f"{key}={value!r}" for key, value in json.loads(self.parameters).items())
        name = self.estimator.rpartition(".")[2]
        return f"{name}({parameters})" if parameters else name

    @property
    def brief(self) -> "BlackBox":
        """The learner with few rounds of training, which tell as well whether it can be fitted; a user's own is as it is."""
        if "." not in self.estimator:
            return self
        parameters = json.loads(self.parameters)
        rounds = {key: each.default for key, each in signature_of(named_class(self.estimator)).items()} | parameters
        limits = {key: rounds[key] for key in COUNTED if key in parameters or rounds.get(key) == ENDLESS}
        few = {key: ROUNDS if value == ENDLESS else min(value, ROUNDS) for key, value in limits.items() if type(value) is int}
        return self.model_copy(update={"parameters": json.dumps(parameters | few)})

    def fitted(self, x: Reals, y: Labels, rng: np.random.Generator) -> Callable[[Reals], Indices]:
        """Trains on examples x (s, d), y (s,): the function that predicts labels. If y is one label, that is predicted."""
        if (y == y[0]).all():
            return lambda features: np.full(len(features), y[0], dtype=np.intp)
        learner, parameters = named_class(self.estimator), json.loads(self.parameters)
        if "random_state" in signature_of(learner):
            parameters["random_state"] = int(rng.integers(2**31))
        trained = learner(**parameters)
        trained.fit(x, y)
        return lambda features: np.asarray(trained.predict(features)).astype(np.intp)


def named_class(name: str) -> type[Estimator]:
    """The learner's class of this name. Raises ValueError, naming what is allowed, if it is none that a spec may name."""
    if "." not in name:
        learners = parts("learner")
        if name not in learners:
            allowed = nearest(name, list(learners)) if learners else "allowed: none, as no plugin defines one"
            raise ValueError(f"no learner {name!r} of one's own; {allowed}")
        return cast(type[Estimator], learners[name])
    module, _, kind = name.partition(".")
    if module not in MODULES:
        raise ValueError(f"no module {module!r} of scikit-learn to choose from; {nearest(module, list(MODULES))}")
    classifiers = _classifiers(module)
    if kind not in classifiers:
        raise ValueError(f"no classifier {kind!r} in sklearn.{module}; {nearest(kind, list(classifiers))}")
    return classifiers[kind]


@cache
def _classifiers(module: str) -> dict[str, type[Estimator]]:
    """The classifiers that a module of scikit-learn makes public and that numbers and names suffice to construct."""
    from sklearn.base import ClassifierMixin  # a tenth of a second's worth of import that only black boxes pay for

    home = import_module(f"sklearn.{module}")
    return {
        name: kind
        for name, kind in sorted(vars(home).items())
        if not name.startswith("_")
        and isinstance(kind, type)
        and issubclass(kind, ClassifierMixin)
        and kind.__module__.startswith(home.__name__)
        and all(parameter.default is not Parameter.empty for parameter in signature_of(kind).values())
    }


@cache
def signature_of(learner: type) -> dict[str, Parameter]:
    """The parameters of a learner's constructor, by name."""
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return {name: parameter for name, parameter in signature(learner).parameters.items() if parameter.kind in named}


def settable(learner: type) -> list[str]:
    """The names of the parameters of a learner that a spec may set."""
    return [name for name in signature_of(learner) if name not in NOT_FOR_SPECS]


def trouble(learner: BlackBox, s: int, d: int) -> str | None:
    """Why a learner cannot be fitted to s examples of d features, in its own words, by a try on at most TRIED made-up ones."""
    return _tried(learner, min(s, TRIED), d)


@lru_cache(maxsize=1024)
def _tried(learner: BlackBox, s: int, d: int) -> str | None:
    rng = np.random.default_rng(0)
    x = rng.random((s, d))
    try:
        with warnings.catch_warnings(action="ignore"):
            learner.brief.fitted(x, (x[:, 0] >= np.median(x[:, 0])).astype(np.int8), rng)(x)
    except Exception as error:  # a learner may raise anything
        return shorten(str(error), 400) or type(error).__name__
    return None


@contextmanager
def unchecked() -> Iterator[None]:
    """A context in which scikit-learn does not check parameters and numbers at every chunk, as `trouble` has done so once."""
    from sklearn import config_context

    with config_context(assume_finite=True, skip_parameter_validation=True):
        yield


@dataclass(frozen=True)
class BlackBoxSampler(Sampler):
    """A sampler with a black box as the learner in place of the class's own. labels: how many labels there are."""

    sampler: Sampler
    learner: BlackBox
    labels: int

    def queries(self, m: int, rng: np.random.Generator) -> Queries:
        return self.sampler.queries(m, rng)

    def full(self, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        """Fits and predicts chunk by chunk, at the distinct queries only. Warnings of the learner are its own affair."""
        distinct, place = np.unique(self.sampler.features(queries.points), axis=0, return_inverse=True)
        place, columns = place.ravel(), np.arange(len(distinct))
        counts = np.zeros((self.labels, len(distinct)), dtype=np.int64)
        asked_of = np.zeros_like(counts)  # queries at each distinct point, by their label
        np.add.at(asked_of, (queries.truth, place), 1)
        fewest_right = len(place)
        with warnings.catch_warnings(action="ignore"), unchecked():
            for _ in range(k):
                predicted = self.learner.fitted(*self.sampler.examples(s, rng), rng)(distinct)
                if predicted.shape != columns.shape or predicted.min() < 0 or predicted.max() >= self.labels:
                    raise ValueError(
                        f"{self.learner} must predict one label, of {self.labels}, for each of {len(distinct)} points"
                    )
                counts[predicted, columns] += 1
                fewest_right = min(fewest_right, int(asked_of[predicted, columns].sum()))
        return Ballot(counts[:, place], k, queries.truth, max_mistakes=len(place) - fewest_right)
