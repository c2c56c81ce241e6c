"""Parameters as people read them, the same in figures and on the terminal."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite, isnan

import pandas as pd
from pydantic import BaseModel

from harness.text import one_line
from harness.trials.fields import Identified

SYMBOLS = {
    "n": "n",
    "m": "m",
    "V": "V",
    "eps": "ε",
    "delta": "δ",
    "beta": "β",
    "gamma": "γ",
    "alpha": "α",
    "alpha_target": "α",
    "T": "T",
    "T_target": "T",
    "k_scale": "k/k₀",
}
NAMES = ("concept", "distribution", "learner", "constants", "sampling", "pac_bound", "target")
LONG = 300  # characters of a parameter
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """A number as print has it: as it is if that is short, else with a power of ten. A dash where there is none."""
    if not isfinite(value):
        return "–" if isnan(value) else "∞"
    if value == 0 or 1e-3 < abs(value) < 1e4 - 0.5:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    mantissa = mantissa.rstrip("0").rstrip(".")
    return power if mantissa == "1" else f"{mantissa}·{power}"


def _with_parameters(name: str, parameters: Mapping[str, object], gamma: object) -> str:
    """A name with its parameters, those of which there is nothing to say left out."""
    silent = {"target": 0.5} | ({"scale": parameters.get("scale")} if not gamma else {})  # a scale of the noise
    shown = ", ".join(f"{key} = {_brief(value)}" for key, value in parameters.items() if silent.get(key) != value)
    return f"{name} ({shown})" if shown else name


def _brief(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def parameter(row: pd.Series, key: str) -> str:
    """One parameter of a row, in a line: a number with its symbol, a name with what it names where that is not plain."""
    return one_line(_parameter(row, key), LONG)


def _parameter(row: pd.Series, key: str) -> str:
    if key in ("concept", "distribution"):
        return _with_parameters(str(row[key]), json.loads(row.get(f"{key}_parameters") or "{}"), row.get("gamma"))
    if key in SYMBOLS:
        return f"{SYMBOLS[key]} = {number(row[key])}"
    if key == "target":
        return "to its theorem's error" if row[key] == "theorem" else "to α itself"
    return {"sampling": f"{row[key]} sampling", "pac_bound": f"{row[key]} PAC bound"}.get(key, str(row[key]))


def varying(cells: Sequence[Identified]) -> list[str]:
    """The axes that tell the cells of a sweep apart, names before numbers; of a single cell, one."""
    axes = sorted(type(cells[0]).model_fields, key=lambda axis: axis in SYMBOLS)
    apart = [axis for axis in axes if len({str(getattr(cell, axis)) for cell in cells}) > 1]
    return apart or [next(axis for axis in ("m", "alpha", "eps") if axis in axes)]


def setting(cell: Identified, axes: Sequence[str]) -> str:
    """Where a cell is on some axes."""
    return ", ".join(
        f"{SYMBOLS[axis]} = {axis_value(cell, axis)}" if axis in SYMBOLS else axis_value(cell, axis) for axis in axes
    )


def axis_value(cell: Identified, axis: str) -> str:
    """What a cell has on an axis, in a line; a dash where that has no say."""
    value = getattr(cell, axis)
    if isinstance(value, int | float):
        return number(value)
    return "–" if value is None else one_line(_named(cell, axis), LONG)


def _named(cell: Identified, axis: str) -> str:
    value = getattr(cell, axis)
    name = getattr(cell, f"{axis}_name", None) or getattr(value, "name", None)
    if isinstance(value, BaseModel) and name is not None:
        return _with_parameters(name, value.model_dump(mode="json", exclude_none=True), getattr(cell, "gamma", None))
    return str(value)


UNITS = ((1.0, "s"), (60.0, "min"), (3600.0, "h"), (86400.0, "days"))


def duration(seconds: float) -> str:
    """A time in its own unit, to two digits or so."""
    size, unit = next(each for each in reversed(UNITS) if seconds >= 1.5 * each[0] or each is UNITS[0])
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 9.5 or (unit == "s" and value >= 0.95) else f"{value:.2g} {unit}"


BYTES = ((1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB"))


def size(count: float) -> str:
    """Bytes."""
    power, unit = next((power, unit) for power, unit in BYTES if count < 999.5 * power or unit == "TB")
    return f"{count / power:.0f} {unit}" if count >= 9.95 * power else f"{count / power:.1f} {unit}"
