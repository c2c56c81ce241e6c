"""The calculator of soft labels: what A_SL-Quer resolves to on n examples, and what noise on averages would cost instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.mechanisms.scoring import ScorePlan, scorings
from harness.mechanisms.scoring.means import GaussianMean
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.report.worksheet import Worksheet, budget, finite, symbols, vacuous
from harness.theory.constants.bcmnuw20 import least
from harness.trials.soft_labels import SoftLabelsCell

MEANINGS = {
    "k": "chunks",
    "s": "examples a chunk",
    "lam": "noise scale, in votes",
    "w": "threshold before noise, in votes",
    "alpha": "on-average stability of the learner",
    "width": "width of the bins",
    "bound": "claimed error, the largest over all queries",
    "spent": "ε that it certainly keeps to",
}
SYMBOLS = {"lam": "λ", "alpha": "α", "width": "γ", "spent": "ε′"}


@dataclass(frozen=True)
class ScoreCalculation(Worksheet):
    """The calculator's answer on scores, at a setting."""

    setting: SoftLabelsCell

    @cached_property
    def plans(self) -> Mapping[str, ScorePlan]:
        """Every mechanism's plan."""
        return {name: self.setting.plan(name) for name in scorings()}

    @property
    def plan(self) -> ScorePlan:
        """The plan of A_SL-Quer."""
        return self.plans["A_SL_Quer"]

    @cached_property
    def gaussian_n(self) -> int | None:
        """The least n at which averages with Gaussian noise, of any number of chunks, promise the error that A_SL-Quer promises
        here, with E h on all n examples for the mean; None where A_SL-Quer promises nothing."""
        if self.plan.bound is None:
            return None
        most, gaussian = self.plan.bound, GaussianMean()

        def fails(n: int) -> bool:
            task = replace(self.setting.asked, n=n, chunks=None)
            plan = gaussian.plan(replace(task, chunks=gaussian.best(task)))
            return plan.bound is None or plan.bound > most

        return least(fails)

    def parts(self) -> Iterator[RenderableType]:
        """What A_SL-Quer resolves to, and what others make of the same n."""
        setting, numbers, constants = self.setting, self.json, self.setting.asked.constants
        queries = f"n = {setting.n:,}, m = {setting.m:,}, T = {setting.T:g}, ν = {setting.nu:g}"
        yield Text(
            f"soft labels: {setting.learner} on {setting.distribution.name}, {queries}, {budget(setting)}\n"
            f"constants of {constants.name} ({constants.source})\n"
        )
        yield symbols((SYMBOLS.get(name, name), _shown(numbers[name]), meaning) for name, meaning in MEANINGS.items())
        yield from vacuous(self.plan.reason)
        if self.gaussian_n:
            yield Text(f"\naverages with Gaussian noise promise that error from n = {self.gaussian_n:,} on")
        shown = ("k", "s", "bound", "ε′")
        compared = Sheet("\nwhat others make of the same n", ("mechanism", *shown), numbers=shown)
        for name, plan in numbers["alternatives"].items():
            spent = _shown(plan["spent"]) + ", declared" * (plan["spent"] is not None and plan["spent_by"] == "declared")
            compared.add_row(name, *(_shown(plan[column]) for column in shown[:3]), spent)
        yield compared

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness plan --scores --json`; numbers that do not exist are null."""
        plan = self.plan
        numbers = {"n": plan.n, "m": self.setting.m, "T": self.setting.T} | _numbers(plan)
        others = {
            name: _numbers(other) | {"spent_by": spent_by(name)} for name, other in self.plans.items() if name != "A_SL_Quer"
        }
        return numbers | {
            "vacuous": plan.bound is None,
            "reason": plan.reason,
            "gaussian_n": self.gaussian_n,
            "alternatives": others,
        }


def _numbers(plan: ScorePlan) -> dict[str, Any]:
    """Those of a plan."""
    sizes = {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "width": plan.width}
    return {**sizes, "bound": plan.bound, "spent": finite(plan.spent), **plan.noise}


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else number(value)
