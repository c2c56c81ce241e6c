"""All claims and errata, of this room and of users' files."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from harness.claims.engine.claim import Claim
from harness.claims.engine.erratum import Erratum
from harness.registry import PartError, nearest, parts, place
from harness.trials import kinds


def claims() -> Mapping[str, Claim]:
    """All claims by id. Raises PartError for one that reads trials of an unknown kind, or belongs to an unknown claim."""
    _refuse_unknown(tuple(parts("claim")))
    return parts("claim")


def errata() -> Mapping[str, Erratum]:
    """Every erratum by id. Raises PartError where one names a claim that there is not."""
    _refuse_unknown_in_errata(tuple(parts("erratum")), tuple(claims()))
    return parts("erratum")


@cache
def _refuse_unknown(names: tuple[str, ...]) -> None:
    for name, claim in ((name, parts("claim")[name]) for name in names):
        if claim.trials and claim.trials not in kinds():
            hint = nearest(claim.trials, list(kinds()))
            raise PartError(f"{place('claim', name)}: the claim {name} reads trials of kind {claim.trials!r}; {hint}")
        if claim.of and claim.of not in parts("claim"):
            hint = nearest(claim.of, list(parts("claim")))
            raise PartError(f"{place('claim', name)}: {name} is a {claim.nature} of {claim.of!r}; {hint}")
        if name in _chain(name):
            raise PartError(f"{place('claim', name)}: {name} belongs to itself, by way of {claim.of}")


def _chain(name: str) -> Iterator[str]:
    """The claims that one belongs to, until one comes again."""
    registered: Mapping[str, Any] = parts("claim")
    seen: set[str] = set()
    while (name := registered[name].of) in registered and name not in seen:
        seen.add(name)
        yield name


@cache
def _refuse_unknown_in_errata(names: tuple[str, ...], ids: tuple[str, ...]) -> None:
    for name, erratum in ((name, parts("erratum")[name]) for name in names):
        for id in (*erratum.claims, *erratum.repairs):
            if id not in ids:
                raise PartError(f"{place('erratum', name)}: the erratum {name} names {id!r}; {nearest(id, ids)}")
