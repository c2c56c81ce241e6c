"""Whose word a mechanism's ε′ is: an accountant's of this package, or its author's alone.

An accountant knows how a mechanism composes only where it was written beside it: where this package has both the code that
draws the noise and the code that finds ε′ from the same numbers. A class derived from such a one may call itself otherwise, and
may define anew what it says so of (`may_change`): ε′ then still follows from the noise that is drawn. Any other attribute that
it defines, be it `plan` or `answer`, makes ε′ its author's word, whatever functions of `harness.theory.privacy` it calls:
these know the numbers that they are given, not what is drawn.
"""

from abc import ABC
from collections.abc import Iterator
from typing import Generic, Literal

from harness.mechanisms import Mechanism
from harness.registry import parts
from harness.sources import PACKAGE

Basis = Literal["certified", "declared"]
"""certified: by an accountant that knows how the mechanism composes. declared: by its author."""

LABELS = frozenset({"name", "source", "legend", "key"})
"""What a class may always define anew: nothing is drawn by it but which random numbers."""

WRITTEN = frozenset(
    {
        *("__module__", "__qualname__", "__doc__", "__annotations__", "__annotate_func__", "__annotations_cache__"),
        *("__orig_bases__", "__parameters__", "__type_params__", "__abstractmethods__", "_abc_impl"),
        *("__static_attributes__", "__firstlineno__", "__dict__", "__weakref__"),
    }
)
"""What Python itself writes into a class."""

ROOTS: tuple[object, ...] = (ABC, Generic, object)
"""Classes of Python that every mechanism is derived from. Their module is no sign: a class that `type` makes says `abc` too."""


def basis(mechanism: Mechanism) -> Basis:
    """Whether a mechanism's ε′ is certified by an accountant of this package, or only declared by its author.

    This follows from which classes define the mechanism's attributes.
    """
    return "declared" if any(_own_words(mechanism)) else "certified"


def spent_by(name: str) -> Basis | None:
    """Whether a mechanism's ε′ is certified or declared, by the mechanism's name; None without privacy or a mechanism."""
    mechanism = named(name)
    return basis(mechanism) if mechanism is not None and mechanism.private else None


def named(name: str) -> Mechanism | None:
    """The mechanism of that name, be it online or not; None if no mechanism has it."""
    return {**parts("mechanism"), **parts("online mechanism")}.get(name)


def _own_words(mechanism: Mechanism) -> Iterator[str]:
    """The attributes that no code of this package vouches for."""
    may_change: frozenset[str] = frozenset()
    for base in type(mechanism).__mro__:
        if _is_ours(base):
            may_change = getattr(base, "may_change", frozenset())
            break
    for derived in type(mechanism).__mro__:
        if not _is_ours(derived):
            yield from vars(derived).keys() - WRITTEN - LABELS - may_change
    for name in getattr(mechanism, "__dict__", {}).keys() - LABELS:  # in place of a method, on this one object
        if callable(getattr(type(mechanism), name, None)):
            yield name


def _is_ours(kind: type) -> bool:
    """Whether a class is of this package, or one of Python's that all are derived from."""
    return kind.__module__.partition(".")[0] == PACKAGE or kind in ROOTS
