"""The exponential mechanism over the cover H̃ that m public points make: see `harness.transfer.exponential`.

Here it has as many public points as there are queries, so that what labels these and what learns from them see equally many.
"""

from dataclasses import replace
from functools import partial

from harness.concepts import Sampler
from harness.mechanisms import Streams
from harness.mechanisms.classifying import Classifying
from harness.refusal import Refusal
from harness.theory.constants import abm19
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan, plan_for_chunks

MOST_PUBLIC = 10**6


class ExponentialOnM(Classifying):
    """The exponential mechanism over H̃: draws an h̃ with chance ∝ e^(−ε·mistakes/2), which is (ε, 0)-DP."""

    name = "exponential_on_m"
    source = "Alon, Bassily, Moran 2019, on m public points"
    private = True
    legend = "exponential mechanism over H̃ of m points"

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        reason = "what is promised of H̃ depends on the distribution: ABM19:T speaks of learners"
        return replace(plan_for_chunks(task, n, 1, factor=1), bound=None, reason=reason, accounting=partial(float, task.eps))

    def refuse(self, sampler: Sampler, m: int) -> Refusal | None:
        if sampler.labelled() is None:
            return Refusal(f"no H̃ is known of these examples for {self.name}; allowed: another distribution", "distribution")
        if m > MOST_PUBLIC:
            return Refusal(f"{self.name} would draw m = {m:.3g} public points; allowed: at most {MOST_PUBLIC:,}", "m")
        return None

    def error(self, sampler: Sampler, plan: Plan, task: Task, streams: Streams) -> float:
        of = sampler.labelled()
        assert of is not None
        cover = of.cover(task.m, streams("public"))
        return cover.chosen(cover.examples(plan.n, streams("examples")), abm19.TILT * task.eps, streams("noise"))


MECHANISM = ExponentialOnM()
