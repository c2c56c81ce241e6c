"""How small a constant can be: the least at which a claimed event still fails with at most its claimed probability.

One trial is one whole search on one instance, by confidence sequences as for n*: what it finds is shown, wherever it looked.
Of privacy both ends are computed: the least constant at which the accountant certifies (ε, δ), and the largest at which an
event on two neighbouring vote tables shows that it is not kept.
"""

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import BaseModel

from harness.arrays import Bools
from harness.mechanisms import Streams
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.per_bottom import PerBottom
from harness.refusal import Refusal
from harness.registry import nearest
from harness.theory.constants import constants
from harness.theory.factors import Changeable, Factor, set_named
from harness.theory.fixed_point import CutoffPlan
from harness.theory.plan import Plan
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.spent import certified as spent
from harness.theory.privacy.spent import spent_lower
from harness.trials.answers import ballots, counts
from harness.trials.answers import refuse as refuse_answers
from harness.trials.cell import Cell
from harness.trials.changes import own_factors
from harness.trials.columns import BETA, DELTA, EPS, GAMMA, K_SCALE, TEXTS, TV_BUDGET, Column, K, M, N, T, V
from harness.trials.interval import Runs
from harness.trials.kind import NULL, Columns, Kind, Measure, Row
from harness.trials.least import CONSTANT, FOUND, RULES, SEARCH, Sought, event_column, least, private
from harness.trials.rules import Rule, at_least, null_with
from harness.trials.seeds import BlockStreams

Event = Literal["answered", "theorem", "private"]


class LeastCell(Sought, Cell, frozen=True):
    """A cell of a search for a constant of classification queries, which is to be as small as it can be on an instance.

    event: what must not fail more often than claimed. `answered`, every stable query is answered right, but for β; `theorem`,
    no early halt, at most T ⊥s and at most m times the bound misclassified, but for 2β; `private`, the run is (ε, δ)-DP.
    """

    hashed_as: ClassVar[str] = "LeastCell"

    instance_of: ClassVar[type[BaseModel]] = Cell

    event: Event = "answered"

    @classmethod
    def sets(cls) -> Mapping[str, Changeable]:
        return constants()

    @classmethod
    def also(cls) -> tuple[Factor, ...]:
        return own_factors()

    @property
    def allowed(self) -> float:
        """The probability with which the event may fail."""
        return self.beta if self.event == "answered" else 2 * self.beta


def fails(event: Event, trials: Columns, plan: Plan) -> Bools:
    """Whether the event fails in each trial, (trials,). trials: the columns of a block's counts, as `counts` returns them."""
    if event == "answered":
        return np.asarray(trials["stable_failed"]) > 0
    over = np.asarray(trials["bottoms"]) > plan.noise.get("T", inf)
    beyond = np.asarray(trials["misclassification_rate"]) > (inf if plan.bound is None else plan.bound)
    return np.asarray((np.asarray(trials["halted_at"]) != NULL) | over | beyond)


def measure(cell: LeastCell, streams: BlockStreams) -> Measure:
    """Searches in one trial for each mechanism's least constant: it is in (low, high], but for a chance `error`.

    needed is the geometric middle. It is null where no value up to ten times the printed one is enough, and where none is too
    small: then the instance does not challenge the constant, and says nothing of how small it can be.
    """
    return lambda name: searched(cell, name, streams)


def searched(cell: LeastCell, name: str, streams: BlockStreams) -> Row:
    """Searches for one mechanism's least constant: the columns of its interval."""
    runs, tv_budgets = Runs(streams, f"{name}/"), [0.0]

    def broken(tried: Cell, count: int, indices: range) -> Bools:
        failed, tv_budget = failures(tried, name, cell.event, len(indices), runs.streams(count, indices.start))
        tv_budgets.append(tv_budget)
        return failed

    row, enough = _ends(cell, name) if cell.event == "private" else least(cell, broken, cell.allowed, close=True)
    plan = enough.plan(name) if enough is not None else None
    return row | {"k": plan.k if plan else None, "n": plan.n if plan else None, "tv_budget": max(tv_budgets)}


def failures(cell: Cell, name: str, event: Event, trials: int, streams: Streams) -> tuple[Bools, float]:
    """Whether each of so many trials breaks the event, and how far the law of the votes may be from the exact one."""
    plan, sampler, mechanism = cell.plan(name), cell.sampler(name), mechanisms()[name]
    queries, votes, noise = (streams(purpose) for purpose in ("queries", "votes", "noise"))
    failed, tv_budget = [], 0.0
    for ballot in ballots(cell, sampler, plan, trials, queries, votes):
        failed.append(fails(event, counts(ballot, mechanism.answer_block(ballot, plan, cell.task, noise)), plan))
        tv_budget = max(tv_budget, ballot.tv_budget)
    return np.concatenate(failed), tv_budget


