"""A spec: one question asked of a theorem, as a product of axes. Reading it yields validated cells or one clear error."""

from collections.abc import Iterator, Mapping
from math import log
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError, field_validator

from harness.refusal import Refusal
from harness.registry import nearest, parts
from harness.sweep.errors import InputError
from harness.sweep.files.names import experiment
from harness.sweep.plugins.faults import blaming
from harness.sweep.spec.complaints import first_complaint
from harness.sweep.spec.document import Document, KeyPath
from harness.sweep.spec.document import value as yaml_value
from harness.sweep.spec.figure_spec import FigureSpec, SpecPart
from harness.sweep.spec.grid import Grid
from harness.sweep.table import MOST_ROWS
from harness.theory.factors import WITH as CHANGED
from harness.theory.factors import Changeable, SetName, split
from harness.trials import kinds
from harness.trials.changes import FROM, constants_of, spread, with_more
from harness.trials.fields import Identified, Whole, nearest_key, shown

WHAT = {"mechanisms": "mechanism", "claims": "claim", "figure": "axis or column", "omit": "column to omit"}
SIZES = ("alpha", "T", "n")
WITH = "with "
"""What the keys of overrides begin with that stand for a constant, as --with gives them."""

Trials = Annotated[Whole, Field(ge=1, le=10**10)]
FIRST_LOOK = 256


class UntilDecided(SpecPart, frozen=True):
    """A spec's rule for trials: until every claim of a cell is decided, in doubling steps, at most `max`."""

    until: Literal["decided"]
    max: Trials

    def looks(self) -> Iterator[int]:
        """After how many trials a cell is looked at; there are no more than `max`."""
        look = min(FIRST_LOOK, self.max)
        while look < self.max:
            yield look
            look = min(2 * look, self.max)
        yield look


class ForQueries(SpecPart, frozen=True):
    """A spec's rule for trials: as many as make up so many `queries` together, at most `max`: fewer where m is large."""

    queries: Annotated[Whole, Field(ge=1, le=10**12)]
    max: Trials


class Spec(BaseModel, frozen=True, extra="forbid"):
    """A spec but for its axes. `zip` names axes that advance together, `exclude` combinations to leave out.

    rows: whether a table has one for each trial, or counts those that are alike. omit: columns that are left empty.
    """

    title: Annotated[str, Field(max_length=200)]
    question: Annotated[str, Field(max_length=1000)]
    kind: str = "answers"
    seed: Annotated[Whole, Field(ge=0, lt=2**63)]
    trials: int | UntilDecided | ForQueries
    rows: Literal["each", "counted"] = "each"
    omit: tuple[str, ...] = ()
    mechanisms: Annotated[tuple[str, ...], Field(min_length=1)]
    claims: tuple[str, ...] = ()
    figure: FigureSpec
    zip: tuple[tuple[str, ...], ...] = ()
    exclude: tuple[dict[str, Any], ...] = ()

    @field_validator("trials", mode="before")
    @classmethod
    def _number_or_rule(cls, value: Any) -> Any:
        """One of them by its form, so that an error speaks of the one that was meant."""
        if isinstance(value, dict):
            return (ForQueries if "queries" in value else UntilDecided).model_validate(value)
        return TypeAdapter(Trials).validate_python(value)

    @property
    def merging(self) -> tuple[int, ...] | None:
        """Between which trials rows that are alike are not one; None where each trial has its own."""
        return None if self.rows == "each" else self.looks

    @property
    def looks(self) -> tuple[int, ...]:
        """The trials before which is looked whether more are needed."""
        return tuple(self.trials.looks()) if isinstance(self.trials, UntilDecided) else ()


def option(key: str, value: str) -> tuple[str, str]:
    """The option of the command line, and its text, that puts a value in the place of a spec's key."""
    if key == "trials":
        return "--trials", value
    return ("--with", f"{key.removeprefix(WITH)}={value}") if key.startswith(WITH) else ("--set", f"{key}={value}")


def _own(changes: Mapping[str, Any], entry: Any, sets: Mapping[str, Changeable]) -> Mapping[str, Any]:
    """The changes that are about a set; all where no set of the kind has one of them, which is then complained of."""
    base = entry.get(FROM) if isinstance(entry, dict) else entry
    names = {each: {factor.name for factor in known.factors} for each, known in sets.items()}
    here, somewhere = names.get(split(str(base))[0], set()), set[str]().union(*names.values())
    return {name: value for name, value in changes.items() if name in here or name not in somewhere}


def _extremity(cell: Identified, key: str) -> float:
    """How far a number of a cell is from 1, in powers; 0 for what is none."""
    value = getattr(cell, key)
    return abs(log(value)) if isinstance(value, int | float) and value > 0 else 0.0


