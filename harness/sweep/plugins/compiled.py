"""Compiled code that a plugin brings: Python tells of none of the files that it opens, so the plugin names them.

What this program needs itself opens files through Python, or is asked by names that are seen. Of other compiled code, as that
of h5py or what ctypes loads, nobody sees what it opens. A plugin that has some loaded lists the paths of all that it opens in
DATA_FILES: these are data of the plugin like what is opened through Python. That there are no others is its author's word.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, requires
from pathlib import Path
from types import FrameType
from typing import Any

from harness.sources import PACKAGE
from harness.sweep.errors import InputError
from harness.sweep.plugins.forbidden_calls import INSTALLED

PROGRAM = "dp-theorem-harness"
DECLARED = "DATA_FILES"
OPENERS = {"_cffi_backend", "cffi", "pyarrow.fs"}
"""Modules that this program, or what it needs, has for itself, and that open for others what nobody sees."""

CALLING = "numpy.ctypeslib"  # has ctypes load what it is asked for

UNSEEN = (
    f"compiled code, of which nobody sees what it opens; allowed: {DECLARED} in the plugin, "
    "a tuple of the paths of all files that it has opened so, () for none"
)


def loaded(imported: Iterable[str]) -> list[str]:
    """Of modules that a text imports those with compiled code, loaded before, that this program does not need."""
    tops = {name.partition(".")[0] for name in imported}
    specs = [getattr(module, "__spec__", None) for name, module in [*sys.modules.items()] if name.partition(".")[0] in tops]
    origins = [spec.origin for spec in specs if spec is not None and isinstance(spec.origin, str)]
    brought = {top(origin) for origin in origins if origin.endswith(tuple(EXTENSION_SUFFIXES))}
    return sorted({each for each in brought if not _is_ours(each)} | OPENERS.intersection(imported))


def top(path: str) -> str:
    """The package that a file is in, or the module that it is, by where it lies: some have another name for themselves."""
    parts = Path(path).parts
    installed = [Path(*parts[: place + 1]) for place, part in enumerate(parts) if part in INSTALLED]
    homes = installed[:1] or [home for place in sys.path if (home := Path(place).absolute()) in Path(path).parents]
    home = max(homes, key=lambda folder: len(folder.parts), default=Path(path).parent)
    return Path(path).relative_to(home).parts[0].partition(".")[0]


def is_brought(path: str | None, frame: FrameType | None, plugin: FrameType) -> bool:
    """Whether compiled code is for what this program does not need. frame: where it is loaded, for a frame of a plugin's.
    path: of a module that is imported, None where ctypes loads something.

    What a library that is needed imports while it is imported is its own, and so is what it has ctypes load.
    """
    if path is not None and _is_ours(top(path)):
        return False
    while frame is not None and frame is not plugin:
        name = frame.f_globals.get("__name__", "")
        ours = _is_ours(name) and name.partition(".")[0] not in sys.stdlib_module_names and not name.startswith(CALLING)
        if ours and (path is None or frame.f_code.co_name == "<module>"):
            return False
        frame = frame.f_back
    return True


def _is_ours(module: str) -> bool:
    """Whether a module is of Python's own library, of this program, or of what that needs."""
    first = module.partition(".")[0]
    return first in sys.stdlib_module_names or first == PACKAGE or (first not in OPENERS and _is_needed(first))


@cache
def _is_needed(module: str) -> bool:
    """Whether a module or package that was installed is of a distribution that this program needs."""
    try:
        names = [distribution(module).name]
    except PackageNotFoundError:
        names = installed().get(module, [])
    return not {_plain(name) for name in names}.isdisjoint(_needed())


@cache
def installed() -> Mapping[str, list[str]]:
    """The distributions that each module and package at the top is of: to ask takes half a second."""
    return packages_distributions()


@cache
def _needed() -> frozenset[str]:
    """The distributions that this program needs, and that these do, on any system."""
    reached, left = set[tuple[str, frozenset[str]]](), [(PROGRAM, frozenset[str]())]
    while left:
        name, extras = one = left.pop()
        if one in reached:
            continue
        reached.add(one)
        try:
            wanted = requires(name) or []
        except PackageNotFoundError:  # of another system
            continue
        for text in wanted:
            if (needs := set(re.findall(r"extra\s*==\s*['\"]([^'\"]+)", text))) and needs.isdisjoint(extras):
                continue
            if match := re.match(r"([\w.-]+)\s*(?:\[([^]]*)])?", text):
                left.append((_plain(match[1]), frozenset(re.split(r"[\s,]+", match[2] or ""))))
    return frozenset(name for name, _ in reached)


def _plain(name: str) -> str:
    """The name of a distribution, as all ways to write it are one."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(module: Any) -> list[Path] | None:
    """The paths that a plugin's module lists in DATA_FILES; None where it has no such list.

    Raises InputError where that is no list of paths.
    """
    paths = getattr(module, DECLARED, None)
    if paths is None:
        return None
    if not isinstance(paths, tuple | list) or not all(isinstance(path, str | Path) for path in paths):
        raise InputError(f"{DECLARED} is no list of paths; allowed: a tuple of texts or paths")
    return [Path(path) for path in paths]
