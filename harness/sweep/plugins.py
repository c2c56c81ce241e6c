"""Plugins: modules of one file, named on the command line, that register concept classes and learners of one's own.

A worker may run elsewhere and see neither the file nor the working directory, so every batch takes the plugins' source text
along; the driver's text is what runs everywhere, and what the fingerprint of a table covers.
"""

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from harness.concepts import concepts
from harness.concepts.black_box import registered_learners
from harness.sweep.errors import InputError


@dataclass(frozen=True)
class Plugin:
    """A module by its name, with its source text."""

    name: str
    source: str


_loaded: dict[str, Plugin] = {}


def loaded() -> tuple[Plugin, ...]:
    """All plugins of this process, in the order of loading."""
    return tuple(_loaded.values())


def plugin_options() -> list[str]:
    """What a command needs to have the same plugins."""
    return [word for name in _loaded for word in ("--plugin", name)]


def load(name: str) -> None:
    """Import a module, from the working directory or wherever Python looks. Raises InputError where it is no plugin."""
    if name in _loaded:
        return
    place, before = f"--plugin {name}", len(concepts()) + len(registered_learners())
    sys.path.insert(0, str(Path.cwd()))
    try:
        file = getattr(import_module(name), "__file__", None)
    except Exception as error:  # anybody's code may raise anything
        raise InputError(f"cannot be imported: {type(error).__name__}: {error}", place) from None
    finally:
        sys.path.pop(0)
    if len(concepts()) + len(registered_learners()) == before:
        raise InputError("registers no concept class and no learner; allowed: a module that calls `register`", place)
    if file is None or Path(file).name == "__init__.py":
        raise InputError("is a package; allowed: a module of one file, which is what workers are given", place)
    _loaded[name] = Plugin(name, Path(file).read_text(encoding="utf-8"))


def restore(plugins: tuple[Plugin, ...]) -> None:
    """Have the plugins of another process in this one."""
    for plugin in plugins:
        if plugin.name not in _loaded:
            module = sys.modules[plugin.name] = ModuleType(plugin.name)
            exec(compile(plugin.source, f"{plugin.name}.py", "exec"), module.__dict__)
            _loaded[plugin.name] = plugin
