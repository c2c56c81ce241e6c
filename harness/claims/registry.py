"""All claims, of this room and of users' files."""

from collections.abc import Mapping
from functools import cache

from harness.claims.engine.claim import Claim
from harness.registry import PartError, nearest, parts, place
from harness.trials import kinds


def claims() -> Mapping[str, Claim]:
    """Every claim by id. Raises PartError where one reads trials of a kind, or has a repair, that there is not."""
    _refuse_unknown(tuple(parts("claim")))
    return parts("claim")


@cache
def _refuse_unknown(names: tuple[str, ...]) -> None:
    for name, claim in ((name, parts("claim")[name]) for name in names):
        if claim.trials and claim.trials not in kinds():
            known = nearest(claim.trials, list(kinds()))
            raise PartError(f"{place('claim', name)}: the claim {name} reads trials of kind {claim.trials!r}; {known}")
        if claim.repair and claim.repair not in parts("claim"):
            known = nearest(claim.repair, list(parts("claim")))
            raise PartError(f"{place('claim', name)}: the repair of {name} is {claim.repair!r}; {known}")
