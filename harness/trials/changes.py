"""A set of constants as a spec gives it: its name, or `{from: BTT18, c_k: 10}`, which comes to a name too."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from pydantic import BeforeValidator
from pydantic_core import PydanticKnownError

from harness.mechanisms.answering import mechanisms
from harness.registry import nearest
from harness.theory.factors import Changeable, Factor, factors_in, split, with_changes
from harness.trials.fields import complaint, exact_number, one_of, shown

FROM = "from"
AS_PRINTED = "printed"


def own_factors() -> tuple[Factor, ...]:
    """The constants in formulas of mechanisms that are in no set of constants: every set may change them too."""
    return factors_in(formula for mechanism in mechanisms().values() for formula in mechanism.formulas)


def constants_of(
    sets: Callable[[], Mapping[str, Changeable]], also: Callable[[], Sequence[Factor]] = tuple, what: str = "constants"
) -> BeforeValidator:
    """A check, for a field of a cell, that it names one of these sets of constants, or one with changes.

    also: constants that are in none. what: its name.
    """
    return BeforeValidator(lambda entry: named_set(what, entry, sets(), also()))


def named_set(what: str, value: Any, sets: Mapping[str, Changeable], also: Sequence[Factor] = ()) -> str:
    """Validates a spec's set of constants: returns its name, with any changes. To be called in a validator.
    also: constants that are in no set.

    Changes stand in it in the order of the formulas, and those that change nothing do not. Raises what validators raise.
    """
    if not isinstance(value, str | dict):
        raise PydanticKnownError("string_type")
    entry = dict(value) if isinstance(value, dict) else {FROM: value}
    if FROM not in entry:
        raise complaint(FROM, f"this key is required; allowed: {', '.join(sets)}")
    base, already = split(str(entry.pop(FROM)))
    one_of(what, base, list(sets))
    entry = already | entry
    if not entry:
        return base
    factors = {factor.name: factor for factor in (*sets[base].factors, *also)}
    factors |= {factor.name: factor for factor in sets[base].factors}
    wanted = {name: _value(name, item, factors, base) for name, item in entry.items()}
    values = sets[base].values
    return with_changes(
        base, {name: wanted[name] for name in factors if name in wanted and wanted[name] != values[factors[name]]}
    )


def _value(name: str, entry: Any, factors: Mapping[str, Factor], base: str) -> float:
    if name not in factors:
        raise complaint(name, f"no constant {name!r} of {base}; {nearest(name, list(factors))}")
    if entry == AS_PRINTED:
        return factors[name].printed
    try:
        value = exact_number(entry)
    except ValueError as error:
        needed = str(error).partition(" is needed")[0].rstrip(",")
        raise complaint(name, f"{needed}, or printed, is needed, not {shown(entry)}") from None
    if not isinstance(value, int | float):
        raise complaint(name, f"a number, or printed, is needed, not {shown(entry)}")
    refused = factors[name].refused(float(value))
    if refused:
        raise complaint(name, f"{refused}, not {shown(entry)}")
    return float(value)


def spread(value: Any) -> Iterator[Any]:
    """The sets of constants that `{from: BTT18, c_k: [5, 10, printed]}` stands for, one a combination.
    Any other value is given as it is.
    """
    if not isinstance(value, dict):
        yield value
        return
    lists = [item if isinstance(item, list) and item else [item] for item in value.values()]  # none is no value
    for combination in product(*lists):
        yield dict(zip(value, combination, strict=True))


def with_more(entry: Any, changes: Mapping[str, Any]) -> Any:
    """A spec's set of constants with these changes too; of a list of sets each of them."""
    if not changes:
        return entry
    if isinstance(entry, list):
        return [with_more(each, changes) for each in entry]
    if isinstance(entry, str):
        return {FROM: entry, **changes}
    return {**entry, **changes} if isinstance(entry, dict) else entry
