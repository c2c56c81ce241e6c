"""What the README shows of the command line is what the command line says."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.report.prices import priced
from harness.sweep.table import Table
from harness.trials.sample_complexity import KIND

if TYPE_CHECKING:
    from tests.support.project import Harness

README = Path(__file__).parents[1] / "README.md"


def test_the_table_of_when_it_is_worth_it_is_what_its_command_prints(harness: "Harness") -> None:
    section = README.read_text().split("## When is it worth it?")[1].split("\n## ")[0]
    command, shown = re.findall(r"`harness (plan --crossover [^`]+)`.*?\n```\n(.*?)\n```", section, re.DOTALL)[0]
    said = harness(*command.split())
    assert (said.code, said.err) == (0, "")
    assert [line.rstrip() for line in said.out.rstrip().splitlines()] == shown.splitlines()


@pytest.mark.parametrize(("place", "experiment"), [(0, "sample_complexity_vs_alpha"), (1, "sample_complexity_free")])
def test_the_prices_of_privacy_are_those_of_the_committed_tables(place: int, experiment: str) -> None:
    """α, then the price of each construction to reach error α on thresholds, to two digits."""
    section = README.read_text().split("## What does a private classifier cost?")[1].split("\n## ")[0]
    assert KIND.price
    frame = priced(Table.read(README.parent / f"results/{experiment}.parquet").frame(), KIND.price)
    frame = frame[(frame["concept"] == "thresholds") & (frame["target"] == "alpha")]
    heading, _, *lines = [each for each in section.split("\n\n") if each.startswith("| α |")][place].splitlines()
    names = re.findall(r"`(\w+)`", heading)
    assert len(names) >= 4
    shown = [line.strip("| ").split(" | ") for line in lines]
    assert len(shown) >= 3
    for alpha, *prices in shown:
        for name, price in zip(names, prices, strict=True):
            (row,) = frame[(frame["alpha"] == float(alpha)) & (frame["mechanism"] == name)].to_dict("records")
            assert float(price.replace(",", "")) == pytest.approx(row["price"], rel=0.05)
