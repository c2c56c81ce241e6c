"""Numbers in specs and on the command line, and the identity of what they make up."""

import json
from decimal import Decimal, InvalidOperation
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from harness.registry import nearest


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
LEAST = 1e-100  # far below any use, and far enough above zero that no formula overflows
Positive = Annotated[Real, Field(ge=LEAST, allow_inf_nan=False)]
Probability = Annotated[Real, Field(ge=LEAST, lt=1)]


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


def refuse_unknown(key: Any, model: type[BaseModel]) -> None:
    """To be called in a validator: raise an error at the key, with the nearest name, unless it is a field of the model."""
    if key not in model.model_fields:
        raise complaint(str(key), f"unknown key; {nearest(str(key), list(model.model_fields))}")


def complaint(key: str, message: str) -> ValidationError:
    """An error about one key of the mapping that is being validated."""
    kind = PydanticCustomError("value_error", "{message}", {"message": message})
    return ValidationError.from_exception_data("", [InitErrorDetails(type=kind, loc=(key,), input=key)])


def one_of(what: str, name: str, known: list[str]) -> str:
    """To be called in a validator: the name, or an error with the nearest and all that are known."""
    if name not in known:
        raise ValueError(f"no {what} {name!r}; {nearest(name, known)}")
    return name
