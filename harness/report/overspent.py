"""Which mechanisms spend more than the ε that they are asked for, by the exact accounting of their own noise.

Such a mechanism is not (ε, δ)-DP as far as anybody knows. It may be run and looked at, but what it answers is no rival for what
others answer within their ε: wherever it is shown it is marked, and it never wins.
"""

import numpy as np
import pandas as pd

from harness.registry import parts
from harness.theory.plan import CERTIFIED

NEEDED = ("mechanism", "eps", "spent")
MARK = "spends more than ε"


def over(rows: pd.DataFrame) -> "pd.Series[bool]":
    """For each row whether its mechanism, one that is to be private, is not certified to keep to ε; never without an ε."""
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
