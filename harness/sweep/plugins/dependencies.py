"""What a module depends on, found by following imports: every module whose text has a say in what it does."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from hashlib import sha256
from typing import Any, NamedTuple

from harness import registry
from harness.registry import ROOMS
from harness.sources import Source, digest, kept

IMPORTING = (ast.Import, ast.ImportFrom, ast.Call)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Dependencies(NamedTuple):
    """What modules depend on. modules: by name, these included.
    libraries: the first names of what is imported from elsewhere.
    """

    modules: frozenset[str]
    libraries: frozenset[str]


def followed(roots: Iterable[str], modules: Mapping[str, Source]) -> Dependencies:
    """The modules, among those given, that the modules `roots` import, directly or not, these included, and libraries."""
    reached, libraries, left, seen = set[str](), set[str](), list(roots), set[str]()
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        named = set(imports(name, modules)) - seen  # most of what a module imports, others import too
        seen |= named
        for imported in named:
            path = imported.split(".")
            prefixes = [".".join(path[: length + 1]) for length in range(len(path))]
            within = [prefix for prefix in prefixes if prefix in modules]
            left += within
            if not within:
                libraries.add(path[0])
    return Dependencies(frozenset(reached), frozenset(libraries))


def imports(name: str, modules: Mapping[str, Source]) -> Iterator[str]:
    """The names of what a module may import, anywhere in its text: modules, and names that may be modules within them.

    Whoever asks the registry for the parts of a room imports all of the room's modules. What is imported for type checkers
    alone is not imported. Raises SyntaxError.
    """
    summary = _said(name, modules[name])
    yield from summary.names
    for room in summary.rooms:
        yield from (each for each in modules if each.startswith(f"{ROOMS[room].package}."))


class _Said(NamedTuple):
    """What a text says. names: what it imports. rooms: all of whose modules it imports. meaning: SHA-256 of all but comments,
    docstrings and layout.
    """

    names: tuple[str, ...]
    rooms: tuple[str, ...]
    meaning: bytes


@cache
def _said(name: str, source: Source) -> _Said:
    """What a module's text says. It is asked again for every plugin, and a text says the same each time."""
    names, rooms, meaning = kept(source, "said", partial(_read, name, source), by=f"{name} {_reader()}")
    return _Said(tuple(names), tuple(rooms), bytes.fromhex(meaning))


@cache
def _reader() -> str:
    """What reads texts: this text, and that of the list of rooms."""
    return digest([__name__, registry.__name__])


def _read(name: str, source: Source) -> tuple[list[str], list[str], str]:
    """What a module's text says, read anew."""
    importing = list[ast.AST]()
    tree = repr(_told(ast.parse(source.text, source.path), importing))
    names, rooms = list[str](), list[str]()
    for node in importing:
        match node:
            case ast.Import(names=imported):
                names += [alias.name for alias in imported]
            case ast.ImportFrom(module=module, names=imported, level=level):
                package = name if source.package else name.rpartition(".")[0]
                for _ in range(level - 1):
                    package = package.rpartition(".")[0]
                home = ".".join(filter(None, (package if level else "", module)))
                names += [home, *(f"{home}.{alias.name}" for alias in imported)]
            case ast.Call(func=ast.Name(id="parts"), args=[ast.Constant(value=str(what))]) if what in ROOMS:
                rooms.append(what)
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"), args=[ast.Constant(str(named))]
            ):
                names.append(named)
    return names, rooms, sha256(tree.encode()).hexdigest()


def _told(node: Any, importing: list[ast.AST], runs: bool = True) -> Any:
    """A syntax tree as nested lists, without docstrings.

    importing: takes the nodes that may import, where they are not under `if TYPE_CHECKING`; runs: whether this one is not.
    """
    if isinstance(node, list):
        return [_told(each, importing, runs) for each in node]
    if not isinstance(node, ast.AST):
        return node
    if runs and isinstance(node, IMPORTING):
        importing.append(node)
    checked = isinstance(node, ast.If) and "TYPE_CHECKING" in (getattr(node.test, "id", ""), getattr(node.test, "attr", ""))
    documented = isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None
    listed: list[Any] = [type(node).__name__]
    for name in node._fields:
        value: Any = getattr(node, name, None)
        if name == "body" and documented:
            value = value[1:]
        listed.append(_told(value, importing, runs and not (checked and name == "body")))
    return listed


def fingerprint(names: Iterable[str], modules: Mapping[str, Source]) -> str:
    """A hash, 16 hex digits, of what modules do; comments, docstrings and layout do not count."""
    hashed = sha256()
    for name in sorted(names):
        hashed.update(f"{name}\0".encode() + _said(name, modules[name]).meaning)
    return hashed.hexdigest()[:16]
