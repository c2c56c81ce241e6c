"""Numbers in specs and on the command line, and the identity of what they make up."""

import json
from decimal import Decimal, InvalidOperation
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field


def exact_number(value: Any) -> Any:
    """Numbers as people write them: 1e12 is text to YAML, and an exact integer here. Anything else is left to the model."""
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    if not isinstance(value, str | float):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError(f"a number is needed, not {value!r}") from None
    whole = number.is_finite() and abs(number) < 10**18 and number == int(number)
    return int(number) if whole else float(number)


Whole = Annotated[int, BeforeValidator(exact_number)]
Real = Annotated[float, BeforeValidator(exact_number)]
Positive = Annotated[Real, Field(gt=0, allow_inf_nan=False)]
Probability = Annotated[Real, Field(gt=0, lt=1)]


class Identified(BaseModel, frozen=True, extra="forbid"):
    """A cell of some kind: frozen parameters that name their own random numbers.

    The identity is a SHA-256 of the parameters that differ from their defaults, so neither the order of a sweep, nor what else
    is swept, nor a parameter that is added to the model later has a say in any random number.
    """

    @cached_property
    def identity(self) -> str:
        """16 hex digits."""
        return sha256(json.dumps(self.named(), sort_keys=True).encode()).hexdigest()[:16]

    def named(self) -> dict[str, Any]:
        """What is hashed: the kind of cell and its parameters, as JSON has them."""
        return {"kind": type(self).__name__} | self.model_dump(mode="json", exclude_defaults=True)
