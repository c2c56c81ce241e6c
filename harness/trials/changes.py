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
    """The constants of mechanisms that are in no set: every set may change them too."""
    return factors_in(formula for mechanism in mechanisms().values() for formula in mechanism.formulas)


def constants_of(
    known: Callable[[], Mapping[str, Changeable]], also: Callable[[], Sequence[Factor]] = tuple, what: str = "constants"
) -> BeforeValidator:
    """That a field is one of these sets of constants, or one with changes. also: constants that are in none. what: its name."""
    return BeforeValidator(lambda given: named_set(what, given, known(), also()))


def named_set(what: str, value: Any, known: Mapping[str, Changeable], also: Sequence[Factor] = ()) -> str:
    """To be called in a validator: the one name of the set that a spec gives. also: constants that are in no set.

    Changes stand in it in the order of the formulas, and those that change nothing do not. Raises what validators raise.
    """
    if not isinstance(value, str | dict):
        raise PydanticKnownError("string_type")
    given = dict(value) if isinstance(value, dict) else {FROM: value}
    if FROM not in given:
        raise complaint(FROM, f"this key is required; allowed: {', '.join(known)}")
    base, already = split(str(given.pop(FROM)))
    one_of(what, base, list(known))
    given = already | given
    if not given:
        return base
    own = {factor.name: factor for factor in (*known[base].factors, *also)}
    own |= {factor.name: factor for factor in known[base].factors}
    wanted = {name: _value(name, item, own, base) for name, item in given.items()}
    values = known[base].values
    return with_changes(base, {name: wanted[name] for name in own if name in wanted and wanted[name] != values[own[name]]})


def _value(name: str, given: Any, own: Mapping[str, Factor], base: str) -> float:
    if name not in own:
        raise complaint(name, f"no constant {name!r} of {base}; {nearest(name, list(own))}")
    if given == AS_PRINTED:
        return own[name].printed
    try:
        value = exact_number(given)
    except ValueError as error:
        needed = str(error).partition(" is needed")[0].rstrip(",")
        raise complaint(name, f"{needed}, or printed, is needed, not {shown(given)}") from None
    if not isinstance(value, int | float):
        raise complaint(name, f"a number, or printed, is needed, not {shown(given)}")
    refused = own[name].refused(float(value))
    if refused:
        raise complaint(name, f"{refused}, not {shown(given)}")
    return float(value)


def spread(value: Any) -> Iterator[Any]:
    """The sets that `{from: BTT18, c_k: [5, 10, printed]}` stands for, one for each combination; any other value as it is."""
    if not isinstance(value, dict):
        yield value
        return
    lists = [item if isinstance(item, list) and item else [item] for item in value.values()]  # none is no value
    for combination in product(*lists):
        yield dict(zip(value, combination, strict=True))


def with_more(given: Any, changes: Mapping[str, Any]) -> Any:
    """The same sets with these changes too: of a list of each."""
    if not changes:
        return given
    if isinstance(given, list):
        return [with_more(each, changes) for each in given]
    if isinstance(given, str):
        return {FROM: given, **changes}
    return {**given, **changes} if isinstance(given, dict) else given
