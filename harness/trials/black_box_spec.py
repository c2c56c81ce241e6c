"""A learner that a spec names by a mapping: {sklearn: module.Class, …}, or {name: a registered one, …}, with its parameters.

Nothing is imported or run but classes of `concepts.black_box`: names and values are looked up, never evaluated.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from harness.concepts.black_box import MODULES, MOST, BlackBox, named_class, settable
from harness.registry import nearest
from harness.trials import fields
from harness.trials.fields import complaint, number_at, shown

POWER = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+")  # 1e-3 is text to YAML


def black_box(entry: Mapping[Any, Any]) -> BlackBox:
    """The black box that a spec's mapping names: {sklearn: module.Class} or {name: a registered learner}, with its parameters.
    To be called in a validator: raises errors at the keys, each with what is allowed.
    """
    parameters = {str(key): value for key, value in entry.items()}
    kind = "sklearn" if "sklearn" in parameters else "name"
    name = parameters.pop(kind, None)
    if kind == "sklearn" and not re.fullmatch(r"\w+\.\w+", str(name)):
        what = f"module.Class of scikit-learn is needed, such as tree.DecisionTreeClassifier, not {shown(name)}"
        raise complaint(kind, f"{what}; allowed modules: {', '.join(MODULES)}")
    if kind == "name" and (name is None or not re.fullmatch(r"\w+", str(name))):
        raise ValueError("a mapping must say which learner; allowed: sklearn: module.Class, or name: a registered one")
    try:
        allowed = settable(named_class(str(name)))
    except ValueError as error:
        raise complaint(kind, str(error)) from None
    for key, value in parameters.items():
        if key not in allowed:
            raise complaint(key, f"unknown key; {nearest(key, allowed or ['none'])}")
        parameters[key] = _plain(key, value)
        if kind == "sklearn" and key in MOST and _appetite(parameters[key]) > MOST[key]:
            raise complaint(key, f"{shown(value)} takes too long; allowed: at most {MOST[key]:,}")
    return BlackBox(estimator=str(name), parameters=json.dumps(parameters, sort_keys=True))


def _appetite(value: Any) -> float:
    """How much it asks for: a number, or those of a list together."""
    if isinstance(value, list):
        return sum(map(_appetite, value))
    return value if isinstance(value, int | float) else 0


def _plain(key: str, value: Any) -> Any:
    """A parameter's value as JSON has it, with numbers that YAML takes for text made numbers."""
    if isinstance(value, list):
        return [_plain(key, item) for item in value]
    if isinstance(value, str) and POWER.fullmatch(value):
        value = number_at(key, value)
    if not (value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))):
        raise complaint(key, f"not {shown(value)}; allowed: a finite number, text, true, false, null, or a list of these")
    if isinstance(value, int | float) and value and not fields.LEAST <= abs(value) <= fields.MOST:
        raise complaint(key, f"not {shown(value)}; allowed: 0, and numbers from {fields.LEAST:g} to {fields.MOST:g}")
    return value
