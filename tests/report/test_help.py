"""The help of every command: it has examples, which the command takes, and names what there is to choose from."""

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import typer

from harness import cli
from harness.registry import names
from harness.starters import WHAT
from harness.theory.constants import constants
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

GROUP: Any = typer.main.get_command(cli.app)


def shown(said: str) -> list[list[str]]:
    lines = said.split("Examples:")[1].splitlines()
    return [shlex.split(line) for line in lines if line.strip()]


@pytest.mark.parametrize("name", ["", *GROUP.commands])
def test_every_help_has_examples_that_the_command_takes(
    project: "Project", harness: "Harness", name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    said = harness(*([name] if name else []), "--help")
    found = shown(said.out)
    assert said.code == 0 and len(found) >= 2
    for program, command, *words in found:
        assert program == "harness" and command == (name or command)
        if ">" in words:
            words = words[: words.index(">")]
        if "--plugin" in words:  # which may stand anywhere
            del words[(place := words.index("--plugin")) : place + 2]
        assert GROUP.commands[command].make_context(command, words)  # raises where it does not take them


def test_the_help_names_what_there_is_to_choose_from(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's own, too."""
    monkeypatch.setenv("COLUMNS", "400")
    for guests in ({}, {"CONSTANTS": replace(constants()["BTT18"], name="of_mine")}):
        with guest(**guests):
            said = " ".join(harness("plan", "--help").out.split())
            for what in ("concept class", "constants", "constants of release", "class of queries"):
                assert ", ".join(names(what)) in said
            assert ("of_mine" in said) == bool(guests) and not re.search(r"\{[a-z ]+\}", said)
    said = " ".join(harness("new", "--help").out.split())
    assert ", ".join(WHAT) in said
