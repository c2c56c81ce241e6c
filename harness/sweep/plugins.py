"""Plugins: modules of one file, named on the command line, that register concept classes and learners of one's own.

A plugin may import modules that lie beside it. Its text and theirs are read when it is loaded, and are what runs: here, and on
workers, which see neither the files nor the folder that they are in.
"""

import sys
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path
from sysconfig import get_path

from harness import sources
from harness.concepts import concepts
from harness.concepts.black_box import registered_learners
from harness.sources import PACKAGE, Source
from harness.sweep.dependencies import imports
from harness.sweep.errors import InputError
from harness.sweep.files import MOST_TEXT, read_regular

LIBRARIES = tuple({f"{get_path(kind)}/" for kind in ("stdlib", "platstdlib", "purelib", "platlib")})
INSTALLED = {"site-packages", "dist-packages"}


@dataclass(frozen=True)
class Plugin:
    """A module by its name, with its own text and those of the modules that it imports and that are no library's."""

    name: str
    modules: dict[str, Source]


_loaded: dict[str, Plugin] = {}
_older = set[str]()  # the modules that were there before the last plugin


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
    place, modules = f"--plugin {name}", dict[str, Source]()
    sys.path.insert(0, str(Path.cwd()))
    try:
        modules = _gathered(name)
        sources.serve(modules)
        _imported(name, modules)
    except Exception as error:  # anybody's code may raise anything
        sources.withdraw(modules)
        what = str(error) if isinstance(error, InputError) else f"cannot be imported: {type(error).__name__}: {error}"
        raise InputError(what, place) from None
    finally:
        sys.path.pop(0)
    _loaded[name] = Plugin(name, modules)


def _imported(name: str, modules: dict[str, Source]) -> None:
    """Import it from its texts. Raises InputError where that makes no difference, and all that it raises itself."""
    before = len(concepts()) + len(registered_learners())
    _older.update(sys.modules)
    import_module(name)
    refuse_what_was_not_followed()
    if len(concepts()) + len(registered_learners()) == before:
        raise InputError("registers no concept class and no learner; allowed: a module that calls `register`")
    if name not in modules or modules[name].package:
        raise InputError("is a package or compiled; allowed: a module that is one file")


def restore(plugins: tuple[Plugin, ...]) -> None:
    """Have the plugins of another process in this one."""
    for plugin in plugins:
        if plugin.name not in _loaded:
            sources.serve(plugin.modules)
            _older.update(sys.modules)
            import_module(plugin.name)
            _loaded[plugin.name] = plugin


def _gathered(plugin: str) -> dict[str, Source]:
    """The texts of a module and of all that it imports, and that imports, but for libraries."""
    invalidate_caches()
    found: dict[str, Source] = {}
    left = [plugin]
    while left:
        path = left.pop().split(".")
        for depth in range(1, len(path) + 1) if path[0] != PACKAGE else ():
            name = ".".join(path[:depth])
            if name not in found:
                source = _source(name, found, wanted=plugin == name or plugin.startswith(f"{name}."))
                if source is None:
                    break
                found[name] = source
                left += imports(name, found)
    return found


def _source(name: str, found: dict[str, Source], wanted: bool) -> Source | None:
    """The text of a module in a package that was found, or on its own; None where there is none and where it is a library's."""
    home = found.get(name.rpartition(".")[0])
    spec = PathFinder.find_spec(name, None if home is None else [str(Path(home.path).parent)])
    if spec is None or (home is None and not wanted and _of_a_library(spec)):
        return None
    if spec.submodule_search_locations is not None and spec.origin is None:  # a folder without an __init__.py
        return Source(b"", str(Path(next(iter(spec.submodule_search_locations))) / "__init__.py"), package=True)
    if spec.origin is None or not spec.origin.endswith(".py"):
        return None
    text = read_regular(Path(spec.origin), MOST_TEXT)
    return Source(text, spec.origin, spec.submodule_search_locations is not None)


def _of_a_library(spec: ModuleSpec) -> bool:
    """Whether a module is Python's own or was installed: these are known by their versions."""
    places = [spec.origin or ""] if spec.has_location else list(spec.submodule_search_locations or ())
    return all(place.startswith(LIBRARIES) or not INSTALLED.isdisjoint(Path(place).parts) for place in places)


def refuse_what_was_not_followed() -> None:
    """Raise InputError where a plugin has imported a module that is neither served nor a library's."""
    for name in set(sys.modules) - _older - sources.served().keys() if _older else ():
        spec = getattr(sys.modules[name], "__spec__", None)
        # Libraries may lie anywhere; to ask for all that are installed takes a tenth of a second.
        if spec is not None and not _of_a_library(spec) and name.partition(".")[0] not in packages_distributions():
            raise InputError(f"imports {name} in a way that cannot be followed; allowed: an import statement")
