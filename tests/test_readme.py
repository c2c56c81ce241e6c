"""What the README shows of the command line is what the command line says."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import Harness

README = Path(__file__).parents[1] / "README.md"


def test_the_table_of_when_it_is_worth_it_is_what_its_command_prints(harness: "Harness") -> None:
    section = README.read_text().split("## When is it worth it?")[1].split("\n## ")[0]
    command, shown = re.findall(r"`harness (plan --crossover [^`]+)`.*?\n```\n(.*?)\n```", section, re.DOTALL)[0]
    said = harness(*command.split())
    assert (said.code, said.err) == (0, "")
    assert [line.rstrip() for line in said.out.rstrip().splitlines()] == shown.splitlines()
