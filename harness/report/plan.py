"""The calculator: what the theory derives from a setting, for a person and for a program."""

from math import isfinite
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from harness.mechanisms import mechanisms
from harness.theory.fixed_point import Plan
from harness.trials.cell import Setting


def baselines(setting: Setting) -> dict[str, Plan]:
    """The plans of the mechanisms that have no cutoff T, each with the least k of its own guarantee, on the same n."""
    plans = {name: setting.plan(name) for name in mechanisms()}
    return {name: plan for name, plan in plans.items() if plan.T is None}


def as_json(setting: Setting) -> dict[str, Any]:
    """The object of `harness plan --json`; numbers that do not exist are null."""
    plan = setting.solved
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
        "baselines": {
            name: {"k": base.k, "alpha": _finite(base.alpha), "bound": base.bound} for name, base in baselines(setting).items()
        },
    }


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
    compared = Grid(title="\nbaselines on the same n", title_justify="left", box=None, pad_edge=False)
    for column in ("mechanism", "k", "α", "bound"):
        compared.add_column(column, justify="left" if column == "mechanism" else "right")
    for name, base in baselines(setting).items():
        compared.add_row(name, _whole(base.k), f"{base.alpha:.4g}", _bound(base))
    notes = [Text(f"\nvacuous: {plan.reason}", style="yellow")] if plan.reason else []
    return Group(heading, derived, *notes, compared)


def _whole(value: int) -> str:
    return f"{value:,}" if value < 10**18 else f"{value:.4g}"


def _real(value: float) -> str:
    return f"{value:,.4f}" if 1e-3 < value < 1e15 else f"{value:.4g}"


def _bound(plan: Plan) -> str:
    return "vacuous" if plan.bound is None else f"{plan.bound:.4g}"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
