"""The registry of claims: one file a theorem, named after its source and number, with the repaired statement beside it."""

from collections.abc import Iterable
from functools import cache

import pandas as pd

from harness.registry import parts
from harness.theory.claims.claim import Claim


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id."""
    return parts("harness.theory.claims", "CLAIMS", key="id")


LOOK_ERROR = 1e-6


def decided(frame: pd.DataFrame, names: Iterable[str]) -> bool:
    """Whether every claim is decided on all its questions to the rows, each at LOOK_ERROR.

    That is less than the share of the error that a later check of up to a thousand such questions leaves to each.
    """
    return all(
        claim.decide(rows, LOOK_ERROR).outcome != "undecided"
        for claim in (claims()[name] for name in names)
        for rows in claim.questions(frame)
        if not claim.undecidable(rows)
    )
