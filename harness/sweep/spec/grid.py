"""The axes of a spec and their combinations, which are counted before any is made."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from math import prod
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import numpy as np

from harness.arrays import Bools
from harness.sweep.errors import InputError
from harness.sweep.spec.document import KeyPath
from harness.trials.changes import spread
from harness.trials.fields import Identified, exact_number, nearest_key

MOST_COMBINATIONS, MOST_CELLS = 100_000, 5000  # each cell is validated before anything runs, at one to ten milliseconds
MOST_STEPS = 10_000

Complain = Callable[[str, KeyPath], InputError]
"""An error with this message at this place of the spec."""


@dataclass(frozen=True)
class Geometric:
    """`count` values from `first` to `last` in equal ratios, in decimal arithmetic so that every machine gets the same.

    Whole axes are rounded to integers, the others to six digits but for the two ends, which are as given.
    """

    first: int | float
    last: int | float
    count: int
    whole: bool

    @classmethod
    def of(cls, arguments: Any, whole: bool) -> "Geometric":
        """The values that a spec's rule gives. Raises ValueError, saying what is allowed."""
        usage = f"geom takes [first, last, count] with first and last above 0 and count a whole number from 2 to {MOST_STEPS}"
        if not isinstance(arguments, list) or len(arguments) != 3:
            raise ValueError(usage)
        first, last, count = (exact_number(argument) for argument in arguments)
        numbers = all(isinstance(argument, int | float) for argument in (first, last, count))
        if not (numbers and 0 < first and 0 < last and isinstance(count, int) and 2 <= count <= MOST_STEPS):
            raise ValueError(usage)
        return cls(first, last, count, whole)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[int | float]:
        ends = {0: self.first, self.count - 1: self.last}
        first, last = Decimal(self.first), Decimal(self.last)
        for step in range(self.count):
            with localcontext(prec=50):
                value = first * (last / first) ** (Decimal(step) / (self.count - 1))
                number = int(value.to_integral_value()) if self.whole else ends.get(step, float(f"{value:.6g}"))
            yield number


