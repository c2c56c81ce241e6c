"""A spec: one question asked of a theorem, as a product of axes. Reading it yields validated cells or one clear error."""

from collections.abc import Iterator, Mapping
from decimal import Decimal, localcontext
from itertools import product
from math import inf, prod
from pathlib import Path
from reprlib import repr as brief
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, field_validator, model_validator

from harness.registry import nearest
from harness.sweep.document import Document, Place
from harness.sweep.document import value as yaml_value
from harness.sweep.errors import InputError
from harness.theory.claims import claims
from harness.trials import kinds
from harness.trials.fields import Identified, Whole, exact_number, refuse_unknown

WHAT = {"mechanisms": "mechanism", "claims": "claim", "figure": "axis or column"}
INTEGER_AXES = ("n", "m", "V")
SIZES = ("alpha", "T", "n")
MOST_CELLS = 10**6  # each is validated before anything runs: that many take minutes

WANTED = {
    "int_type": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "float_type": "a number is needed",
    "string_type": "text is needed",
    "tuple_type": "a list is needed",
    "too_short": "at least one is needed",
    "dict_type": "a mapping is needed",
    "model_type": "a mapping is needed",
}
"""What pydantic's kinds of errors about types ask for, in the words of a spec."""

LIMITS = {"greater_than": "> {gt:g}", "greater_than_equal": "≥ {ge:g}", "less_than": "< {lt:g}", "less_than_equal": "≤ {le:g}"}
"""The same for its kinds of errors about size."""


class Part(BaseModel, frozen=True, extra="forbid"):
    """A mapping within a spec."""

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: Any) -> Any:
        for key in given if isinstance(given, dict) else ():
            refuse_unknown(key, cls)
        return given


