"""Numbers in specs and on the command line, and the identity of what they make up."""

import json
import re
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal, InvalidOperation
from functools import cached_property, wraps
from hashlib import sha256
from math import inf, isfinite
from reprlib import Repr
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

from harness.registry import nearest

_brief = Repr()
_brief.maxstring = 80


def shown(value: Any) -> str:
    """A value as text for messages: not all of it where it is long."""
    return "null" if value is None else _brief.repr(value)


NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*(_[0-9]+)*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?(inf|infinity|nan)", re.I)
MOST_DIGITS = 400  # of a number: no float has more digits before its point
NOT_FINITE = "not_finite"
"""The type of error, as pydantic names them, of a number that is infinite, or larger than a computer reckons with."""


def exact_number(value: Any) -> Any:
    """The exact number that a value stands for, such as 1e12, which is text to YAML. Anything else is left to the model.

    Raises ValueError on text that is no number in decimal digits, on numbers that are not finite and on those as good as that.
    The time it takes does not grow with a number's size.
    """
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    if not isinstance(value, str | float | int):
        return value
    real = _real(value)
    if not isfinite(real):
        raise PydanticCustomError(NOT_FINITE, "a finite number is needed, not {value}", {"value": shown(value)})
    if isinstance(value, int):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:  # an exponent of twenty digits
        return real
    whole = not number or (number.adjusted() < 18 and number == number.to_integral_value())
    return int(number) if whole else real


def whole_number(value: Any) -> Any:
    """The whole number that a value stands for, exact however large, where a whole one is meant."""
    number = exact_number(value)
    if isinstance(number, float) and abs(number) >= 10**17:
        exact = Decimal(value)
        if exact != exact.to_integral_value():
            raise PydanticKnownError("int_from_float")
        return int(exact)
    return number


