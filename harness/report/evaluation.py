"""What the expressions of specs come to on the rows of a table; see `harness.sweep.spec.expressions`."""

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile
from math import ceil
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Ints
from harness.sweep.spec.expressions import CallArguments, names_in, tree
from harness.sweep.table.counted import COUNT
from harness.sweep.table.long import Spread
from harness.sweep.table.samples import Again, Sample, Weighted, counts, of_each, once

Values = Any
"""Of each row, an array of floats, of truths or of texts; or one of all."""


class UnknownError(Exception):
    """Raised for an expression without a value: rows are missing, values are null, or there are several where one is meant."""


def quantile(sample: Sample, share: float) -> float:
    """The empirical quantile of a sample: its least value that at least this share of the trials is at or below."""
    return sample.ranked(max(0, ceil(share * sample.trials * (1 - 1e-12)) - 1))


def _only(sample: Sample) -> Any:
    different = set[Any]().union(*({*values.tolist()} for values, _ in sample.pieces))
    if len(different) != 1:
        raise UnknownError("there are several values where one is meant")
    return different.pop()


AGGREGATES: Mapping[str, Callable[[Sample, float], Any]] = {
    "mean": lambda sample, _: np.float64(sample.mean),
    "median": lambda sample, _: quantile(sample, 0.5),
    "sum": lambda sample, _: np.float64(sample.total),
    "least": lambda sample, _: min(np.min(values) for values, _ in sample.pieces),
    "most": lambda sample, _: max(np.max(values) for values, _ in sample.pieces),
    "quantile": quantile,
    "count": lambda sample, _: np.float64(sample.trials),
    "share": lambda sample, _: np.float64(sample.mean),
    "any": lambda sample, _: any(np.any(values) for values, _ in sample.pieces),
    "all": lambda sample, _: all(np.all(values) for values, _ in sample.pieces),
    "only": lambda sample, _: _only(sample),
}
"""What makes one value of those of many rows, of which there is one at least; and the share of a quantile."""

BY_ROW: Mapping[str, Callable[[Any], Any]] = {"known": pd.notna, "abs": np.abs, "log": np.log}
SIGNS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: np.divide, ast.Pow: np.power},
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le},
    **{ast.Gt: operator.gt, ast.GtE: operator.ge, ast.And: np.logical_and, ast.Or: np.logical_or},
}


@dataclass(frozen=True)
class Grouped:
    """A lazy selection of cells and mechanisms from a long table, of whose rows no more are in memory than are used at once.

    heads: the first row of each, counted. names: the columns that may be asked for. left: conditions yet to be asked of rows.
    """

    spread: Spread
    heads: pd.DataFrame
    names: Sequence[str]
    left: Sequence[ast.expr] = ()

    def kept(self, conditions: Sequence[ast.expr], numbers: Mapping[str, float]) -> "Grouped":
        """The rows that meet conditions, of which the first are asked of heads where these tell of all rows."""
        all_conditions = [*self.left, *conditions]
        of_cells = [*takewhile(lambda one: names_in(one) - numbers.keys() <= self.spread.shared, all_conditions)]
        return replace(self, heads=_kept(self.heads, of_cells, numbers), left=all_conditions[len(of_cells) :])

    def groups(self, by: Sequence[str]) -> "Iterator[pd.DataFrame | Grouped]":
        """The rows that are alike in some columns, group by group."""
        apart = {*by} <= self.spread.shared
        for _, group in (self.heads if apart else self.rows({})).groupby(list(by), dropna=False, sort=False):
            yield replace(self, heads=group) if apart else group

    def asked_for(self, names: set[str]) -> "Grouped":
        """These rows, of which no more columns than these may be asked for."""
        left = names.union(*map(names_in, self.left))
        return replace(self, names=[name for name in self.names if name in left])

    def rows(self, numbers: Mapping[str, float]) -> pd.DataFrame:
        """All of their rows; where one tells what all of its mechanism in a cell have, that one, counted."""
        return self.heads if self._told else _kept(self.spread.part(self.heads).narrow(self.names), self.left, numbers)

    @property
    def _told(self) -> bool:
        """Whether the first rows tell all, or there are none."""
        return not len(self.heads) or (not self.left and {*self.names} <= self.spread.shared)

    def pieces(self, numbers: Mapping[str, float]) -> Iterator[pd.DataFrame]:
        """The rows that `rows` gives, as many as are held at once; all where whether one is kept is a matter of others."""
        if self._told:
            yield self.heads
            return
        if not all(map(_by_row, self.left)):
            yield self.rows(numbers)
            return
        part = self.spread.part(self.heads)
        names = [name for name in self.names if name in self.spread.heads] or ["trial"]
        for number in range(len(self.heads)):
            yield from (_kept(rows, self.left, numbers) for rows in part.pieces_of(number, names))


