"""The first screen of the page: does it hold and how loose is it, what is wrong in the papers, and what should one use.

It is read without the papers at hand. Each answer is a short list that leads to the whole of it further down.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.claims.btt18.t3_2 import FAILS
from harness.claims.engine import Severity
from harness.report.calculators import plan
from harness.report.errata import TITLED, Errata, ErratumFound
from harness.report.findings import answer_to
from harness.report.numerals import number
from harness.report.siblings import limits
from harness.report.stored import Stored
from harness.report.style import style
from harness.report.verdicts import Finding

MAIN = "misclassification_vs_n"
"""The experiment that is about the main theorem."""
MAIN_THEOREM = "BTT18:T3.2"
EXAMPLES = (10**6, 10**8, 10**10)
QUERIES = (100, 1000, 10**6)
THEOREM = re.compile(r"[^:]+:T\d+(\.\d+)?")


@dataclass(frozen=True)
class Theorem:
    """The finding on a printed theorem. slack: as text. why: the reason if refuted. fails: ids of claims that limit it."""

    finding: Finding
    slack: str
    why: str
    fails: Sequence[str]


@dataclass(frozen=True)
class Cause:
    """The errata of one severity. count: how many; named: these errata, of severities that the report lists singly."""

    severity: Severity
    count: int
    named: Sequence[ErratumFound]


@dataclass(frozen=True)
class BestByQueries:
    """The private mechanism with the least bound at n examples, for each number of queries, with that bound."""

    n: str
    best: Sequence[str]


@dataclass(frozen=True)
class FirstScreen:
    """All that the report's first screen says. main: the main theorem's finding; empty where its table is not there."""

    main: str
    theorems: Sequence[Theorem]
    causes: Sequence[Cause]
    queries: Sequence[str]
    advice: Sequence[BestByQueries]


def answers(stored: Mapping[str, Stored], findings: Sequence[Finding], wrong: Errata) -> FirstScreen:
    """The first screen of the report, from the tables, the verdicts and the calculator. stored: by experiment."""
    main = answer_to(stored[MAIN]) if MAIN in stored else None
    return FirstScreen(
        f"{main} {_small_beta()}" if main else "",
        list(_theorems(findings)),
        [Cause(severity, len(those), those if severity in TITLED else ()) for severity, those in wrong.by_severity.items()],
        [number(m) for m in QUERIES],
        _advice(),
    )


def _small_beta() -> str:
    """From where on the main theorem fails, by how T is read."""
    ceiling, at_least_one, real = (number(float(f"{FAILS[reading]:.1e}")) for reading in ("ceiling", "at-least-one", "real"))
    small = f"from {ceiling} down where its cutoff T is rounded up, from {at_least_one} where T is at least 1"
    return f"At small β, the chance with which it may fail, it does on split votes: {small}, from {real} where T is real."


def _theorems(findings: Sequence[Finding]) -> Iterator[Theorem]:
    """The printed theorems by themselves, of which something was seen."""
    for finding in findings:
        claim = finding.claim
        if claim.nature == "printed" and THEOREM.fullmatch(claim.id) and finding.outcome not in ("untested", "vacuous"):
            limiting = limits(finding, findings) if finding.outcome == "holds" else ()
            why = claim.why.partition(". ")[0] if finding.outcome == "refuted" else ""
            yield Theorem(finding, finding.sizes.words[-1], why, [each.claim.id for each in limiting])


def _advice() -> list[BestByQueries]:
    """What `harness plan` says."""
    return [BestByQueries(number(n), [_best(n, m) for m in QUERIES]) for n in EXAMPLES]


def _best(n: int, m: int) -> str:
    calculation = plan(n=n, m=m)
    bound = calculation.plans[calculation.wins].bound if calculation.wins else None
    if calculation.wins is None or bound is None:
        return "none promises anything"
    return f"{style(calculation.wins).legend}: at most {number(float(f'{bound:.2g}'))} wrong"
