"""What is declared: `python -m tests.support.declared` keeps it in declared.json and declared_parts.json.

Of each kind of trial which values a key may have, what it is where it is not given, of every column how it is told, drawn and
judged, and what its subjects promise. Of all parts that specs name the same of their keys, and what they say yes or no to; of
papers' constants what is printed; and of each rule for rows which of some hundred it lets pass. People's specs, tables and
figures rely on it, so it changes only where somebody says so.
"""

import inspect
import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from harness.sources import submodules
from harness.theory.factors import Factor
from harness.trials import kinds
from harness.trials.kind import Kind
from harness.trials.rules import Rule

KEPT = Path(__file__).with_suffix(".json")
KEPT_PARTS = KEPT.with_stem("declared_parts")
PART_ROOMS = tuple(f"harness.{room}" for room in ("analysts", "concepts", "covers", "mechanisms", "scores", "transfer"))
RULED_ROWS, RULED_VALUES = 256, (nan, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 7.0, 40.0, 1e4)
"""Of a rule: how many rows it is asked of, and what stands in them, small numbers that are often equal."""


def key(field: FieldInfo) -> str:
    """Of a key of a spec: its default, and the ends of its range."""
    ends = sorted(set(re.findall(r"[GL][te]\([^()]*\)", f"{field.metadata} {field.annotation!r}")))
    return " ".join(
        ["required" if field.is_required() else f"default {field.get_default(call_default_factory=False)!s}", *ends]
    )


def of_kind(kind: Kind) -> dict[str, Any]:
    columns = {}
    for column in kind.table.values():
        said = asdict(column)
        said = {name: value for name, value in said.items() if value not in ("", False, {}) and name not in ("name", "meaning")}
        columns[column.name] = said | {"computed": column.computed}
    return {
        "keys": {name: key(field) for name, field in kind.cell.model_fields.items()},
        "columns": columns,
        "price": None if kind.price is None else asdict(kind.price),
        "promises": [asdict(promise) for promise in kind.promises],
        "countable": kind.countable,
    }


def parts_with_keys() -> dict[str, dict[str, str]]:
    """The keys of all that specs name, by where it is."""
    return {
        f"{of.__module__}.{of.__qualname__}": {name: key(field) for name, field in of.model_fields.items()}
        for room in PART_ROOMS
        for of in members(room)
        if inspect.isclass(of) and issubclass(of, BaseModel) and of.__module__.startswith(room) and of.model_fields
    }


def flags() -> dict[str, dict[str, bool]]:
    """What classes of parts say yes or no to, such as whether they are private, by where they are."""
    found: dict[str, dict[str, bool]] = {}
    for room in PART_ROOMS:
        for of in members(room):
            if inspect.isclass(of) and of.__module__.startswith(room):
                said = {name: value for name, value in vars(of).items() if isinstance(value, bool) and name[0] != "_"}
                found |= {f"{of.__module__}.{of.__qualname__}": said} if said else {}
    return found


def factors() -> dict[str, Any]:
    """The constants of all papers, by name and place."""
    found = {(each.name, each.place, each.printed): each for each in members("harness.theory") if isinstance(each, Factor)}
    return {f"{name}: {place}, {printed:g}": asdict(found[name, place, printed]) for name, place, printed in sorted(found)}


def members(package: str) -> Iterator[Any]:
    """What the modules of a package have."""
    for name in submodules(package):
        yield from vars(import_module(name)).values()


def passed(rule: Rule) -> str:
    """Which rows a rule lets pass, of those that are drawn for its words, in hexadecimal digits."""
    draw = random.Random(rule.words)
    columns = [np.array(draw.choices(RULED_VALUES, k=RULED_ROWS)) for _ in rule.columns]
    applies = np.ones(RULED_ROWS, bool) if rule.nulls else ~np.isnan(columns).any(axis=0)
    with np.errstate(all="ignore"):
        return np.packbits(np.asarray(rule.keeps(*columns), bool) | ~applies).tobytes().hex()


def everything() -> dict[str, Any]:
    return {name: of_kind(kind) for name, kind in kinds().items()}


def all_parts() -> dict[str, Any]:
    rules = {name: {rule.words: passed(rule) for rule in kind.rules} for name, kind in kinds().items()}
    return {"keys": parts_with_keys(), "flags": flags(), "factors": factors(), "rules": rules}


if __name__ == "__main__":
    for path, what in ((KEPT, everything()), (KEPT_PARTS, all_parts())):
        path.write_text(json.dumps(what, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
