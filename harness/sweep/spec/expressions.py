"""Numbers of a table, asked for in a spec: expressions on its columns, of which nothing is ever run as code.

An expression is written as in Python: columns, numbers, texts in quotes, `+ - * / **`, comparisons, `in`, `and`, `or`, `not`,
and functions. mean, median, sum, least, most, quantile(…, at=0.9), count, share, only (the one value that all rows have), any
and all make one value of many rows: `mean(error, mechanism == 'A_Priv', n > 1e6)` is that of the rows that keep to the
conditions, each of which is asked of those that the ones before it left. With `by` the same is done in each group of rows:
`least(mean(bound) / mean(error), by=(cell, mechanism))` is the least of what the groups have; groups without rows are left
out. known, abs and log are taken row by row.
"""

import ast
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from harness.registry import nearest
from harness.trials.fields import shown

NUMBER, TEXT, TRUTH = "a number", "text", "a truth"
OF_NUMBERS, OF_TRUTHS = ("mean", "median", "sum", "least", "most", "quantile"), ("share", "any", "all")
BY_ROW = ("known", "abs", "log")
FUNCTIONS = (*OF_NUMBERS, "count", *OF_TRUTHS, "only", *BY_ROW)
SUMS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class ValueSort(NamedTuple):
    """The type of an expression's value. rows: whether there is a value for each row, or a single one."""

    what: str
    rows: bool


@dataclass(frozen=True)
class Expression:
    """An expression of a spec, on columns and numbers. text: as written.
    sorts: the names that it may have, with what each is.
    """

    text: str
    sorts: Mapping[str, ValueSort]

    def wanted(self, what: str, rows: bool = False) -> None:
        """Raises ValueError, with what is allowed, where it means nothing, or does not come to what is wanted."""
        try:
            sort = self._sort(tree(self.text))
        except RecursionError:
            raise ValueError(f"too many brackets within brackets: {shown(self.text)}; allowed: fewer") from None
        if sort != ValueSort(what, rows):
            actual, allowed = (f"{each} {'for each row' if many else 'of all rows'}" for each, many in (sort, (what, rows)))
            raise ValueError(f"{shown(self.text)} is {actual}; allowed: {allowed}{'' if rows else ', such as most(n)'}")

    def _sort(self, node: ast.expr) -> ValueSort:
        match node:
            case ast.Constant(str()):
                return ValueSort(TEXT, False)
            case ast.Constant(int() | float() as value) if not isinstance(value, bool):
                return ValueSort(NUMBER, False)
            case ast.Name(name):
                if name not in self.sorts:
                    raise ValueError(f"no column {name!r}; {nearest(name, list(self.sorts))}")
                return self.sorts[name]
            case ast.BinOp(left, sign, right) if isinstance(sign, SUMS):
                return self._same(NUMBER, NUMBER, left, right)
            case ast.UnaryOp(ast.USub(), inner):
                return self._same(NUMBER, NUMBER, inner)
            case ast.UnaryOp(ast.Not(), inner):
                return self._same(TRUTH, TRUTH, inner)
            case ast.BoolOp(_, parts):
                return self._same(TRUTH, TRUTH, *parts)
            case ast.Compare(left, [ast.In()], [ast.Tuple(among)]):
                return self._same(self._sort(left).what, TRUTH, left, *among)
            case ast.Compare(left, signs, others) if all(isinstance(sign, COMPARISONS) for sign in signs):
                return self._same(self._sort(left).what, TRUTH, left, *others)
            case ast.Call(ast.Name(name)):
                return self._called(name, node)
        allowed = "columns, numbers, texts, + - * / **, < <= == != >= >, in, and, or, not"
        raise ValueError(f"{shown(ast.unparse(node))} is not allowed; allowed: {allowed}, {', '.join(FUNCTIONS)}")

    def _same(self, what: str, gives: str, *parts: ast.expr) -> ValueSort:
        """Of parts that must all be of one sort."""
        sorts = [self._sort(part) for part in parts]
        for part, sort in zip(parts, sorts, strict=True):
            if sort.what != what:
                raise ValueError(f"{shown(ast.unparse(part))} is {sort.what}; allowed: {what}")
        return ValueSort(gives, any(sort.rows for sort in sorts))

    def _called(self, name: str, node: ast.Call) -> ValueSort:
        if name not in FUNCTIONS:
            raise ValueError(f"no function {name!r}; {nearest(name, FUNCTIONS)}")
        arguments = CallArguments(name, node)
        of = self._sort(arguments.value) if arguments.value else ValueSort(NUMBER, True)
        wanted = TRUTH if name in OF_TRUTHS else NUMBER if name not in ("only", "known") else of.what
        if of.what != wanted:
            raise ValueError(f"{name} of {of.what}; allowed: of {wanted}")
        for condition in arguments.conditions:
            if self._sort(condition).what != TRUTH or name in BY_ROW:
                raise ValueError(f"{shown(ast.unparse(condition))} is no condition of {name}; allowed: such as mean(n, m > 10)")
        for column in arguments.by:
            if not self._sort(ast.Name(column)).rows:
                columns = [each for each, sort in self.sorts.items() if sort.rows]
                raise ValueError(f"{column} is no column; {nearest(column, columns)}")
        if name in BY_ROW:
            return ValueSort(TRUTH if name == "known" else NUMBER, of.rows)
        if not (of.rows or arguments.by):
            raise ValueError(f"{shown(ast.unparse(node))} is of one value; allowed: a column, or by=…")
        return ValueSort(TRUTH if name in ("any", "all") else of.what if name == "only" else NUMBER, False)


class CallArguments:
    """The arguments of a call in a spec's expression. value: the first, None for `count`; conditions: the others, in order.
    by: the columns that make groups.

    level: the share of a quantile. Raises ValueError where it is no such call.
    """

    def __init__(self, name: str, node: ast.Call) -> None:
        counted = name == "count"
        if not (counted or node.args):
            raise ValueError(f"{name} of nothing; allowed: such as {name}(n)")
        self.value = None if counted else node.args[0]
        self.conditions: Sequence[ast.expr] = node.args if counted else node.args[1:]
        options = {str(each.arg): each.value for each in node.keywords}
        allowed = ["by", "at"] if name == "quantile" else [] if name in BY_ROW else ["by"]
        for key in options:
            if key not in allowed:
                raise ValueError(f"no option {shown(key)} of {name}; {nearest(key, allowed) if allowed else 'allowed: none'}")
        level = getattr(options.get("at"), "value", None)
        self.level = level if isinstance(level, float) and 0 < level < 1 else None
        if self.level is None and name == "quantile":
            raise ValueError("quantile of which share? allowed: such as at=0.9")
        by = options.get("by")
        names = by.elts if isinstance(by, ast.Tuple) else [by] if by else []
        self.by = [each.id for each in names if isinstance(each, ast.Name)]
        if len(self.by) < len(names) or (by and not names):
            raise ValueError(f"by={shown(ast.unparse(by) if by else '')} names no columns; allowed: such as by=n or by=(n, m)")


def tree(text: str) -> ast.expr:
    """The syntax tree of a spec's expression, as Python reads it. Raises ValueError where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"not an expression: {shown(text)}; allowed: such as mean(n, mechanism == 'a')") from None


def names_in(node: ast.expr) -> set[str]:
    """All names in the syntax tree of an expression."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
