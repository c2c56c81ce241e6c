"""The calculator: what the theory derives from a setting, for a person and for a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from harness.mechanisms import mechanisms
from harness.theory.fixed_point import Plan
from harness.trials.cell import Setting


@dataclass(frozen=True)
class Entry:
    """A mechanism on the setting's n examples. spent: it certainly spends no more ε at δ; infinite where it is not private."""

    plan: Plan
    spent: float

    @property
    def private(self) -> bool:
        """Whether it promises any privacy."""
        return isfinite(self.spent)


def entries(setting: Setting) -> dict[str, Entry]:
    """Every mechanism with the least k of its own guarantee."""
    plans = {name: setting.plan(name) for name in mechanisms()}
    return {name: Entry(plan, mechanisms()[name].spent(plan, setting.task)) for name, plan in plans.items()}


def winner(found: Mapping[str, Entry]) -> str | None:
    """The private mechanism with the least bound, or None where every bound is vacuous."""
    bounds = {name: entry.plan.bound for name, entry in found.items() if entry.private and entry.plan.bound is not None}
    return min(bounds, key=lambda name: bounds[name], default=None)


def as_json(setting: Setting) -> dict[str, Any]:
    """The object of `harness plan --json`; numbers that do not exist are null."""
    plan, found = setting.solved, entries(setting)
    return {
        "lambda": plan.lam,
        "w": plan.w,
        "alpha": _finite(plan.alpha),
        "T": plan.T,
        "k": plan.k,
        "s": plan.s,
        "n": plan.n,
        "bound": plan.bound,
        "vacuous": plan.vacuous,
        "reason": plan.reason,
        "baselines": {name: _entry_json(entry) for name, entry in found.items() if entry.plan.T is None},
        "mechanisms": {name: _entry_json(entry) for name, entry in found.items()},
        "wins": winner(found),
    }


def _entry_json(entry: Entry) -> dict[str, Any]:
    plan = entry.plan
    return {"k": plan.k, "alpha": _finite(plan.alpha), "bound": plan.bound, "spent": _finite(entry.spent)}


def as_text(setting: Setting) -> Group:
    """The same as two small tables and a sentence."""
    plan = setting.solved
    assert plan.T is not None and plan.lam is not None and plan.w is not None
    budget = f"ε = {setting.eps:g}, δ = {setting.delta:g}, β = {setting.beta:g}, γ = {setting.gamma:g}"
    asked = f"m = {setting.m:,}, V = {setting.V}, {budget}"
    heading = Text(f"{setting.concept_class.name}, {asked}\nconstants of {setting.constants} ({setting.calibration.source})\n")
    derived = Grid(box=None, show_header=False, pad_edge=False)
    for symbol, value, meaning in (
        ("n", _whole(plan.n), "private examples"),
        ("k", _whole(plan.k), "chunks"),
        ("s", _whole(plan.s), "examples a chunk"),
        ("α", f"{plan.alpha:.4g}", "excess error of the learner on a chunk, at confidence β/k"),
        ("T", _real(plan.T), "cutoff on ⊥ answers"),
        ("λ", _real(plan.lam), "noise scale"),
        ("w", _real(plan.w), "threshold"),
        ("T/m", _bound(plan), "claimed bound on the misclassification rate"),
    ):
        derived.add_row(Text(symbol, style="bold"), Text(value, justify="right"), Text(meaning, style="dim"))
    found = entries(setting)
    compared = Grid(title="\nevery mechanism on the same n", title_justify="left", box=None, pad_edge=False)
    for column in ("mechanism", "k", "α", "bound", "ε spent"):
        compared.add_column(column, justify="left" if column == "mechanism" else "right")
    for name, entry in found.items():
        own = entry.plan
        spent = f"{entry.spent:.3g}" if entry.private else "not private"
        compared.add_row(name, _whole(own.k), f"{own.alpha:.4g}", _bound(own), spent)
    best = winner(found)
    wins = f"Of all that are private, {best} wins: it has the least bound." if best else "None wins: every bound is vacuous."
    notes = [Text(f"\nvacuous: {plan.reason}", style="yellow")] if plan.reason else []
    return Group(heading, derived, *notes, compared, Text(f"\n{wins}"))


def _whole(value: int) -> str:
    return f"{value:,}" if value < 10**18 else f"{value:.4g}"


def _real(value: float) -> str:
    return f"{value:,.4f}" if 1e-3 < value < 1e15 else f"{value:.4g}"


def _bound(plan: Plan) -> str:
    return "vacuous" if plan.bound is None else f"{plan.bound:.4g}"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
