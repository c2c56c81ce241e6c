"""Relabelling: the examples take the labels of one of their own dichotomies, and A_Priv learns as if there were no noise.

Beimel, Nissim, Stemmer 2015 (LabelBoost) and Nandi, Bassily 2020, who let A_binClas answer. So γ > 0 costs no more ⊥s, and
public points as few as Remark 2 of BTT18 asks for are enough. What it costs in ε is in `harness.theory.privacy.relabelling`:
at tilt ½ 1.95 beside A's own, which is 1 as in the papers. Below ε = 2.95 all is run on a random part of the examples; above,
what is left of ε is A's.

What is claimed is ours, with probability 1 − 3β, of which each of three deviations has β/4 and A_Priv 3/4 of its own 3β:

- h errs γ + α at most: its mistakes are within (ln Π(n) + ln(4/β))/tilt of the least, a share of mistakes is within
  √(2 ln Π(n)/n) + √(ln(4/β)/(2n)) of the error of all hypotheses (Mohri et al., Corollary 3.19), and the best makes a share
  γ + √(ln(4/β)/(2n)) at most. Π(n) is the number of dichotomies.
- What a chunk of s examples learns agrees with h on them. Any two hypotheses that do differ with chance α at most, but for the
  chance that s public points would make no α-cover. So h may depend on all examples; and of the public points it knows nothing.
- A_Priv is said to be within 15α of h, as of a target.
"""

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from math import exp, log, sqrt

from harness.concepts.relabelled import RelabelledSampler
from harness.covers.labelled import Labelled
from harness.mechanisms import Streams
from harness.refusal import Refusal
from harness.theory.constants.bcmnuw20 import known_least
from harness.theory.pac import least_s
from harness.theory.parameters import PacBound
from harness.theory.plan import Plan
from harness.theory.privacy.relabelling import dichotomies, largest_share, of_a_part
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run
from harness.transfer.a_priv import ERM, APriv, NoisyMajorityERM, planned
from harness.transfer.exponential import CHUNK, covered

TILT = 0.5
OWN = 1.0
"""ε of what sees the relabelled examples, at least."""

LEFT = 0.75
"""Of β for A_Priv."""

MOST_DELTA = 0.5
LEAST, STEPS = 1e-18, 60  # an error, and halvings of the range of its logarithm


@dataclass(frozen=True)
class RelabelledProblem(LearningProblem):
    """What A_Priv is asked after relabelling: to learn from labels without noise, on m public points."""

    m: int = 0

    @property
    def realizable_m(self) -> int:
        return self.m


@dataclass(frozen=True)
class Agreeing:
    """The PAC bound of a learner whose hypothesis agrees with some hypothesis on all s examples, whichever that is."""

    of: Labelled

    def __call__(self, gamma: float) -> PacBound:
        return self.error

    def error(self, s: int, q: float) -> float:
        """The α beyond which two hypotheses that agree on s points differ with chance q at most; 1 where there is none."""
        return _agreeing(self.of, s, q)


@lru_cache(1 << 14)
def _agreeing(of: Labelled, s: int, q: float) -> float:
    low, high = log(LEAST), 0.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if of.missed(s, exp(middle)) <= q else (middle, high)
    return exp(high)


