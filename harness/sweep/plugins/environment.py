"""Environment variables that a plugin asks for: what they say has a say in rows, as the data has that it reads.

Seen is what its own lines ask for, as os.environ[...], os.getenv or os.path.expandvars; not what a library asks for itself.
"""

import os
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import FrameType

ASKING = {os.getenv.__code__.co_filename, Mapping.get.__code__.co_filename}  # whose lines ask for whoever called them
FOR_ANOTHER = "expandvars"

Heard = Callable[[str, str | None, FrameType, bool], None]
"""Told of a name, its value or None, the frame that asks for it or sets it, and whether it is set."""


class Watched(os._Environ):  # type: ignore[type-arg]
    """An `os.environ` that calls `heard` with name, value and the asking frame whenever a variable is read or set."""

    heard: Heard | None = None

    def __getitem__(self, key: str | bytes) -> str | bytes:
        """As ever, raising KeyError where there is none of that name."""
        value: str | bytes | None = None
        try:
            value = super().__getitem__(key)
            return value
        finally:
            if Watched.heard is not None:
                text = None if value is None else os.fsdecode(value)
                Watched.heard(os.fsdecode(key), text, _asking(sys._getframe(1)), False)

    def __setitem__(self, key: str | bytes, value: str | bytes) -> None:
        """As ever."""
        super().__setitem__(key, value)
        if Watched.heard is not None:
            Watched.heard(os.fsdecode(key), os.fsdecode(value), _asking(sys._getframe(1)), True)


def watch(heard: Heard) -> None:
    """Makes `os.environ` and `os.environb` call `heard` from now on whenever a variable is read or set."""
    Watched.heard = heard
    for variables in (os.environ, os.environb):
        variables.__class__ = Watched


def digest(name: str, value: str | None) -> str:
    """A hash, 16 hex digits, of a variable, so that no value is told; or `not set`."""
    return "not set" if value is None else sha256(f"{name}={value}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _asking(frame: FrameType) -> FrameType:
    """The frame that asks, and not one of os that does so for it."""
    while frame.f_back and (frame.f_code.co_filename in ASKING or frame.f_code.co_name == FOR_ANOTHER):
        frame = frame.f_back
    return frame
