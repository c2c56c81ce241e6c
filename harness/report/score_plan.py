"""The calculator of soft labels: what A_SL-Quer resolves to on n examples, and what noise on averages would cost instead."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

from rich.console import Group
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.mechanisms.scoring import ScorePlan, scorings
from harness.mechanisms.scoring.means import GaussianMean
from harness.report.grids import Sheet
from harness.report.numerals import number
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
class ScoreCalculation:
    """What the theory says at a setting."""

    setting: SoftLabelsCell

    @cached_property
    def plans(self) -> Mapping[str, ScorePlan]:
        """Every mechanism's own."""
        return {name: self.setting.plan(name) for name in scorings()}

    @property
    def own(self) -> ScorePlan:
        """That of A_SL-Quer."""
        return self.plans["A_SL_Quer"]

    @cached_property
    def gaussian_n(self) -> int | None:
        """The least n at which averages with Gaussian noise, of any number of chunks, promise the error that A_SL-Quer promises
        here, with E h on all n examples for the mean; None where A_SL-Quer promises nothing."""
        if self.own.bound is None:
            return None
        most, gaussian = self.own.bound, GaussianMean()

        def fails(n: int) -> bool:
            asked = replace(self.setting.asked, n=n, chunks=None)
            k = gaussian.best(asked)
            plan = gaussian.plan(replace(asked, chunks=k))
            return plan.bound is None or plan.bound > most

        return least(fails)

    def __rich__(self) -> Group:
        """What `harness plan` prints."""
        return _as_text(self)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness plan --scores --json`; numbers that do not exist are null."""
        own = self.own
        found = {"n": own.n, "m": self.setting.m, "T": self.setting.T} | _numbers(own)
        others = {
            name: _numbers(plan) | {"spent_by": spent_by(name)} for name, plan in self.plans.items() if name != "A_SL_Quer"
        }
        return found | {
            "vacuous": own.bound is None,
            "reason": own.reason,
            "gaussian_n": self.gaussian_n,
            "alternatives": others,
        }


def _numbers(plan: ScorePlan) -> dict[str, Any]:
    """A plan's own."""
    spent = plan.spent if plan.spent < inf else None
    named = {"k": plan.k, "s": plan.s, "alpha": plan.alpha, "width": plan.width, "bound": plan.bound, "spent": spent}
    return named | dict(plan.noise)


def _as_text(calculation: ScoreCalculation) -> Group:
    """The same as two small tables."""
    setting, found = calculation.setting, calculation.json
    asked = f"n = {setting.n:,}, m = {setting.m:,}, T = {setting.T:g}, ν = {setting.nu:g}"
    budget = f"ε = {setting.eps:g}, δ = {setting.delta:g}, β = {setting.beta:g}"
    constants = setting.asked.constants
    heading = Text(
        f"soft labels: {setting.learner} on {setting.distribution.name}, {asked}, {budget}\n"
        f"constants of {constants.name} ({constants.source})\n"
    )
    derived = Sheet("", ("symbol", "value", "meaning"), numbers=("value",), headed=False)
    for name, meaning in MEANINGS.items():
        said = _said(found[name])
        derived.add_row(Text(SYMBOLS.get(name, name), style="bold"), said, Text(meaning, style="dim"))
    notes = [Text(f"\nvacuous: {found['reason']}", style="yellow")] if found["vacuous"] else []
    if found["gaussian_n"]:
        notes.append(Text(f"\naverages with Gaussian noise promise that error from n = {found['gaussian_n']:,} on"))
    numbers = ("k", "s", "bound", "ε′")
    compared = Sheet("\nwhat others make of the same n", ("mechanism", *numbers), numbers=numbers)
    for name, plan in found["alternatives"].items():
        spent = _said(plan["spent"]) + ", declared" * (plan["spent"] is not None and plan["spent_by"] == "declared")
        compared.add_row(name, *(_said(plan[each]) for each in ("k", "s", "bound")), spent)
    return Group(heading, derived, *notes, compared)


def _said(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else number(value)
