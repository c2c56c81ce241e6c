"""Numbers, times and sizes as people read them, the same in figures and on the terminal."""

from math import isfinite, isnan

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """A number as text: as it is if that is short, else with a power of ten. A dash where it is NaN."""
    if not isfinite(value):
        return "–" if isnan(value) else "∞"
    if value == 0 or 1e-3 < abs(value) < 1e4 - 0.5:
        return f"{value:.4g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    mantissa = mantissa.rstrip("0").rstrip(".")
    return power if mantissa == "1" else f"{mantissa}·{power}"


UNITS = ((1.0, "s"), (60.0, "min"), (3600.0, "h"), (86400.0, "days"))


def duration(seconds: float) -> str:
    """A time in seconds as text in a unit of its size, to two digits or so."""
    size, unit = next(each for each in reversed(UNITS) if seconds >= 1.5 * each[0] or each is UNITS[0])
    value = seconds / size
    return f"{value:.0f} {unit}" if value >= 9.5 or (unit == "s" and value >= 0.95) else f"{value:.2g} {unit}"


BYTES = ((1e3, "kB"), (1e6, "MB"), (1e9, "GB"), (1e12, "TB"))


def size(count: float) -> str:
    """A number of bytes as text in a unit of its size."""
    power, unit = next((power, unit) for power, unit in BYTES if count < 999.5 * power or unit == "TB")
    return f"{count / power:.0f} {unit}" if count >= 9.95 * power else f"{count / power:.1f} {unit}"
