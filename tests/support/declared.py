"""What specs and tables of each kind of trial are declared to be: `python -m tests.support.declared` keeps it in declared.json.

Which values a key may have, what it is where it is not given, and of every column how it is told, drawn and judged. People's
specs, tables and figures rely on it, so it changes only where somebody says so.
"""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from harness.trials import kinds
from harness.trials.kind import Kind

KEPT = Path(__file__).with_suffix(".json")


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
    }


def everything() -> dict[str, Any]:
    return {name: of_kind(kind) for name, kind in kinds().items()}


if __name__ == "__main__":
    KEPT.write_text(json.dumps(everything(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
