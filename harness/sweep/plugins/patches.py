"""What a plugin may not replace as it is loaded: functions and classes that others' rows come of, and what warnings do.

Others are those of the harness, and of Python and numpy for all. Of what is replaced later, while trials run, that is looked
for which Python calls when something goes wrong, or is collected.
"""

import gc
import sys
import threading
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from inspect import isclass
from pathlib import Path
from typing import Any

from harness.sweep.errors import InputError
from harness.sweep.plugins.forbidden_calls import INSTALLED

SHARED = ("harness", "numpy", "scipy", "math", "random", "builtins")
"""Packages and modules in which nothing is replaced."""

HOOKS = ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook"))
"""What Python calls for errors that nobody catches."""


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
        with hooks_kept(text), warnings.catch_warnings():
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


@contextmanager
def hooks_kept(who: str) -> Iterator[None]:
    """Context manager in which a plugin is at work: what Python calls for errors and collections is as before after it.

    who: the plugin. Raises InputError, with file and line of what was put there where these are known, where it was not.
    """
    hooks, callbacks = [getattr(*hook) for hook in HOOKS], [*gc.callbacks]
    try:
        yield
    finally:
        replaced = [
            (f"{home.__name__}.{name}", now)
            for (home, name), was in zip(HOOKS, hooks, strict=True)
            if (now := getattr(home, name)) is not was
        ]
        added = gc.callbacks[len(callbacks) :]
        replaced += [("gc.callbacks", each) for each in added if not _of_library(each)]
        for (home, name), was in zip(HOOKS, hooks, strict=True):
            setattr(home, name, was)
        gc.callbacks[:] = [*callbacks, *filter(_of_library, added)]
    if replaced:
        what, now = replaced[0]
        raise InputError(f"{_line(now) or who} replaces {what}, which all in the process have; allowed: to leave it as it is")


def _of_library(function: Any) -> bool:
    """Whether an installed library has it, which may have its reasons."""
    return not {*INSTALLED}.isdisjoint(Path(_line(function)).parts)


def _line(function: Any) -> str:
    """Where a function is defined; empty for one that is none of Python's."""
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else ""


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
    changed = [(part, now) for part, now in vars(holder).items() if part not in parts or now is not parts[part]]
    for part, now in changed:
        if part not in parts and callable(getattr(type(holder), part, None)):
            vars(holder).pop(part)  # an object's own, in place of its class's
        elif part not in parts or not callable(parts[part]) or part.startswith("__"):
            continue
        else:
            setattr(holder, part, parts[part])
        yield f"{name}.{part}", _line(now)


def _errors() -> int:
    """How many sorts of warnings are errors."""
    return sum(each[0] == "error" for each in warnings.filters)
