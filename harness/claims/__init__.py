"""The registry of claims: one file a theorem, named after its source and number, with the repaired statement beside it."""

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from harness.claims.claim import Claim
from harness.registry import parts


def claims() -> Mapping[str, Claim]:
    """Every claim by id."""
    return parts("claim")


LOOK_ERROR = 1e-6


def decided(frame: pd.DataFrame, names: Iterable[str]) -> bool:
    """Whether every claim is decided on all its questions to the rows, each at LOOK_ERROR.

    That is less than the share of the error that a later check of up to a thousand such questions leaves to each.
    """
    return all(all(_decisions(frame, name)) for name in names)


def decided_so_far(frame: pd.DataFrame, names: Iterable[str]) -> int:
    """How many of the claims have questions to the rows, with all of them decided at LOOK_ERROR."""
    found = [list(_decisions(frame, name)) for name in names]
    return sum(bool(decisions) and all(decisions) for decisions in found)


def _decisions(frame: pd.DataFrame, name: str) -> Iterator[bool]:
    """Of each question of a claim whether it is decided; one that nothing random decides always is."""
    claim = claims()[name]
    for rows in claim.questions(frame):
        yield claim.undecidable(rows) or claim.decide(rows, LOOK_ERROR).outcome != "undecided"