Rows = pd.DataFrame | Grouped


def value(text: str, frame: Rows, numbers: Mapping[str, float]) -> Values:
    """Evaluates an expression of a spec on rows. numbers: values of names that are no columns. Raises UnknownError."""
    node = tree(text)
    named = {COUNT.name} | names_in(node)
    narrow = frame.asked_for(named) if isinstance(frame, Grouped) else frame[[name for name in frame if name in named]]
    with np.errstate(all="ignore"):
        return _value(node, narrow, numbers)


def _value(node: ast.expr, frame: Rows, numbers: Mapping[str, float]) -> Values:
    def of(inner: ast.expr) -> Values:
        return _value(inner, frame, numbers)

    match node:
        case ast.Constant(value):
            return value if isinstance(value, str) else np.float64(value)  # type: ignore[arg-type]
        case ast.Name(name):
            return np.float64(numbers[name]) if name in numbers else column(frame, name)
        case ast.BinOp(left, sign, right):
            return SIGNS[type(sign)](of(left), of(right))
        case ast.UnaryOp(sign, inner):
            return -of(inner) if isinstance(sign, ast.USub) else np.logical_not(of(inner))
        case ast.BoolOp(sign, parts):
            return reduce(SIGNS[type(sign)], map(of, parts))
        case ast.Compare(left, [ast.In()], [ast.Tuple(among)]):
            return reduce(np.logical_or, [of(left) == of(each) for each in among])
        case ast.Compare(left, signs, others):
            values = [of(left), *map(of, others)]
            pairs = zip(signs, values, values[1:], strict=False)
            return reduce(np.logical_and, [SIGNS[type(sign)](one, other) for sign, one, other in pairs])
        case ast.Call(ast.Name(name), args) if name in BY_ROW:
            return BY_ROW[name](of(args[0]))
        case ast.Call(ast.Name(name)):
            return _aggregate(name, node, frame, numbers)
    raise AssertionError(ast.unparse(node))


def _aggregate(name: str, node: ast.Call, frame: Rows, numbers: Mapping[str, float]) -> Values:
    arguments = CallArguments(name, node)
    for by in arguments.by:
        column(frame, by)  # which is there
    pieces: Iterable[Weighted]
    if arguments.by:
        groups = (_of_one(rows, arguments, numbers) for rows in _groups(frame, arguments.by))
        by_group = [
            1.0 if arguments.value is None else _of_group(arguments.value, rows, numbers)
            for rows in groups
            if len(rows.heads if isinstance(rows, Grouped) else rows)
        ]
        pieces = [_known(np.asarray(by_group), once(len(by_group)), node)]
    else:
        pieces = of_each(
            _pieces(frame, arguments, numbers),
            lambda rows: _known(_of_rows(arguments.value, rows, numbers), counts(rows), node),
        )
    sample = Sample(pieces)
    if not sample.trials and name != "count":
        raise UnknownError(f"there are no rows for {ast.unparse(node)}")
    return AGGREGATES[name](sample, arguments.level or 0.0)


