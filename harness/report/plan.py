"""The calculator: what the theory derives from a setting, for a person and for a program."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from harness.mechanisms.accounts import spent_by
from harness.mechanisms.answering import mechanisms
from harness.report.grids import Sheet
from harness.report.seen import measured_of, share_of, told_measured
from harness.report.worksheet import Worksheet, budget, finite, symbols, vacuous
from harness.theory.fixed_point import CutoffPlan
from harness.theory.plan import Plan
from harness.trials.answers import KIND
from harness.trials.cell import Planned

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Calculation(Worksheet):
    """The calculator's answer to a setting: the fixed point of its constants, and every mechanism's own plan."""

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

    def parts(self) -> Iterator[RenderableType]:
        """What the constants ask for, every mechanism on the same n, and which wins."""
        setting, plan = self.setting, self.solved
        queries = f"m = {setting.m:,}, V = {setting.V}, {budget(setting)}, γ = {setting.gamma:g}"
        constants = f"constants of {setting.constants} ({setting.calibration.source})"
        learner = "" if setting.pac_bound == "blumer" else f"; learner: {setting.learner}"
        yield Text(f"{setting.concept_class.name}, {queries}\n{constants}\nPAC bound {setting.bound_told}{learner}\n")
        yield symbols(
            (
                ("n", _whole(plan.n), "private examples"),
                ("k", _whole(plan.k), "chunks"),
                ("s", _whole(plan.s), "examples a chunk"),
                ("α", f"{plan.alpha:.4g}", "excess error of the learner on a chunk, at confidence β/k"),
                ("T", _real(plan.T), "cutoff on ⊥ answers"),
                ("λ", _real(plan.lam), "noise scale"),
                ("w", _real(plan.w), "threshold"),
                ("T/m", _bound(plan), "claimed bound on the misclassification rate"),
            )
        )
        yield from vacuous(plan.reason)
        numbers = ("k", "α", "bound", "ε spent")
        compared = Sheet("\nevery mechanism on the same n", ("mechanism", *numbers, "noise"), ("noise",), numbers)
        for name, its in self.plans.items():
            compared.add_row(name, _whole(its.k), f"{its.alpha:.4g}", _bound(its), self._spent(name), _noise(its))
        yield compared
        yield Text("\n" + "\n".join(self._sentences()))

    def _sentences(self) -> Iterator[str]:
        best = self.wins
        yield f"Of all that are private, {best} wins: it has the least bound." if best else "None wins: every bound is vacuous."
        if self.overspent:
            yield f"Not certified to be (ε, δ)-DP, and so out of the race: {', '.join(self.overspent)}."
        if self.declared:
            named = ", ".join(self.declared)
            yield f"(ε, δ)-DP as their authors declare, certified by no accountant, and so out of the race: {named}."
        if measured := told_measured(self.plans):
            yield measured

    def _spent(self, name: str) -> str:
        """What a mechanism spends, and by whose word where that is its author's alone."""
        spent, by = self.plans[name].spent, spent_by(name)
        if by is None:
            return "not private"
        if not isfinite(spent):
            return "not certified"
        beyond = f" > ε = {self.setting.eps:g}" if name in self.overspent else ""
        return f"{spent:.3g}{beyond}{', declared' * (by == 'declared')}"

    @property
    def json(self) -> dict[str, Any]:
        """The object of `harness plan --json`; numbers that do not exist are null."""
        plan, every = self.solved, {name: self._numbers(name) for name in self.plans}
        return {
            "lambda": plan.lam,
            "w": plan.w,
            "alpha": finite(plan.alpha),
            "T": plan.T,
            "k": plan.k,
            "s": plan.s,
            "n": plan.n,
            "bound": plan.bound,
            "vacuous": plan.vacuous,
            "reason": plan.reason,
            "learner": str(self.setting.learner),
            "pac_bound": self.setting.bound_told,
            "baselines": {name: one for name, one in every.items() if mechanisms()[name].pays_for != "bottoms"},
            "mechanisms": every,
            "wins": self.wins,
        }

    def _numbers(self, name: str) -> dict[str, Any]:
        """A mechanism's plan, by whose word it keeps to ε, and what audits have seen of it."""
        plan, seen = self.plans[name], measured_of(name)
        numbers = {"k": plan.k, "alpha": finite(plan.alpha), "bound": plan.bound, "spent": finite(plan.spent)}
        vouched = {"spent_by": spent_by(name), "overspent": name in self.overspent, "measured": seen.json if seen else None}
        return {**numbers, "noise": plan.noise, **vouched}

    @property
    def frame(self) -> "pd.DataFrame":
        """Every mechanism's plan: k, α, bound, ε spent and by whose word, whether that is more than ε, and its noise.

        measured: the largest share of what it is said to spend that an audit has seen.
        """
        import pandas as pd  # takes as long to load as the calculator takes

        rows = {name: one | one["noise"] | {"measured": share_of(name)} for name, one in self.json["mechanisms"].items()}
        return pd.DataFrame.from_dict(rows, orient="index").drop(columns=["noise"])


def _whole(value: int) -> str:
    return f"{value:,}" if value < 10**18 else f"{value:.4g}"


def _real(value: float) -> str:
    return f"{value:,.4f}" if 1e-3 < value < 1e15 else f"{value:.4g}"


def _noise(plan: Plan) -> str:
    symbols = {name: column.symbol for name, column in KIND.table.items()}
    return ", ".join(f"{symbols.get(name, name)} = {value:.4g}" for name, value in plan.noise.items())


def _bound(plan: Plan) -> str:
    return "vacuous" if plan.bound is None else f"{plan.bound:.4g}"
