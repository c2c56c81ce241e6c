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
- `claims`: what a claim is (`engine`), and a folder a paper: BTT18a:C4.1 is in `claims/btt18a/c4_1.py`
- `report`: tables → verdicts and figures
- `starters`: what `harness new` writes
- `accountant`: what sparse vector, GNMax and their compositions spend, for programs that run no experiment
- `docs`: the pages, written and made from the code

A new class, distribution, learner, mechanism, set of constants, private learner, kind of trial, plot or claim is one new file
in its room, in a folder of it, or a user's: nothing else changes.
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
