"""A cell of queries that an analyst asks one after another: who asks, how many, of how much data, and with which privacy."""

from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, SerializeAsAny, field_validator

from harness.analysts import MOST_WHOLE, Analyst, QuerySite, analysts
from harness.analysts.planted import PlantedVotes
from harness.mechanisms.online import Online, onlines
from harness.refusal import Refusal
from harness.theory.constants import constants
from harness.theory.factors import set_named
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from harness.trials.changes import constants_of
from harness.trials.concept_cell import MAX_N, named_model
from harness.trials.fields import Identified, Positive, Probability, Real, Whole
from harness.trials.kind import Row

KnownConstants = Annotated[str, constants_of(constants)]
MOST_QUERIES = 10**6
MOST_CHUNKS = 10**7
MOST_TRIALS, MOST_KNOWN = 1 << 8, 1 << 16
"""Of a block: as many trials as have so many queries."""


class StableCell(Identified, frozen=True):
    """A cell of queries that an analyst asks one after another.
    n: private examples; where it is left open, each mechanism has the k that its own guarantee needs, of one example each.

    T: the cutoff, and how many queries an analyst who plans them has unstable. k: chunks, instead of what the constants say.
    """

    hashed_as: ClassVar[str] = "StableCell"

    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    analyst: SerializeAsAny[Analyst] = PlantedVotes()
    sampling: Literal["sufficient", "full"] = "sufficient"
    constants: KnownConstants = "BTT18a"
    k_scale: Positive = 1.0
    m: Annotated[Whole, Field(ge=1, le=MOST_QUERIES)]
    n: Annotated[Whole, Field(ge=1, le=MAX_N)] | None = None
    k: Annotated[Whole, Field(ge=1, le=MOST_CHUNKS)] | None = None
    T: Annotated[Real, Field(ge=1, le=10**6)] = 1.0
    eps: Annotated[Real, Field(ge=1e-3, le=1000)] = 1.0
    delta: Annotated[Probability, Field(ge=1e-15, le=0.5)] = 1e-6
    beta: Annotated[Probability, Field(ge=1e-15)] = 0.05

    @field_validator("analyst", mode="before")
    @classmethod
    def _known_analyst(cls, value: Any) -> Analyst:
        return value if isinstance(value, Analyst) else named_model("analyst", value, analysts())

    def named(self) -> dict[str, Any]:
        """The fields, with the analyst by its name and all its parameters."""
        return super().named() | {"analyst": {"name": self.analyst.name} | self.analyst.model_dump(mode="json")}

    @property
    def described(self) -> Row:
        """Who asks, by name and parameters, and what kind of queries."""
        return {
            "analyst": self.analyst.name,
            "analyst_parameters": self.analyst.model_dump_json(),
            "adaptive": self.analyst.adaptive,
            "values": self.analyst.range_size,
        }

    @property
    def analyst_name(self) -> str:
        """The analyst's name as figures have it."""
        return self.analyst.name + (", countable range" if self.analyst.range_size is None else "")

    @property
    def calibration(self) -> Constants:
        """The set of constants, with this cell's own cutoff and share of k."""
        return replace(set_named(self.constants, constants()), cutoff=self.T, k_scale=self.k_scale)

    @property
    def task(self) -> Task:
        """The task that every mechanism gets; no learner's error is in it."""
        return Task(self.m, self.eps, self.delta, self.beta, 0.0, lambda s, q: 0.0)

    def plan(self, name: str) -> Plan:
        """The plan of a mechanism; the same object whenever it is asked for."""
        if name not in self._plans:
            self._plans[name] = self._resolved(onlines()[name])
        return self._plans[name]

    @cached_property
    def _plans(self) -> dict[str, Plan]:
        return {}

    def _resolved(self, online: Online[Any]) -> Plan:
        plan: Plan = online.plan(self.calibration, self.task, self.n or 1, self.analyst.range_size)
        if online.whole:
            n = self.n or self.calibration.whole_k(self.task, self.T)
            return replace(plan, n=n, k=n, s=1)
        k = self.k or plan.k
        n = self.n or k
        return replace(plan, n=n, k=k, s=n // k)

    def site(self, name: str) -> QuerySite:
        """The numbers that a mechanism's queries are asked with: m, k, s and how many of them are unstable."""
        plan = self.plan(name)
        return QuerySite(self.m, plan.k, plan.s, min(self.m, int(self.T)), self.sampling == "full")

    @cached_property
    def block(self) -> int:
        """How many trials are drawn together: one, where a query may depend on an answer or its chunks are drawn one by one."""
        return max(1, min(MOST_TRIALS, MOST_KNOWN // self.m)) if self.analyst.at_once else 1

    def refuse(self, name: str) -> Refusal | None:
        """Why a mechanism cannot answer this analyst, or None."""
        online, analyst = onlines()[name], self.analyst
        if online.finite and analyst.range_size is None:
            allowed = ", ".join(other.name for other in onlines().values() if not other.finite)
            what = f"{name} puts noise on every label, and those of {analyst.name} are countable"
            return Refusal(f"{what}; allowed: {allowed}, or a finite range", "analyst")
        plan = self.plan(name)
        if online.whole and not analyst.whole_known:
            return Refusal(f"{name} needs a distance to instability, and {analyst.name} has none to compute", "analyst")
        if online.whole and self.sampling == "full":
            return Refusal(f"{name} asks all examples at once, by their counts; allowed: sampling: sufficient", "sampling")
        if online.whole and plan.n > MOST_WHOLE:
            return Refusal(f"{name} asks all n = {plan.n:.3g} at once; allowed: n ≤ {MOST_WHOLE:g}", "n")
        if plan.s < 1:
            return Refusal(f"{name} needs k = {plan.k} chunks, of one example at least; allowed: n ≥ {plan.k}", "n")
        if not online.whole and plan.k > MOST_CHUNKS:
            return Refusal(f"{name} needs k = {plan.k:.3g} chunks; allowed: k ≤ {MOST_CHUNKS:g}", "T")
        return analyst.refuse(self.site(name))
