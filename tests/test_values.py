"""What has fields is a value: a frozen dataclass or model. What cannot be made, for lack of a method, says so."""

import inspect
from abc import ABC
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

from harness.sources import submodules

DRAWN = ("ballots", "covers", "concepts", "scores", "analysts")
ROOMS = ("theory", *DRAWN, "mechanisms", "transfer", "trials", "claims", "report")
KEEP_A_STATE = {"_Session", "HardMargin", "Said", "Tally"}
ANSWERING = {"Block", "Answering", "LoopNoise", "NoisyMajority", "Responder", "Release", "Scoring"}
HAVE_DEFAULTS = ANSWERING | {"Decider", "Labelled", "PrivateLearner", "APrivRelabelled", "ReleaseLearner"}
"""Of which every subclass may have its own, without being made with them."""
OF_SUBCLASSES = {"Entrant", "RankedAdvice"}
"""Whose fields are those of dataclasses below them, each in its own order."""


def classes(room: str) -> Iterator[type]:
    package = f"harness.{room}"
    for name in (package, *submodules(package)):
        yield from (each for each in vars(import_module(name)).values() if inspect.isclass(each) and each.__module__ == name)


def has_fields(kind: type) -> bool:
    names = inspect.get_annotations(kind)
    return not all("ClassVar" in str(of) for of in names.values())


def changeable(kind: Any) -> bool:
    """Whether the fields of an object can be set once it is made, or it has none although it says so."""
    if issubclass(kind, BaseModel):
        return not kind.model_config.get("frozen")
    if parameters := getattr(kind, "__dataclass_params__", None):
        return not parameters.frozen or (has_fields(kind) and "__dataclass_params__" not in vars(kind))
    return has_fields(kind) and not issubclass(kind, tuple) and not getattr(kind, "_is_protocol", False)


def left_open(kind: type) -> Iterator[str]:
    """Methods that do nothing, though they are said to return something."""

    def nothing() -> None:
        """But say something."""

    for name, method in vars(kind).items():
        of = getattr(method, "fget", None) or getattr(method, "func", None) or getattr(method, "__func__", method)
        code = getattr(of, "__code__", None)
        empty = code is not None and code.co_code == nothing.__code__.co_code and code.co_consts == (of.__doc__, None)
        if empty and "None" not in str(of.__annotations__["return"]):
            yield f"{kind.__module__}.{kind.__qualname__}.{name}"


@pytest.mark.parametrize("room", ROOMS)
def test_fields_are_set_once(room: str) -> None:
    found = [kind.__name__ for kind in classes(room) if changeable(kind)]
    assert set(found) <= KEEP_A_STATE | HAVE_DEFAULTS | OF_SUBCLASSES


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_derived_from_a_class_of_fields_by_name_has_all_its_own_by_name(room: str) -> None:
    for kind in filter(is_dataclass, classes(room)):
        if any(is_dataclass(base) and any(field.kw_only for field in fields(base)) for base in kind.__bases__):
            assert all(field.kw_only for field in fields(kind)), kind


@pytest.mark.parametrize("room", ROOMS)
def test_a_method_that_does_nothing_is_one_that_subclasses_must_have(room: str) -> None:
    found = {
        place
        for kind in classes(room)
        for place in left_open(kind)
        if issubclass(kind, ABC) and place.rpartition(".")[2] not in kind.__abstractmethods__
    }
    assert found == set()
