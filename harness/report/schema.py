"""JSON Schema of a spec, for editors: every key with what it may be and what it means, users' parts included.

It is made of the models that validate specs, and of what is known here: names of parts, axes and columns of every kind of
trial. Whatever `run` accepts it accepts. It does not reckon: what is refused because numbers do not go together is not told.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from harness.analysts import Analyst, analysts
from harness.concepts import ConceptClass, Distribution, concepts
from harness.covers import Marginal, QueryClass, query_classes
from harness.registry import names, parts
from harness.scores import Instance, Learner
from harness.sweep.spec import ForQueries, Spec, UntilDecided
from harness.sweep.spec.figure_spec import FigureSpec, FindingSpec
from harness.theory.factors import WITH, Changeable
from harness.trials import kinds
from harness.trials.changes import AS_PRINTED, FROM, own_factors
from harness.trials.kind import Kind

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT_NUMBER = r"^[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?$"
"""A number that YAML may take for text, such as 1e12."""

LONG = 150  # characters of a part that is worth a definition

MEANINGS: Mapping[str, str] = {
    "title": "title of the figure",
    "question": "the question that is asked of a theorem",
    "kind": "what a trial is",
    "seed": "what all random numbers come from; another seed makes other rows of the same law",
    "trials": "how many, of every cell: a number, until its claims are decided, or for so many queries in all",
    "rows": "each: a row for each trial; counted: trials that are alike in all that is measured are one row",
    "omit": "columns that are left empty, so that more rows are alike: of what is measured, what a row may lack",
    "mechanisms": "what is tried; a trial has a row for each",
    "claims": "what is judged, by ids: see `harness claims`",
    "figure": "what is drawn of the table",
    "zip": "axes that advance together, in lists",
    "exclude": "combinations of values that are left out",
    "plot": "which kind of picture",
    "x": "the axis that is drawn along",
    "y": "the column that is drawn",
    "by": "a second axis, where a plot has one",
    "panels": "axes that have a panel for every value",
    "groups": "titles of panels with the mechanisms that they show",
    "finding": "what was found, the title where it is so of the rows; by default the title is the topic",
    "says": "the sentence, with {names} of numbers, and of columns that have one value",
    "where": "a condition for the rows that all of it is about",
    "numbers": "an expression on the columns for each name, such as mean(n, mechanism == 'a')",
    "holds": "conditions without which the sentence is not said",
    "see": "what the reader should see, for the caption: a sentence or two",
    "width": "how wide the PDF is: a column, 3.3 inches, the text, 5.5, or a slide, 9",
    "until": "stop when every claim of a cell is decided",
    "queries": "so many queries in all, so fewer trials where m is large",
    "max": "at most so many trials a cell",
}
"""What every key means that is no axis; an axis means what its column does."""


def schema(shared: bool = True) -> Schema:
    """The JSON Schema of a spec, with the parts that there are now. shared: what occurs in many places is written once."""
    common = _properties(Spec.model_json_schema()["properties"])
    common |= {
        "kind": {"enum": list(kinds())},
        "trials": {"anyOf": [_number(whole=True, minimum=1), _rule(UntilDecided), _rule(ForQueries)]},
        "claims": _list(_enum(parts("claim"))),
        "figure": _mapping(_figure(), _required(FigureSpec)),
    }
    whole = {
        "type": "object",
        "properties": {key: _said(common[key], MEANINGS[key], _default(Spec, key)) for key in common},
        "required": _required(Spec),
        "allOf": [_of_kind(kind) for kind in kinds().values()],
    }
    return {"$schema": DRAFT, "title": "A spec of the harness", **(_once(whole) if shared else whole)}


def _once(whole: Schema) -> Schema:
    """A schema with definitions for what is long and occurs in several places."""
    times = Counter(_text(each) for each in _parts_of(whole))
    often = [text for text, count in times.items() if count > 1 and len(text) > LONG]
    names_of = {text: f"part{place}" for place, text in enumerate(often, start=1)}
    definitions = {name: _referring(json.loads(text), names_of, top=True) for text, name in names_of.items()}
    return {**_referring(whole, names_of), "definitions": definitions}


def axes(kind: Kind) -> dict[str, Schema]:
    """The schema of each axis of a kind of trial in a spec: a value, a list, or a rule."""
    properties = kind.cell.model_json_schema()["properties"]
    schemas = {}
    for name, field in kind.cell.model_fields.items():
        value = _value(name, field.annotation, properties[name], kind)
        column = kind.column(name)
        swept = [value, {"type": "array", "items": value, "minItems": 1}, *[_GEOMETRIC] * _is_number(properties[name])]
        meaning = f"{column.meaning} {column.symbol}".rstrip()
        schemas[name] = _said({"anyOf": swept}, meaning, _default(kind.cell, name))
    return schemas


def _text(part: Schema) -> str:
    return json.dumps(part, ensure_ascii=False)


def _parts_of(part: Schema) -> Iterator[Schema]:
    """A schema and all within it."""
    yield part
    for key, inside in part.items():
        if key in ("anyOf", "allOf"):
            for schema in inside:
                yield from _parts_of(schema)
        elif key == "properties":
            for schema in inside.values():
                yield from _parts_of(schema)
        elif key in ("items", "if", "then"):
            yield from _parts_of(inside)


def _referring(part: Schema, names_of: Mapping[str, str], top: bool = False) -> Schema:
    """A part of a schema, with what is named by its text only referred to. top: but not the whole of it."""
    if not top and _text(part) in names_of:
        return {"$ref": f"#/definitions/{names_of[_text(part)]}"}

    def within(key: str, inside: Any) -> Any:
        if key in ("anyOf", "allOf"):
            return [_referring(each, names_of) for each in inside]
        if key == "properties":
            return {name: _referring(each, names_of) for name, each in inside.items()}
        return _referring(inside, names_of) if key in ("items", "if", "then") else inside

    return {key: within(key, inside) for key, inside in part.items()}


def _of_kind(kind: Kind) -> Schema:
    """What the keys are where the kind is this one, the first where none is named."""
    is_default = kind.name == Spec.model_fields["kind"].default
    condition = {"properties": {"kind": {"const": kind.name}}} | ({} if is_default else {"required": ["kind"]})
    numbers = [column.name for column in kind.columns if column.is_number]
    keys = axes(kind)
    subjects = [_enum(kind.subjects()), *(_sets(kind.sets())[1:] if kind.sets() else [])]
    figure = {
        "x": _enum(keys),
        "y": _enum(numbers),
        "by": {"anyOf": [_enum(keys), {"type": "null"}]},
        "panels": _list(_enum(keys)),
    }
    then = keys | {
        "mechanisms": _list({"anyOf": subjects}) | {"minItems": 1},
        "figure": {"properties": figure},
        "zip": _list(_list(_enum(keys))),
        "exclude": _list({"type": "object", "propertyNames": _enum(keys)}),
    }
    return {"if": condition, "then": {"properties": then, "propertyNames": _enum([*Spec.model_fields, *keys])}}


def _figure() -> dict[str, Schema]:
    keys = _properties(FigureSpec.model_json_schema()["properties"]) | {"plot": _enum(names("plot"))}
    keys |= {"finding": _rule(FindingSpec)}
    return {key: _said(value, MEANINGS[key], _default(FigureSpec, key)) for key, value in keys.items()}


def _rule(model: type[BaseModel]) -> Schema:
    keys = _properties(model.model_json_schema()["properties"])
    return _mapping({key: _said(value, MEANINGS[key]) for key, value in keys.items()}, _required(model))


def _value(name: str, annotation: Any, schema: Schema, kind: Kind) -> Schema:
    """One value of an axis."""
    for named in (annotation, *get_args(annotation)):
        if named in _MODELS:
            return _named(_MODELS[named]())
    if name == "learner":
        return _learner()
    if name == "constants":
        return {"anyOf": _sets(_rooms(kind.cell.model_fields[name].default))}
    return _plain(schema)


def _learner() -> Schema:
    """One of a class, by its name; a classifier of scikit-learn, or of a plugin, with its parameters."""
    learners = sorted({name for each in concepts().values() for name in each.learners} | {*parts("learner")})
    mapping = {
        "type": "object",
        "properties": {"sklearn": {"type": "string", "pattern": r"^\w+\.\w+$"}, "name": {"type": "string"}},
    }
    return {"anyOf": [_enum(learners), {**mapping, "anyOf": [{"required": ["sklearn"]}, {"required": ["name"]}]}]}


def _rooms(default: str | None) -> Mapping[str, Changeable]:
    """The sets of constants that a kind of trial may have: of every sort that has its default, of all where that is none."""
    sorts = [parts(each) for each in ("constants", "constants of release", "constants of scores")]
    return {name: known for sort in sorts if default is None or default in sort for name, known in sort.items()}


def _sets(sets: Mapping[str, Changeable]) -> list[Schema]:
    """A set of constants by its name, by that with changes, and by a mapping that says them."""
    factors = {factor.name for each in sets.values() for factor in (*each.factors, *own_factors())}
    value = {"anyOf": [_number(), {"const": AS_PRINTED}]}
    changes = {name: {"anyOf": [value, {"type": "array", "items": value}]} for name in sorted(factors)}
    return [
        _enum(sets),
        {"type": "string", "pattern": rf"^({'|'.join(map(re.escape, sets))}){WITH}"},
        _mapping({FROM: _enum(sets), **changes}, [FROM]),
    ]


def _named(models: Mapping[str, Sequence[type[BaseModel]]]) -> Schema:
    """One of these models, by its name or by a mapping with its parameters."""
    mappings = []
    for name, same_name in models.items():
        parameters = {
            key: _plain(each) for model in same_name for key, each in model.model_json_schema().get("properties", {}).items()
        }
        mappings.append(_mapping({"name": {"const": name}, **parameters}, ["name"]))
    return {"anyOf": [_enum(models), *mappings]}


def _of_classes(by_class: Iterable[Mapping[str, type[BaseModel]]]) -> dict[str, list[type[BaseModel]]]:
    """The distributions of several classes, by name: those of one name may differ in their parameters."""
    by_name: dict[str, list[type[BaseModel]]] = {}
    for models in by_class:
        for name, model in models.items():
            by_name.setdefault(name, []).append(model)
    return by_name


def _alone(models: Mapping[str, type[BaseModel]]) -> dict[str, list[type[BaseModel]]]:
    return {name: [model] for name, model in models.items()}


_MODELS: Mapping[Any, Callable[[], Mapping[str, Sequence[type[BaseModel]]]]] = {
    ConceptClass: lambda: _alone(concepts()),
    QueryClass: lambda: _alone(query_classes()),
    Distribution: lambda: _of_classes(each.known_distributions() for each in concepts().values()),
    Marginal: lambda: _of_classes(each.distributions for each in query_classes().values()),
    Instance: lambda: _alone(parts("instance of scores")),
    Learner: lambda: _alone(parts("learner of scores")),
    Analyst: lambda: _alone(analysts()),
}
"""What an axis of models may be, by their common base."""


def _properties(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    return {key: _plain(each) for key, each in schemas.items()}


def _plain(schema: Schema) -> Schema:
    """The schema of a model's field without its title and default, numbers as text too, and mappings as they come."""
    if schema.get("type") in ("integer", "number"):
        limits = {key: schema[each] for limit, key in _LIMITS.items() for each in (limit, key) if each in schema}
        return _number(whole=schema["type"] == "integer", **limits)
    if "anyOf" in schema:
        return {"anyOf": [_plain(each) for each in schema["anyOf"]]}
    if "$ref" in schema:
        return {"type": "object"}
    kept = {key: value for key, value in schema.items() if key in ("type", "enum", "const", "minItems", "maxLength")}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            kept[key] = _plain(schema[key])
    return kept


