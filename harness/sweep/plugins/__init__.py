"""Plugins: files of one's own, named on the command line, with parts of any room in exactly the form of the rooms' own files.

So are modules that an installed distribution names by entry points of the group `harness.plugins`. A plugin may import modules
that lie beside it. Its text and theirs are read when it is loaded, and are what runs: here, and on workers, which see neither
the files nor the folder that they are in.
"""

import os
import posix
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from sysconfig import get_path
from traceback import walk_stack
from typing import NoReturn

from harness import registry, sources
from harness.registry import PartError
from harness.sources import PACKAGE, Source
from harness.sweep.errors import InputError
from harness.sweep.files.reading import MOST_TEXT, read_regular
from harness.sweep.plugins import compiled, data_files, patches, private_modules
from harness.sweep.plugins.dependencies import imports
from harness.sweep.stopping import was_asked_for
from harness.text import command

LIBRARIES = tuple({f"{get_path(kind)}/" for kind in ("stdlib", "platstdlib", "purelib", "platlib")})
INSTALLED = {"site-packages", "dist-packages"}
ABOUT = (".dist-info", ".egg-info")
"""Folders of what pip knows of a distribution, which any library may read."""


@dataclass(frozen=True)
class Plugin:
    """A plugin: a user's file, or a module that was installed.

    name: of the module that it is. argument: what the command line called it, empty for one that was installed. modules: its
    own text and those of the modules that it imports and that are no library's. files: of its distribution, if there is one.
    """

    name: str
    argument: str
    modules: dict[str, Source]
    files: frozenset[str] = frozenset()

    @property
    def experiments(self) -> tuple[Path, ...]:
        """The folder of the specs that come with it: of a package that was installed."""
        inside = not self.argument and "." in self.name
        return (Path(self.modules[self.name].path).with_name("experiments"),) if inside else ()


_loaded: dict[str, Plugin] = {}
_older = set[str]()  # the modules that were there before the last plugin
_brought = set[str]()  # the files of distributions that bring plugins: they are no library's


_leave, _HERE = os._exit, os.getpid()


def _stays(status: int) -> NoReturn:
    """In place of os._exit: a plugin does not end this process, which would pass for success; what it forks may end.

    Nor does what it leaves to others: a thread of its own, or the end of the program.
    """
    files = [frame.f_code.co_filename for frame, _ in walk_stack(sys._getframe())][1:]
    texts = {source.path for plugin in loaded() for source in plugin.modules.values()}
    of_library = bool(files) and not INSTALLED.isdisjoint(Path(files[0]).parts)
    if os.getpid() == _HERE and not (of_library and texts.isdisjoint(files)):
        raise SystemExit(f"os._exit({status})")
    _leave(status)


def loaded() -> tuple[Plugin, ...]:
    """All plugins of this process, in the order of loading."""
    return tuple(_loaded.values())


def _modules() -> set[str]:
    """The modules of all plugins: two may import the same, or one another."""
    return {module for plugin in loaded() for module in plugin.modules}


def harness_command(words: Iterable[object]) -> str:
    """A command of the harness as text for a shell, with the plugins that this process was given."""
    options = [word for plugin in loaded() if plugin.argument for word in ("--plugin", plugin.argument)]
    return command(["harness", *options, *words])


def bring(arguments: Sequence[str] = ()) -> None:
    """Imports the plugins that installed distributions bring, and then users' files, as `load` does. Raises InputError."""
    for entry in registry.installed():
        if entry.module not in _loaded:
            home = entry.dist
            _brought.update(str(file.locate()) for file in (home.files if home else None) or ())
            folder = Path(str(home.locate_file(""))) if home else Path()
            _load(entry.module, "", folder, f"{home.name if home else ''}, which is installed and brings {entry.value}")
    for name in arguments:
        load(name)


