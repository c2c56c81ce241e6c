"""Every claim of every table, judged with one error for the whole."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from harness.claims.engine import Claim, Outcome, Verdict, overall
from harness.claims.engine.claim import firsts
from harness.claims.registry import claims

FAMILYWISE_ERROR = 1e-3


@dataclass(frozen=True)
class Evidence:
    """A table that claims are judged on. experiment: its name. kind: of its trials. names: the claims that its spec lists."""

    experiment: str
    kind: str
    frame: pd.DataFrame
    names: Sequence[str]


@dataclass(frozen=True)
class Finding:
    """A claim's verdicts, each with the experiment it comes from (None: the theory alone), and what they amount to.

    why: where there are none, what kept all rows from having a say.
    """

    claim: Claim
    verdicts: list[tuple[str | None, Verdict]]
    why: str = ""

    @cached_property
    def outcome(self) -> Outcome:
        """The claim's one verdict."""
        return overall(verdict.outcome for _, verdict in self.verdicts)

    @cached_property
    def decisive(self) -> Verdict | None:
        """The verdict that says most: of those that make the outcome and measured anything, the one with the least slack."""
        same = [verdict for _, verdict in self.verdicts if verdict.outcome == self.outcome]
        return min(same, key=lambda verdict: (not verdict.measured, verdict.slack or float("inf")), default=None)

    @property
    def challenged(self) -> bool:
        """Whether any of the experiments came near enough to the bound that a false claim would have shown."""
        return any(verdict.challenged for _, verdict in self.verdicts)

    @property
    def as_expected(self) -> bool:
        """Whether the claim's verdict is the one that its file expects."""
        return self.outcome == self.claim.expected


def judge(evidence: Iterable[Evidence], error: float = FAMILYWISE_ERROR, names: Iterable[str] | None = None) -> list[Finding]:
    """A finding for each claim in `names`, by default for those that the evidence lists, in the order of the registry.

    The chance that any one of all these verdicts is false is at most `error`: it is split evenly over every claim and cell that
    a random trial has to decide. Cells whose guarantee is vacuous are reported and take no share.
    """
    tables = list(evidence)
    wanted = set(names) if names is not None else {name for table in tables for name in table.names}
    asked = [
        (claim, table.experiment, rows)
        for name, claim in claims().items()
        if name in wanted
        for table in tables
        if name in table.names and claim.trials == table.kind
        for rows in claim.questions(table.frame)
    ]
    share = error / max(1, sum(claim.decider.random(rows) for claim, _, rows in asked))
    findings = []
    for name, claim in claims().items():
        if name in wanted:
            verdicts: list[tuple[str | None, Verdict]] = [(None, verdict) for verdict in claim.computed()]
            verdicts += [(place, claim.decide(rows, share)) for asker, place, rows in asked if asker is claim]
            findings.append(Finding(claim, verdicts, "" if verdicts else _why_untested(claim, tables)))
    return findings


def _why_untested(claim: Claim, tables: Iterable[Evidence]) -> str:
    """What keeps every table from testing a claim."""
    asking = [table for table in tables if claim.id in table.names]
    if not asking:
        return "no experiment asks for it"
    right = [table for table in asking if table.kind == claim.trials]
    if not right:
        return f"trials are of kind {asking[0].kind} and {claim.id} is about trials of kind {claim.trials}"
    return claim.unmet(first for table in right for first in firsts(table.frame)) or claim.decider.lacking
