"""All claims, of this room and of users' files."""

from collections.abc import Mapping

from harness.claims.engine.claim import Claim
from harness.registry import parts


def claims() -> Mapping[str, Claim]:
    """Every claim by id."""
    return parts("claim")