def _of_rows(node: ast.expr | None, rows: pd.DataFrame, numbers: Mapping[str, float]) -> Values:
    """The values of rows that an aggregate is of; nothing is held of those that are counted."""
    return np.broadcast_to(1.0, len(rows)) if node is None else np.broadcast_to(_value(node, rows, numbers), len(rows))


def _known(values: Values, times: Ints, of: ast.expr) -> Weighted:
    """Values, with how many trials each is of. Raises UnknownError where any is null."""
    if pd.isna(values).any():
        raise UnknownError(f"there are nulls in {ast.unparse(of)}")
    return values, times


def _pieces(frame: Rows, of: CallArguments, numbers: Mapping[str, float]) -> Iterable[pd.DataFrame]:
    """The rows that an aggregate is of, where these may be taken so as many as are held at once, else all."""
    if isinstance(frame, Grouped) and (of.value is None or _by_row(of.value)):
        some = frame.kept(of.conditions, numbers)
        return Again(lambda: filter(len, some.pieces(numbers)))
    return [_kept(frame, of.conditions, numbers)]


def _by_row(node: ast.expr) -> bool:
    """Whether what it comes to on a row is a matter of that row alone."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return all(isinstance(call.func, ast.Name) and call.func.id in BY_ROW for call in calls)


def _groups(frame: Rows, by: Sequence[str]) -> Iterable[Rows]:
    """The rows that are alike in some columns, in turn."""
    if isinstance(frame, Grouped):
        return frame.groups(by)
    return (rows for _, rows in frame.groupby(list(by), dropna=False, sort=False))


def _of_one(rows: Rows, of: CallArguments, numbers: Mapping[str, float]) -> Rows:
    """The rows of a group that an aggregate is of; left where they are if only aggregates in it ask for more than the heads."""
    if isinstance(rows, Grouped):
        lazy = rows.kept(of.conditions, numbers)
        if not lazy.left and (of.value is None or _bare(of.value) - numbers.keys() <= lazy.spread.shared):
            return lazy
    return _kept(rows, of.conditions, numbers)


def _bare(node: ast.expr) -> set[str]:
    """The names in an expression that stand in no aggregate."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call):
        return set().union(*map(_bare, node.args)) if isinstance(node.func, ast.Name) and node.func.id in BY_ROW else set()
    return set().union(*(_bare(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)))


def kept(frame: Rows, conditions: Sequence[ast.expr]) -> Rows:
    """The rows that meet all conditions of a spec."""
    return frame.kept(conditions, {}) if isinstance(frame, Grouped) else _kept(frame, conditions, {})


def _kept(frame: Rows, conditions: Sequence[ast.expr], numbers: Mapping[str, float]) -> pd.DataFrame:
    """The rows that keep to all conditions, each of which is asked of those that the ones before it left."""
    if isinstance(frame, Grouped):
        return frame.kept(conditions, numbers).rows(numbers)
    for condition in conditions:
        if len(frame):
            frame = frame[np.broadcast_to(np.asarray(_value(condition, frame, numbers), bool), len(frame))]
    return frame


def _of_group(node: ast.expr, frame: Rows, numbers: Mapping[str, float]) -> Any:
    """The one value of a group of rows."""
    value = _value(node, frame, numbers)
    return _only(Sample.single(value)) if np.ndim(value) else value


def column(rows: Rows, name: str) -> Values:
    """A column of rows as a numpy array, with nan for null in floats. Raises UnknownError where there is none."""
    frame = rows.heads if isinstance(rows, Grouped) else rows
    if name not in frame:
        raise UnknownError(f"there is no column {name}")
    values = frame[name]
    if pd.api.types.is_bool_dtype(values):
        return values.to_numpy(bool)
    return values.to_numpy(np.float64, na_value=np.nan) if pd.api.types.is_numeric_dtype(values) else values.to_numpy(object)
