"""Parameters as people read them, the same in figures and on the terminal."""

import json
from math import isfinite, isnan

import pandas as pd

from harness.text import one_line

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


def _with_parameters(row: pd.Series, key: str) -> str:
    """A name with its parameters, those of which there is nothing to say left out."""
    parameters = json.loads(row.get(f"{key}_parameters") or "{}")
    silent = {"target": 0.5} | ({"scale": parameters.get("scale")} if not row.get("gamma") else {})  # a scale of the noise
    shown = ", ".join(f"{name} = {_brief(value)}" for name, value in parameters.items() if silent.get(name) != value)
    return f"{row[key]} ({shown})" if shown else str(row[key])


def _brief(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def parameter(row: pd.Series, key: str) -> str:
    """One parameter of a row, in a line: a number with its symbol, a name with what it names where that is not plain."""
    return one_line(_parameter(row, key), LONG)


def _parameter(row: pd.Series, key: str) -> str:
    if key in ("concept", "distribution"):
        return _with_parameters(row, key)
    if key in SYMBOLS:
        return f"{SYMBOLS[key]} = {number(row[key])}"
    if key == "target":
        return "to its theorem's error" if row[key] == "theorem" else "to α itself"
    return {"sampling": f"{row[key]} sampling", "pac_bound": f"{row[key]} PAC bound"}.get(key, str(row[key]))
