"""Stochastic gradient descent on linear scores: one pass or several, in the given order or in one that it draws.

On atoms with the squared loss, constant steps η and one pass the weight of an atom with N examples is a geometric sum,
Σ η(1 − η)^(N−i) y_i + (1 − η)^N/2: that has an exact law, of which the last terms are kept so that what is left moves a score
by less than REST.
"""

from collections.abc import Iterator, Sequence
from math import ceil, log
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from harness.arrays import Ints, Labels, Reals
from harness.scores import HELD, Instance, Learner, Points, Sampling
from harness.scores.atoms import ScoreAtoms
from harness.scores.descent import LOSSES, STEPS, Loss, descend

REST = 1e-13
"""What is left out of a geometric sum moves it by less than this."""

DRAWN = 1 << 16  # chunks whose scores are drawn at once


class Sgd(Learner, frozen=True):
    """Stochastic gradient descent as a learner of scores, on linear scores.

    loss: squared, ½(h − y)², or logistic. steps: constant, η; sqrt, η/√t; inverse, 1/(γt). eta, gamma: η and γ.

    ridge: of the regulariser (ridge/2)|w|². passes: over the chunk. order: given, the chunk as it comes; permuted, each pass in
    an order of its own that the coins draw.
    """

    name: ClassVar[str] = "sgd"

    loss: Literal["squared", "logistic"] = "squared"
    steps: Literal["constant", "sqrt", "inverse"] = "constant"
    eta: Annotated[float, Field(gt=0, le=1)] = 0.1
    gamma: Annotated[float, Field(gt=0, le=1)] = 1.0
    ridge: Annotated[float, Field(ge=0, le=1)] = 0.0
    passes: Annotated[int, Field(ge=1, le=100)] = 1
    order: Literal["given", "permuted"] = "given"

    @property
    def _loss(self) -> Loss:
        return LOSSES[self.loss]

    def said(self) -> Sequence[str]:
        rate = self.gamma if self.steps == "inverse" else self.eta
        others = [f"ridge {self.ridge:g}"] * (self.ridge > 0) + [f"{self.passes} passes"] * (self.passes > 1)
        return [self.loss, f"{self.steps} {rate:g}", *others, *(["permuted"] * (self.order == "permuted"))]

    def _step(self, t: int) -> float:
        return STEPS[self.steps](t, self.gamma if self.steps == "inverse" else self.eta)

    def _geometric(self, instance: Instance) -> bool:
        """Whether weights are geometric sums of labels."""
        return isinstance(instance, ScoreAtoms) and (self.loss, self.steps, self.ridge, self.passes) == (
            "squared",
            "constant",
            0.0,
            1,
        )

    def samplings(self, instance: Instance) -> tuple[Sampling, ...]:
        return ("sufficient", "poisson", "full") if self._geometric(instance) else ("full",)

    def _start(self, instance: Instance, chunks: int) -> Reals:
        """Weights with which every prediction is ½, (chunks, d)."""
        return np.tile(instance.half if self.loss == "squared" else 0 * instance.half, (chunks, 1))

    def _scores(self, instance: Instance, w: Reals) -> Reals:
        return self._loss.score(w @ instance.features(instance.asked).T)

    def fit(self, instance: Instance, points: Points, labels: Labels, coins: Ints) -> Reals:
        w, t = self._start(instance, points.shape[1]), 1
        orders = [np.random.default_rng(each) for each in coins.tolist()] if self.order == "permuted" else []
        for _ in range(self.passes):
            if orders:
                order = np.stack([rng.permutation(len(points)) for rng in orders], axis=1)
                points_now, labels_now = np.take_along_axis(points, order, 0), np.take_along_axis(labels, order, 0)
            else:
                points_now, labels_now = points, labels
            examples = zip(map(instance.features, points_now), labels_now, strict=True)
            t = descend(w, examples, self._loss.slope, self._step, self.ridge, t)
        return self._scores(instance, w)

    def drawn(self, instance: Instance, sampling: Sampling, rng: np.random.Generator, s: int, k: int) -> Iterator[Reals]:
        if sampling != "full":
            assert isinstance(instance, ScoreAtoms)
            for start in range(0, k, DRAWN):
                yield self._sums(instance, instance.visits(sampling, rng, s, min(DRAWN, k - start)), rng)
        elif self.passes > 1:
            yield from super().drawn(instance, sampling, rng, s, k)
        else:  # a permutation of i.i.d. examples is i.i.d.: none need be held
            w = self._start(instance, k)
            descend(w, self._stream(instance, rng, s, k), self._loss.slope, self._step, self.ridge)
            yield self._scores(instance, w)

    def _stream(self, instance: Instance, rng: np.random.Generator, s: int, k: int) -> Iterator[tuple[Reals, Labels]]:
        """s fresh examples of each of k chunks, drawn as they are needed."""
        most = max(1, HELD // (64 * k))
        for start in range(0, s, most):
            points, labels = instance.examples(rng, (min(most, s - start), k))
            yield from zip(map(instance.features, points), labels, strict=True)

    def _sums(self, instance: ScoreAtoms, visits: Ints, rng: np.random.Generator) -> Reals:
        """The geometric sums of so many labels, (chunks, q), from the last label back."""
        keep, chances = 1 - self.eta, np.array(instance.chances)
        left = min(int(visits.max(initial=0)), ceil(log(REST) / log(keep)) if keep else 1)
        total, weight = np.zeros(visits.shape), self.eta
        for back in range(left):
            total += weight * ((rng.random(visits.shape) < chances) & (back < visits))
            weight *= keep
        return total + 0.5 * keep ** visits.astype(float)

    def means(self, instance: Instance, sampling: Sampling, s: int) -> Reals | None:
        if not self._geometric(instance):
            return None
        assert isinstance(instance, ScoreAtoms)
        q, p = np.array(instance.masses), np.array(instance.chances)
        kept = np.exp(-s * q * self.eta) if sampling == "poisson" else (1 - q * self.eta) ** s
        return p + (0.5 - p) * kept

    def changes(self, instance: Instance, s: int) -> Reals | None:
        """With v = p(1 − p) and ρ = 1 − q + q(1 − η)², by which an example later on shrinks a squared change:

        the j-th example and the fresh one both fall on the atom and have different labels, η², or one of them does and moves h
        by η(y − h), with E(h − p)² = m + (¼(1 − 2p)² − m)ρ^(j−1) before, m = ηv/(2 − η).
        """
        if not self._geometric(instance):
            return None
        assert isinstance(instance, ScoreAtoms)
        q, p, eta = np.array(instance.masses), np.array(instance.chances), self.eta
        v, m = p * (1 - p), eta * p * (1 - p) / (2 - eta)
        shrinks = q * eta * (2 - eta)  # 1 − ρ
        late = -np.expm1(s * np.log1p(-np.minimum(shrinks, 1 - 1e-16))) / shrinks
        early = s * np.exp((s - 1) * np.log1p(-np.minimum(shrinks, 1 - 1e-16)))
        squares = 2 * q * eta**2 * ((q * v + (1 - q) * (v + m)) * late + (1 - q) * ((0.5 - p) ** 2 - m) * early) / s
        changes: Reals = squares
        return changes


SCORES = Sgd