class APrivRelabelled(PrivateLearner):
    """A_Priv by A_binClas on examples that are relabelled by one of their own dichotomies."""

    name = "A_Priv_relabelled"
    source = "Nandi, Bassily 2020; Beimel, Nissim, Stemmer 2015; Balle, Barthe, Gaboardi 2018 Theorem 9"
    legend = "A_Priv, relabelled"
    private = True
    base: APriv = ERM()

    def refuse(self, problem: LearningProblem) -> Refusal | None:
        sampler = problem.sampler(CHUNK)
        if covered(problem) is None or sampler is None or sampler.relabelling() is None:
            allowed = "uniform thresholds, halfplanes, and atoms whose mass is fixed or worth a total"
            return Refusal(f"{self.name} knows no dichotomies of these examples; allowed: {allowed}", "distribution")
        return None

    def points(self, problem: LearningProblem) -> int:
        return least_s(problem.bound(0.0), LEFT * problem.task.beta, problem.alpha)

    def claimed(self, problem: LearningProblem) -> float:
        """γ + 16α."""
        return problem.task.gamma + problem.alpha + self.base.claimed(relabelled(self, problem))

    def needed(self, problem: LearningProblem) -> int:
        enough = max(self.base.needed(relabelled(self, problem)), known_least(lambda n: excess(problem, n) > problem.alpha))
        return known_least(lambda n: part(problem, n) < enough)

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return self.points(problem), self.plan(problem, n)

    def plan(self, problem: LearningProblem, n: int) -> Plan | None:
        """A_Priv's plan on the part of the examples that is used, with what all of it spends; None where the part is empty."""
        size = part(problem, n)
        if size < 1:
            return None
        realized = relabelled(self, problem)
        _, plan = planned(self.base, realized, realized.m, size)
        return replace(plan, accounting=lambda: of_a_part(size / n, plan.spent + dichotomies(TILT)))

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        realized, plan, sampler = relabelled(self, problem), self.plan(problem, n), problem.sampler(CHUNK)
        by = sampler.relabelling() if sampler is not None else None
        if plan is None or sampler is None or by is None:
            return Run(FAILED, realized.m)
        relabelled_sampler = RelabelledSampler(sampler, by, TILT)
        return self.base.transfer(realized, relabelled_sampler, plan, realized.of(realized.m, 0.0), streams)[0]


class NoisyMajorityRelabelled(APrivRelabelled):
    """A_Priv by a noisy majority on examples that are relabelled by one of their own dichotomies."""

    name = "A_Priv_relabelled_noisy_majority"
    source = "Beimel, Nissim, Stemmer 2015, with DR14 Corollary 3.21; Balle, Barthe, Gaboardi 2018 Theorem 9"
    legend = "noisy majority, relabelled"
    base = NoisyMajorityERM()


def own_eps(eps: float) -> float:
    """The ε left for A_Priv after relabelling when `eps` is to be spent in all; never below the constant OWN."""
    return max(OWN, eps - dichotomies(TILT))


def share(eps: float) -> float:
    """The largest random share of the examples on which relabelling and A_Priv can run and together spend at most `eps`."""
    return largest_share(eps, own_eps(eps) + dichotomies(TILT))


def part(problem: LearningProblem, n: int) -> int:
    """How many of n examples relabelling uses."""
    return int(share(problem.task.eps) * n)


@lru_cache(maxsize=256)
def relabelled(learner: APrivRelabelled, problem: LearningProblem) -> RelabelledProblem:
    """The problem that A_Priv is asked once the examples of `problem` are relabelled."""
    of, task = covered(problem), problem.task
    assert of is not None
    bound, delta = Agreeing(of), min(task.delta / share(task.eps), MOST_DELTA)
    problem_fields = {each.name: getattr(problem, each.name) for each in fields(problem)}
    own_task = replace(task, eps=own_eps(task.eps), delta=delta, beta=LEFT * task.beta, gamma=0.0, pac_bound=bound.error)
    return RelabelledProblem(**problem_fields | {"task": own_task, "bound": bound}, m=learner.points(problem))


def excess(problem: LearningProblem, n: int) -> float:
    """A bound on what the dichotomy that relabels n examples errs beyond γ, but for a chance of 3β/4."""
    of = covered(problem)
    assert of is not None
    size, rare = of.log_size(n), log(4 / problem.task.beta)
    return (size + rare) / (TILT * n) + sqrt(2 * size / n) + 2 * sqrt(rare / (2 * n))


PRIVATE_LEARNER = (APrivRelabelled(), NoisyMajorityRelabelled())
