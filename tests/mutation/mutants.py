"""Mutants: a file with one small change, made by the operators of cosmic-ray, and a random draw of them.

A *place* is a piece of the text that an operator can change. Each place counts once, with one of its changes: otherwise a
room's score would be that of its plus signs, each of which has eleven changes, and most of these raise TypeError at once.
"""

import difflib
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutation.rooms import ROOT

ARITHMETIC = ("Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow")
UNARY = ("USub_UAdd", "Delete_USub", "Delete_Invert", "Delete_Not")


class Mutant(NamedTuple):
    """One change of a file: the first and the last line that are others, what these were, and what they are."""

    file: str
    line: int
    last: int
    operator: str
    was: str
    becomes: str

    @property
    def text(self) -> str:
        """The file with the change."""
        lines = source(self.file).splitlines(keepends=True)
        return "".join([*lines[: self.line - 1], *([f"{self.becomes}\n"] if self.becomes else []), *lines[self.last :]])


@cache
def source(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def kept(operator: str) -> bool:
    """Without changes of sums to bits, which floats refuse, and of equality to identity, which is the same of short names."""
    kind, _, change = operator.partition("/")[2].partition("_")
    old, _, new = change.partition("_")
    if kind == "ReplaceBinaryOperator":
        return (old in ARITHMETIC) == (new in ARITHMETIC)
    if kind == "ReplaceComparisonOperator":
        return old.startswith("Is") == new.startswith("Is")
    return kind != "ReplaceUnaryOperator" or change in UNARY


def is_type(node: Any) -> bool:
    """Whether a node stands in an annotation, which nothing reads when the program runs."""
    while (parent := node.parent) is not None:
        if parent.type == "annassign" and node is parent.children[1]:
            return True
        if parent.type == "tfpdef" and node is parent.children[-1]:
            return True
        if parent.type == "funcdef" and node is parent.annotation:
            return True
        node = parent
    return False


def orders_names(operator: str, node: Any) -> bool:
    """Whether names would be compared as what comes first in the alphabet, which is as good as equality of all but a few."""
    of_names = node.type == "comparison" and any(child.type == "string" for child in node.children)
    return of_names and not operator.endswith(("Eq_NotEq", "NotEq_Eq"))


@cache
def changes(file: str) -> dict[tuple[object, object], list[tuple[str, int]]]:
    """For every place of a file its changes: an operator, and the how manieth place of that operator it is."""
    nodes = list(ast_nodes(get_ast(source(file))))
    found: dict[tuple[object, object], list[tuple[str, int]]] = {}
    for name, operator in operators():
        occurrence = 0
        for node in nodes:
            for start, end in operator.mutation_positions(node):
                if not is_type(node) and not orders_names(name, node):
                    found.setdefault((start, end), []).append((name, occurrence))
                occurrence += 1
    return found


def operators() -> Iterator[tuple[str, Operator]]:
    for name in sorted(filter(kept, operator_names())):
        kind = get_operator(name)
        if not kind.arguments():
            yield name, kind()


def mutant(file: str, name: str, occurrence: int) -> Mutant:
    old = source(file).splitlines()
    new = mutate_code(source(file), get_operator(name)(), occurrence).splitlines()
    edits = [code for code in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if code[0] != "equal"]
    first, last = edits[0][1], edits[-1][2]
    becomes = "\n".join(new[edits[0][3] : edits[-1][4]])
    return Mutant(file, first + 1, last, name.partition("/")[2], "\n".join(old[first:last]), becomes)


def drawn(files: list[str], seed: int) -> Iterator[Mutant]:
    """All places in random order, each with one of its changes at random: the first N are a draw of N without replacement."""
    rng = random.Random(seed)
    places = [(file, place) for file in files for place in sorted(changes(file))]
    rng.shuffle(places)
    for file, place in places:
        yield mutant(file, *rng.choice(changes(file)[place]))
