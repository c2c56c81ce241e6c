"""The calculator: what the theory derives from a setting, for a person and for a program."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from harness.mechanisms.answering import mechanisms
from harness.theory.plan import Plan
from harness.trials.cell import Setting

SYMBOLS = {
    "T": "T",
    "lam": "λ",
    "w": "w",
    "eps0": "ε₀",
    "sigma": "σ",
    "sigma_check": "σ₁",
    "threshold": "Γ",
}
"""What a mechanism draws its noise with, as the papers write it."""


def plans(setting: Setting) -> dict[str, Plan]:
    """Every mechanism with the least k of its own guarantee."""
    return {name: setting.plan(name) for name in mechanisms()}


def winner(found: Mapping[str, Plan]) -> str | None:
    """The private mechanism with the least bound, or None where every bound is vacuous."""
    bounds = {name: plan.bound for name, plan in found.items() if mechanisms()[name].private and plan.bound is not None}
    return min(bounds, key=lambda name: bounds[name], default=None)


def as_json(setting: Setting) -> dict[str, Any]:
    """The object of `harness plan --json`; numbers that do not exist are null."""
    plan, found = setting.solved, plans(setting)
    mine = {name: _plan_json(own) for name, own in found.items()}
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
        "baselines": {name: own for name, own in mine.items() if mechanisms()[name].pays_for != "bottoms"},
        "mechanisms": mine,
        "wins": winner(found),
    }


def _plan_json(plan: Plan) -> dict[str, Any]:
    own = {"k": plan.k, "alpha": _finite(plan.alpha), "bound": plan.bound, "spent": _finite(plan.spent)}
    return {**own, "noise": plan.noise}


def as_text(setting: Setting) -> Group:
    """The same as two small tables and a sentence."""
    plan = setting.solved
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
    found = plans(setting)
    compared = Grid(title="\nevery mechanism on the same n", title_justify="left", box=None, pad_edge=False)
    for column in ("mechanism", "k", "α", "bound", "ε spent", "noise"):
        compared.add_column(column, justify="left" if column in ("mechanism", "noise") else "right")
    for name, own in found.items():
        certified = f"{own.spent:.3g}" if isfinite(own.spent) else "not certified"
        spent = certified if mechanisms()[name].private else "not private"
        compared.add_row(name, _whole(own.k), f"{own.alpha:.4g}", _bound(own), spent, _noise(own))
    best = winner(found)
    wins = f"Of all that are private, {best} wins: it has the least bound." if best else "None wins: every bound is vacuous."
    notes = [Text(f"\nvacuous: {plan.reason}", style="yellow")] if plan.reason else []
    return Group(heading, derived, *notes, compared, Text(f"\n{wins}"))


def _whole(value: int) -> str:
    return f"{value:,}" if value < 10**18 else f"{value:.4g}"


def _real(value: float) -> str:
    return f"{value:,.4f}" if 1e-3 < value < 1e15 else f"{value:.4g}"


def _noise(plan: Plan) -> str:
    drawn = ((SYMBOLS.get(name, name), value) for name, value in plan.noise.items() if not isinstance(value, str))
    return ", ".join(f"{symbol} = {value:.4g}" for symbol, value in drawn)


def _bound(plan: Plan) -> str:
    return "vacuous" if plan.bound is None else f"{plan.bound:.4g}"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
