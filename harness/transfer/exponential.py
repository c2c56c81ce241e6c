"""Learning with public data: choose a hypothesis of a cover that public points make, by its mistakes on private examples.

Alon, Bassily, Moran 2019. Public points without labels make H̃; the exponential mechanism draws an h̃ of it with a chance in
proportion to e^(−ε·mistakes/2). One example changes each number of mistakes by at most one, so that is (ε, 0)-DP, whatever the
examples are. It is for one class, which it has to know: A_Priv works with any learner.

For thresholds the best that is known for (ε, δ)-DP needs Õ(log*|X|) examples (Cohen, Lyu, Nelson, Sarlós, Stemmer 2023),
against ln|X| here. It is not in this file: the bound comes without constants, and there is nothing to gain from it, as on the
m + 1 cells of public points ln|X| is about 8 and log*|X| is 4 already, times a power of ln(1/δ). What can be had today, for any
class whose H̃ is a list, is permute-and-flip (McKenna, Sheldon 2020): ε-DP too, and never worse in its mistakes.
"""

from functools import lru_cache

from harness.covers.labelled import Labelled, LabelledCover, ListedCover
from harness.mechanisms import Streams
from harness.refusal import Refusal
from harness.theory.constants import abm19
from harness.theory.constants.bcmnuw20 import known_least
from harness.theory.plan import Plan
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run

CHUNK = 10**12  # of examples; there is none here, so the distribution must be the same whatever it is
MOST_PUBLIC = 10**6
COVERED = "uniform thresholds, intervals and stumps, halfspaces of the plane, and atoms whose mass is fixed or worth a total"


def covered(problem: LearningProblem) -> Labelled | None:
    """The examples of a problem's distribution with the H̃ that public points make of its class; None where no H̃ is known.

    Also where examples depend on how many make a chunk.
    """
    sampler = problem.sampler(CHUNK)
    return sampler.labelled() if sampler is not None and sampler == problem.sampler(CHUNK // 2) else None


@lru_cache(maxsize=256)
def least_points(problem: LearningProblem) -> int:
    """The least m at which H̃ is an α/2-cover but for a chance β."""
    cover = covered(problem)
    assert cover is not None
    return known_least(lambda m: cover.missed(m, problem.alpha / 2) > problem.task.beta)


class Exponential(PrivateLearner):
    """The exponential mechanism over H̃, on as few public points as make an α/2-cover but for a chance β.

    That is fewer than A_Priv labels.
    """

    name = "exponential"
    source = "Alon, Bassily, Moran 2019, with McSherry, Talwar 2007"
    private = True
    legend = "exponential mechanism over H̃"

    def refuse(self, problem: LearningProblem) -> Refusal | None:
        cover = covered(problem)
        if cover is None:
            return Refusal(f"no H̃ is known of this distribution for {self.name}; allowed: {COVERED}", "distribution")
        m = self.points(problem)
        if m > MOST_PUBLIC:
            return Refusal(f"{self.name} would draw m = {m:.3g} public points; allowed: at most {MOST_PUBLIC:,}", "alpha")
        return None

    def points(self, problem: LearningProblem) -> int:
        return least_points(problem)

    def claimed(self, problem: LearningProblem) -> float:
        """The claimed error γ + α."""
        return problem.task.gamma + problem.alpha

    def needed(self, problem: LearningProblem) -> int:
        cover, task = covered(problem), problem.task
        assert cover is not None
        return abm19.needed(cover.log_size(self.points(problem)), problem.alpha, task.eps, task.beta, task.gamma)

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return self.points(problem), None

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        of, m, tilt = covered(problem), self.points(problem), abm19.TILT * problem.task.eps
        if of is None:
            return Run(FAILED)
        return Run(self.learned(of.cover(m, streams("public")), n, tilt, streams), m=m)

    def learned(self, cover: LabelledCover, n: int, tilt: float, streams: Streams) -> float:
        """Draws a classifier from H̃ by its mistakes on n examples: its error."""
        return cover.chosen(cover.examples(n, streams("examples")), tilt, streams("noise"))


class PermuteAndFlip(Exponential):
    """Permute-and-flip over H̃: hypotheses in random order, each output with chance e^(−ε·(mistakes − the least)/2)."""

    name = "permute_and_flip"
    source = "Alon, Bassily, Moran 2019, with McKenna, Sheldon 2020"
    legend = "permute-and-flip over H̃"

    def refuse(self, problem: LearningProblem) -> Refusal | None:
        cover = covered(problem)
        if cover is not None and not cover.listed:
            return Refusal(f"H̃ is too large to be listed, as {self.name} does; allowed: other classes", "concept")
        return super().refuse(problem)

    def learned(self, cover: LabelledCover, n: int, tilt: float, streams: Streams) -> float:
        assert isinstance(cover, ListedCover)
        return cover.first_to_stay(cover.examples(n, streams("examples")), tilt, streams("noise"))


PRIVATE_LEARNER = (Exponential(), PermuteAndFlip())
