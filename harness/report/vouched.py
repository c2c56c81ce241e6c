"""Whose word is what a mechanism is said to spend: what its author declares is never shown as what an accountant certifies."""

from collections.abc import Collection, Iterator

import pandas as pd

from harness.mechanisms.accounts import named, spent_by
from harness.report.overspent import MARK, NEEDED, overspent
from harness.report.seen import beside

DECLARED = "ε as declared"
"""The mark of such a mechanism in a legend."""


def declared(rows: pd.DataFrame, when_made: Collection[str] = ()) -> dict[str, str]:
    """A sentence, by name, on each mechanism of a table whose ε′ its author alone vouches for.

    when_made: those of which the table's provenance says so. One that nobody here knows is a plugin's that is not loaded.
    """

    def is_declared(name: str) -> bool:
        return name in when_made or named(name) is None or spent_by(name) == "declared"

    return {name: declaration(name, *_range(own)) for name, own in _spending(rows) if is_declared(name)}


def declaration(name: str, least: float, most: float) -> str:
    """A sentence on a mechanism: its ε′, from least to most, is declared by its author, and no accountant has certified it."""
    much = f"{most:.3g}" if least == most else f"{least:.3g} to {most:.3g}"
    return f"{name}: ε′ = {much} is declared by its author; no accountant has certified it"


def marks(rows: pd.DataFrame) -> dict[str, str]:
    """Words for a legend, by mechanism: that it spends more than ε, or that its ε′ is its author's word.
    With that goes what audits have seen. A name alone is of a mechanism that is certified, or that promises no privacy.
    """
    by_mechanism = {name: [MARK] for name in overspent(rows)}
    for name in declared(rows):
        by_mechanism.setdefault(name, []).extend(filter(None, (DECLARED, beside(name))))
    return {name: ", ".join(words) for name, words in by_mechanism.items()}


def privacy_told(rows: pd.DataFrame, when_made: Collection[str] = ()) -> list[str]:
    """Lines on all that is to be said of what the mechanisms of a table spend; when_made: as `declared` has it."""
    return [*overspent(rows).values(), *declared(rows, when_made).values()]


def spending(rows: pd.DataFrame) -> list[str]:
    """The names of a table's mechanisms of which an ε′ is said, in the order of the alphabet."""
    there = all(name in rows for name in NEEDED)
    return sorted(map(str, rows["mechanism"][rows["spent"].notna()].unique())) if there else []


def _spending(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each mechanism that have an ε′."""
    if any(name not in rows for name in NEEDED):
        return
    named = rows[[*NEEDED]]
    for name, of_mechanism in named[named["spent"].notna()].groupby("mechanism", sort=False):
        yield str(name), of_mechanism


def _range(rows: pd.DataFrame) -> tuple[float, float]:
    return float(rows["spent"].min()), float(rows["spent"].max())
