"""`harness constants`: every constant of every set, with its formula and its place in the text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from rich.console import RenderableType
from rich.text import Text

from harness.mechanisms.answering import mechanisms
from harness.registry import nearest
from harness.report.grids import Sheet
from harness.report.worksheet import Worksheet
from harness.sweep.errors import InputError
from harness.sweep.spec.complaints import first_complaint
from harness.theory.constants import calibrations, constants
from harness.theory.constants.btt18a_scores import score_constants
from harness.theory.factors import Changeable, Factor, SetName, factors_in, split
from harness.trials.changes import FROM, constants_of, own_factors
from harness.trials.release_cell import pmw_constants


@dataclass(frozen=True)
class ListedConstant:
    """A line in the list of constants: a factor of a set, or of a mechanism, with its value and what the set is for.

    Every set for answering may change the factors of mechanisms too.
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
        value = {"of": self.of, "set": self.set, "name": factor.name, "value": self.value, "printed": factor.printed}
        return value | {"formula": factor.formula, "place": factor.place}


@dataclass(frozen=True)
class Listing(Worksheet):
    """The constants of some sets, to be shown set by set."""

    constants: Sequence[ListedConstant]

    @property
    def json(self) -> list[dict[str, Any]]:
        """One flat object for each."""
        return [constant.json for constant in self.constants]

    def parts(self) -> Iterator[RenderableType]:
        """A table for each set, with a line for each constant."""
        for title in dict.fromkeys((one.of, one.set) for one in self.constants):
            yield _table(*title, [one for one in self.constants if (one.of, one.set) == title])


def known_sets() -> Mapping[str, Mapping[str, Changeable]]:
    """All sets of constants, by use and then by name; a calibration with the name of a set is left out."""
    return {"answering": {**calibrations(), **constants()}, "release": pmw_constants(), "scores": score_constants()}


def listed(name: str | None) -> Listing:
    """The listing of the sets of constants of one name, such as `BTT18 with c_k = 10`, or of all sets.

    Raises InputError where there is no such set.
    """
    families = known_sets()
    if name is None:
        of_sets = (each for of, sets in families.items() for one in sets.values() for each in _of(of, one.name, one))
        return Listing([*of_sets, *_of_mechanisms()])
    try:
        base, changes = split(name)
    except ValueError as error:
        raise InputError(str(error), "constants") from None
    has = {of: sets for of, sets in families.items() if base in sets}
    if not has:
        raise InputError(
            f"no constants {base!r}; {nearest(base, [each for sets in families.values() for each in sets])}", "constants"
        )
    several, refused = list[ListedConstant](), list[str]()
    for of, sets in has.items():
        try:
            several += _changed(of, base, changes, sets)
        except ValidationError as error:
            refused.append(first_complaint(error)[0])
    if not several:
        raise InputError(refused[0], "constants")
    return Listing(several)


def _changed(of: str, base: str, changes: Mapping[str, str], sets: Mapping[str, Changeable]) -> Iterator[ListedConstant]:
    """Those of a set with changes, and the changed ones of mechanisms. Raises ValidationError where they are not allowed."""
    also = own_factors() if base in constants() and of == "answering" else ()
    validated = TypeAdapter(Annotated[Any, constants_of(lambda: sets, lambda: also)])
    whole = validated.validate_python({FROM: base, **changes})
    values = dict(SetName.read(whole).change.changed)
    one = sets[base].changed(values) if values else sets[base]
    yield from _of(of, whole, one)
    yield from (ListedConstant(of, whole, each, one.values[each]) for each in also if each.name in values)


def _of(of: str, name: str, one: Changeable) -> Iterator[ListedConstant]:
    yield from (ListedConstant(of, name, factor, one.values[factor]) for factor in one.factors)


def _of_mechanisms() -> Iterator[ListedConstant]:
    for name, mechanism in mechanisms().items():
        yield from (ListedConstant("answering", name, factor, factor.printed) for factor in factors_in(mechanism.formulas))


def _table(of: str, name: str, constants: Sequence[ListedConstant]) -> Sheet:
    title = name if of == "answering" else f"{name}, for {of}"
    sheet = Sheet(f"\n{title}", ("constant", "value", "formula", "place"), numbers=("value",))
    for constant in constants:
        factor, changed = constant.factor, constant.value != constant.factor.printed
        value = Text(f"{constant.value:.6g} (printed {factor.shown})" if changed else factor.shown)
        sheet.add_row(Text(factor.name, style="bold"), value, Text(factor.formula), Text(factor.place))
    return sheet
