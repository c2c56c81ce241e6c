"""One way for a part to be found: in its room or a folder of it, in a user's file, or by an entry point. No list names it.

A module that defines a part gives it to one of the attributes of ROOMS, alone or as a tuple. A user's file has exactly this
form too, and may hold parts of several rooms.
"""

import re
import sys
import traceback
from ast import AST, AnnAssign, Assign, Constant, Name, parse, walk
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.sources import served, submodules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Room(NamedTuple):
    """Where the registry finds the parts of one sort: a room of the package, and the attribute that modules define them at.

    package: the room. attribute: what a module calls them. key: the part's own attribute with its name. by_text: whether names
    are written as `name = "…"` beside the attribute, so that they are known before anything is imported.
    """

    package: str
    attribute: str
    key: str = "name"
    by_text: bool = False


ROOMS: Mapping[str, Room] = {
    "concept class": Room("harness.concepts", "CONCEPT"),
    "distribution": Room("harness.concepts", "DISTRIBUTION"),
    "learner": Room("harness.concepts", "LEARNER", key="__name__"),
    "class of queries": Room("harness.covers", "QUERIES"),
    "instance of scores": Room("harness.scores", "INSTANCE"),
    "learner of scores": Room("harness.scores", "SCORES"),
    "analyst": Room("harness.analysts", "ANALYST"),
    "mechanism": Room("harness.mechanisms", "MECHANISM"),
    "online mechanism": Room("harness.mechanisms.online", "ONLINE"),
    "constants": Room("harness.theory.constants", "CONSTANTS"),
    "calibration": Room("harness.theory.constants", "CALIBRATIONS"),
    "constants of release": Room("harness.theory.constants", "RELEASE"),
    "constants of scores": Room("harness.theory.constants", "SCORE_CONSTANTS"),
    "private learner": Room("harness.transfer", "PRIVATE_LEARNER"),
    "kind of trial": Room("harness.trials", "KIND"),
    "claim": Room("harness.claims", "CLAIMS", key="id"),
    "erratum": Room("harness.claims", "ERRATA", key="id"),
    "place of a text": Room("harness.claims", "COVERAGE", key="place"),
    "plot": Room("harness.report.figures", "PLOT", by_text=True),
}


WRITTEN = re.compile(r"""\bname(?:: ClassVar\[str\])? ?= ?"(\w+)""")
"""How a room whose parts are known by their texts writes a part's name."""


class PartError(ValueError):
    """A file that should define a part defines none that can be used: it names the file, the line and what is wrong."""


GROUP = "harness.plugins"
"""Of the entry points by which a distribution says which of its modules are as users' files are."""

_guests: list[str] = []


def installed() -> Sequence["EntryPoint"]:
    """The entry points of all installed plugins, in the order of the modules' names."""
    return _installed(tuple(sys.path))


@cache
def _installed(paths: Sequence[str]) -> Sequence["EntryPoint"]:
    """Those of all that lies in these places, where Python looks: read once."""
    from importlib.metadata import entry_points  # it takes as long as all else here

    return sorted(entry_points(group=GROUP), key=lambda entry: entry.value)


def add(module: str) -> None:
    """Registers a module outside the rooms, which is then imported and searched for parts like a module of the package."""
    _guests.append(module)


def remove(module: str) -> None:
    """Unregisters a module outside the rooms, whose parts the registry then has no more; one not registered is ignored."""
    if module in _guests:
        _guests.remove(module)
        _parts.cache_clear()  # another module may come under its name
        _parts_of.cache_clear()


def parts(what: str, of: type = object) -> Mapping[str, Any]:
    """Every part of a sort, by its name, in the order of the modules' names; those of users' files come last.

    of: a class that they are objects of. Raises PartError where a module cannot be imported, a part has no name or not what its
    room asks for, or two have one name.
    """
    return _parts_of(what, of, tuple(_guests))


@cache
def _parts_of(what: str, of: type, guests: Sequence[str]) -> Mapping[str, Any]:
    return {name: part for name, part in _parts(what, guests).items() if isinstance(part, of)}


