"""Every claim of every table, judged with one error for the whole."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from harness.claims.engine import Claim, Outcome, Verdict, overall
from harness.claims.engine.changed import changes_in
from harness.claims.engine.claim import Question
from harness.claims.registry import claims
from harness.report.defaults import FAMILYWISE_ERROR
from harness.report.enough import enough, told_enough
from harness.report.lines import Sizes
from harness.sweep.plugins.faults import blaming
from harness.sweep.table.cells import Cells
from harness.text import one_line
from harness.theory.factors import ConstantValues

UNTRIED = "holds, untried"


@dataclass(frozen=True)
class Evidence:
    """A table that claims are judged on. experiment: its name. kind: of its trials. names: the claims that its spec lists."""

    experiment: str
    kind: str
    cells: Cells
    names: Sequence[str]


@dataclass(frozen=True)
class Finding:
    """A claim's verdicts, each with the experiment it comes from (None: the theory alone), and what they amount to.

    spared: whether nothing that it was judged on is one of the instances on which alone it is refuted.
    why: where there are none, what kept all rows from having a say. untouched: changes of constants that rows have and that are
    in nothing that the claim speaks of.
    """

    claim: Claim
    verdicts: list[tuple[str | None, Verdict]]
    why: str = ""
    untouched: tuple[ConstantValues, ...] = ()
    spared: bool = False

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
    def sizes(self) -> Sizes:
        """What the decisive verdict measured, its bound, what would stand, and slack."""
        return Sizes.of(self.decisive)

    @property
    def untested(self) -> str:
        """Why nothing had a say, in brackets behind the verdict; empty where something had."""
        return f" ({one_line(self.why)})" if self.why else ""

    @property
    def challenged(self) -> bool:
        """Whether rows or numbers refute a claim somewhat stronger, such as one with half the bound: see `Verdict`."""
        return any(verdict.challenged for _, verdict in self.verdicts)

    @property
    def untried(self) -> bool:
        """Whether the claim holds and nothing here could break it; of an identity or a self-check nothing is meant to."""
        return self.word == "holds" and not self.challenged and not self.claim.check

    @property
    def word(self) -> str:
        """The verdict in a word. A probe has none of its own: it is seen to be false, as it should be, or it is not."""
        if self.claim.nature != "probe" or self.outcome not in ("holds", "refuted"):
            return self.outcome
        return "seen" if self.outcome == "refuted" else "not seen"

    @property
    def label(self) -> str:
        """The verdict as lists have it: with `untried` where it is that."""
        return UNTRIED if self.untried else self.word

    @property
    def expected(self) -> Outcome | None:
        """The verdict that its file expects on such instances; of a claim with a constant changed nothing is expected."""
        return "holds" if self.spared and self.claim.expected else self.claim.expected

    @property
    def as_expected(self) -> bool:
        """Whether the claim's verdict is the expected one."""
        return self.expected in (None, self.outcome)

    @property
    def should(self) -> str:
        """What a correct run finds, in words such as `should hold`; empty where nothing is expected."""
        expected = self.expected
        if self.claim.nature == "probe":
            return "should be seen to be false"
        return "" if expected is None else "should hold" if expected == "holds" else f"should be {expected}"

    @property
    def enough(self) -> str:
        """How many trials would decide what is undecided, in words; empty where nothing is, or where nobody can say."""
        counts = [needed for _, verdict in self.verdicts if (needed := enough(self.claim.decider, verdict)) is not None]
        return told_enough(max(counts)) if counts else ""


Known = Mapping[str, Sequence[Verdict]]
"""Verdicts that need no table, by claim."""


def by_theory(names: Iterable[str]) -> dict[str, list[Verdict]]:
    """The verdicts that need no table, by claim, for each of these claims; an id of no claim is left out."""
    wanted = set(names)
    return {name: _computed(claim) for name, claim in claims().items() if name in wanted}


def untold(names: Iterable[str]) -> dict[str, list[Verdict]]:
    """An empty list of verdicts for each of these claims: to be used for `by_theory` where tables alone are to be judged."""
    return {name: [] for name in names}


