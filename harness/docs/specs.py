"""The page of what a spec may say: every key, and every axis of every kind of trial."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.docs.markdown import code, escaped, table
from harness.report.schema import axes, schema
from harness.trials import kinds

INTRODUCTION = """\
A spec is a mapping of the keys below and of the axes of its `kind`. Wherever an axis may have a value it may have a list, and
where it has numbers also `{geom: [first, last, count]}`. `harness schema` prints the same as JSON Schema, with your plugins'
parts; an editor takes it from a first line such as `# yaml-language-server: $schema=spec.schema.json`.
"""
HEADINGS = ("key", "allowed", "default", "meaning")
FEW = 12  # names that a cell of a table can hold


def page() -> str:
    """The Markdown of the page of specs: the keys of a spec, those of its figure, and the axes by kind of trial."""
    keys = schema(shared=False)["properties"]
    parts = [INTRODUCTION, f"## Keys\n\n{_table(keys)}", f"## Keys of `figure`\n\n{_table(keys['figure']['properties'])}"]
    for kind in kinds().values():
        by_key = {key: {**_told(each), **each["anyOf"][0]} for key, each in axes(kind).items()}
        parts.append(f"## Axes of kind `{kind.name}`\n\n{_table(by_key)}")
    return "\n".join(parts)


def _told(of: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in of.items() if key in ("description", "default")}


def _table(keys: Mapping[str, Any]) -> str:
    lines = (
        (code(key), escaped(_allowed(of)), code(of.get("default", "")), escaped(of["description"])) for key, of in keys.items()
    )
    return table(HEADINGS, lines)


def _allowed(of: Mapping[str, Any]) -> str:
    """What a value may be, in words."""
    if "enum" in of:
        return _few(of["enum"])
    if "const" in of:
        return str(of["const"])
    if "anyOf" in of and of.get("type") != "object":
        alternatives = [
            _allowed(each) for each in of["anyOf"] if each.get("type") not in ("string", "null") or "maxLength" in each
        ]
        return "; ".join(dict.fromkeys(alternatives)) or "a name"
    if of.get("type") in ("number", "integer"):
        return ("whole number" if of["type"] == "integer" else "number") + _limits(of)
    if of.get("type") == "object":
        return f"{{{_few(list(of['properties']))}}}" if "properties" in of else "mapping"
    return f"list of {_allowed(of['items'])}" if of.get("type") == "array" else "text"


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:FEW]) + f" and {len(names) - FEW} others" * (len(names) > FEW)


def _limits(of: Mapping[str, Any]) -> str:
    words = {"minimum": "from", "exclusiveMinimum": "above", "maximum": "to", "exclusiveMaximum": "below"}
    return "".join(f" {word} {of[limit]:g}" for limit, word in words.items() if limit in of)
