"""Parts that live one to a file: importing a package's modules registers every part they define."""

from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def parts(package: str, attribute: str, key: str = "name") -> dict[str, Any]:
    """Every module's `attribute` in the package, one part or a tuple of them, by the part's own `key`.

    Modules without the attribute are the package's shared code. The order is that of the modules' names.
    """
    found: dict[str, Any] = {}
    for info in iter_modules(import_module(package).__path__):
        defined = getattr(import_module(f"{package}.{info.name}"), attribute, ())
        for part in defined if isinstance(defined, tuple) else (defined,):
            name = getattr(part, key)
            if name in found:
                raise ValueError(f"{package} defines {name!r} twice")
            found[name] = part
    return found


def nearest(name: str, allowed: list[str]) -> str:
    """A clause for an error message: the allowed names, led by the one that was probably meant."""
    by_letters = {known.lower(): known for known in allowed}
    close = get_close_matches(name.lower(), by_letters, n=1, cutoff=0.6)
    hint = f"did you mean {by_letters[close[0]]!r}? " if close else ""
    return f"{hint}allowed: {', '.join(allowed)}"
