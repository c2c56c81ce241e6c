"""What the mechanisms that pay for every query share: a plan and a cost that follow from `theory.baselines`."""

from math import ceil

from harness.theory.baselines import Baseline
from harness.theory.fixed_point import Plan, plan_for_chunks
from harness.theory.parameters import Constants, Task


class PerQuery:
    """A baseline: of the constants it takes k_scale only. accounting: its noise, least k and cost."""

    label: str
    accounting: Baseline

    @property
    def name(self) -> str:
        """As its accounting is called."""
        return self.accounting.name

    @property
    def source(self) -> str:
        """Paper and number."""
        return self.accounting.source

    def plan(self, constants: Constants, task: Task, n: int) -> Plan:
        return plan_for_chunks(task, n, max(1, ceil(constants.k_scale * self.accounting.chunks(task))))

    def spent(self, plan: Plan, task: Task) -> float:
        return self.accounting.spent(task)