@cache
def _parts(what: str, guests: Sequence[str]) -> Mapping[str, Any]:
    room = ROOMS[what]
    by_name: dict[str, Any] = {}
    homes: dict[str, str] = {}
    for module in (*submodules(room.package), *guests):
        for part in defined(module, room.attribute):
            name = getattr(part, room.key, None)
            if not isinstance(name, str) or not name:
                raise PartError(f"{_line(module, room.attribute)}: {room.attribute} has no {room.key}; it is the {what}'s own")
            if name in by_name:
                there = f"; {_line(homes[name], room.attribute, name)} has one"
                raise PartError(f"{_line(module, room.attribute, name)}: there is a {what} {name!r} already{there}")
            try:
                getattr(import_module(room.package), "refuse_incomplete", str)(part)
            except ValueError as error:
                raise PartError(f"{_line(module, room.attribute, name)}: {error}") from None
            if room.by_text and module not in guests and name not in _written(module, room):
                raise PartError(f"{_line(module, room.attribute, name)}: name = {name!r} is not written in the {what}'s file")
            by_name[name], homes[name] = part, module
    return by_name


def place(what: str, name: str) -> str:
    """The file and line of the part of a sort that has this name, as text."""
    room = ROOMS[what]
    for module in (*submodules(room.package), *_guests):
        if name in (getattr(part, room.key) for part in defined(module, room.attribute)):
            return _line(module, room.attribute, name)
    raise KeyError(name)


def brought(names: Collection[str]) -> list[str]:
    """The places, as file and line, at which modules outside the rooms define parts of these names, of whatever sort."""
    return [
        _line(guest, room.attribute, name)
        for guest in _guests
        for room in ROOMS.values()
        for part in defined(guest, room.attribute)
        if (name := str(getattr(part, room.key, ""))) in names
    ]


def names(what: str) -> list[str]:
    """The names of all parts of a sort, read from its modules' source without importing them where that shows the names."""
    room = ROOMS[what]
    if not room.by_text:
        return list(parts(what))
    return [*_by_text(room), *(getattr(part, room.key) for guest in _guests for part in defined(guest, room.attribute))]


@cache
def _by_text(room: Room) -> list[str]:
    """The parts of a room whose names stand in the texts of its files."""
    return [name for module in submodules(room.package) for name in _written(module, room)]


def _written(module: str, room: Room) -> list[str]:
    """The names that the text of a file with parts gives to classes and their objects."""
    text = served()[module].text.decode()
    return WRITTEN.findall(text) if re.search(rf"^{room.attribute}\b", text, re.MULTILINE) else []


def defined(module: str, attribute: str) -> tuple[Any, ...]:
    """The parts that a module defines at an attribute. Raises PartError where the module cannot be imported."""
    try:
        part = getattr(import_module(module), attribute, ())
    except PartError:
        raise
    except Exception as error:
        raise PartError(f"{raised_at(module, error)}: {type(error).__name__}: {error}") from error
    return part if isinstance(part, tuple) else (part,)


def raised_at(module: str, error: BaseException) -> str:
    """The file and line of a module's source where an exception came from, as text; the file alone where no line is known."""
    path = served()[module].path if module in served() else module
    if isinstance(error, SyntaxError) and error.filename == path:
        return f"{path}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f"{path}:{lines[-1]}" if lines else path


def _line(module: str, attribute: str, name: str = "") -> str:
    """The place of a part in a module's text: where its name is written, or else where the attribute is."""
    source = served()[module]
    nodes = list(walk(parse(source.text)))
    named = [node for node in nodes if name and isinstance(node, Constant) and node.value == name]
    assigned = [node for node in nodes if attribute in _targets(node)]
    first: Any = next(iter([*named, *assigned]), None)
    return f"{source.path}:{first.lineno}" if first else source.path


def _targets(node: AST) -> Iterator[str]:
    """The names that a statement assigns to."""
    targets = node.targets if isinstance(node, Assign) else [node.target] if isinstance(node, AnnAssign) else []
    yield from (target.id for target in targets if isinstance(target, Name))


MANY = 40  # more names than a line of an error can hold


def nearest(name: str, allowed: Sequence[str], also: Mapping[str, str] = MappingProxyType({})) -> str:
    """A clause for an error message: the allowed names, led by the one probably meant; of very many the ten closest.

    also: further words, in small letters, for some of the names.
    """
    name, by_letters = name.lower(), {known.lower(): known for known in allowed}
    meant_by = {word: known for word, known in also.items() if known in allowed} | by_letters
    close = get_close_matches(name, by_letters, n=10, cutoff=0.0 if len(allowed) > MANY else 0.6)
    meant = get_close_matches(name, meant_by, n=1, cutoff=0.6)
    hint = f"did you mean {meant_by[meant[0]]!r}? " if meant else ""
    listed = [by_letters[known] for known in close] if len(allowed) > MANY else allowed
    others = f" and {len(allowed) - len(listed)} others" if len(listed) < len(allowed) else ""
    return f"{hint}allowed: {', '.join(listed)}{others}"
