"""A theory-validation harness for model-agnostic private learning.

Data goes one way through the rooms of this package: a spec (`sweep`) becomes cells, cells become trials (`trials`, which
run `mechanisms` on the votes of `concepts`), trials become a table (`sweep`), and the table becomes verdicts
(`claims`) and figures (`report`). A module imports only from rooms before its own on that way.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import sources

if TYPE_CHECKING:
    from harness.api import Calculation, Checked, Measured, check, plan, plan_release, plan_scores, read, run
    from harness.sweep.errors import CannotRunError, InputError

__version__ = "0.1.0"

__all__ = [
    "Calculation",
    "CannotRunError",
    "Checked",
    "InputError",
    "Measured",
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
