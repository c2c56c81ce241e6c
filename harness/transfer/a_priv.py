"""A_Priv: label m public points privately, train the learner on them, output the result (BTT18 Algorithm 3, BTT18a 5).

A ⊥ is a fair coin, and so is what a run that halted leaves unanswered. The labels come from one run of the mechanism: they
carry its state (c, ŵ, whether it has halted), and are not i.i.d. from one classifier h_priv, as the papers' proofs have them.
The output is a function of private answers and of public points, so it is as private as these.
"""

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from math import ceil
from typing import Any, ClassVar

import numpy as np

from harness.arrays import Ints, Labels, Reals, indices_of
from harness.ballots import Queries
from harness.concepts import TYPES_AT_ONCE, Calm, Trainable
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
from harness.transfer import FAILED, LearningProblem, PrivateLearner, Run, in_parts


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


def together(problem: LearningProblem, sampler: Trainable, task: Task, plan: Plan, counted: Calm) -> int:
    """How many runs of a plan's labelling are drawn at once: fewer where points of one type may be many ⊥s."""
    if not problem.in_blocks or plan.k == 1:  # points for k = 1 are drawn together as one learner's examples, without votes
        return 1
    of, m = (plan.k, plan.s), task.m
    bottoms = min(plan.noise.get("T") or 0.0, m) if sampler.singles(m, *of) == 0 else 0.0
    return max(1, min(sampler.points_at_once(m, *of, counted), int(TYPES_AT_ONCE / (1 + bottoms))))


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

    def planned(self, problem: LearningProblem, n: int) -> tuple[Task, Plan] | None:
        """The task of labelling public points, and its plan on n examples; None where it labels none."""
        return planned(self, problem, self.points(problem), n)

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        labelling = self.planned(problem, n)
        return (labelling[0].m, labelling[1]) if labelling else (None, None)

    def run(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        return self.runs(problem, n, 1, streams)[0]

    def at_once(self, problem: LearningProblem, n: int) -> int:
        task, plan = self.planned(problem, n) or (None, None)
        sampler = problem.sampler(plan.s) if plan else None
        if task is None or plan is None or sampler is None or plan.s < 1:
            return 1
        return together(problem, sampler, task, plan, self.counted(problem, task, plan))

    def runs(self, problem: LearningProblem, n: int, count: int, streams: Streams) -> Sequence[Run]:
        labelling = self.planned(problem, n)
        if labelling is None:
            return [Run(FAILED)] * count
        task, plan = labelling
        return self.transfer(problem, problem.sampler(plan.s), plan, task, streams, count)

    def counted(self, problem: LearningProblem, task: Task, plan: Plan) -> Calm:
        """Which public points need only be counted."""
        return calm(self.labeller(problem), plan, task, problem.label_count)

    def transfer(
        self, problem: LearningProblem, sampler: Trainable | None, plan: Plan, task: Task, streams: Streams, runs: int = 1
    ) -> list[Run]:
        """Label task.m points of the sampler and learn from them, where there are enough examples for any chunk; as many runs
        at once as memory allows."""
        if sampler is None or plan.s < 1:
            return [Run(FAILED, task.m, plan)] * runs
        counted = self.counted(problem, task, plan)
        drawn = partial(self._transferred, problem, sampler, plan, task, cache(streams), counted)
        return in_parts(drawn, runs, together(problem, sampler, task, plan, counted))

    def _transferred(
        self, problem: LearningProblem, sampler: Trainable, plan: Plan, task: Task, streams: Streams, counted: Calm, trials: int
    ) -> list[Run]:
        labeller = self.labeller(problem)
        points = sampler.public(task.m, plan.k, plan.s, streams("public"), counted, trials)
        votes = problem.vote(sampler, points, plan.k, plan.s, streams("votes"))
        answers = labeller.answer_block(votes, plan, task, streams("noise"))
        by_label = with_coins(answers, streams("coins"))
        left_out = points.dissent and not counted.exposed
        unsettled = labeller.stable_failure(plan, task, problem.label_count, points.dissent) if left_out else 0.0
        nothing = np.zeros(trials, dtype=np.int64)
        bottoms, unanswered = (nothing if each is None else points.sums(each) for each in (answers.bottoms, answers.unanswered))
        halted = unanswered > 0
        # Where points far away are counted, a run that halts would have to place its coins: it counts as having failed.
        kept = indices_of(~(halted & (points.width is not None)))
        errors = np.full(trials, FAILED)
        if len(kept):
            errors[kept] = self.learned(sampler, *points.of_trials(kept, by_label), streams("places"))
        mislabelled = points.sums(points.sizes - by_label[points.target, np.arange(len(points.target))])
        tv_budget = votes.tv_budget + unsettled
        measured = zip(errors.tolist(), bottoms.tolist(), mislabelled.tolist(), halted.tolist(), strict=True)
        return [Run(error, task.m, plan, lost, wrong, ended, tv_budget) for error, lost, wrong, ended in measured]

    def learned(self, sampler: Trainable, points: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        """The errors of what is learned from each trial's points, (trials,). labelled: how many of a type have each label."""
        return sampler.errors(points, labelled, rng)


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

    def learned(self, sampler: Trainable, points: Queries, labelled: Ints, rng: np.random.Generator) -> Reals:
        def consistent(queries: Queries, labels: Labels) -> float:
            hypothesis = sampler.learn(queries, labels)
            return hypothesis.error if np.array_equal(hypothesis.predict(queries.points), labels) else FAILED

        return np.array([consistent(*sampler.placed(*alone, rng)) for alone in points.by_trial(labelled)])


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

    def planned(self, problem: LearningProblem, n: int) -> tuple[Task, Plan] | None:
        m = min(self.points(problem), n // 2)  # of one half
        return planned(self, problem, m, ceil(n / 2)) if m else None


PRIVATE_LEARNER = (APriv(), ERM(), PACOnly(), APrivNoisyMajority(), NoisyMajorityERM(), LabelPrivate())