def _number(*, whole: bool = False, **limits: float) -> Schema:
    """A number, which may be text to YAML."""
    return {"anyOf": [{"type": "integer" if whole else "number", **limits}, {"type": "string", "pattern": TEXT_NUMBER}]}


_LIMITS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
"""The limits of numbers, which pydantic leaves under its own names where numbers may be text."""

_GEOMETRIC: Schema = {
    "type": "object",
    "description": "[first, last, count]: so many values in equal ratios",
    "properties": {"geom": {"type": "array", "items": _number(), "minItems": 3, "maxItems": 3}},
    "required": ["geom"],
    "additionalProperties": False,
}


def _is_number(schema: Schema) -> bool:
    return schema.get("type") in ("integer", "number") or any(map(_is_number, schema.get("anyOf", ())))


def _enum(values: Iterable[str]) -> Schema:
    return {"enum": list(values)}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _mapping(schemas: Mapping[str, Schema], required: Sequence[str]) -> Schema:
    return {"type": "object", "properties": dict(schemas), "required": list(required), "additionalProperties": False}


def _required(model: type[BaseModel]) -> list[str]:
    return [key for key, field in model.model_fields.items() if field.is_required()]


def _default(model: type[BaseModel], key: str) -> Any:
    """A field's default as a spec would give it; None for none."""
    field = model.model_fields[key]
    value = None if field.is_required() else field.default
    name = getattr(value, "name", value)
    return list(name) if isinstance(name, tuple) else name


def _said(of: Schema, meaning: str, default: Any = None) -> Schema:
    """A schema of a key with what it means, and what holds without it."""
    return {"description": meaning, **of} | ({} if default in (None, "", []) else {"default": default})
