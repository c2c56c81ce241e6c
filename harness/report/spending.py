"""What mechanisms are said to spend, by whose word, and which of them spend more than the ε that they are asked for.

By the exact accounting of its own noise a mechanism that spends more is not (ε, δ)-DP as far as anybody knows. It may be run
and looked at, but what it answers is no rival for what others answer within their ε: wherever it is shown it is marked, and it
never wins. What a mechanism's author declares is never shown as what an accountant certifies.
"""

from collections.abc import Collection, Iterator

import numpy as np
import pandas as pd

from harness.mechanisms.accounts import named, spent_by
from harness.registry import parts
from harness.report.seen import beside
from harness.theory.plan import CERTIFIED

NEEDED = ("mechanism", "eps", "spent")
MARK = "spends more than ε"
DECLARED = "ε as declared"
"""The marks of such mechanisms in a legend."""


def over(rows: pd.DataFrame) -> "pd.Series[bool]":
    """For each row whether a private mechanism is not certified to keep to the cell's ε, (rows,); False without an ε."""
    if any(name not in rows for name in NEEDED):
        return pd.Series(False, index=rows.index)
    mechanisms = {**parts("mechanism"), **parts("online mechanism")}
    private = rows["mechanism"].isin([name for name, mechanism in mechanisms.items() if mechanism.private])
    spent = pd.Series(rows["spent"].to_numpy(float, na_value=np.inf), index=rows.index)
    return private & (spent > rows["eps"].astype(float) * (1 + CERTIFIED))


def overspent(rows: pd.DataFrame) -> dict[str, str]:
    """A sentence, by name, on each mechanism of a table that is not certified to keep to ε."""
    beyond = rows[over(rows)]
    beyond_by = {}
    for name, of_mechanism in beyond.groupby("mechanism", sort=False):
        cells = of_mechanism["cell"].nunique()
        where = f"in {cells} of {rows.loc[rows['mechanism'] == name, 'cell'].nunique()} cells"
        worst = of_mechanism.iloc[
            int((of_mechanism["spent"].to_numpy(float, na_value=np.inf) / of_mechanism["eps"].to_numpy(float)).argmax())
        ]
        much = "nothing is certified of it" if pd.isna(worst["spent"]) else f"ε′ = {worst['spent']:.3g} at ε = {worst['eps']:g}"
        beyond_by[str(name)] = f"{name} {MARK} {where}: {much}"
    return beyond_by


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
    """Sentences on those mechanisms of a table that are not certified to keep to ε, or whose ε′ their author alone vouches for.

    when_made: as `declared` has it.
    """
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