def _computed(claim: Claim) -> list[Verdict]:
    """What it says without a table."""
    with blaming(claim.id):
        return list(claim.computed())


def judge(
    evidence: Iterable[Evidence],
    error: float = FAMILYWISE_ERROR,
    names: Iterable[str] | None = None,
    theory: Callable[[Set[str]], Known] = by_theory,
) -> list[Finding]:
    """Judges claims on evidence: a finding for each in `names`, by default for those that the evidence lists.

    theory: what it says alone of claims, asked for when all tables have been judged.

    The chance that any one of all these verdicts is false is at most `error`: it is split evenly over every claim and cell that
    a random trial has to decide. Cells whose guarantee is vacuous are reported and take no share.
    """
    tables = list(evidence)
    wanted = set(names) if names is not None else {name for table in tables for name in table.names}
    questions_of = {name: _asked(claim, tables) for name, claim in claims().items() if name in wanted}
    share = error / max(1, sum(each.random for some in questions_of.values() for each in some))
    judged = {name: _judged(name, questions, share) for name, questions in questions_of.items()}
    alone = theory(wanted)
    findings = []
    for name in judged:
        claim = claims()[name]
        variants = {name: claim} | {variant.id: variant for variant, *_ in questions_of[name]}
        verdicts = judged[name] | {name: [*((None, each) for each in alone[name]), *judged[name].get(name, [])]}
        if len(variants) > 1 and not verdicts[name]:
            del variants[name]  # all its rows are those of a change
        untouched = _untouched(name, tables, {variant.change for variant in variants.values()})
        spared = all(claim.spares(table.cells) for table in tables if name in table.names and claim.trials == table.kind)
        of_all = (untouched, bool(claim.breaks) and spared)
        for id, variant in variants.items():
            why = "" if verdicts[id] else _why_untested(claim, tables)
            findings.append(Finding(variant, verdicts[id], why, *(of_all if id == name else ())))
    return findings


class TableQuestion(NamedTuple):
    """A question of a claim, or of the claim with one constant changed, to a table. random: whether chance matters to it."""

    variant: Claim
    experiment: str
    question: Question
    random: bool


def _asked(claim: Claim, tables: Iterable[Evidence]) -> list[TableQuestion]:
    """All that a claim asks of tables."""
    with blaming(claim.id):
        return [
            TableQuestion(variant, table.experiment, question, question.random)
            for table in tables
            if claim.id in table.names and claim.trials == table.kind
            for variant, part in claim.variants(table.cells)
            for question in variant.questions(part)
        ]


def _judged(name: str, questions: Iterable[TableQuestion], share: float) -> dict[str, list[tuple[str | None, Verdict]]]:
    """The verdicts of a claim, and of its variants, on tables."""
    verdicts: dict[str, list[tuple[str | None, Verdict]]] = {}
    for variant, place, question, _ in questions:
        with blaming(name):
            verdicts.setdefault(variant.id, []).append((place, variant.decide(question, share)))
    return verdicts


def _untouched(name: str, tables: Iterable[Evidence], judged: Container[ConstantValues]) -> tuple[ConstantValues, ...]:
    """The changes that rows of the claim's tables have and that make it no other claim."""
    changes = dict.fromkeys(change for table in tables if name in table.names for change in changes_in(table.cells.heads))
    return tuple(change for change in changes if change not in judged)


def _why_untested(claim: Claim, tables: Iterable[Evidence]) -> str:
    """What keeps every table from testing a claim."""
    asking = [table for table in tables if claim.id in table.names]
    if not asking:
        return "no experiment asks for it"
    right = [table for table in asking if table.kind == claim.trials]
    if not right:
        return of_other_kind(claim, asking[0].kind)
    return claim.unmet(first for table in right for first in table.cells.firsts) or claim.decider.lacking


def of_other_kind(claim: Claim, kind: str) -> str:
    """The reason, in words, why trials of a kind say nothing of a claim."""
    return f"trials are of kind {kind} and {claim.id} is about trials of kind {claim.trials}"