def _real(value: str | float) -> float:
    """The nearest float; infinite where there is none. Raises ValueError on text that is no number."""
    if isinstance(value, str) and len(value) > MOST_DIGITS:
        raise ValueError(f"a number is needed, not {len(value):,} characters; allowed: at most {MOST_DIGITS}")
    if isinstance(value, str) and not NUMBER.fullmatch(value):
        plain = " in plain digits, such as 1000, 0.05 or 1e12," if re.match(r"[-+]?\.?\d", value) else ""
        raise ValueError(f"a number{plain} is needed, not {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        return inf


ALSO_CALLED = {
    "n": "n_samples samples num_samples sample_size examples n_examples dataset_size records",
    "m": "queries n_queries num_queries number_of_queries",
    "V": "vc vcdim vc_dim vc_dimension dimension",
    "alpha": "α excess_error excess_risk accuracy target_error",
    "T": "cutoff cut_off unstable_cutoff",
    "k": "chunks n_chunks teachers",
    "k_scale": "scale k_factor",
    "eps": "epsilon ε privacy privacy_budget",
    "delta": "δ",
    "beta": "β failure failure_probability confidence",
    "gamma": "γ noise noise_rate label_noise agnostic",
    "concept": "concept_class class hypothesis hypothesis_class hypotheses concepts",
    "distribution": "data data_distribution marginal instance",
    "learner": "algorithm estimator classifier model base_learner",
    "constants": "constant bounds",
    "sampling": "sampler sample",
    "runs": "n_runs",
    "seed": "random_state random_seed rng",
    "trials": "repetitions repeats reps n_trials num_trials replications",
    "mechanisms": "methods algorithms baselines",
    "claims": "theorems statements",
    "figure": "plot plots",
    "zip": "zipped together",
    "exclude": "excluded excluding skip except without",
    "geom": "geomspace geometric logspace log_space loguniform linspace range",
}
"""What else people call the axes of a cell and the keys of a spec, so that whoever says it is told their names here."""


def nearest_key(name: Any, allowed: Iterable[str]) -> str:
    """A clause for an error message: the allowed axis or key that is nearest to a name, as `nearest` says it."""
    also = {word: key for key, words in ALSO_CALLED.items() for word in words.split()}
    return nearest(str(name).replace("-", "_"), list(allowed), also)


Whole = Annotated[int, BeforeValidator(whole_number)]
Real = Annotated[float, BeforeValidator(exact_number)]
LEAST, MOST = 1e-100, 1e100  # far from any use, and far enough from zero and from the largest float that no formula overflows
Positive = Annotated[Real, Field(ge=LEAST, le=MOST)]
Probability = Annotated[Real, Field(ge=LEAST, lt=1)]


def _no_trace(share: float) -> float:
    if 0 < share < LEAST:
        raise ValueError(f"0, or a number of at least {LEAST:g}, is needed, not {shown(share)}")
    return share


Share = Annotated[Real, Field(ge=0, lt=1), AfterValidator(_no_trace)]


class Identified(BaseModel, frozen=True, extra="forbid"):
    """A cell of some kind of trial: frozen parameters that name the cell's own random numbers.

    hashed_as: what the identity knows the model by, which stays when the class is called something else. spreads: axes whose
    values are mappings that may have lists in them.

    The identity is a SHA-256 of the parameters that differ from their defaults, so neither the order of a sweep, nor what else
    is swept, nor a parameter that is added to the model later has a say in any random number.
    """

    hashed_as: ClassVar[str]
    spreads: ClassVar[frozenset[str]] = frozenset()

    @cached_property
    def identity(self) -> str:
        """The cell's identity: 16 hex digits."""
        return sha256(json.dumps(self.named(), sort_keys=True).encode()).hexdigest()[:16]

    @cached_property
    def derived(self) -> dict[Hashable, Any]:
        """The values that functions made by `kept` have derived from the cell."""
        return {}

    @property
    def described(self) -> dict[str, Any]:
        """The columns of rows whose names are no fields and no properties, or that hold something else than these."""
        return {}

    def meant_by(self, axis: str) -> Any:
        """The value that a cell has for an axis, as it was meant."""
        return getattr(self, axis)

    def bare(self) -> "Identified":
        """The cell without what it has derived from its parameters, which need not be anything that can be pickled."""
        return type(self).model_construct(
            _fields_set=self.model_fields_set, **{name: getattr(self, name) for name in type(self).model_fields}
        )

    def named(self) -> dict[str, Any]:
        """The parameters as JSON that the identity is a hash of, with what the model is known by."""
        return {"kind": self.hashed_as} | self.model_dump(mode="json", exclude_defaults=True)


CellOf = TypeVar("CellOf", bound=Identified)
Named = TypeVar("Named", bound=Hashable)
Derived = TypeVar("Derived")


def kept(derive: Callable[[CellOf, Named], Derived]) -> Callable[[CellOf, Named], Derived]:
    """Makes a function of a cell and a name or number remember what it derives: once a cell, and kept with the cell."""

    @wraps(derive)
    def remembered(cell: CellOf, name: Named) -> Derived:
        key = derive, name
        if key not in cell.derived:
            cell.derived[key] = derive(cell, name)
        there: Derived = cell.derived[key]
        return there

    return remembered


def refuse_unknown(key: Any, model: type[BaseModel]) -> None:
    """Raises an error at a key, with the nearest name, unless the key is a field of the model. To be called in a validator."""
    if key not in model.model_fields:
        raise complaint(str(key), f"unknown key; {nearest_key(key, model.model_fields)}")


def complaint(key: str, message: str) -> ValidationError:
    """A validation error about one key of the mapping that is being validated."""
    kind = PydanticCustomError("value_error", "{message}", {"message": message})
    return ValidationError.from_exception_data("", [InitErrorDetails(type=kind, loc=(key,), input=key)])


def number_at(key: str, value: Any) -> Any:
    """The exact number at a key of the mapping that is being validated; raises an error about the key."""
    try:
        return exact_number(value)
    except ValueError as error:
        raise complaint(key, str(error)) from None


def one_of(what: str, name: str, allowed: list[str]) -> str:
    """The name, if it is among those allowed; else raises an error with the nearest and all allowed.
    To be called in a validator.
    """
    if name not in allowed:
        raise ValueError(f"no {what} {shown(name)}; {nearest(name, allowed)}")
    return name
