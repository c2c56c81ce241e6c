"""A YAML document with the line of every key, so that errors can point at it."""

from pathlib import Path

import yaml

from harness.sweep.errors import InputError

Place = tuple[str | int, ...]


class Document:
    """A mapping read from YAML with the safe loader. content: the values. text: as it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise InputError("no such file", path) from None
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read as text: {error}", path) from None
        self._lines: dict[Place, int] = {}
        try:
            root = yaml.compose(self.text, Loader=yaml.SafeLoader)
            self.content = yaml.safe_load(self.text)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else None
            raise InputError(f"not valid YAML: {error.problem}", path, line) from None
        except yaml.YAMLError as error:
            raise InputError(f"not valid YAML: {error}", path) from None
        except (ValueError, RecursionError) as error:  # e.g. the date 2020-99-99, or brackets nested without end
            raise InputError(f"not valid YAML: {type(error).__name__}: {error}", path) from None
        if not isinstance(root, yaml.MappingNode):
            raise InputError("a spec is a mapping of keys to values", path, 1)
        self._index(root, ())

    def _index(self, node: yaml.Node, place: Place) -> None:
        self._lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = (*place, str(key.value))
                if inner in self._lines:
                    raise InputError("the key appears twice", self.path, key.start_mark.line + 1, str(key.value))
                self._lines[inner] = key.start_mark.line + 1
                self._index(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for position, value in enumerate(node.value):
                self._index(value, (*place, position))

    def line(self, place: Place) -> int | None:
        """The line of a key or list item, or of the nearest thing around it; None for what the document does not hold."""
        for length in range(len(place), 0, -1):
            if place[:length] in self._lines:
                return self._lines[place[:length]]
        return None
