"""A_Priv: label m public points privately, train the learner on them, output the result (BTT18 Algorithm 3, BTT18a 5).

A ⊥ is a fair coin, and so is what a run that halted leaves unanswered. The labels come from one run of the mechanism: they
carry its state (c, ŵ, whether it has halted), and are not i.i.d. from one classifier h_priv, as the papers' proofs have them.
The output is a function of private answers and of public points, so it is as private as these.
"""

from functools import lru_cache
from math import ceil
from typing import Any, ClassVar

import numpy as np

from harness.arrays import Ints, Labels
from harness.ballots import Queries
from harness.concepts import Calm, Trainable
from harness.mechanisms import Streams
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.a_binclas import MECHANISM as A_BINCLAS
from harness.mechanisms.answering.a_subsamp import MECHANISM as A_SUBSAMP
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.noisy_majority import MECHANISM as NOISY_MAJORITY
from harness.mechanisms.answering.report_noisy_max import MECHANISM as REPORT_NOISY_MAX
from harness.theory.fixed_point import plan_for_alpha
from harness.theory.pac import least_s
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run


def with_coins(answers: Answers, rng: np.random.Generator) -> Ints:
    """How many points of each type get each label, (labels, types), with a random label for each ⊥ and unanswered point."""
    labels, types = answers.given.shape
    unknown = sum((each for each in (answers.bottoms, answers.unanswered) if each is not None), np.zeros(types, dtype=np.int64))
    labels_given: Ints = answers.given.copy()
    some = np.flatnonzero(unknown)  # most types have none
    labels_given[:, some] += rng.multinomial(unknown[some], np.full(labels, 1 / labels)).T
    return labels_given


@lru_cache(maxsize=256)
def planned(learner: "APriv", problem: LearningProblem, m: int, n: int) -> tuple[Task, Plan]:
    """The task of labelling m public points for A_Priv, and the plan of that on n examples; kept for all runs of a setting."""
    task = problem.of(m, problem.task.gamma)
    return task, learner.resolved(problem, task, n)


@lru_cache(maxsize=256)
def calm(labeller: Answering[Any], plan: Plan, task: Task, labels: int) -> Calm:
    """Which public points of a plan need only be counted, as the labelling mechanism gives them their winner; cached."""
    return labeller.calm(plan, task, labels)


class APriv(PrivateLearner):
    """A_Priv with Θ trained by agnostic PAC learning on m = O((V + ln(1/β))/α²) public points (Theorems 4.2 and 4.3)."""

    name = "A_Priv"
    source = "BTT18 Algorithm 3, Theorems 4.2 and 4.3"
    private = True
    legend = "A_Priv"
    two_labels: ClassVar[Answering[Any]] = A_BINCLAS
    more_labels: ClassVar[Answering[Any]] = A_SUBSAMP

    def labeller(self, problem: LearningProblem) -> Answering[Any]:
        """The mechanism that labels the public points."""
        return self.two_labels if problem.label_count == 2 else self.more_labels

    def resolved(self, problem: LearningProblem, task: Task, n: int) -> Plan:
        """The plan on n examples of the mechanism that labels the public points."""
        plan: Plan = self.labeller(problem).plan(problem.constants, task, n)
        return plan

    def points(self, problem: LearningProblem) -> int:
        """The number m of public points that are labelled."""
        return problem.agnostic_m

    def chunk_error(self, problem: LearningProblem) -> float:
        """The error that Θ is trained to on a chunk."""
        return problem.alpha

    def claimed(self, problem: LearningProblem) -> float:
        """The claimed error 7γ + 15α, as in the proofs of both papers."""
        return 7 * problem.task.gamma + 15 * problem.alpha

    def needed(self, problem: LearningProblem) -> int:
        task = problem.of(self.points(problem), problem.task.gamma)
        return plan_for_alpha(problem.constants, task, self.chunk_error(problem)).n

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return self.points(problem), planned(self, problem, self.points(problem), n)[1]

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        task, plan = planned(self, problem, self.points(problem), n)
        return self.transfer(problem, problem.sampler(plan.s), plan, task, streams)

    def transfer(self, problem: LearningProblem, sampler: Trainable | None, plan: Plan, task: Task, streams: Streams) -> Run:
        """Label task.m points of the sampler and learn from them, where there are enough examples for any chunk."""
        if sampler is None or plan.s < 1:
            return Run(FAILED, task.m, plan)
        labeller, labels = self.labeller(problem), problem.label_count
        counted = calm(labeller, plan, task, labels)
        points = sampler.public(task.m, plan.k, plan.s, streams("public"), counted)
        votes = problem.vote(sampler, points, plan.k, plan.s, streams("votes"))
        answers = labeller.answer(votes, plan, task, streams("noise"))
        by_label = with_coins(answers, streams("coins"))
        halted = answers.halted_at is not None
        left_out = points.dissent and not counted.exposed
        unsettled = labeller.stable_failure(plan, task, labels, points.dissent) if left_out else 0.0
        # Where points far away are counted, a run that halts would have to place its coins: it counts as having failed.
        lost = halted and points.width is not None
        return Run(
            error=FAILED if lost else self.learned(sampler, *sampler.placed(points, by_label, streams("places"))),
            m=task.m,
            plan=plan,
            bottoms=answers.bottom_count,
            mislabelled=int((points.sizes - by_label[points.target, np.arange(len(points.target))]).sum()),
            halted=halted,
            tv_budget=votes.tv_budget + unsettled,
        )

    def learned(self, sampler: Trainable, queries: Queries, labels: Labels) -> float:
        """The error of the classifier that is learned from the labelled points."""
        return sampler.learn(queries, labels).error


