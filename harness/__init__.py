"""A theory-validation harness for model-agnostic private learning.

Data goes one way through the rooms of this package: a spec (`sweep`) becomes cells, cells become trials (`trials`, which
run `mechanisms` on the votes of `concepts`), trials become a table (`sweep`), and the table becomes verdicts
(`claims`) and figures (`report`). A module imports only from rooms before its own on that way.
"""

from pathlib import Path

from harness import sources

__version__ = "0.1.0"

sources.pin(Path(__file__).parent)