def load(argument: str) -> None:
    """Imports a user's plugin by its path, or by its module's name from the working directory or wherever Python looks.

    Raises InputError where it is no plugin.
    """
    by_path = argument.endswith(".py")
    name, folder = (Path(argument).stem, Path(argument).parent) if by_path else (argument, Path())
    place = f"--plugin {argument}"
    if name in _loaded:
        there = _loaded[name].argument or name
        if there != argument:
            raise InputError(f"has the name of {there}, which is loaded; allowed: another name", place)
        return
    if by_path and not Path(argument).is_file():
        raise InputError("there is no such file", place)
    if by_path and not name.isidentifier():
        raise InputError("is no name of a module; allowed: letters, digits and _", place)
    sys.path.append(str(folder.absolute()))  # the last place: nothing that lies there hides a library
    try:
        _load(name, argument, folder.absolute(), place)
    finally:
        sys.path.remove(str(folder.absolute()))  # what else the plugin put there is gone already


def _load(name: str, argument: str, folder: Path, place: str) -> None:
    """Import it, or be as before. place: what to call it in an error. Raises InputError."""
    try:
        _imported(name, argument, folder)
    except (InputError, PartError) as error:
        unload(name)
        raise InputError(f"{error}{data_files.remedy(error.__cause__)}", place) from None
    except BaseException as error:  # anybody's text may be anything, and end the program
        what = "cannot be imported" if isinstance(error, Exception) else registry.raised_at(name, error)
        unload(name)
        if was_asked_for(error):
            raise
        raise InputError(f"{what}: {type(error).__name__}: {error}".removesuffix(": "), place) from None


def unload(name: str) -> None:
    """Removes a plugin, its modules and its parts from this process."""
    registry.remove(name)
    plugin = _loaded.pop(name, None)
    modules = plugin.modules.keys() - _modules() if plugin else set()
    for module in modules:
        sys.modules.pop(module, None)
    sources.withdraw(modules)
    data_files.forget(name)
    if not _loaded:
        _older.clear()  # what is imported from now on is no plugin's doing


def _imported(name: str, argument: str, folder: Path) -> None:
    """Import it from its texts, and look at its parts. Raises PartError or InputError where it has none that can be used.

    folder: where it is, and what it brings along.
    """
    if name in sys.modules and name not in _modules():
        raise InputError("has the name of a module that Python has loaded; allowed: another name")
    modules = _gathered(name, folder)
    if name not in modules:
        import_module(name)  # raises what Python has to say of it, unless it is compiled
    if name not in modules or modules[name].package:
        raise InputError("is a package or compiled; allowed: a module that is one file")
    _loaded[name] = Plugin(name, argument, modules, frozenset() if argument else frozenset(_brought))
    os._exit = posix._exit = _stays
    _older.update(sys.modules)
    sources.serve(modules)
    registry.add(name)
    with data_files.recorded(name, modules, _is_library), patches.none_made(modules[name].path, _imports(modules)):
        rooms = [what for what, room in registry.ROOMS.items() if registry.defined(name, room.attribute)]
    _declare(name)
    data_files.look_for_compiled(name, _imports(modules))
    refuse_what_was_not_followed()
    private_modules.refuse(modules)
    if not rooms:
        attributes = ", ".join(room.attribute for room in registry.ROOMS.values())
        raise InputError(f"defines no part; allowed: a file that gives one to any of {attributes}")
    for what in rooms:
        registry.parts(what)


def restore(plugins: tuple[Plugin, ...]) -> None:
    """Imports the plugins of another process in this one."""
    for plugin in plugins:
        if plugin.name not in _loaded:
            _brought.update(plugin.files)
            sources.serve(plugin.modules)
            _older.update(sys.modules)
            text, modules = plugin.modules[plugin.name].path, plugin.modules
            with data_files.recorded(plugin.name, modules, _is_library), patches.none_made(text, _imports(modules)):
                import_module(plugin.name)
            _declare(plugin.name)
            registry.add(plugin.name)
            _loaded[plugin.name] = plugin


