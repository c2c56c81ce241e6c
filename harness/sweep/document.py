"""A YAML document with the line of every key, so that errors can point at it."""

from pathlib import Path
from reprlib import repr as brief
from typing import Any

import yaml

from harness.sweep.errors import InputError

Place = tuple[str | int, ...]

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
        try:
            self.text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise InputError("no such file", path) from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path) from None
        except UnicodeDecodeError as error:
            raise InputError(f"not a text file in UTF-8: {error.reason} at byte {error.start}", path) from None
        self._lines: dict[Place, int] = {}
        try:
            root = yaml.compose(self.text, Loader=_Loader)
            self.content = yaml.load(self.text, Loader=_Loader)
            if not isinstance(root, yaml.MappingNode):
                raise InputError("a spec is a mapping of keys to values", path, 1)
            self._index(root, (), set())
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            raise InputError(f"not valid YAML: {error.problem}", path, line) from None
        except yaml.reader.ReaderError as error:
            line = self.text.count("\n", 0, error.position) + 1
            raise InputError(f"not valid YAML: the character #x{error.character:04x} is not allowed", path, line) from None
        except RecursionError:
            raise InputError("not valid YAML: too many brackets within brackets", path) from None

    def _index(self, node: yaml.Node, place: Place, within: set[int]) -> None:
        self._lines.setdefault(place, node.start_mark.line + 1)
        if id(node) in within:
            raise InputError("an alias stands within what it names", self.path, node.start_mark.line + 1)
        within = within | {id(node)}
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.tag not in (TEXT, MERGE):
                    raise InputError("a key must be text", self.path, key.start_mark.line + 1, str(key.value))
                inner = (*place, str(key.value))
                if inner in self._lines:
                    raise InputError("the key appears twice", self.path, key.start_mark.line + 1, str(key.value))
                self._lines[inner] = key.start_mark.line + 1
                self._index(value, inner, within)
        elif isinstance(node, yaml.SequenceNode):
            for position, value in enumerate(node.value):
                self._index(value, (*place, position), within)

    def line(self, place: Place) -> int | None:
        """The line of a key or list item, or of the nearest thing around it; None for what the document does not hold."""
        for length in range(len(place), 0, -1):
            if place[:length] in self._lines:
                return self._lines[place[:length]]
        return None