class Sweep:
    """A spec with its cells. name: the file's stem, which names the table and figure. text: as read, or given if no file.
    tried: whether another process has found that every mechanism can run on every cell.

    Raises InputError on anything that could not be run as written, before anything is written.
    """

    def __init__(
        self, path: Path, overrides: Mapping[str, str] | None = None, text: str | None = None, tried: bool = False
    ) -> None:
        self.document, self._tried = Document(path, text), tried
        self.path, self.name, self.text = path, experiment(path), self.document.text
        self.overrides = dict(overrides or {})
        content = dict(self.document.content)
        for key, value in self.overrides.items():
            if not key.startswith(WITH):
                content[key] = yaml_value(value, f"--set {key}")
        kind = content.get("kind", Spec.model_fields["kind"].default)
        if not isinstance(kind, str) or kind not in kinds():
            raise self._error(f"no kind of trial {shown(kind)}; {nearest(str(kind), list(kinds()))}", ("kind",))
        self.kind = kinds()[kind]
        self.axes = list(self.kind.cell.model_fields)
        content |= self._changed(content)
        keys = [*Spec.model_fields, *self.axes]
        for key in content:
            if key not in keys:
                raise self._error(f"unknown key; {nearest_key(key, keys)}", (str(key),))
        self.spec = self._validated({key: value for key, value in content.items() if key not in self.axes})
        self.cells = self._cells({key: value for key, value in content.items() if key in self.axes})
        self._refuse_mixtures()
        self._refuse_rows()

    def _changed(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The sets of constants, be they an axis or what is tried, with what --with puts in the place of their constants.

        What is tried stands alone in the list afterwards, one name a set.
        """
        changes = {
            key.removeprefix(WITH): yaml_value(value, f"--{key}={value}")
            for key, value in self.overrides.items()
            if key.startswith(WITH)
        }
        sets, axis = self.kind.sets(), "constants"
        if axis in self.axes:
            entries = content.get(axis, self.kind.cell.model_fields[axis].default)
            if changes and entries is None:
                raise InputError(
                    "it names no set of constants to change; allowed: constants in the spec", f"--with {min(changes)}"
                )
            return {axis: with_more(entries, changes)} if changes else {}
        if sets and isinstance(content.get("mechanisms"), list):
            entries = [with_more(each, _own(changes, each, sets)) for each in content["mechanisms"]]
            return {"mechanisms": [name for i, each in enumerate(entries) for name in self._named(each, i, sets)]}
        if changes:
            names = ", ".join(name for name, kind in kinds().items() if axis in kind.cell.model_fields or kind.sets())
            raise InputError(f"trials of kind {self.kind.name} have no constants; allowed: {names}", f"--with {min(changes)}")
        return {}

    def _named(self, entry: Any, position: int, sets: Mapping[str, Changeable]) -> Iterator[Any]:
        """The names of the sets that one entry of `mechanisms` stands for; what is no set is left to be complained of."""
        one = TypeAdapter(Annotated[Any, constants_of(lambda: sets, what="mechanism")])
        for item in spread(entry):
            if not isinstance(item, dict) and (not isinstance(item, str) or (item not in sets and CHANGED not in item)):
                yield item
                continue
            try:
                yield one.validate_python(item)
            except ValidationError as error:
                message, place = first_complaint(error)
                raise self._error(message, ("mechanisms", position, *place)) from None

    def most_trials(self, cell: Identified) -> int:
        """The largest number of trials that the spec may ask of a cell."""
        trials = self.spec.trials
        if isinstance(trials, ForQueries):
            return min(trials.max, -(-trials.queries // int(dict(cell)["m"])))
        return trials if isinstance(trials, int) else trials.max

    def _error(self, message: str, place: KeyPath) -> InputError:
        key = ".".join(str(part) for part in place if isinstance(part, str))
        changed = f"{WITH}{place[-1]}" if place else ""
        if changed in self.overrides:
            return InputError(message, f"--with {place[-1]}={self.overrides[changed]}")
        if place and place[0] in self.overrides:
            return InputError(message, f"--set {key}")
        return InputError(message, self.path, self.document.line(place), key)

    def _validated(self, content: dict[str, Any]) -> Spec:
        try:
            spec = Spec.model_validate(content)
        except ValidationError as error:
            raise self._error(*first_complaint(error)) from None
        for field, names, allowed in (
            ("mechanisms", spec.mechanisms, list(self.kind.subjects())),
            ("claims", spec.claims, list(parts("claim"))),
            ("figure", spec.figure.axes, self.axes),
            ("figure", (spec.figure.y,), [column.name for column in self.kind.columns if column.is_number]),
            ("omit", spec.omit, [column.name for column in self.kind.omittable]),
        ):
            for position, name in enumerate(names):
                if name not in allowed and not (field == "mechanisms" and SetName.read(name).base in self.kind.sets()):
                    raise self._error(f"no {WHAT[field]} {name!r}; {nearest(name, allowed)}", (field, position))
                if name in names[:position]:
                    raise self._error(f"{name!r} appears twice", (field, position))
        for name in [name for names in spec.figure.groups.values() for name in names]:
            if name not in spec.mechanisms:
                raise self._error(f"no mechanism {name!r}; {nearest(name, list(spec.mechanisms))}", ("figure", "groups"))
        for message, place in spec.figure.finding.complaints(self.kind.table) if spec.figure.finding else ():
            raise self._error(message, ("figure", "finding", *place))
        self._refuse_needed(spec)
        if spec.rows == "counted" and (refusal := self._uncountable(spec)):
            raise self._error(*refusal)
        if isinstance(spec.trials, ForQueries) and "m" not in self.axes:
            raise self._error(f"trials of kind {self.kind.name} have no queries; allowed: a number", ("trials",))
        for position, rule in enumerate(spec.exclude):
            for key in rule:
                if key not in self.axes:
                    raise self._error(f"no such axis; {nearest_key(key, self.axes)}", ("exclude", position, key))
        return spec

    def _refuse_needed(self, spec: Spec) -> None:
        """Raise InputError where a column is left empty that a claim, the figure or its title needs."""
        if not spec.omit:
            return
        finding = spec.figure.finding
        readers = {
            **{name: parts("claim")[name].columns for name in spec.claims},
            f"the plot {spec.figure.plot}": parts("plot")[spec.figure.plot].drawn or (),
            "the figure": (spec.figure.y,),
            "what the figure's finding says": finding.names if finding else (),
        }
        free = [each.name for each in self.kind.omittable if not any(each.name in columns for columns in readers.values())]
        allowed = ", ".join(free) or "none here"
        for position, name in enumerate(spec.omit):
            for reader, columns in readers.items():
                if name in columns:
                    raise self._error(f"{reader} needs {name}; allowed: {allowed}", ("omit", position))
        for position, name in enumerate(spec.claims):
            if parts("claim")[name].decider.reads_any:
                what = f"{name} does not say which columns its limits read; allowed beside omit: claims that do, by `reads`"
                raise self._error(what, ("claims", position))

    def _uncountable(self, spec: Spec) -> tuple[str, tuple[str | int, ...]] | None:
        """Why rows that are alike cannot be one, and where it stands: what looks at single trials takes none that are many."""
        if not self.kind.countable:
            names = ", ".join(name for name, kind in kinds().items() if kind.countable)
            return f"trials of kind {self.kind.name} are not counted; allowed: of kind {names}", ("rows",)
        for position, name in enumerate(spec.claims):
            if not parts("claim")[name].decider.counts:
                return f"{name} is not decided by rows that are counted; allowed: rows: each", ("claims", position)
        if not parts("plot")[spec.figure.plot].counts:
            names = ", ".join(name for name, plot in parts("plot").items() if plot.counts)
            return f"{spec.figure.plot!r} does not draw rows that are counted; allowed: {names}", ("figure", "plot")
        return None

    @property
    def looks(self) -> tuple[int, ...] | None:
        """As `spec.looks`, where rows for single trials may be merged for who only looks; else None."""
        return None if self.spec.rows == "counted" or self._uncountable(self.spec) else self.spec.looks

    def _cells(self, content: dict[str, Any]) -> list[Identified]:
        grid = Grid(self.kind.cell, content, self.spec.zip, self.spec.exclude, self._error)
        cells: dict[str, Identified] = {}
        for position in grid:
            raw = {key: grid.axes[key][index] for key, index in position.items()}
            cell = self._cell(raw, {key: grid.place(key, index) for key, index in position.items()})
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

    def _refuse_rows(self) -> None:
        """A table has a largest size, which is told before a run wherever the number of trials is known before."""
        if self.spec.rows == "counted":
            return
        rows = len(self.spec.mechanisms) * sum(map(self.most_trials, self.cells))
        most = max(map(self.most_trials, self.cells))
        if (rows > MOST_ROWS and not isinstance(self.spec.trials, UntilDecided)) or most > MOST_ROWS:
            what = f"{max(rows, most):,} rows in all; allowed: at most {MOST_ROWS:,}, so cut the sweep along an axis"
            raise self._error(f"{what}, or count those that are alike by rows: counted", ("trials",))

    def _cell(self, raw: Mapping[str, Any], places: Mapping[str, KeyPath]) -> Identified:
        try:
            cell = self.kind.cell.model_validate(raw)
        except ValidationError as error:
            message, place = first_complaint(error)
            if not place:  # the complaint is about several axes together
                raise self._error(message, next((place for key, place in places.items() if key in SIZES), ("n",))) from None
            raise self._error(message, (*places.get(str(place[0]), (place[0],)), *place[1:])) from None
        for name in self.spec.mechanisms if not self._tried else ():
            refusal = self._refusal(cell, name)
            if refusal:
                raise self._error(refusal.message, places.get(refusal.parameter, (refusal.parameter,)))
        return cell

    def _refusal(self, cell: Identified, name: str) -> Refusal | None:
        """Why a mechanism cannot run on a cell; also where a number of its plan is larger than a computer reckons with."""
        try:
            with blaming(self.kind.name, name, cell=cell):
                return self.kind.refuse(cell, name)
        except ArithmeticError as error:
            extreme = max(
                (key for key in self.axes if _extremity(cell, key)), key=lambda key: _extremity(cell, key), default="n"
            )
            what = f"no plan of {name} can be computed at {extreme} = {getattr(cell, extreme, None)} ({error})"
            return Refusal(f"{what}; allowed: a number nearer to 1", extreme)
