"""Every claim of a table, judged cell by cell, with one error for the whole."""

from collections.abc import Iterable

import pandas as pd

from harness.theory.claims import claims
from harness.theory.claims.claim import Claim, Verdict, decide, vacuous

FAMILYWISE_ERROR = 1e-3


def judge(tables: Iterable[tuple[pd.DataFrame, Iterable[str]]], error: float = FAMILYWISE_ERROR) -> list[list[Verdict]]:
    """Verdicts for each table on the claims named with it, in the order of its rows.

    The chance that any one of all these verdicts is false is at most `error`: it is split evenly over every claim and cell that
    can be decided. Cells whose guarantee is vacuous are reported and take no share.
    """
    questions = [list(_questions(frame, names)) for frame, names in tables]
    decidable = sum(not vacuous(rows) for table in questions for _, rows in table)
    share = error / max(1, decidable)
    return [[decide(claim, rows, share) for claim, rows in table] for table in questions]


def _questions(frame: pd.DataFrame, names: Iterable[str]) -> Iterable[tuple[Claim, pd.DataFrame]]:
    for name in names:
        claim = claims()[name]
        for _, rows in frame.groupby(["cell", "mechanism"], sort=False):
            if claim.applies(rows):
                yield claim, rows
