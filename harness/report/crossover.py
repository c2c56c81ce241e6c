"""Where paying only for unstable votes overtakes a baseline: k against k, with no learner and no data.

A ⊥-paying mechanism needs k(T) chunks with T = max(1, 3B), B the mistakes at error α; a baseline's k depends on m alone. The
fewer chunks, the more examples each learner gets. So there is a largest error α of a learner at which the ⊥-paying mechanism
needs no more chunks, and that is the crossover.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, inf, log
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator
from rich.console import RenderableType
from rich.text import Text

from harness.ballots import MOST_QUERIES
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.own_noise import OwnNoise
from harness.mechanisms.answering.per_bottom import PerBottom
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.report.worksheet import Worksheet, budget, halved
from harness.theory import factors
from harness.theory.constants import constants
from harness.theory.parameters import Constants, Task
from harness.trials.changes import named_set, own_factors
from harness.trials.fields import Positive, Probability, Whole

QUERIES = tuple(10**power for power in range(2, 9))
LEAST_ALPHA = 1e-15
STEPS = 50  # halvings of the range of ln α: to within a relative 1e-13


@dataclass(frozen=True)
class Crossover:
    """The largest error α at which a mechanism needs no more chunks than the baseline, with T and k there; γ = 0.

    None for all three where they need more at every α, even at T = 1. alpha is at most the error at which T reaches m, beyond
    which the mechanism promises nothing.
    """

    mechanism: str
    constants: str
    baseline: str
    m: int
    baseline_k: int
    alpha: float | None = None
    T: float | None = None
    k: int | None = None


class CrossoverQuestion(BaseModel, frozen=True, extra="forbid"):
    """A question of crossovers: at which ε, δ and β, for one set of constants or for all sets, at one m or at several.
    Of a mechanism with noise of its own constants have a say in T alone.
    """

    m: Annotated[Whole, Field(ge=1, le=MOST_QUERIES)] | None = None
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05
    constants: str | None = None

    @field_validator("constants", mode="before")
    @classmethod
    def _named(cls, name: Any) -> str | None:
        return None if name is None else named_set("constants", name, constants(), own_factors())


def crossover(of: Constants, baseline: str, task: Task, mechanism: str = "A_binClas") -> Crossover:
    """The crossover of a mechanism with a baseline, by bisection: k(T(α)) never falls as α grows.
    A baseline's own k is the same whatever n is.
    """
    needed = mechanisms()[baseline].plan(of, task, n=1).k
    payer = mechanisms()[mechanism]
    assert isinstance(payer, PerBottom)
    paying = payer.at(of)

    def chunks(alpha: float) -> float:
        T = paying.T(task, alpha)
        return paying.whole_k(task, T) if T < task.m else inf

    never = Crossover(mechanism, of.name, baseline, task.m, needed)
    if chunks(LEAST_ALPHA) > needed:
        return never
    low, _ = halved(log(LEAST_ALPHA), 0.0, STEPS, lambda log_alpha: chunks(exp(log_alpha)) <= needed)
    alpha = exp(low)
    return replace(never, alpha=alpha, T=paying.T(task, alpha), k=int(chunks(alpha)))


def baselines() -> list[str]:
    """The names of mechanisms that pay for every query."""
    return [name for name, mechanism in mechanisms().items() if mechanism.pays_for == "queries"]


def payers() -> list[str]:
    """The names of the mechanisms that have crossovers: A_binClas, and those that pay for ⊥s with noise of their own."""
    return ["A_binClas", *(name for name, mechanism in mechanisms().items() if isinstance(mechanism, OwnNoise))]


@dataclass(frozen=True)
class Crossovers(Worksheet):
    """The crossovers of every mechanism, set of constants and baseline at each m, to be shown."""

    question: CrossoverQuestion
    every: Sequence[Crossover]

    @property
    def json(self) -> list[dict[str, Any]]:
        """One flat object for each."""
        return [asdict(one) for one in self.every]

    def parts(self) -> Iterator[RenderableType]:
        """A table for each mechanism and set of constants: α by m and baseline."""
        yield Text(
            "The largest error α of a learner at which paying only for unstable votes needs no more chunks than paying for"
        )
        yield Text(f"every query, with γ = 0, {budget(self.question)}. A dash: always more.")
        for payer, name in dict.fromkeys((one.mechanism, one.constants) for one in self.every):
            yield _table(payer, name, [one for one in self.every if (one.mechanism, one.constants) == (payer, name)])


def crossovers(question: CrossoverQuestion) -> Crossovers:
    """The crossovers that a question asks for."""
    ms = QUERIES if question.m is None else (question.m,)
    tasks = [Task(m, question.eps, question.delta, question.beta, 0.0, lambda s, q: 0.0) for m in ms]
    every = [
        crossover(factors.set_named(name, constants()), baseline, task, mechanism)
        for mechanism in payers()
        for name in ([question.constants] if question.constants else constants())
        for baseline in baselines()
        for task in tasks
    ]
    return Crossovers(question, every)


def _table(payer: str, name: str, crossed: Sequence[Crossover]) -> Sheet:
    """Those of one mechanism and set of constants."""
    baseline_names = list(dict.fromkeys(one.baseline for one in crossed))
    title = f"\n{payer}, {'T of ' if payer != 'A_binClas' else 'constants '}{name}, against"
    sheet = Sheet(title, ("m", *baseline_names), numbers=("m", *baseline_names))
    for m in dict.fromkeys(one.m for one in crossed):
        alphas = {one.baseline: one.alpha for one in crossed if one.m == m}
        shown = ("–" if (alpha := alphas[baseline]) is None else f"{alpha:.2g}" for baseline in baseline_names)
        sheet.add_row(number(m), *shown)
    return sheet
