"""Parts that live one to a file: importing a package's modules registers every part they define."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import Any

from harness.sources import submodules


def parts(package: str, attribute: str, key: str = "name") -> dict[str, Any]:
    """Every module's `attribute` in the package, one part or a tuple of them, by the part's own `key`.

    Modules without the attribute are the package's shared code. The order is that of the modules' names.
    """
    found: dict[str, Any] = {}
    for module in submodules(package):
        defined = getattr(import_module(f"{package}.{module}"), attribute, ())
        for part in defined if isinstance(defined, tuple) else (defined,):
            name = getattr(part, key)
            if name in found:
                raise ValueError(f"{package} defines {name!r} twice")
            found[name] = part
    return found


MANY = 40  # more names than a line of an error can hold


def nearest(name: str, allowed: Sequence[str], also: Mapping[str, str] = MappingProxyType({})) -> str:
    """A clause for an error message: the allowed names, led by the one probably meant; of very many the ten closest.

    also: further words, in small letters, for some of the names.
    """
    name, by_letters = name.lower(), {known.lower(): known for known in allowed}
    meant_by = {word: known for word, known in also.items() if known in allowed} | by_letters
    close = get_close_matches(name, by_letters, n=10, cutoff=0.0 if len(allowed) > MANY else 0.6)
    meant = get_close_matches(name, meant_by, n=1, cutoff=0.6)
    hint = f"did you mean {meant_by[meant[0]]!r}? " if meant else ""
    listed = [by_letters[known] for known in close] if len(allowed) > MANY else allowed
    others = f" and {len(allowed) - len(listed)} others" if len(listed) < len(allowed) else ""
    return f"{hint}allowed: {', '.join(listed)}{others}"
