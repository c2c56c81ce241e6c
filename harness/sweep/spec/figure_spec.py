"""What a spec says of its figure: what it shows, and what was found in its table, with the numbers that make it so."""

import re
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, field_validator, model_validator

from harness.registry import names as known_names
from harness.registry import nearest
from harness.sweep.spec.document import KeyPath
from harness.sweep.spec.expressions import FUNCTIONS, NUMBER, TEXT, TRUTH, Expression, ValueSort, names_in, tree
from harness.trials.columns import Column
from harness.trials.fields import one_of, refuse_unknown, shown

SHORT = Annotated[str, Field(max_length=500)]
NAME = re.compile(r"[a-z][a-z0-9_]*")
FORM = re.compile(r"(?P<digits>[1-9])? ?(?P<way>up|down)?")
"""How a number is rounded in a sentence: to so many digits, 2 by default, to the nearest, or up or down."""


class SpecPart(BaseModel, frozen=True, extra="forbid"):
    """Base class of the models of mappings within a spec; refuses unknown keys."""

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        for key in value if isinstance(value, dict) else ():
            refuse_unknown(key, cls)
        return value


class FindingSpec(SpecPart, frozen=True):
    """The finding of a spec: a sentence on its table, which is the figure's title; see `harness.sweep.spec.expressions`.

    says: the sentence, with {names} of numbers, and of columns of which the rows have one value; `{share:3 up}` rounds to three
    digits, and up. where: a condition for the rows that all of this is about; by default all. numbers: an expression for each
    name. holds: conditions without which the sentence is not said.
    """

    says: Annotated[str, Field(max_length=300)]
    where: SHORT = ""
    numbers: dict[str, SHORT] = {}
    holds: tuple[SHORT, ...] = ()

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The names in the sentence, with their forms. Raises ValueError where it is none with names in braces."""
        try:
            parsed = list(Formatter().parse(self.says))
        except ValueError:
            parsed = [("", "", None, "!")]
        if any(conversion or (name is not None and not name) for _, name, _, conversion in parsed):
            raise ValueError(f"braces that hold no name in {shown(self.says)}; allowed: such as {{n}} or {{share:3 up}}")
        return [(name, form or "") for _, name, form, _ in parsed if name is not None]

    @property
    def names(self) -> set[str]:
        """Those of columns and of numbers that it is made of, of one without complaints."""
        texts = (*filter(None, [self.where]), *self.numbers.values(), *self.holds)
        return {name for name, _ in self.fields}.union(*(names_in(tree(text)) for text in texts))

    def complaints(self, columns: Mapping[str, Column]) -> Iterator[tuple[str, KeyPath]]:
        """What is wrong with it for a table of such columns, each with its place in the finding."""
        sorts = {name: ValueSort(_what(column), True) for name, column in columns.items()}
        if self.where:
            yield from _complaint(("where",), Expression(self.where, sorts), TRUTH, rows=True)
        for name, text in self.numbers.items():
            if name in columns or name in FUNCTIONS or not NAME.fullmatch(name):
                yield (
                    f"{shown(name)} is no name for a number; allowed: small letters that name no column or function",
                    ("numbers", name),
                )
            yield from _complaint(("numbers", name), Expression(text, sorts), NUMBER)
            sorts[name] = ValueSort(NUMBER, False)
        for place, text in enumerate(self.holds):
            yield from _complaint(("holds", place), Expression(text, sorts), TRUTH)
        yield from self._wrong_fields(list(sorts))

    def _wrong_fields(self, names: list[str]) -> Iterator[tuple[str, KeyPath]]:
        try:
            fields = self.fields
        except ValueError as error:
            yield str(error), ("says",)
            return
        for name, form in fields:
            if name not in names:
                yield f"no number {shown(name)}; {nearest(name, names)}", ("says",)
            if not FORM.fullmatch(form):
                yield (
                    f"no form {shown(form)} of a number; allowed: such as {{{name}:3}}, {{{name}:up}}, {{{name}:1 down}}",
                    ("says",),
                )


def _what(column: Column) -> str:
    return TRUTH if column.type == "truth" else NUMBER if column.is_number else TEXT


def _complaint(place: KeyPath, expression: Expression, what: str, rows: bool = False) -> Iterator[tuple[str, KeyPath]]:
    try:
        expression.wanted(what, rows)
    except ValueError as error:
        yield str(error), place


class FigureSpec(SpecPart, frozen=True):
    """What a figure shows: the column `y` against the axis `x`, one panel for each combination of the axes in `panels`.

    plot: one of the registry, by default the means of a count over trials beside its bound. by: a second axis, where a plot
    has one. groups: titles of panels with the mechanisms that each shows; all in one if there are none. finding: its title,
    where the rows are as that says. see: what the reader should see, a sentence or two for the caption. width: of the PDF: a
    column, 3.3 inches, the text, 5.5, or a slide, 9.
    """

    plot: str = "means"
    x: str
    y: str = "misclassification_rate"
    by: str | None = None
    panels: tuple[str, ...] = ()
    groups: dict[str, tuple[str, ...]] = {}
    finding: FindingSpec | None = None
    see: Annotated[str, Field(max_length=1000)] = ""
    width: Literal["column", "text", "slide"] = "text"

    @field_validator("plot")
    @classmethod
    def _known_plot(cls, name: str) -> str:
        return one_of("plot", name, known_names("plot"))

    @field_validator("groups")
    @classmethod
    def _short(cls, groups: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for title in groups:
            TypeAdapter(Annotated[str, Field(max_length=100)]).validate_python(title)
        return groups

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that tell its points apart."""
        return (self.x, *filter(None, (self.by,)), *self.panels)
