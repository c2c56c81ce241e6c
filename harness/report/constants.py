"""`harness constants`: every constant of every set, with its formula and its place in the text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from rich.console import Group
from rich.text import Text

from harness.mechanisms.answering import mechanisms
from harness.registry import nearest
from harness.report.grids import Sheet
from harness.sweep.errors import InputError
from harness.sweep.spec.complaints import first_complaint
from harness.theory.constants import calibrations, constants
from harness.theory.constants.btt18a_scores import score_constants
from harness.theory.factors import Changeable, Factor, factors_in, split
from harness.trials.changes import FROM, constants_of, own_factors
from harness.trials.release_cell import pmw_constants


@dataclass(frozen=True)
class ListedConstant:
    """A constant of a set, or of a mechanism, which every set for answering may change too.

    of: what the set is for: answering, release or scores. value: what it is there.
    """

    of: str
    set: str
    factor: Factor
    value: float

    @property
    def json(self) -> dict[str, Any]:
        """One flat object."""
        factor = self.factor
        own = {"of": self.of, "set": self.set, "name": factor.name, "value": self.value, "printed": factor.printed}
        return own | {"formula": factor.formula, "place": factor.place}


@dataclass(frozen=True)
class Listing:
    """Constants, set by set."""

    found: Sequence[ListedConstant]

    @property
    def json(self) -> list[dict[str, Any]]:
        """One flat object for each."""
        return [each.json for each in self.found]

    def __rich__(self) -> Group:
        """A grid for each set, with a line for each constant."""
        titles = dict.fromkeys((each.of, each.set) for each in self.found)
        return Group(*(_grid(*title, [each for each in self.found if (each.of, each.set) == title]) for title in titles))


def known_sets() -> Mapping[str, Mapping[str, Changeable]]:
    """Every set of constants by what it is for and by name; of a set and a calibration of one name the set."""
    return {"answering": {**calibrations(), **constants()}, "release": pmw_constants(), "scores": score_constants()}


def listed(name: str | None) -> Listing:
    """Those of the sets of one name, such as `BTT18 with c_k = 10`, or of all of them.

    Raises InputError where there is no such set.
    """
    families = known_sets()
    if name is None:
        own = [each for of, known in families.items() for one in known.values() for each in _of(of, one.name, one)]
        return Listing([*own, *_of_mechanisms()])
    try:
        base, changes = split(name)
    except ValueError as error:
        raise InputError(str(error), "constants") from None
    has = {of: known for of, known in families.items() if base in known}
    if not has:
        raise InputError(
            f"no constants {base!r}; {nearest(base, [each for known in families.values() for each in known])}", "constants"
        )
    found, refused = list[ListedConstant](), list[str]()
    for of, known in has.items():
        try:
            found += _changed(of, base, changes, known)
        except ValidationError as error:
            refused.append(first_complaint(error)[0])
    if not found:
        raise InputError(refused[0], "constants")
    return Listing(found)


def _changed(of: str, base: str, changes: Mapping[str, str], known: Mapping[str, Changeable]) -> Iterator[ListedConstant]:
    """Those of a set with changes, and the changed ones of mechanisms. Raises ValidationError where they are not allowed."""
    also = own_factors() if base in constants() and of == "answering" else ()
    validated = TypeAdapter(Annotated[Any, constants_of(lambda: known, lambda: also)])
    whole = validated.validate_python({FROM: base, **changes})
    values = {name: float(value) for name, value in split(whole)[1].items()}
    one = known[base].changed(values) if values else known[base]
    yield from _of(of, whole, one)
    yield from (ListedConstant(of, whole, each, one.values[each]) for each in also if each.name in values)


def _of(of: str, name: str, one: Changeable) -> Iterator[ListedConstant]:
    yield from (ListedConstant(of, name, factor, one.values[factor]) for factor in one.factors)


def _of_mechanisms() -> Iterator[ListedConstant]:
    for name, mechanism in mechanisms().items():
        yield from (ListedConstant("answering", name, factor, factor.printed) for factor in factors_in(mechanism.formulas))


def _grid(of: str, name: str, own: Sequence[ListedConstant]) -> Sheet:
    title = name if of == "answering" else f"{name}, for {of}"
    grid = Sheet(f"\n{title}", ("constant", "value", "formula", "place"), numbers=("value",))
    for each in own:
        changed = each.value != each.factor.printed
        value = Text(f"{each.value:.6g} (printed {each.factor.shown})" if changed else each.factor.shown)
        grid.add_row(Text(each.factor.name, style="bold"), value, Text(each.factor.formula), Text(each.factor.place))
    return grid
