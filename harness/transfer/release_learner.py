"""From released averages to a classifier: BCMNUW20 Lemma 17 as an algorithm (after Beimel, Nissim, Stemmer 2013, Theorem 5.5).

Keep the points labelled 1 and put a fixed point x₀ in the place of all others. On these the average of h is
P(h(x) = 1, y = 1) + h(x₀) P(y = 0). Once more with the labels exchanged gives P(h(x) = 1, y = 0) + h(x₀) P(y = 1). With the
rate of labels p = P(y = 1) the error of every h follows from the two released averages,

    P(h(x) ≠ y) = p − (G₁(h) − (1 − p) h(x₀)) + (G₀(h) − p h(x₀)),

and an h of least estimated error is the output. Labelled public points are treated alike, so both releases have all m of them.
p has to be released too, which the text leaves out: Laplace noise does that.

Two releases and the noise share ε as 2 : 2 : 1, and the releases have δ/2 each, so that all is (ε, δ)-DP. A release within a,
as averages of ±1, is a share within a/2. So two at a = 3α/8, and a rate within α/8, leave an excess error of at most
2(a/2 + a/2) + 2(α/8) = α; with a chance of failure of β each. Examples serve both releases, so n' is n, or what the rate needs.
"""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from harness.arrays import Reals
from harness.concepts.thresholds.samplers import NoisyUniformSampler, UniformSampler
from harness.covers import Size
from harness.covers.line import Line
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms import Streams
from harness.mechanisms.noise import laplace
from harness.mechanisms.release import Problem, Release, ReleaseRequest, Site, releases
from harness.refusal import Refusal
from harness.theory.constants.bcmnuw20 import PRINTED, known_least
from harness.theory.plan import Plan
from harness.transfer import FAILED, PrivateLearner, Run
from harness.transfer import LearningProblem as Learning

FIXED = 0.5
"""x₀."""

CHUNK = 10**12  # distributions that this is for do not depend on the size of chunks
SHARES = (0.4, 0.2)
"""Of ε: for each release, and for the rate of labels."""


class Kept(Line, frozen=True):
    """The distribution of points where those of one label are kept, and all others are put at x₀.

    Points are uniform; 1 is the label up to the target, and each is flipped with probability gamma.
    """

    target: float
    gamma: float
    label: int

    def kept_mass(self, x: Reals) -> Reals:
        """P(X ≤ x and the label is kept)."""
        x = np.clip(x, 0, 1)
        right = np.minimum(x, self.target) if self.label else np.maximum(x - self.target, 0)
        mass: Reals = (1 - self.gamma) * right + self.gamma * (x - right)
        return mass

    @property
    def rate(self) -> float:
        """P(the label is kept)."""
        return float(self.kept_mass(np.ones(1))[0])

    def upto(self, x: Reals) -> Reals:
        return self.kept_mass(x) + (x >= FIXED) * (1 - self.rate)

    def below(self, x: Reals) -> Reals:
        return self.kept_mass(x) + (x > FIXED) * (1 - self.rate)

    def shares(self, cuts: Reals, number: int, n: int, rng: np.random.Generator) -> Reals:
        """Draws the shares of n points on the cells between cuts, where `number` of them are of the label that is kept."""
        masses = np.diff(self.kept_mass(np.concatenate([[0.0], cuts, [1.0]])))
        counts = rng.multinomial(number, masses / masses.sum())
        counts[np.searchsorted(cuts, FIXED)] += n - number
        return np.asarray(counts / n)


@dataclass(frozen=True)
class ReleasedOfLabel:
    """The averages of thresholds that the release for one label gives; `of` looks up the average of 1[x ≤ t].

    cuts: the distinct public points, with x₀. answers: of each h̃, (cuts + 1,).
    """

    cuts: Reals
    answers: Reals

    def of(self, t: Reals) -> Reals:
        """The released average of 1[x ≤ t], as a share."""
        return self.answers[np.searchsorted(self.cuts, t, side="right")]


