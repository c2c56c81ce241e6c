"""Remark 1: where γ is not known, T is set from a private estimate, made on half of the examples that is set aside.

What is estimated is γ itself, by the least number of mistakes that any hypothesis makes on that half. Such a minimum moves by
at most 1 when one example changes, so Lap(1/ε) noise makes it (ε, 0)-DP, and the noise is negligible beside its sampling error.
γ̂⁺ exceeds γ with probability at least 1 − β: the estimate, the agnostic PAC bound of that many examples at confidence β/2,
which is at least the deviation of the least empirical risk, and the noise's quantile. Each example is in one half, and the
labelling half sees the other only through γ̂⁺: together both are (ε, δ)-DP.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from harness.mechanisms import Streams
from harness.mechanisms.noise import laplace
from harness.theory.plan import Plan
from harness.transfer import AGNOSTIC, FAILED, LearningProblem, Run
from harness.transfer.a_priv import APriv, planned

MOST = 0.999  # of a γ̂⁺: nothing is promised from 1/3 on


def allowance(problem: LearningProblem, held_out: int) -> float:
    """How far γ̂⁺ is above the private estimate of γ, made on `held_out` examples: the learner's deviation and the noise's."""
    beta = problem.task.beta
    noise = log(1 / beta) / (problem.task.eps * held_out)  # P(Lap(1/ε) < −ln(1/β)/ε) = β/2
    return problem.bound(AGNOSTIC)(held_out, beta / 2) + noise


class EstimatedCutoff(APriv):
    """A_Priv on one half of the examples, with γ̂⁺ in the place of γ, a private estimate from the other half (Remark 1)."""

    name = "A_Priv_estimated"
    source = "BTT18 Remark 1"
    legend = "A_Priv, T from a private estimate"
    holds_out = True

    def needed(self, problem: LearningProblem) -> int:
        n = 2 * super().needed(problem)
        likely = min(MOST, problem.task.gamma + 2 * allowance(problem, n // 2))
        return 2 * super().needed(replace(problem, task=replace(problem.task, gamma=likely)))

    def labelling(self, problem: LearningProblem, n: int) -> tuple[int | None, Plan | None] | None:
        return None  # the plan is that of an estimate, which each run has of its own

    def at_once(self, problem: LearningProblem, n: int) -> int:
        return 1

    def runs(self, problem: LearningProblem, n: int, count: int, streams: Streams) -> Sequence[Run]:
        return [self.estimated(problem, n, streams) for _ in range(count)]

    def estimated(self, problem: LearningProblem, n: int, streams: Streams) -> Run:
        """One run, with an estimate of its own."""
        held_out, m = n // 2, self.points(problem)
        if held_out < 1:
            return Run(FAILED)
        # Hard distributions size their atoms by the chunks of a learner that knows γ: they are there before any estimate is.
        _, planned_here = planned(self, problem, m, n - held_out)
        sampler = problem.sampler(planned_here.s)
        if sampler is None:
            return Run(FAILED, m, planned_here)
        mistakes, left_out = sampler.least_mistakes(held_out, streams("held out"))
        estimate = (mistakes + float(laplace(1 / problem.task.eps, 1, streams("estimate"))[0])) / held_out
        gamma = min(MOST, max(AGNOSTIC, estimate + allowance(problem, held_out)))
        task = problem.of(m, gamma)
        plan = self.resolved(problem, task, n - held_out)
        (done,) = self.transfer(problem, sampler, plan, task, streams)
        return replace(done, tv_budget=done.tv_budget + left_out)


PRIVATE_LEARNER = EstimatedCutoff()
