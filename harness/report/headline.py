"""What a figure is headed by: what was found in its table where the rows are so, else its topic."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from math import isfinite
from string import Formatter

import pandas as pd

from harness.report.evaluation import Grouped, Rows, UnknownError, kept, value
from harness.report.numerals import number
from harness.report.settings import View
from harness.sweep.spec.expressions import tree
from harness.sweep.spec.figure_spec import FORM, FindingSpec
from harness.sweep.table.cells import Cells
from harness.sweep.table.counted import COUNT
from harness.sweep.table.long import Spread
from harness.text import one_line

DIGITS, AS_SHOWN = 2, 4  # of a number in a sentence, unless its form says otherwise; and of a setting, as in all figures
ROUNDED = {"up": ROUND_CEILING, "down": ROUND_FLOOR, None: ROUND_HALF_EVEN}


class FallenError(Exception):
    """A spec's finding is not true of the rows of a table."""


def headline(rows: pd.DataFrame | Cells, view: View) -> str:
    """The title of a figure, as one line, with how many trials are there where some are missing."""
    try:
        title = one_line(view.spec.title if view.figure.finding is None else finding(rows, view.figure.finding))
    except FallenError:
        title = one_line(view.spec.title)
    return f"{title} ({view.lacking})" if view.lacking else title


def why_fallen(rows: pd.DataFrame | Cells, view: View) -> str:
    """The reason why the finding of a view's spec is not true of the rows; empty where it is true, or the spec has none."""
    try:
        if view.figure.finding is not None:
            finding(rows, view.figure.finding)
    except FallenError as error:
        return f"what its spec says was found is not said, as {error}"
    return ""


def finding(table: pd.DataFrame | Cells, spec: FindingSpec) -> str:
    """The sentence of a spec's finding with the numbers of the rows. Raises FallenError where the rows do not make it true."""
    rows = _rows(table, spec) if isinstance(table, Cells) else table
    try:
        rows = kept(rows, [tree(spec.where)]) if spec.where else rows
        numbers: dict[str, float] = {}
        for name, text in spec.numbers.items():
            numbers[name] = float(value(text, rows, numbers))
        for text in spec.holds:
            if not value(text, rows, numbers):
                raise FallenError(f"{text} does not hold")
        parts = list(Formatter().parse(spec.says))
        return "".join(
            before if name is None else before + _shown(rows, numbers, name, form or "") for before, name, form, _ in parts
        )
    except UnknownError as error:
        raise FallenError(str(error)) from None


def _rows(cells: Cells, spec: FindingSpec) -> Rows:
    """The rows that a finding is about."""
    if not isinstance(cells, Spread):
        return cells.frame
    heads = cells.heads.assign(**{COUNT.name: cells.trials})
    return Grouped(cells, heads, sorted(spec.names))


def _shown(rows: Rows, numbers: Mapping[str, float], name: str, form: str) -> str:
    """A number of the finding, rounded; or the one value that the rows have in a column."""
    number_or_name = numbers[name] if name in numbers else value(f"only({name})", rows, {})
    if isinstance(number_or_name, str):
        return number_or_name
    if not isfinite(number_or_name):
        raise FallenError(f"{name} is infinite")
    form_parts = FORM.fullmatch(form)
    digits, way = form_parts.group("digits", "way") if form_parts else (None, None)
    return number(rounded(number_or_name, int(digits or (DIGITS if name in numbers else AS_SHOWN)), way))


def rounded(value: float, digits: int, way: str | None) -> float:
    """A number rounded to so many digits: to the nearest, or up or down."""
    exact = Decimal(repr(float(value)))
    place = Decimal((0, (1,), exact.adjusted() - digits + 1))
    return float(exact.quantize(place, ROUNDED[way])) if exact else 0.0
