"""The texts of the modules that run.

They are read once, before anything else of the package is imported, and every module is made of them: what is edited on disk
afterwards changes nothing of a process that is under way, and what is said of the texts is true of what runs. A worker is given
its driver's texts and has no others.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

PACKAGE = "harness"
HEADER, CHECKED = 16, (3).to_bytes(4, "little")  # of a file in `__pycache__`: its bytes, and that it goes by its text's hash


class Source(NamedTuple):
    """A module's text, the path of the file that it was read from, and whether it is a package."""

    text: bytes
    path: str
    package: bool = False


_served: dict[str, Source] = {}
_home: Path | None = None  # the folder that was pinned


class _TextLoader(SourceFileLoader):
    """Makes a module of its text. What `__pycache__` has is taken if it says that it was made of that very text.

    Python's own files there go by times, which an edit while a program starts can escape: PEP 552 has the others.
    """

    def get_data(self, path: str) -> bytes:
        return _served[self.name].text if path == self.path else super().get_data(path)

    def path_stats(self, path: str) -> Mapping[str, Any]:
        return {"mtime": 0, "size": -1}  # no file's

    def set_data(self, path: str, data: Any, **more: Any) -> None:
        source = _served[self.name]
        if _is_ours(source):
            super().set_data(path, MAGIC_NUMBER + CHECKED + source_hash(source.text) + bytes(data)[HEADER:], **more)


class _Finder(MetaPathFinder):
    """Finds what is served. Of the package itself there is nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = _served.get(fullname)
        if source is not None:
            inside = [str(Path(source.path).parent)] if source.package else None
            loader = _TextLoader(fullname, source.path)
            return spec_from_file_location(fullname, source.path, loader=loader, submodule_search_locations=inside)
        if fullname.startswith(f"{PACKAGE}."):
            raise ModuleNotFoundError(f"No module named {fullname!r} among those that run here", name=fullname)
        return None


def read(folder: Path) -> dict[str, Source]:
    """The texts of the package's modules as they are in a folder now, by the modules' names."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        *rooms, stem = path.relative_to(folder).with_suffix("").parts
        package = stem == "__init__"
        name = ".".join((PACKAGE, *rooms) if package else (PACKAGE, *rooms, stem))
        modules[name] = Source(path.read_bytes(), str(path), package)
        for depth in range(1, len(rooms)):  # a folder need not say that it is a package
            home = folder.joinpath(*rooms[: depth + 1], "__init__.py")
            modules.setdefault(".".join((PACKAGE, *rooms[: depth + 1])), Source(b"", str(home), package=True))
    return modules


def pin(folder: Path) -> None:
    """Makes the package run what its folder holds now; to be called before any other of its modules is imported.

    Does nothing in a worker, which already serves what it was given.
    """
    global _home
    if PACKAGE not in _served:
        _home = folder
        serve(read(folder))


def _is_ours(source: Source) -> bool:
    """Whether a text lies in the folder that was pinned, not in a user's nor, on a worker, elsewhere."""
    return _home is not None and _home in Path(source.path).parents


def kept(source: Source, what: str, make: Callable[[], Any], by: str = "") -> Any:
    """The result of `make` on a module's text; of the package's own it is cached in `__pycache__`, with the text's hash.

    What is of another text or `by` something else is not taken. make: gives what JSON can keep. Nothing is kept where nothing
    can be written.
    """
    if not _is_ours(source):
        return make()
    place = cache_from_source(source.path, optimization=what)
    of = sha256(f"{sys.version}\0{by}\0".encode() + source.text).hexdigest()
    with suppress(OSError, ValueError, TypeError, KeyError):
        stored = json.loads(Path(place).read_bytes())
        if stored["of"] == of:
            return stored["made"]
    made = make()
    if not sys.dont_write_bytecode:  # whole or not at all, and silent where it cannot
        SourceFileLoader("", place).set_data(place, json.dumps({"of": of, "made": made}).encode())
    return made


def serve(modules: Mapping[str, Source]) -> None:
    """Makes `import` take these modules, by name, from the given texts and not from their files, from now on."""
    _served.update(modules)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def withdraw(modules: Iterable[str]) -> None:
    """Undoes `serve` for these modules: `import` no longer takes them from given texts."""
    for name in modules:
        _served.pop(name, None)


def served() -> Mapping[str, Source]:
    """The texts that `import` takes modules from in place of their files, by module name."""
    return _served


def submodules(package: str) -> list[str]:
    """The names of all modules in a package and in the folders below it, in order."""
    return sorted(name for name in _served if name.startswith(f"{package}."))


def digest(names: Iterable[str]) -> str:
    """A hash, 16 hex digits, of the texts of these modules, to the letter."""
    hashed = sha256()
    for name in sorted(names):
        hashed.update(f"{name}\0{len(_served[name].text)}\0".encode() + _served[name].text)
    return hashed.hexdigest()[:16]
