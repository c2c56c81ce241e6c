"""Parameters as people read them, the same in figures and on the terminal."""

import json

import pandas as pd

SYMBOLS = {
    "n": "n",
    "m": "m",
    "V": "V",
    "eps": "ε",
    "delta": "δ",
    "beta": "β",
    "alpha_target": "α",
    "T": "T",
    "T_target": "T",
    "k_scale": "k/k₀",
}
NAMES = ("concept", "distribution", "learner", "constants", "sampling", "pac_bound")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """A number as print has it: as it is if that is short, else with a power of ten."""
    if value == 0 or 1e-3 < abs(value) < 1e4 - 0.5:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    mantissa = mantissa.rstrip("0").rstrip(".")
    return power if mantissa == "1" else f"{mantissa}·{power}"


def distribution(row: pd.Series) -> str:
    """A row's distribution with the parameters that shape it."""
    parameters = json.loads(row["distribution_parameters"])
    shown = ", ".join(f"{name} = {value:.3g}" for name, value in parameters.items() if name != "target" or value != 0.5)
    return f"{row['distribution']} ({shown})" if shown else str(row["distribution"])


def parameter(row: pd.Series, key: str) -> str:
    """One parameter of a row: a number with its symbol, a name with what it names where that is not plain."""
    if key == "distribution":
        return distribution(row)
    if key in SYMBOLS:
        return f"{SYMBOLS[key]} = {number(row[key])}"
    return {"sampling": f"{row[key]} sampling", "pac_bound": f"{row[key]} PAC bound"}.get(key, str(row[key]))
