"""All claims, of this room and of users' files."""

from collections.abc import Mapping
from functools import cache

from harness.claims.engine.claim import Claim
from harness.registry import PartError, nearest, parts, place
from harness.trials import kinds


def claims() -> Mapping[str, Claim]:
    """Every claim by id. Raises PartError where one reads trials of a kind that there is not."""
    _refuse_unknown_kinds(tuple(parts("claim")))
    return parts("claim")


@cache
def _refuse_unknown_kinds(names: tuple[str, ...]) -> None:
    for name, claim in ((name, parts("claim")[name]) for name in names):
        if claim.trials and claim.trials not in kinds():
            known = nearest(claim.trials, list(kinds()))
            raise PartError(f"{place('claim', name)}: the claim {name} reads trials of kind {claim.trials!r}; {known}")