class FigureSpec(Part, frozen=True):
    """What a figure shows: the column `y` against the axis `x`, one panel for each combination of the axes in `panels`.

    plot: `means` of a count over trials beside its bound; `failures`, how often a trial shows any of it; `spent`
    privacy, or an `audit` of it; `capacity`, how many queries are answered at a target; a `map` of which mechanism errs least,
    over the axes `x` and `by`; the sample `complexity` n* and its price. groups: titles of panels with the mechanisms that each
    shows; all in one if there are none.
    """

    plot: Literal["means", "failures", "spent", "audit", "capacity", "map", "complexity"] = "means"
    x: str
    y: str = "misclassification_rate"
    by: str | None = None
    panels: tuple[str, ...] = ()
    groups: dict[str, tuple[str, ...]] = {}

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that tell its points apart."""
        return (self.x, *filter(None, (self.by,)), *self.panels)


Trials = Annotated[Whole, Field(ge=1, le=10**7)]


class UntilDecided(Part, frozen=True):
    """Trials until every claim of a cell is decided, in doubling steps, at most `max`."""

    until: Literal["decided"]
    max: Trials


class ForQueries(Part, frozen=True):
    """As many trials as make up so many `queries` together, at most `max`: fewer where m is large."""

    queries: Annotated[Whole, Field(ge=1, le=10**12)]
    max: Trials


class Spec(BaseModel, frozen=True, extra="forbid"):
    """Everything in a spec but its axes. `zip` names axes that advance together, `exclude` combinations to leave out."""

    title: str
    question: str
    kind: str = "answers"
    seed: Annotated[Whole, Field(ge=0, lt=2**63)]
    trials: int | UntilDecided | ForQueries
    mechanisms: Annotated[tuple[str, ...], Field(min_length=1)]
    claims: tuple[str, ...] = ()
    figure: FigureSpec
    zip: tuple[tuple[str, ...], ...] = ()
    exclude: tuple[dict[str, Any], ...] = ()

    @field_validator("trials", mode="before")
    @classmethod
    def _number_or_rule(cls, given: Any) -> Any:
        """One of them by its form, so that an error speaks of the one that was meant."""
        if isinstance(given, dict):
            return (ForQueries if "queries" in given else UntilDecided).model_validate(given)
        return TypeAdapter(Trials).validate_python(given)


class Sweep:
    """A spec with its cells. name: the file's stem, which names the table and the figure. text: the file as read.

    Raises InputError on anything that could not be run as written, before anything is written.
    """

    def __init__(self, path: Path, overrides: Mapping[str, str] | None = None) -> None:
        self.document = Document(path)
        self.path, self.name, self.text = path, path.stem, self.document.text
        self.overrides = dict(overrides or {})
        content = dict(self.document.content)
        for key, value in self.overrides.items():
            content[key] = yaml_value(value, f"--set {key}")
        kind = content.get("kind", "answers")
        if not isinstance(kind, str) or kind not in kinds():
            raise self._error(f"no kind of trial {kind!r}; {nearest(str(kind), list(kinds()))}", ("kind",))
        self.kind = kinds()[kind]
        self.axes = list(self.kind.cell.model_fields)
        keys = [*Spec.model_fields, *self.axes]
        for key in content:
            if key not in keys:
                raise self._error(f"unknown key; {nearest(str(key), keys)}", (str(key),))
        self.spec = self._validated({key: value for key, value in content.items() if key not in self.axes})
        self.cells = self._cells({key: value for key, value in content.items() if key in self.axes})
        self._refuse_mixtures()

    def most_trials(self, cell: Identified) -> int:
        """The largest number of trials that the spec may ask of a cell."""
        trials = self.spec.trials
        if isinstance(trials, ForQueries):
            return min(trials.max, -(-trials.queries // int(dict(cell)["m"])))
        return trials if isinstance(trials, int) else trials.max

    def _error(self, message: str, place: Place) -> InputError:
        key = ".".join(str(part) for part in place if isinstance(part, str))
        if place and place[0] in self.overrides:
            return InputError(message, f"--set {key}")
        return InputError(message, self.path, self.document.line(place), key)

    def _validated(self, content: dict[str, Any]) -> Spec:
        try:
            spec = Spec.model_validate(content)
        except ValidationError as error:
            raise self._error(*first_complaint(error)) from None
        for field, names, known in (
            ("mechanisms", spec.mechanisms, list(self.kind.subjects())),
            ("claims", spec.claims, list(claims())),
            ("figure", spec.figure.axes, self.axes),
            ("figure", (spec.figure.y,), [name for name, what in self.kind.columns.items() if what != "text"]),
        ):
            for position, name in enumerate(names):
                if name not in known:
                    raise self._error(f"no {WHAT[field]} {name!r}; {nearest(name, known)}", (field, position))
                if name in names[:position]:
                    raise self._error(f"{name!r} appears twice", (field, position))
        shown = [name for names in spec.figure.groups.values() for name in names]
        for name in shown:
            if name not in spec.mechanisms:
                raise self._error(f"no mechanism {name!r}; {nearest(name, list(spec.mechanisms))}", ("figure", "groups"))
        if isinstance(spec.trials, ForQueries) and "m" not in self.axes:
            raise self._error(f"trials of kind {self.kind.name} have no queries; allowed: a number", ("trials",))
        for position, rule in enumerate(spec.exclude):
            for key in rule:
                if key not in self.axes:
                    raise self._error(f"no such axis; {nearest(key, self.axes)}", ("exclude", position, key))
        return spec

    def _cells(self, content: dict[str, Any]) -> list[Identified]:
        axes = {key: self._axis(key, value) for key, value in content.items()}
        groups = self._groups(axes)
        count = prod(len(axes[group[0]]) for group in groups)
        if count > MOST_CELLS:
            longest = max(axes, key=lambda key: len(axes[key]))
            raise self._error(f"{count:.3g} combinations of all axes; allowed: at most {MOST_CELLS:,}", (longest,))
        cells: dict[str, Identified] = {}
        for combination in product(*(range(len(axes[group[0]])) for group in groups)):
            position = {key: index for group, index in zip(groups, combination, strict=True) for key in group}
            raw = {key: axes[key][index] for key, index in position.items()}
            if any(_excluded(raw, rule) for rule in self.spec.exclude):
                continue
            cell = self._cell(raw, {key: (key, index) for key, index in position.items()})
            cells.setdefault(cell.identity, cell)
        if not cells:
            raise self._error("a sweep with no cells: every combination is excluded", ("exclude",))
        return list(cells.values())

    def _refuse_mixtures(self) -> None:
        """A point of the figure is one cell: anything else would be the mean of trials of different settings."""
        figure = self.spec.figure
        if not isinstance(getattr(self.cells[0], figure.x), int | float):
            raise self._error(f"{figure.x} is no axis of this spec with numbers on it", ("figure", "x"))
        seen: dict[tuple[Any, ...], Identified] = {}
        for cell in self.cells:
            other = seen.setdefault(tuple(getattr(cell, key) for key in figure.axes), cell)
            differ = [key for key in self.axes if getattr(cell, key) != getattr(other, key)]
            if differ:
                what = f"cells that differ in {', '.join(differ)} would share a point"
                raise self._error(f"{what}; name one in panels", ("figure",))

    def _axis(self, key: str, value: Any) -> list[Any]:
        if isinstance(value, dict) and set(value) == {"geom"}:
            try:
                return list(_geometric(value["geom"], whole=key in INTEGER_AXES))
            except ValueError as error:
                raise self._error(str(error), (key, "geom")) from None
        values = value if isinstance(value, list) else [value]
        if not values:
            raise self._error("a sweep with no cells: the list is empty", (key,))
        return values

    def _groups(self, axes: Mapping[str, list[Any]]) -> list[tuple[str, ...]]:
        """The axes in their order, those that are zipped together as one."""
        together: dict[str, tuple[str, ...]] = {}
        for position, group in enumerate(self.spec.zip):
            for key in group:
                if key not in axes:
                    raise self._error(f"{key!r} is no axis of this spec; {nearest(key, list(axes))}", ("zip", position))
                if key in together:
                    raise self._error(f"{key!r} is zipped twice", ("zip", position))
                if len(axes[key]) != len(axes[group[0]]):
                    raise self._error(f"zipped axes have unequal lengths: {group[0]} and {key}", ("zip", position))
                together[key] = group
        return list(dict.fromkeys(together.get(key, (key,)) for key in axes))

    def _cell(self, raw: Mapping[str, Any], places: Mapping[str, Place]) -> Identified:
        try:
            cell = self.kind.cell.model_validate(raw)
        except ValidationError as error:
            message, place = first_complaint(error)
            if not place:  # the complaint is about several axes together
                raise self._error(message, next((place for key, place in places.items() if key in SIZES), ("n",))) from None
            raise self._error(message, (*places.get(str(place[0]), (place[0],)), *place[1:])) from None
        for name in self.spec.mechanisms:
            refusal = self.kind.refuse(cell, name)
            if refusal:
                message, key = refusal
                raise self._error(message, places.get(key, (key,)))
        return cell


def first_complaint(error: ValidationError) -> tuple[str, Place]:
    """The first complaint of pydantic in plain words, with the value it is about, and its place."""
    detail = error.errors()[0]
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "missing":
        message = "this key is required"
    elif detail["type"] != "value_error":
        wanted = WANTED.get(detail["type"], f"{message[:1].lower()}{message[1:]}")
        if detail["type"] in LIMITS:
            wanted = f"a number {LIMITS[detail['type']].format(**detail['ctx'])} is needed"
        message = f"{wanted}, not {'null' if detail['input'] is None else brief(detail['input'])}"
    return message, detail["loc"]


def _excluded(raw: Mapping[str, Any], rule: Mapping[str, Any]) -> bool:
    return bool(rule) and all(key in raw and _same(raw[key], value) for key, value in rule.items())


def _same(raw: Any, value: Any) -> bool:
    """Whether an axis value is the one that an exclusion names; a distribution may be named without its parameters."""
    if isinstance(value, list):
        return any(_same(raw, item) for item in value)
    if isinstance(raw, dict) and isinstance(value, str):
        return bool(raw.get("name") == value)
    try:
        return bool(exact_number(raw) == exact_number(value))
    except ValueError:
        return bool(raw == value)


def _geometric(arguments: Any, whole: bool) -> Iterator[int | float]:
    """`count` values from `first` to `last` in equal ratios, in decimal arithmetic so that every machine gets the same.

    Whole axes are rounded to integers, the others to six digits but for the two ends, which are as given.
    """
    usage = "geom takes [first, last, count] with first and last above 0 and count a whole number from 2 to 10000"
    if not isinstance(arguments, list) or len(arguments) != 3:
        raise ValueError(usage)
    first, last, count = (exact_number(argument) for argument in arguments)
    numbers = all(isinstance(argument, int | float) for argument in (first, last, count))
    if not (numbers and 0 < first < inf and 0 < last < inf and isinstance(count, int) and 2 <= count <= 10_000):
        raise ValueError(usage)
    ends = {0: first, count - 1: last}
    with localcontext(prec=50):
        for step in range(count):
            value = Decimal(first) * (Decimal(last) / Decimal(first)) ** (Decimal(step) / (count - 1))
            yield int(value.to_integral_value()) if whole else ends.get(step, float(f"{value:.6g}"))
