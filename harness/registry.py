"""Parts that live one to a file: importing a package's modules registers every part they define."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def parts(package: str, attribute: str, key: str = "name") -> dict[str, Any]:
    """Every module's `attribute` in the package, by the part's own `key`, in order of module name.

    Modules without the attribute are the package's shared code.
    """
    found: dict[str, Any] = {}
    for info in iter_modules(import_module(package).__path__):
        part = getattr(import_module(f"{package}.{info.name}"), attribute, None)
        if part is not None:
            found[getattr(part, key)] = part
    return found


def nearest(name: str, allowed: list[str]) -> str:
    """A clause for an error message: the allowed names, led by the one that was probably meant."""
    close = get_close_matches(name, allowed, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}allowed: {', '.join(allowed)}"
