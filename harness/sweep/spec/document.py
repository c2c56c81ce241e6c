"""A YAML document with the line of every key, so that errors can point at it."""

import re
from pathlib import Path
from typing import Any

import yaml

from harness.sweep.errors import InputError
from harness.sweep.files.reading import read_text
from harness.text import UNFIT
from harness.trials.fields import MOST_DIGITS, shown

KeyPath = tuple[str | int, ...]

MOST = 20_000  # keys and values of a document: a few lines of aliases of aliases can stand for more than there are atoms
TOO_LONG = f"too long: allowed are {MOST:,} keys and values, wherever an alias repeats them"
MOST_CHARACTERS = 10_000  # of one of them
TEXT, MERGE, INT, FLOAT = (f"tag:yaml.org,2002:{name}" for name in ("str", "merge", "int", "float"))
NUMBERS = {
    INT: re.compile(r"[-+]?(0|[1-9][0-9]*)$"),
    FLOAT: re.compile(r"([-+]?((0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$"),
}
"""What is a number: decimal digits alone. YAML has more forms, in which 010 is 8 and 1:30 is 90."""


class _RefusedError(yaml.MarkedYAMLError):
    """What is YAML, but not for a spec: too much of it, or text that cannot be written. `problem` says what is allowed."""


class _LineLoader(yaml.SafeLoader):
    """The safe loader, with the line also of values that are not what they look like or what their tag says.

    Numbers are in plain digits. How many nodes there are, and how long each is, is looked at as they come.
    """

    nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        node = super().compose_node(parent, index)
        if node is not None:
            self.nodes += 1
            refusal = TOO_LONG if self.nodes > 2 * MOST else None  # a mapping's keys are nodes too
            if isinstance(node, yaml.ScalarNode):
                refusal = refusal or _refusal(node.value)
            if refusal is not None:
                raise _RefusedError(problem=refusal, problem_mark=node.start_mark)
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            if node.tag in NUMBERS and isinstance(node, yaml.ScalarNode):
                _refuse_number(node.value)
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError) as error:
            what = f"{shown(node.value)} cannot be read as {node.tag.rpartition(':')[2]}: {error}"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from None


def _refusal(text: str) -> str | None:
    """What is wrong with a key or value, if anything."""
    if len(text) > MOST_CHARACTERS:
        return f"a text of {len(text):,} characters; allowed: at most {MOST_CHARACTERS:,}"
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return f"half a character in {shown(text)}; allowed: whole ones"
    if match := UNFIT.search(text):
        return f"the character U+{ord(match[0]):04X} in {shown(text)}; allowed: all but controls and marks of direction"
    return None


def _refuse_number(text: str) -> None:
    """Return where a text is a number, which may be only what a tag says. Raises ValueError."""
    if len(text) > MOST_DIGITS:
        raise ValueError(f"{len(text):,} digits; allowed: at most {MOST_DIGITS}")
    if not any(pattern.match(text) for pattern in NUMBERS.values()):
        raise ValueError("allowed: plain digits, such as 1000 or 0.05")


_LineLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in NUMBERS]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _tag, _pattern in NUMBERS.items():
    _LineLoader.add_implicit_resolver(_tag, _pattern, list("-+.0123456789"))


class Document:
    """A mapping read from YAML with the safe loader. content: the values. text: as it was read, or given."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.text = read_text(path) if text is None else text
        parts = _Parts(self.text, path)
        if not isinstance(parts.content, dict):
            raise InputError("a spec is a mapping of keys to values", path, 1)
        self.content, self._lines = parts.content, parts.lines

    def line(self, place: KeyPath) -> int | None:
        """The line of a key or list item, or of the nearest thing around it; None for what the document does not hold."""
        for length in range(len(place), 0, -1):
            if place[:length] in self._lines:
                return self._lines[place[:length]]
        return None


def value(text: str, place: str) -> Any:
    """The value of a text in YAML, such as the command line gives. Raises InputError, naming the place."""
    return _Parts(text, place).content


class _Parts:
    """What a text says, and on which line each part of it is. Nothing is constructed before all of it has been looked at.

    source: a file, or another place, which has no lines to name.
    """

    def __init__(self, text: str, source: Path | str) -> None:
        self._source = source
        self.lines: dict[KeyPath, int] = {}
        try:
            loader = _LineLoader(text)
            root = loader.get_single_node()
            if root is not None:
                self._index(root, (), set())
            self.content = None if root is None else loader.construct_document(root)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            what = "" if isinstance(error, _RefusedError) else "not valid YAML: "
            raise self._error(f"{what}{error.problem}", line) from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise self._error(f"not valid YAML: the character #x{error.character:04x} is not allowed", line) from None
        except RecursionError:
            raise self._error("not valid YAML: too many brackets within brackets") from None

    def _error(self, message: str, line: int | None = None, key: str | None = None) -> InputError:
        return InputError(message, self._source, line if isinstance(self._source, Path) else None, key)

    def _index(self, node: yaml.Node, place: KeyPath, within: set[int]) -> None:
        line = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if id(node) in within:
            raise self._error("an alias stands within what it names", line)
        if len(self.lines) > MOST:
            raise self._error(TOO_LONG, line)
        within = within | {id(node)}
        if isinstance(node, yaml.MappingNode):
            for key, inside in node.value:
                line_number, name = key.start_mark.line + 1, str(key.value) if isinstance(key, yaml.ScalarNode) else None
                if name is None or key.tag not in (TEXT, MERGE):
                    raise self._error("a key must be text", line_number, name)
                if (*place, name) in self.lines:
                    raise self._error("the key appears twice", line_number, name)
                self.lines[*place, name] = line_number
                self._index(inside, (*place, name), within)
        elif isinstance(node, yaml.SequenceNode):
            for position, inside in enumerate(node.value):
                self._index(inside, (*place, position), within)
