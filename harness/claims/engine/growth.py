"""Deciding how a measured n* grows, by its power along α, V or ε: two-sided, and only where the term in question is in force.

A printed n = Õ(V^a/(ε α^b)) of a mechanism that pays for its ⊥s alone rests on T = 3B. Where n* is so small that the plan there
is vacuous, T is m, every query is paid for as by composition, and n* grows by another power: of such a sweep nothing is asked,
whatever n* is. What the logarithms do over a sweep is computed: the local exponent of the explicit fixed point less the printed
power. The learner's own logarithm may be in its bound alone and not in what it does, so it is the tolerance.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import pandas as pd

from harness.claims.engine.claim import Decider, Kind
from harness.claims.engine.complexity import SETTING, slope, sweeps
from harness.claims.engine.exponents import LEAST_POINTS, ROUNDING, Power, Powers, with_sign
from harness.claims.engine.verdict import Outcome, Verdict
from harness.concepts import concepts
from harness.theory.constants import constants
from harness.theory.factors import set_named
from harness.theory.fixed_point import CutoffPlan, plan_for_alpha, plan_for_n
from harness.theory.parameters import Constants, Task


def task_of_row(row: pd.Series) -> Task:
    """The task of labelling the m public points of a row, by the class's own PAC bound."""
    concept = concepts()[row["concept"]].model_validate_json(row["concept_parameters"])
    bound = concept.pac_bound(row["learner"], float(row["gamma"]))
    return Task(int(row["m"]), float(row["eps"]), float(row["delta"]), float(row["beta"]), float(row["gamma"]), bound)


def set_of(row: pd.Series) -> Constants:
    """The set of constants that a row names."""
    return set_named(row["constants"], constants())


def plan_at(row: pd.Series, n: int) -> CutoffPlan:
    """The plan by the rule T = 3B on n examples, with the constants and the learner of a row."""
    return plan_for_n(set_of(row), task_of_row(row), n)


def in_force(line: pd.DataFrame, part: int) -> bool:
    """Whether at every point of a sweep n* is found and the plan on it, of n/part examples, is not vacuous: 3B < m."""
    if line["n_high"].isna().any() or (line["pac_bound"] != "class").any():
        return False
    return not any(plan_at(row, int(row["n_high"]) // part).vacuous for _, row in line.iterrows())


def learners_logarithm(line: pd.DataFrame) -> list[float]:
    """What the learner's bound has beside its powers, at every point of a sweep: s·α/V, or s·α²/V where labels are noisy."""
    factors = []
    for _, row in line.iterrows():
        plan = plan_for_alpha(set_of(row), task_of_row(row), float(row["alpha"]))
        factors.append(float(plan.s * row["alpha"] ** (2 if row["gamma"] > 0 else 1) / row["V"]))
    return factors


@dataclass(frozen=True)
class Growth(Decider):
    """Decides whether n* has the printed powers of 1/α, V and 1/ε, and at a theorem's own error is at most its fixed point's.

    part: the mechanism has n/part of the examples. rivals: neighbouring forms by name.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "sample_complexity"
    lacking: ClassVar[str] = (
        f"no sweep along alpha, V or eps has {LEAST_POINTS} points at whose n* the plan is not vacuous: T is m there"
    )

    powers: Powers
    part: int = 1
    rivals: Mapping[str, Powers] = field(default_factory=dict)

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        return (line for line in sweeps(rows) if in_force(line, self.part))

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        printed, (_, low, high) = self.powers[axis], slope(rows, axis, "n_star")
        logs, learner = self._logarithms(rows)
        ends = low - max(logs, logs - learner) - ROUNDING, high - min(logs, logs - learner) + ROUNDING
        power = Power(printed, *ends, tuple(each[axis] for each in self.rivals.values() if axis in each))
        outcome: Outcome = self._level(rows, power.outcome) if float(rows["error"].sum()) <= error else "undecided"
        place = f"{first['concept']}, {first['distribution']}, {axis} = {rows[axis].min():.3g} to {rows[axis].max():.3g}"
        words = f"exponent in [{low:.2f}, {high:.2f}], of it {with_sign(logs)} by logarithms, or {with_sign(logs - learner)}"
        share = float((rows["n_high"] / rows["needed"]).max())
        left = f"power in [{ends[0]:.2f}, {ends[1]:.2f}], printed {printed:g}; n* is at most {share:.2g} of what is asked for"
        where, mechanism = f"{place}: {words}: {left}", str(first["mechanism"])
        return power.verdict(claim, where, outcome, mechanism=mechanism, trials=len(rows), error=error)

    def _logarithms(self, rows: pd.DataFrame) -> tuple[float, float]:
        """What they add to the exponent of the fixed point, and how much of that is the learner's own."""
        axis = str(rows["axis"].iloc[0])
        solved, _, _ = slope(rows, axis, "needed")
        learner, _, _ = slope(rows.assign(learners_own=learners_logarithm(rows)), axis, "learners_own")
        return solved - self.powers[axis], learner

    def _level(self, rows: pd.DataFrame, outcome: Outcome) -> Outcome:
        """With what a theorem promises of its own error: that no n* is more than it asks for."""
        if rows["target"].iloc[0] != "theorem" or outcome == "refuted":
            return outcome
        if (rows["n_low"] >= rows["needed"]).any():
            return "refuted"
        return outcome if (rows["n_high"] <= rows["needed"]).all() else "undecided"


@dataclass(frozen=True)
class Ratio(Decider):
    """Decides whether n* of one construction over that of another has the power 0 in 1/α: its interval excludes ±¼.

    Asked only where the plans of both are in force. parts: what of n each has.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "sample_complexity"
    lacking: ClassVar[str] = f"no two sweeps along alpha have {LEAST_POINTS} points at whose n* neither plan is vacuous"

    mechanism: str
    other: str
    parts: tuple[int, int] = (1, 1)

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        same = [name for name in SETTING if name != "mechanism"]
        for _, line in rows.groupby([*same, "target", "V", "eps"], sort=False):
            both = [line[line["mechanism"] == name] for name in (self.mechanism, self.other)]
            points = {tuple(sorted(each["alpha"])) for each in both}
            same_points = len(points) == 1 and all(len(each) >= LEAST_POINTS for each in both)
            if same_points and all(in_force(each, part) for each, part in zip(both, self.parts, strict=True)):
                yield line

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        slopes = [slope(rows[rows["mechanism"] == name], "alpha", "n_star") for name in (self.mechanism, self.other)]
        (power_of, own_low, own_high), (base, base_low, base_high) = slopes
        low, high = own_low - base_high, own_high - base_low
        power = Power(0.0, low, high)
        outcome: Outcome = power.outcome if float(rows["error"].sum()) <= error else "undecided"
        ratios = rows.pivot_table(index="alpha", columns="mechanism", values="n_star")
        times = ratios[self.mechanism] / ratios[self.other]
        span = f"α = {ratios.index.min():.3g} to {ratios.index.max():.3g}: {times.min():.3g} to {times.max():.3g} times as many"
        place = f"{rows['concept'].iloc[0]}, {rows['distribution'].iloc[0]}, γ = {rows['gamma'].iloc[0]:g}"
        where = f"{place}, {span}, power {power_of - base:.2f} in [{low:.2f}, {high:.2f}]"
        return power.verdict(claim, where, outcome, mechanism=self.mechanism, trials=len(rows), error=error)