class ERM(APriv):
    """A_Priv on m = Õ(V/α) public points, which is enough for an empirical risk minimiser (BTT18 Remark 2).

    As hardly more than a share α of the points is mislabelled.

    m is the least at which Θ learns from consistent labels. The remark is about γ = 0; above, T follows from γ as in Theorem
    4.3, and nothing is claimed.
    """

    name = "A_Priv_erm"
    source = "BTT18 Remark 2"
    legend = "A_Priv, ERM on Õ(V/α) points"

    def points(self, problem: LearningProblem) -> int:
        return problem.realizable_m

    def claimed(self, problem: LearningProblem) -> float:
        """15α where γ = 0; else nothing, as no theorem speaks of so few points."""
        return super().claimed(problem) if problem.task.gamma == 0 else FAILED


class PACOnly(ERM):
    """A_Priv with a learner that needs consistent labels, with Θ in A_binClas trained to 1/m (BTT18 Remark 3).

    So there is no mistake.

    Where the labels are those of no hypothesis, it outputs nothing.
    """

    name = "A_Priv_pac"
    source = "BTT18 Remark 3"
    legend = "A_Priv, PAC learner only"
    realizable_only = True

    def chunk_error(self, problem: LearningProblem) -> float:
        return 1 / self.points(problem)

    def claimed(self, problem: LearningProblem) -> float:
        """α: all labels are right."""
        return problem.alpha

    def learned(self, sampler: Trainable, queries: Queries, labels: Labels) -> float:
        hypothesis = sampler.learn(queries, labels)
        return hypothesis.error if np.array_equal(hypothesis.predict(queries.points), labels) else FAILED


class APrivNoisyMajority(APriv):
    """A_Priv with labels from a noisy majority of the votes, which pays for every query."""

    name = "A_Priv_noisy_majority"
    key = "advanced_composition"  # its first name: its streams stay
    source = "BTT18 Algorithm 3 with DR14 Corollary 3.21"
    legend = "A_Priv by noisy majority"
    two_labels = NOISY_MAJORITY
    more_labels = REPORT_NOISY_MAX

    def needed(self, problem: LearningProblem) -> int:
        task = problem.of(self.points(problem), problem.task.gamma)
        k = self.resolved(problem, task, 1).k
        return k * least_s(task.pac_bound, task.beta / k, problem.alpha)


class NoisyMajorityERM(ERM, APrivNoisyMajority):
    """A_Priv with labels from a noisy majority of the votes, on the fewer points of BTT18 Remark 2."""

    name = "A_Priv_erm_noisy_majority"
    key = "advanced_composition_erm"
    source = "BTT18 Remark 2 with DR14 Corollary 3.21"
    legend = "A_Priv by noisy majority, ERM on Õ(V/α) points"


class LabelPrivate(APriv):
    """A_Priv on a training set of n whose features are public: one half loses its labels, and m of its points get new ones.

    Private in the labels of the training set; the points of one half are its own public data (BTT18 §4 and §5).
    """

    name = "label_private"
    source = "BTT18 §5, BTT18a Theorems 4.6 and 4.7"
    legend = "label-private, from its own half"

    def needed(self, problem: LearningProblem) -> int:
        return 2 * max(super().needed(problem), self.points(problem))

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        m = self.lost(problem, n)
        return (m, planned(self, problem, m, ceil(n / 2))[1]) if m else (None, None)

    def lost(self, problem: LearningProblem, n: int) -> int:
        """How many points of one half are labelled again."""
        return min(self.points(problem), n // 2)

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        m = self.lost(problem, n)
        if m < 1:
            return Run(FAILED)
        task, plan = planned(self, problem, m, ceil(n / 2))
        return self.transfer(problem, problem.sampler(plan.s), plan, task, streams)


PRIVATE_LEARNER = (APriv(), ERM(), PACOnly(), APrivNoisyMajority(), NoisyMajorityERM(), LabelPrivate())
