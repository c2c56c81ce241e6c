"""An error has an end, whatever it quotes: a person can read it, and what it begins and ends with is there."""

from typing import TYPE_CHECKING

import pytest

from harness import cli
from harness.registry import PartError
from harness.sweep.errors import CannotRunError, InputError
from harness.text import MESSAGE

if TYPE_CHECKING:
    from tests.support.project import Harness

LONG = f"first {'word ' * 20_000}last"
ERRORS = {"input": InputError(LONG), "cannot run": CannotRunError(LONG), "system": OSError(LONG), "part": PartError(LONG)}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_of_any_type_has_an_end(harness: "Harness", monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def raising() -> None:
        raise ERRORS[name]

    monkeypatch.setattr(cli, "app", raising)
    said = harness("check")
    assert said.code in (2, 4) and len(said.err) <= MESSAGE + len("error: \n") <= 2010
    assert said.err.startswith("error: first word ") and said.err.endswith(" last\n")
