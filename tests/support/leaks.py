"""Mechanisms that leak, as careless authors write them, at least one for each sort of answer, with the ε that is really spent.

Each is made of a built-in one, whose plan it keeps: what is said of its privacy stays. `really` is an ε that is exceeded at δ,
by the closed form of one event, or of the Gaussian curve of what is released.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt
from typing import Any

import numpy as np
from scipy.stats import binom, norm

from harness.ballots import Ballot
from harness.concepts import Sampler
from harness.mechanisms import Streams, whole_blocks
from harness.mechanisms.answering.answers import Answers, outvoted
from harness.mechanisms.answering.gaussian import GaussianVotes
from harness.mechanisms.answering.noisy_majority import NoisyMajority
from harness.mechanisms.answering.per_query import GaussianPlan, SharePlan
from harness.mechanisms.classifying.exponential_on_m import ExponentialOnM
from harness.mechanisms.online import Responder
from harness.mechanisms.online.gaussian_argmax import GaussianArgmax
from harness.mechanisms.release import Problem, Released
from harness.mechanisms.release.noisy import GaussianAverages, gaussian_sigma
from harness.mechanisms.scoring import ScorePlan
from harness.mechanisms.scoring.means import GaussianMean
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.theory.privacy.gaussian import gaussian_eps, gaussian_mu
from harness.transfer.a_priv import APriv

EPS, DELTA, M = 1.0, 1e-3, 4
"""The setting of all of them."""


@dataclass(frozen=True)
class Leak:
    """part: the mechanism. attribute: of a user's file that would have it. really: an ε that is exceeded. runs: of an audit."""

    part: Any
    really: Callable[[], float]
    runs: int
    attribute: str = "MECHANISM"


class Noiseless(NoisyMajority):
    """Laplace(1e-9) in the place of Laplace(2 / plan.eps0)."""

    name = "noiseless"

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        noise = rng.laplace(0, 1e-9, len(ballot.gap))
        return outvoted(ballot, np.where(ballot.gap + noise > 0, 0, ballot.sizes))


class OnceForAll(NoisyMajority):
    """One noise for all queries of a run."""

    name = "once_for_all"

    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        noise = rng.laplace(0, 2 / plan.eps0)
        label = (ballot.counts[1] - ballot.counts[0] + noise > 0).astype(np.int8)
        return outvoted(ballot, np.where(label != ballot.winner, ballot.sizes, 0))


class FixedSeed(NoisyMajority):
    """Noise of a seed that is written in the file: the same in every run."""

    name = "fixed_seed"

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return super().answer(ballot, plan, task, np.random.default_rng(20180613))


class SeedOfData(NoisyMajority):
    """A seed that is taken from the votes, so that runs can be repeated."""

    name = "seed_of_data"

    @whole_blocks
    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return super().answer(ballot, plan, task, np.random.default_rng(int(ballot.counts[1].sum())))


class QuarteredNoise(GaussianVotes):
    """A quarter of the noise."""

    name = "quartered_noise"

    @whole_blocks
    def answer(self, ballot: Ballot, plan: GaussianPlan, task: Task, rng: np.random.Generator) -> Answers:
        return super().answer(ballot, replace(plan, sigma=plan.sigma / 4), task, rng)


class OneQueryOnline(GaussianArgmax):
    """Noise for a single query, on every query."""

    name = "one_query_online"

    def begin(self, plan: GaussianPlan, m: int, values: int | None, rng: np.random.Generator) -> Responder:
        return super().begin(replace(plan, sigma=plan.sigma / (2 * sqrt(m))), m, values, rng)


class WrongSensitivity(GaussianMean):
    """An average of k predictions, with noise as if one of them moved it by 1/(10k)."""

    name = "wrong_sensitivity"

    def answer(self, plan: ScorePlan, *given: Any) -> Any:
        return super().answer(replace(plan, noise={"sigma": plan.noise["sigma"] / 10}), *given)


class OneAverage(GaussianAverages):
    """Noise for one average, on all of them."""

    name = "one_average"

    def release(self, problem: Problem, rng: np.random.Generator) -> Released:
        site, request = problem.site, problem.request
        sigma = gaussian_sigma(1, site.n, request.eps, request.delta) / 2
        noisy = site.averages + rng.normal(0, sigma, site.cover.queries)
        return Released(site.cover, noisy, self.spent(site.cover, site.n, request))


class DoubleTilt(ExponentialOnM):
    """Weights e^(−2ε·mistakes) in the place of e^(−ε·mistakes/2)."""

    name = "double_tilt"

    def error(self, sampler: Sampler, plan: Plan, task: Task, streams: Streams) -> float:
        of = sampler.labelled()
        assert of is not None
        cover = of.cover(task.m, streams("public"))
        return cover.chosen(cover.examples(plan.n, streams("examples")), 2 * task.eps, streams("noise"))


class BareLabels(APriv):
    """A_Priv whose labels come from a majority without noise."""

    name = "bare_labels"
    two_labels = Noiseless()


def of_signs(shift: float, m: int) -> float:
    """ε at DELTA of m independent signs that are right with chance Φ(shift) on one data set, and wrong so on the other."""
    hits = np.arange(m + 1)
    p, q = binom.sf(hits - 1, m, norm.cdf(shift)), binom.sf(hits - 1, m, norm.sf(shift))
    return float(np.log(np.maximum(p - DELTA, 1e-300) / q).max())


def of_tilt(m: int) -> float:
    """ε of the constant 0 being chosen, out of m + 1, where one mistake more or less makes it e^±2ε as likely to each other."""
    p, q = (1 / (1 + m * exp(2 * EPS * gap)) for gap in (-1, 1))
    return log((p - DELTA) / q)


def averages() -> float:
    """The curve of a shift of √|H̃| that noise for half of one average covers; M places make M averages that a point moves."""
    return gaussian_eps(2 * sqrt(M) * gaussian_mu(EPS, DELTA), DELTA)


LEAKS: Mapping[str, Leak] = {
    leak.part.name: leak
    for leak in (
        Leak(Noiseless(), lambda: inf, 1_000),
        Leak(OnceForAll(), lambda: inf, 20_000),
        Leak(FixedSeed(), lambda: inf, 40_000),
        Leak(SeedOfData(), lambda: inf, 40_000),
        Leak(QuarteredNoise(), lambda: of_signs(2 * gaussian_mu(EPS, DELTA) / sqrt(M), M), 20_000),
        Leak(OneQueryOnline(), lambda: of_signs(sqrt(M) * gaussian_mu(EPS, DELTA) / sqrt(M), M), 3_000, "ONLINE"),
        Leak(WrongSensitivity(), lambda: gaussian_eps(10 * gaussian_mu(EPS, DELTA), DELTA), 1_500),
        Leak(OneAverage(), averages, 1_500),
        Leak(DoubleTilt(), lambda: of_tilt(M), 4_000),
        Leak(BareLabels(), lambda: inf, 800, "PRIVATE_LEARNER"),
    )
}