class Grid:
    """The product of a spec's axes, without what is excluded.

    model: of a cell, whose fields the axes are. content: the value, list or rule of each axis. zipped: axes that advance
    together. exclude: combinations to leave out. Raises what `complain` makes where these do not fit.
    """

    def __init__(
        self,
        model: type[Identified],
        content: Mapping[str, Any],
        zipped: Sequence[Sequence[str]],
        exclude: Sequence[Mapping[str, Any]],
        complain: Complain,
    ) -> None:
        self._model, self._complain = model, complain
        self._places: dict[str, list[KeyPath]] = {}
        axes = {key: self._axis(key, value) for key, value in content.items()}
        self._groups = self._grouped(axes, zipped)
        count = prod(len(axes[group[0]]) for group in self._groups)
        longest = max(axes, key=lambda key: len(axes[key]), default="")
        if count > MOST_COMBINATIONS:
            raise complain(f"{count:.3g} combinations of all axes; allowed: at most {MOST_COMBINATIONS:,}", (longest,))
        self.axes = {key: list(values) for key, values in axes.items()}
        self._kept = self._without(exclude)
        cells = int(self._kept.sum())
        if cells > MOST_CELLS:
            what = f"{cells:,} cells; allowed: at most {MOST_CELLS:,}, so cut the sweep along an axis"
            raise complain(what, (longest,))

    def __iter__(self) -> Iterator[dict[str, int]]:
        """Each combination, in the order of the axes, as the position of every axis."""
        for indices in np.argwhere(self._kept).tolist():
            yield {key: index for group, index in zip(self._groups, indices, strict=True) for key in group}

    def place(self, key: str, position: int) -> KeyPath:
        """The place in the spec of an axis's value, or of the list or rule that it comes from."""
        return self._places[key][position] if key in self._places else (key, position)

    def _axis(self, key: str, value: Any) -> list[Any] | Geometric:
        types = _types(self._model.model_fields[key].annotation)
        if isinstance(value, dict) and types <= {int, float}:
            for name in value:
                if name != "geom":
                    raise self._complain(f"unknown key; {nearest_key(name, ['geom'])}", (key, name))
            if value:
                try:
                    return Geometric.of(value["geom"], whole=types == {int})
                except ValueError as error:
                    raise self._complain(str(error), (key, "geom")) from None
        values = value if isinstance(value, list) else [value]
        if key in self._model.spreads:
            paths = [(key, position) if isinstance(value, list) else (key,) for position in range(len(values))]
            several = [(place, each) for place, given in zip(paths, values, strict=True) for each in spread(given)]
            self._places[key], values = [place for place, _ in several], [each for _, each in several]
        if not values:
            raise self._complain("a sweep with no cells: the list is empty", (key,))
        return values

    def _grouped(self, axes: Mapping[str, list[Any] | Geometric], zipped: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """The axes in their order, those that are zipped together as one."""
        together: dict[str, tuple[str, ...]] = {}
        for position, group in enumerate(zipped):
            for key in group:
                if key not in axes:
                    raise self._complain(f"{key!r} is no axis of this spec; {nearest_key(key, axes)}", ("zip", position))
                if key in together:
                    raise self._complain(f"{key!r} is zipped twice", ("zip", position))
                if len(axes[key]) != len(axes[group[0]]):
                    raise self._complain(f"zipped axes have unequal lengths: {group[0]} and {key}", ("zip", position))
                together[key] = tuple(group)
        return list(dict.fromkeys(together.get(key, (key,)) for key in axes))

    def _without(self, exclude: Sequence[Mapping[str, Any]]) -> Bools:
        """Which combinations no rule names, by the position of every group: a rule takes one operation on all of them."""
        kept = np.ones([len(self.axes[group[0]]) for group in self._groups], dtype=bool)
        places = {key: _places(values) for key, values in self.axes.items()}
        dimension = {key: place for place, group in enumerate(self._groups) for key in group}
        for rule in exclude:
            if not rule or not rule.keys() <= places.keys():
                continue
            named = np.ones([1] * kept.ndim, dtype=bool)
            for key, value in rule.items():
                here = np.zeros(len(self.axes[key]), dtype=bool)
                here[[place for each in _listed(value) for place in places[key].get(_alike(each), ())]] = True
                shape = [1] * kept.ndim
                shape[dimension[key]] = len(here)
                named = named & here.reshape(shape)
            kept &= ~named
        return kept


def _types(annotation: Any) -> set[Any]:
    """What a field may be but null."""
    parts = get_args(annotation)[:1] if get_origin(annotation) is Annotated else get_args(annotation)
    return {each for part in parts for each in _types(part)} if parts else {annotation} - {NoneType}


def _places(values: Sequence[Any]) -> dict[Hashable, list[int]]:
    """Where each value of an axis stands; a distribution, class or learner also by its name alone."""
    places: dict[Hashable, list[int]] = {}
    for place, value in enumerate(values):
        names = [value["name"]] if isinstance(value, dict) and isinstance(value.get("name"), str) else []
        for name in (value, *names):
            places.setdefault(_alike(name), []).append(place)
    return places


def _listed(value: Any) -> Iterator[Any]:
    """The values that a rule gives for an axis: one, or a list."""
    if isinstance(value, list):
        for item in value:
            yield from _listed(item)
    else:
        yield value


def _alike(value: Any) -> Hashable:
    """Equal for values that mean the same, such as 1000 and 1e3."""
    if isinstance(value, dict):
        return "mapping", frozenset((key, _alike(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return "list", tuple(_alike(item) for item in value)
    try:
        number: Hashable = exact_number(value)
    except ValueError:
        return type(value).__name__, value
    return number if isinstance(value, int | float | str) else (type(value).__name__, repr(value))
