"""Compiled modules behind those of libraries, which a plugin may not take for itself: Python tells nothing of what they do.

What they open, ask and change is looked for in the modules before them. Seen is what a plugin's text names.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import BuiltinImporter, ExtensionFileLoader
from types import ModuleType
from typing import Any

from harness.sources import Source
from harness.sweep.errors import InputError

BEHIND = {"posix", "pyarrow.lib"}
"""Such modules whose names do not begin with an underscore."""


def refuse(modules: Mapping[str, Source]) -> None:
    """Raises InputError, with file and line, where the text of a plugin, which is loaded, names such a module.
    modules: the plugin's own.
    """
    for source in modules.values():
        for path, line in _named(ast.parse(source.text, source.path)):
            if private := _private(path):
                what = f"takes {private}, which is compiled and private, so that nothing is seen of what it does"
                raise InputError(f"{source.path}:{line} {what}; allowed: the public modules of that library")


def _named(tree: ast.AST) -> Iterator[tuple[list[str], int]]:
    """What a text imports, and takes of what it imports, each as the names of a module and of what is in it; and the line."""
    bound = dict[str, list[str]]()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    path = alias.name.split(".")
                    bound[alias.asname or path[0]] = path if alias.asname else path[:1]
                    yield path, node.lineno
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    bound[alias.asname or alias.name] = path = [*module.split("."), alias.name]
                    yield path, node.lineno
    for node in ast.walk(tree):
        match node:
            case ast.Attribute() if (path := _path(node)) and path[0] in bound:
                yield bound[path[0]] + path[1:], node.lineno


def _path(node: ast.expr) -> list[str]:
    """The names of which an expression consists that has nothing else; else empty."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=home, attr=name) if before := _path(home):
            return [*before, name]
    return []


def _private(path: list[str]) -> str:
    """The name of the first such module on a path; empty where there is none."""
    held: Mapping[str, Any] = sys.modules
    for depth, name in enumerate(path, 1):
        place = sys.modules.get(".".join(path[:depth]), held.get(name))
        if not isinstance(place, ModuleType):
            return ""
        held = vars(place)
        inner = place.__name__.split(".")
        hidden = place.__name__ in BEHIND or any(each.startswith("_") and not each.startswith("__") for each in inner)
        loader = getattr(place, "__loader__", None)
        if hidden and (loader is BuiltinImporter or isinstance(loader, ExtensionFileLoader)):
            return place.__name__
    return ""