def _declare(plugin: str) -> None:
    """Records the files that a plugin says are opened for it by compiled code."""
    paths = compiled.declared(sys.modules[plugin])
    if paths is not None:
        data_files.declare(plugin, paths)


def _gathered(plugin: str, folder: Path) -> dict[str, Source]:
    """The texts of a module and of all that it imports, and that imports, but for libraries; looked for first in a folder."""
    invalidate_caches()
    gathered: dict[str, Source] = {}
    left = [plugin]
    while left:
        path = left.pop().split(".")
        for depth in range(1, len(path) + 1) if path[0] != PACKAGE else ():
            name = ".".join(path[:depth])
            if name not in gathered:
                source = _source(name, gathered, folder, wanted=plugin == name or plugin.startswith(f"{name}."))
                if source is None:
                    break
                gathered[name] = source
                left += imports(name, gathered)
    return gathered


def _imports(modules: dict[str, Source]) -> set[str]:
    """The names of all that modules import, and of what may be modules within that."""
    return {name for module in modules for name in imports(module, modules)}


def _source(name: str, gathered: dict[str, Source], folder: Path, wanted: bool) -> Source | None:
    """The text of a module in a package that was found, or on its own; None where there is none and where it is a library's.

    Raises InputError where it would hide a library.
    """
    home = gathered.get(name.rpartition(".")[0])
    if home is not None:
        spec = PathFinder.find_spec(name, [str(Path(home.path).parent)])
    elif (spec := PathFinder.find_spec(name, [str(folder)])) is None:
        spec = PathFinder.find_spec(name)
    elif _hides(name, folder) and not _of_a_library(spec):
        raise InputError(f"{spec.origin or folder / name} has the name of a library, and would hide it; allowed: another name")
    if spec is None or (home is None and not wanted and _of_a_library(spec)):
        return None
    if spec.submodule_search_locations is not None and spec.origin is None:  # a folder without an __init__.py
        return Source(b"", str(Path(next(iter(spec.submodule_search_locations))) / "__init__.py"), package=True)
    if spec.origin is None or not spec.origin.endswith(".py"):
        return None
    text = read_regular(Path(spec.origin), MOST_TEXT)
    return Source(text, spec.origin, spec.submodule_search_locations is not None)


def _hides(name: str, folder: Path) -> bool:
    """Whether a library has the name of a module in a folder."""
    elsewhere = [place for place in sys.path if Path(place or ".").absolute() != folder]
    library = PathFinder.find_spec(name, elsewhere)
    return name in sys.stdlib_module_names or (library is not None and _of_a_library(library))


def _of_a_library(spec: ModuleSpec) -> bool:
    """Whether a module is Python's own or was installed: these are known by their versions."""
    places = [spec.origin or ""] if spec.has_location else list(spec.submodule_search_locations or ())
    return all(map(_is_library, places))


def _is_library(path: str) -> bool:
    """Whether a file is of Python's own or of what was installed, and of no plugin's distribution."""
    if Path(path).parent.name.endswith(ABOUT):
        return True
    return path not in _brought and (path.startswith(LIBRARIES) or not INSTALLED.isdisjoint(Path(path).parts))


def refuse_what_was_not_followed() -> None:
    """Raises InputError where a plugin imported a module that is not tracked nor a library's, or read a file too late."""
    data_files.refuse_late()
    for name in set(sys.modules) - _older - sources.served().keys() if _older else ():
        spec = getattr(sys.modules[name], "__spec__", None)
        # Libraries may lie anywhere; to ask for all that are installed takes a while.
        if sys.modules[name] is sys.modules["__main__"]:  # as multiprocessing calls it
            continue
        if spec is None or _of_a_library(spec):
            continue
        if spec.origin in _brought or name.partition(".")[0] not in compiled.installed():
            raise InputError(f"imports {name} in a way that cannot be followed; allowed: an import statement")
