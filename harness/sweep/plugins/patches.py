"""What a plugin may not replace as it is loaded: functions and classes that others' rows come of, and what warnings do.

Others are those of the harness, and of Python and numpy for all. What is replaced later, while trials run, is not looked for.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import isclass
from typing import Any

from harness.sweep.errors import InputError

SHARED = ("harness", "numpy", "scipy", "math", "random", "builtins")
"""Packages and modules in which nothing is replaced."""


@contextmanager
def none_made(text: str, imported: Iterable[str]) -> Iterator[None]:
    """Context manager in which a plugin is loaded: the module search path is as before after it, and what it replaces in shared
    modules is put back. text: the path of the plugin's own. imported: by it, of which shared modules are loaded before.

    Raises InputError, with file and line of what it was replaced by where these are known, where anything was.
    """
    for name in filter(_is_shared, imported):
        with suppress(ImportError):  # it may be what a module holds
            import_module(name)
    before, strict, path = _holders(), _errors(), [*sys.path]
    replaced, stricter = list[tuple[str, str]](), False
    try:
        with warnings.catch_warnings():
            yield
            stricter = _errors() > strict
    finally:
        sys.path[:] = path
        replaced = [each for holder in before for each in _put_back(*holder)]
    if replaced:
        what, line = replaced[0]
        raise InputError(f"{line or text} replaces {what}, of which others' rows come; allowed: a function or class of its own")
    if stricter:
        raise InputError(f"{text} makes errors of all warnings of a sort; allowed: within warnings.catch_warnings()")


def _is_shared(module: str) -> bool:
    return module.partition(".")[0] in SHARED


def _holders() -> list[tuple[Any, str, dict[str, Any]]]:
    """Each shared module, class and object in one, its name, and what it holds."""
    modules = [(module, name) for name, module in sys.modules.items() if _is_shared(name)]
    within = [
        (value, f"{name}.{part}")
        for module, name in modules
        if name.startswith("harness")
        for part, value in vars(module).items()
        if hasattr(value, "__dict__") and (value if isclass(value) else type(value)).__module__ == name
    ]
    return [(each, name, {**vars(each)}) for each, name in (*modules, *within)]


def _put_back(holder: Any, name: str, parts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields what is in place of a function or class that a module, class or object had: its name, and where it is defined."""
    usual = {part: each for part, each in parts.items() if callable(each)}
    for part, now in [*vars(holder).items()]:
        if part not in parts and callable(getattr(type(holder), part, None)):
            vars(holder).pop(part)  # an object's own, in place of its class's
        elif part not in usual or now is usual[part] or part.startswith("__"):
            continue
        else:
            setattr(holder, part, usual[part])
        code = getattr(now, "__code__", None)
        yield f"{name}.{part}", f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def _errors() -> int:
    """How many sorts of warnings are errors."""
    return sum(each[0] == "error" for each in warnings.filters)
