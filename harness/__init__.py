"""A theory-validation harness for model-agnostic private learning.

Data goes one way through the rooms of this package: a spec (`sweep`) becomes cells, cells become trials (`trials`, which
run `mechanisms` on the votes of `concepts`), trials become a table (`sweep`), and the table becomes verdicts
(`claims`) and figures (`report`). A module imports only from rooms before its own in this list:

- `theory`: the constants (one file a paper), PAC bounds, fixed points, exact privacy, confidence
- `ballots`: what mechanisms answer, types of queries with their votes
- `concepts`: concept classes, each with its distributions, learners and exact samplers of the votes
- `mechanisms`: a file a mechanism, with its noise and its privacy
- `transfer`: what makes a classifier of private answers and public points, one file a construction
- `audits`: from runs on neighbours to a lower end for the ε that a mechanism spends
- `trials`: one trial is a pure function of (cell, seed, index); one file a kind of trial
- `sweep`: spec → cells → batches, in the process or on Ray → table
- `claims`: what a claim is (`engine`), and a folder a paper: BTT18a:C4.1 is in `claims/btt18a/c4.py`
- `report`: tables → verdicts and figures
- `starters`: what `harness new` writes
- `accountant`: what sparse vector, GNMax and their compositions spend, for programs that run no experiment
- `docs`: the pages, written and made from the code

A new class, distribution, learner, mechanism, set of constants, private learner, kind of trial, plot or claim is one new file
in its room, in a folder of it, or a user's: nothing else changes.

The words of the package; `harness docs` has them all, with the symbols:

- answer: what a mechanism says of a query: a label, a score, or ⊥.
- axis: a key of a spec whose values are swept over, such as `n`.
- ballot: what a mechanism sees: the types of queries with their votes, and how many queries are of each.
- batch: trials of one cell that run in one go, of less than a second by what they were seen to cost. Rows do not depend on it.
- block: some trials of a cell that are drawn together. The unit of random streams. What can only be drawn by itself, as
  where a query depends on an answer, is a block of one.
- bound: what a claim allows for what was measured.
- cell: one setting: a value for every axis.
- chunk: the part of the private examples that one classifier is trained on.
- claim: a statement with an id, such as `BTT18:T3.2`, that rows or numbers decide.
- class (concept class): a set of functions from points to labels, such as thresholds, with what draws and learns them.
- column: a name, type, symbol, unit and meaning: declared once, by the kind that fills it.
- constants: a set of factors, such as `BTT18`, that formulas are evaluated at; a change is one factor with another value.
- cover: a finite list of functions such that each function of the class is near one of them.
- erratum: a place where a text does not hold as printed, with a counterexample and what holds instead.
- event: what must keep within its limits in a trial. From it follow what failed, what was measured, and the bound.
- evidence: a table with the claims that are judged on it.
- finding: a claim's verdicts on all evidence, and what they amount to.
- fingerprint: a hash of what makes a table: the code, the spec's settings and the seed.
- fixed point: the smallest T at which T, α and k agree with each other, which is what `harness plan` solves for.
- holds: the verdict that a failure is no likelier than claimed.
- identity: a claim that is true by counting. Only a fault of the program can break it.
- instance: a distribution with a target: what the examples are drawn from.
- kind: what a trial is: `answers` to queries is one, exact `privacy` another.
- learner: what turns a chunk into a classifier. `leftmost` is the smallest threshold that fits, `midpoint` the one in the
  middle.
- margin (gap): by how many votes the winner leads the next label.
- mechanism: what turns votes, predictions or data into answers, private or not.
- nature: whose words a claim is: printed, step, reading, repair, ours, probe.
- neighbours: two data sets that differ in one example, which is replaced. Where each example has a fixed chunk, adding or
  removing one is covered too.
- part: a mechanism, class, kind, claim or the like, found in the file that defines it.
- plan: all numbers of a mechanism in a cell, before anything is drawn: k, s, its noise, the ε that it spends.
- plugin: a file of yours with parts, given to any command by `--plugin`, or a module that was installed as one.
- probe: a claim that is false on purpose, to show that the check sees it.
- query: what is asked of private data: the label of a public point, or an average.
- question: rows of a table that get one verdict from a claim.
- refuted: the verdict that a failure is likelier than claimed, or that there is a counterexample.
- release: the averages of all functions of a class at once.
- room: a folder of the package. A module imports from its own room and from those before it.
- slack: the bound over what was measured.
- spec: a file with a question: axes, mechanisms, claims and a figure.
- stands: the smallest bound with which a claim would still hold on the same rows.
- table: a Parquet file with a row for each trial and mechanism, and with what made it.
- trial: one run of a mechanism in a cell. A row of the table.
- type of query: queries of one point and one truth, which no mechanism tells apart; or a query alone, where each is drawn by
  itself.
- vacuous: the bound allows everything.
- verdict: what rows say of a claim in one setting: holds, refuted, undecided, vacuous or untested.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import sources

if TYPE_CHECKING:
    from harness.api import (
        Advice,
        Audited,
        Calculation,
        Checked,
        Measured,
        advise,
        advise_classifier,
        advise_release,
        audit,
        check,
        plan,
        plan_release,
        plan_scores,
        read,
        run,
    )
    from harness.sweep.errors import CannotRunError, InputError

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Audited",
    "Calculation",
    "CannotRunError",
    "Checked",
    "InputError",
    "Measured",
    "advise",
    "advise_classifier",
    "advise_release",
    "audit",
    "check",
    "plan",
    "plan_release",
    "plan_scores",
    "read",
    "run",
]

sources.pin(Path(__file__).parent)


def __getattr__(name: str) -> Any:
    """What is offered from Python is loaded when it is first used: workers have none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.api"), name)


def __dir__() -> list[str]:
    """What there is is known before it is loaded; what this module needs for itself is none of it."""
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
