"""Any classifier of scikit-learn with `predict_proba`, fitted to each chunk: full sampling only."""

import json
import warnings
from typing import Any, ClassVar, cast

import numpy as np

from harness.arrays import Ints, Labels, Reals
from harness.concepts.black_box import BlackBox, named_class, signature_of
from harness.refusal import Refusal
from harness.scores import Instance, Learner, Points

TRIED = 64  # examples of a first try


class Proba(Learner, frozen=True):
    """A classifier of scikit-learn as a learner of scores, by its `predict_proba`.

    estimator, parameters: as `BlackBox` has them. A chunk whose labels are all the same is predicted to be always so.
    """

    name: ClassVar[str] = "proba"

    estimator: str
    parameters: str = "{}"

    def __str__(self) -> str:
        return str(BlackBox(estimator=self.estimator, parameters=self.parameters))

    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        queries = instance.features(instance.asked)
        features = (instance.features(own) for own in points.T)
        with warnings.catch_warnings(action="ignore"):
            scores = [
                self._scores(x, y, queries, int(seed) % 2**31) for x, y, seed in zip(features, labels.T, coins, strict=True)
            ]
        return np.array(scores).reshape(points.shape[1], len(queries))

    def _scores(self, x: Reals, y: Labels, queries: Reals, seed: int) -> Reals:
        """P(1) at the points asked about, (q,), after examples x (s, d), y (s,)."""
        if (y == y[0]).all():
            return np.full(len(queries), float(y[0]))
        kind, parameters = named_class(self.estimator), json.loads(self.parameters)
        if "random_state" in signature_of(kind):
            parameters["random_state"] = seed
        trained = cast(Any, kind(**parameters))
        trained.fit(x, y)
        chances = np.asarray(trained.predict_proba(queries), dtype=np.float64)
        if chances.shape != (len(queries), 2) or not ((chances >= 0) & (chances <= 1)).all():
            raise ValueError(f"{self} must predict two probabilities for each of {len(queries)} points")
        return chances[:, 1]

    def refuse(self, instance: Instance, s: int) -> Refusal | None:
        kind = named_class(self.estimator)
        if not callable(getattr(kind, "predict_proba", None)):
            return Refusal(
                f"{self} has no predict_proba, so it predicts no score; allowed: a classifier that has it", "learner"
            )
        rng, size = np.random.default_rng(0), min(s, TRIED)
        points = instance.draw(rng, (size, 1))
        labels = (np.arange(size) % 2).astype(np.int8)[:, np.newaxis]
        try:
            self.fit(instance, points, labels, np.zeros(1, np.int64))
        except Exception as error:  # a learner may raise anything
            message = str(error)[:300] or type(error).__name__
            return Refusal(
                f"{self} does not learn from {s} examples: {message}; allowed: parameters with which it does", "learner"
            )
        return None


SCORES = Proba