class ReleaseLearner(PrivateLearner):
    """A learner of thresholds from two releases by binary trees of Gaussians, one for each label (BCMNUW20 Lemma 17).

    That is the release that needs the fewest examples for thresholds.
    """

    name = "release_learner"
    source = "BCMNUW20 Lemma 17, with binary trees of Gaussians"
    private = True
    legend = "learned from two releases"
    release: str = "gaussian_tree"

    def refuse(self, problem: Learning) -> Refusal | None:
        if isinstance(problem.sampler(CHUNK), UniformSampler):
            return None
        return Refusal(f"{self.name} is for uniform thresholds; allowed: thresholds, uniform", "concept")

    def request(self, alpha: float, beta: float, eps: float, delta: float) -> ReleaseRequest:
        """What each release is asked for."""
        return ReleaseRequest(3 * alpha / 8, beta, SHARES[0] * eps, delta / 2, PRINTED)

    def public(self, alpha: float, beta: float) -> int:
        """The least m at which public points make a quarter-cover for each release, but for a chance β/2."""
        return known_least(lambda m: ThresholdQueries().missed(m, 3 * alpha / 32) > beta / 2)

    def size(self, alpha: float, beta: float) -> Size:
        """The largest cover of so many public points and x₀."""
        return ThresholdQueries().sizes(self.public(alpha, beta) + 1)

    def examples(self, alpha: float, beta: float, eps: float, delta: float) -> int:
        """n': what a release needs on the largest cover, or the rate of labels, to be within α/8 but for a chance β."""
        release = self.mechanism.needed(self.size(alpha, beta), self.request(alpha, beta, eps, delta).halved())
        rate = known_least(lambda n: sqrt(log(4 / beta) / (2 * n)) + log(2 / beta) / (SHARES[1] * eps * n) > alpha / 8)
        if release is None:
            raise OverflowError("its release needs more examples than are reckoned with")
        return max(release, rate)

    def points(self, problem: Learning) -> int:
        """m, all of them with labels."""
        return self.public(problem.alpha, problem.task.beta)

    def claimed(self, problem: Learning) -> float:
        """γ + α."""
        return problem.task.gamma + problem.alpha

    def needed(self, problem: Learning) -> int:
        task = problem.task
        return self.examples(problem.alpha, task.beta, task.eps, task.delta)

    @property
    def mechanism(self) -> Release:
        """The mechanism that releases the averages."""
        return releases()[self.release]

    def labelling(self, problem: Learning, n: int) -> tuple[int | None, Plan | None] | None:
        return self.points(problem), None

    def run(self, problem: Learning, n: int, streams: Streams) -> Run:
        sampler, m = problem.sampler(CHUNK), self.points(problem)
        if not isinstance(sampler, UniformSampler):
            return Run(FAILED)
        gamma = sampler.gamma if isinstance(sampler, NoisyUniformSampler) else 0.0
        kept = [Kept(target=sampler.target, gamma=gamma, label=label) for label in (0, 1)]
        rng = streams("public")
        points = rng.random(m)
        ones = (points <= sampler.target) ^ (rng.random(m) < gamma)
        rng = streams("examples")
        number = int(rng.binomial(n, kept[1].rate))
        averages = [
            self.released(problem, each, np.where(ones == label, points, FIXED), (n - number, number)[label], n, streams)
            for label, each in enumerate(kept)
        ]
        noise = laplace(1 / (SHARES[1] * problem.task.eps * n), 1, streams("rate"))
        t = chosen(averages[1], averages[0], number / n + float(noise[0]))
        return Run(gamma + (1 - 2 * gamma) * abs(t - sampler.target), m=m)

    def released(self, problem: Learning, kept: Kept, public: Reals, number: int, n: int, streams: Streams) -> ReleasedOfLabel:
        """Releases G on the points of one label: public ones as given, and `number` of n private ones."""
        task, cuts = problem.task, np.unique(np.append(public, FIXED))
        request = self.request(problem.alpha, task.beta, task.eps, task.delta)
        cover = ThresholdQueries().cover(kept, cuts)
        site = Site(cover, n, kept.shares(cuts, number, n, streams(f"private {kept.label}")))
        done = self.mechanism.release(Problem(request, site, True, lambda: site), streams(f"noise {kept.label}"))
        return ReleasedOfLabel(cuts, np.clip(done.answers, 0.0, 1.0))


def chosen(ones: ReleasedOfLabel, zeros: ReleasedOfLabel, rate: float) -> float:
    """The threshold t of least estimated error, from the releases of both labels and the rate of label 1.

    Between two neighbouring cuts all t have one estimate; of these it is the least.
    """
    places = np.concatenate([[0.0], np.union1d(ones.cuts, zeros.cuts)])
    fixed = places >= FIXED
    errors = rate - (ones.of(places) - (1 - rate) * fixed) + (zeros.of(places) - rate * fixed)
    return float(places[errors.argmin()])


PRIVATE_LEARNER = ReleaseLearner()
