"""The registry of claims: one file a claim, named after its source and number."""

from functools import cache

from harness.registry import parts
from harness.theory.claims.claim import Claim


@cache
def claims() -> dict[str, Claim]:
    """Every claim by id."""
    return parts("harness.theory.claims", "CLAIM", key="id")