def _ends(cell: LeastCell, name: str) -> tuple[Row, Any]:
    """By the accountant and by an event, for `event: private`."""
    return private(
        cell,
        lambda value: spent_at_most(cell.with_constant(value), name),
        lambda value: shown(cell.with_constant(value), name),
    )


def spent_at_most(cell: Cell, name: str) -> float:
    """An ε that a run of a mechanism on a cell certainly keeps to, by the sharper of the two accountants."""
    plan, distance = _compared(cell, name)
    return spent(distance, plan.lam, plan.w, epochs(cell.m, plan.last), cell.delta, sharp=True)


def shown(cell: Cell, name: str) -> float:
    """An ε that a run of a mechanism certainly spends at least, by an event on a pair of neighbouring tables."""
    plan, distance = _compared(cell, name)
    calibration = Calibration("own", "its plan", distance, lambda *_: plan.lam, lambda *_: plan.w, last=lambda T: plan.loop * T)
    return spent_lower(calibration, cell.eps, cell.delta, cell.m, plan.T)


def _compared(cell: Cell, name: str) -> tuple[CutoffPlan, Distance]:
    """The plan, and what the theorem on the mechanism's privacy compares with its threshold."""
    plan, mechanism = cell.plan(name), mechanisms()[name]
    assert isinstance(plan, CutoffPlan) and isinstance(mechanism, PerBottom)
    return plan, mechanism.compared(plan)


def refuse(cell: LeastCell, name: str) -> Refusal | None:
    """Why a mechanism's constant cannot be searched for: its plan does not read it, or what keeps it from running at all."""
    mechanism, values = mechanisms()[name], set_named(cell.constants, constants())
    read = [each.name for each in mechanism.reads(values)]
    if cell.constant not in read:
        return Refusal(f"{cell.constant} is in nothing that {name} does; {nearest(cell.constant, read)}", "constant")
    if cell.event == "private":
        if not isinstance(mechanism, PerBottom):
            allowed = ", ".join(other for other, each in mechanisms().items() if isinstance(each, PerBottom))
            return Refusal(f"no event is known by which {name} spends its ε; allowed: {allowed}", "mechanisms")
        noise = [each.name for each in mechanism.private_by(values)]
        if cell.constant not in noise:
            return Refusal(f"{name} is no less private where {cell.constant} is small; allowed: {', '.join(noise)}", "constant")
        return None
    if cell.factor.only:
        few = " or ".join(f"{each:g}" for each in cell.factor.only)
        return Refusal(f"{cell.constant} is {few}, and nothing between; allowed: event: private", "constant")
    if cell.allowed >= 1:
        return Refusal(f"failures at a rate of {cell.allowed:g} would be allowed; allowed: beta < 1/2", "beta")
    return refuse_answers(cell.with_constant(cell.stated), name)


COLUMNS = (
    *TEXTS,
    CONSTANT,
    event_column({"answered": "stable queries answered", "theorem": "the theorem's rate and cutoff", "private": "(ε, δ)-DP"}),
    *(V, M, EPS, DELTA, BETA, GAMMA, K_SCALE),
    Column("alpha_target", "real", "parameter", "excess error that is given", "α", null=True, axis="alpha"),
    T.but(name="T_target", role="parameter", meaning="cutoff that is given", axis="T", null=True, caption=True),
    N.but(name="n_target", role="parameter", meaning="examples that are given", axis="n", null=True, caption=False),
    *SEARCH,
    *FOUND,
    K.but(role="measured", meaning="chunks at the least value that is enough", null=True),
    N.but(role="measured", meaning="examples there", null=True, caption=False),
    TV_BUDGET,
)

KIND = Kind(
    name="least_constant",
    cell=LeastCell,
    subjects=lambda: list(mechanisms()),
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    resolved=lambda cell, name: {"printed": cell.stated},
    rules=(
        *RULES,
        null_with("k", "n", "high"),
        at_least("k", 1),
        Rule(
            "n = n_target, or n ≥ k where that is null",
            ("n", "n_target", "k"),
            lambda n, stated, k: np.isnan(n) | np.where(np.isnan(stated), n >= k, n == stated),
            nulls=True,
        ),
    ),
)
