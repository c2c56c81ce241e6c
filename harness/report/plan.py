"""The calculator: what the theory derives from a setting, for a person and for a program."""

from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.mechanisms.answering import mechanisms
from harness.report.grids import Sheet
from harness.report.seen import measured_of, share_of, told_measured
from harness.theory.fixed_point import CutoffPlan
from harness.theory.plan import Plan
from harness.trials.answers import KIND
from harness.trials.cell import Planned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Calculation:
    """What the theory derives from a setting: the fixed point of its constants, and every mechanism's own plan."""

    setting: Planned

    @property
    def solved(self) -> CutoffPlan:
        """The fixed point of the constants."""
        return self.setting.solved

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """Every mechanism with the least k of its own guarantee, by name."""
        return {name: self.setting.plan(name) for name in mechanisms()}

    @property
    def wins(self) -> str | None:
        """The private mechanism with the least bound of those that are certified to keep to ε; None where there is none."""
        out = {*self.overspent, *self.declared}
        bounds = {
            name: plan.bound
            for name, plan in self.plans.items()
            if mechanisms()[name].private and plan.bound is not None and name not in out
        }
        return min(bounds, key=lambda name: bounds[name], default=None)

    @cached_property
    def overspent(self) -> list[str]:
        """The mechanisms that are to be private and are not certified to keep to ε."""
        return [name for name, plan in self.plans.items() if mechanisms()[name].private and not plan.keeps_to(self.setting.eps)]

    @cached_property
    def declared(self) -> list[str]:
        """The mechanisms that are said to keep to ε by their authors alone."""
        return [name for name in self.plans if name not in self.overspent and spent_by(name) == "declared"]

    def __rich__(self) -> Group:
        """What `harness plan` prints."""
        return _as_text(self)

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness plan --json`; numbers that do not exist are null."""
        plan, known = self.solved, mechanisms()
        mine = {
            name: _plan_json(own) | {"spent_by": spent_by(name), "overspent": name in self.overspent, "measured": _seen(name)}
            for name, own in self.plans.items()
        }
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
            "learner": str(self.setting.learner),
            "pac_bound": self.setting.bound_told,
            "baselines": {name: own for name, own in mine.items() if known[name].pays_for != "bottoms"},
            "mechanisms": mine,
            "wins": self.wins,
        }

    @property
    def frame(self) -> "pd.DataFrame":
        """Every mechanism's plan: k, α, bound, ε spent and by whose word, whether that is more than ε, and its noise.

        measured: the largest share of what it is said to spend that an audit has seen.
        """
        import pandas as pd  # takes as long to load as the calculator takes

        rows = {name: own | own["noise"] | {"measured": share_of(name)} for name, own in self.json["mechanisms"].items()}
        return pd.DataFrame.from_dict(rows, orient="index").drop(columns=["noise"])


def _seen(name: str) -> dict[str, Any] | None:
    seen = measured_of(name)
    return seen.json if seen else None


def _plan_json(plan: Plan) -> dict[str, Any]:
    own = {"k": plan.k, "alpha": _finite(plan.alpha), "bound": plan.bound, "spent": _finite(plan.spent)}
    return {**own, "noise": plan.noise}


def _as_text(calculation: Calculation) -> Group:
    """The same as two small tables and a sentence."""
    setting, plan = calculation.setting, calculation.solved
    budget = f"ε = {setting.eps:g}, δ = {setting.delta:g}, β = {setting.beta:g}, γ = {setting.gamma:g}"
    asked = f"m = {setting.m:,}, V = {setting.V}, {budget}"
    of = f"constants of {setting.constants} ({setting.calibration.source})"
    whose = "" if setting.pac_bound == "blumer" else f"; learner: {setting.learner}"
    heading = Text(f"{setting.concept_class.name}, {asked}\n{of}\nPAC bound {setting.bound_told}{whose}\n")
    derived = Sheet("", ("symbol", "value", "meaning"), numbers=("value",), headed=False)
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
        derived.add_row(Text(symbol, style="bold"), value, Text(meaning, style="dim"))
    numbers = ("k", "α", "bound", "ε spent")
    compared = Sheet("\nevery mechanism on the same n", ("mechanism", *numbers, "noise"), ("noise",), numbers)
    for name, own in calculation.plans.items():
        compared.add_row(name, _whole(own.k), f"{own.alpha:.4g}", _bound(own), _spent(calculation, name), _noise(own))
    best = calculation.wins
    wins = f"Of all that are private, {best} wins: it has the least bound." if best else "None wins: every bound is vacuous."
    if calculation.overspent:
        wins += f"\nNot certified to be (ε, δ)-DP, and so out of the race: {', '.join(calculation.overspent)}."
    if calculation.declared:
        named = ", ".join(calculation.declared)
        wins += f"\n(ε, δ)-DP as their authors declare, certified by no accountant, and so out of the race: {named}."
    if measured := told_measured(calculation.plans):
        wins += f"\n{measured}"
    notes = [Text(f"\nvacuous: {plan.reason}", style="yellow")] if plan.reason else []
    return Group(heading, derived, *notes, compared, Text(f"\n{wins}"))


def _spent(calculation: Calculation, name: str) -> str:
    """What a mechanism spends, and by whose word where that is its author's alone."""
    own, by = calculation.plans[name], spent_by(name)
    if by is None:
        return "not private"
    if not isfinite(own.spent):
        return "not certified"
    beyond = f" > ε = {calculation.setting.eps:g}" if name in calculation.overspent else ""
    return f"{own.spent:.3g}{beyond}{', declared' * (by == 'declared')}"


def _whole(value: int) -> str:
    return f"{value:,}" if value < 10**18 else f"{value:.4g}"


def _real(value: float) -> str:
    return f"{value:,.4f}" if 1e-3 < value < 1e15 else f"{value:.4g}"


def _noise(plan: Plan) -> str:
    symbols = {name: column.symbol for name, column in KIND.table.items()}
    return ", ".join(f"{symbols.get(name, name)} = {value:.4g}" for name, value in plan.noise.items())


def _bound(plan: Plan) -> str:
    return "vacuous" if plan.bound is None else f"{plan.bound:.4g}"


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
