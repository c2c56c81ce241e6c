"""A YAML document with the line of every key, so that errors can point at it."""

from pathlib import Path
from reprlib import repr as brief
from typing import Any

import yaml

from harness.sweep.errors import InputError
from harness.sweep.files import read_text

Place = tuple[str | int, ...]

MOST = 100_000  # keys and values of a document: a few lines of aliases of aliases can stand for more than there are atoms
TEXT, MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    """The safe loader, with the line also of values that are not what they look like or what their tag says."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError) as error:
            what = f"{brief(node.value)} cannot be read as {node.tag.rpartition(':')[2]}: {error}"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from None


class Document:
    """A mapping read from YAML with the safe loader. content: the values. text: as it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = read_text(path)
        parts = _Parts(self.text, path)
        if not isinstance(parts.content, dict):
            raise InputError("a spec is a mapping of keys to values", path, 1)
        self.content, self._lines = parts.content, parts.lines

    def line(self, place: Place) -> int | None:
        """The line of a key or list item, or of the nearest thing around it; None for what the document does not hold."""
        for length in range(len(place), 0, -1):
            if place[:length] in self._lines:
                return self._lines[place[:length]]
        return None


def value(text: str, place: str) -> Any:
    """A value in YAML, such as the command line gives. Raises InputError, naming the place."""
    return _Parts(text, place).content


class _Parts:
    """What a text says, and on which line each part of it is. Nothing is constructed before all of it has been looked at.

    source: a file, or another place, which has no lines to name.
    """

    def __init__(self, text: str, source: Path | str) -> None:
        self._source = source
        self.lines: dict[Place, int] = {}
        try:
            root = yaml.compose(text, Loader=_Loader)
            if root is not None:
                self._index(root, (), set())
            self.content = yaml.load(text, Loader=_Loader)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            raise self._error(f"not valid YAML: {error.problem}", line) from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise self._error(f"not valid YAML: the character #x{error.character:04x} is not allowed", line) from None
        except RecursionError:
            raise self._error("not valid YAML: too many brackets within brackets") from None

    def _error(self, message: str, line: int | None = None, key: str | None = None) -> InputError:
        return InputError(message, self._source, line if isinstance(self._source, Path) else None, key)

    def _index(self, node: yaml.Node, place: Place, within: set[int]) -> None:
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if id(node) in within:
            raise self._error("an alias stands within what it names", line)
        if len(self.lines) > MOST:
            raise self._error(f"too long: allowed are {MOST:,} keys and values, wherever an alias repeats them", line)
        within = within | {id(node)}
        if isinstance(node, yaml.MappingNode):
            for key, inside in node.value:
                at, name = key.start_mark.line + 1, str(key.value) if isinstance(key, yaml.ScalarNode) else None
                if name is None or key.tag not in (TEXT, MERGE):
                    raise self._error("a key must be text", at, name)
                if (*place, name) in self.lines:
                    raise self._error("the key appears twice", at, name)
                self.lines[*place, name] = at
                self._index(inside, (*place, name), within)
        elif isinstance(node, yaml.SequenceNode):
            for position, inside in enumerate(node.value):
                self._index(inside, (*place, position), within)
