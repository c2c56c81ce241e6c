"""Environment variables that a plugin asks for: what they say has a say in rows, as the data has that it reads.

Seen is what its own lines ask for, as os.environ[...], os.getenv or os.path.expandvars; not what a library asks for itself. Who
takes the mapping that is behind them has asked for all.
"""

import os
import posix
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import FrameType

ASKING = {os.getenv.__code__.co_filename, Mapping.get.__code__.co_filename}  # whose lines ask for whoever called them
FOR_ANOTHER = "expandvars"
ONE_BY_ONE = {"__getitem__", "__setitem__", "__delitem__", "__iter__", "__len__"}
"""What of os takes that mapping for one of its variables, or for none."""

Heard = Callable[[str, str | None, FrameType, bool], None]
"""Told of a name, its value or None, the frame that asks for it or sets it, and whether it is set."""


class Watched(os._Environ):  # type: ignore[type-arg]
    """An `os.environ` that calls `heard` with name, value and the asking frame whenever a variable is read or set."""

    heard: Heard | None = None

    @property
    def _data(self) -> dict[bytes, bytes]:
        """What the system told when Python began, and what was set since."""
        data: dict[bytes, bytes] = vars(self)["_data"]
        frame = sys._getframe(1)
        of_os = frame.f_code.co_filename in ASKING and frame.f_code.co_name in ONE_BY_ONE
        if Watched.heard is not None and not of_os:
            for name, value in data.items():
                Watched.heard(os.fsdecode(name), os.fsdecode(value), _asking(frame), False)
        return data

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
    posix.environ = os.environb  # type: ignore[assignment]  # which was that mapping itself


def digest(name: str, value: str | None) -> str:
    """A hash, 16 hex digits, of a variable, so that no value is told; or `not set`."""
    return "not set" if value is None else sha256(f"{name}={value}".encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _asking(frame: FrameType) -> FrameType:
    """The frame that asks, and not one of os that does so for it."""
    while frame.f_back and (frame.f_code.co_filename in ASKING or frame.f_code.co_name == FOR_ANOTHER):
        frame = frame.f_back
    return frame
