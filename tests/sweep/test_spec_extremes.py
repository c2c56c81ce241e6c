"""Specs of every kind of trial, with one number or constant as extreme as YAML has it: read, or refused in one line, at once.

What is read has plans: nothing in it is larger than a computer reckons with.
"""

from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from harness.report.constants import listed
from harness.sweep.errors import InputError
from harness.sweep.spec import WITH, Sweep, option
from harness.trials import kinds

if TYPE_CHECKING:
    from tests.support.project import Project

EXPERIMENTS = sorted((Path(__file__).parents[2] / "experiments").glob("*.yaml"), key=lambda path: path.stat().st_size)
VALUES = [
    *("0", "-1", "1e-300", "1e-100", "1e-99", "1e-50", "1e-18", "1e-9", "0.01", "0.3", "0.5", "0.999", "0.9999999999999999"),
    *("1", "1.0000001", "2", "2.5", "3.5", "7", "1e3", "1e5", "1e6", "1e9", "1e12", "1e15", "9007199254740993", "1e18"),
    *("1e30", "1e100", "1e300", "1.7e308", "hard", "uniform", "null", "true", "[]", "{}", "[1,2]"),
]
SPECS = 3  # of a kind
SECONDS = 10  # of a machine that has much else to do


@cache
def specs() -> dict[str, list[tuple[Path, dict[str, Any]]]]:
    """The shortest specs of each kind."""
    found: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for path in EXPERIMENTS:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        found.setdefault(content.get("kind", "answers"), []).append((path, content))
    return {kind: those[:SPECS] for kind, those in found.items()}


@cache
def constants() -> list[str]:
    return sorted({each.factor.name for each in listed(None).constants})


def mutation(rng: Random) -> tuple[Path, str, str]:
    """A spec, and a key of it with another value."""
    kind = rng.choice(sorted(specs()))
    path, content = rng.choice(specs()[kind])
    axes = list(kinds()[kind].cell.model_fields)
    given = [axis for axis in axes if axis in content] or axes
    key = WITH + rng.choice(constants()) if rng.random() < 0.2 else rng.choice(rng.choice([axes, given]))
    return path, key, rng.choice(VALUES)


def refused(path: Path, key: str, value: str) -> str:
    """What is said of it; empty where it is read, and its plans are computed."""
    try:
        sweep = Sweep(path, {key: value})
    except InputError as error:
        return str(error)
    for cell in sweep.cells[:2]:
        for name in sweep.spec.mechanisms:
            sweep.kind.parameters(cell, name)
            if sweep.kind.queries is not None:
                sweep.kind.queries(cell, name)
        assert sweep.kind.block(cell) >= 1
    return ""


def read_or_refuse(seed: int, count: int) -> None:
    rng = Random(seed)
    for path, key, value in (mutation(rng) for _ in range(count)):
        start = perf_counter()
        said = refused(path, key, value)
        assert "\n" not in said and len(said) <= 2000, (path, key, value)
        assert perf_counter() - start < SECONDS, (path, key, value)


@pytest.mark.law
def test_a_spec_with_an_extreme_value_is_read_or_refused() -> None:
    read_or_refuse(1, 60)


@pytest.mark.law
@pytest.mark.parametrize("seed", range(20))
def test_each_of_many_is(seed: int) -> None:
    read_or_refuse(100 + seed, 100)


@pytest.mark.process
@pytest.mark.parametrize("seed", range(4))
def test_what_is_read_is_forecast_in_seconds_or_refused(project: "Project", seed: int) -> None:
    """By a process that measures, which is ended where a trial of these values takes minutes, or hours, or all memory."""
    rng = Random(200 + seed)
    some = [each for each in (mutation(rng) for _ in range(40)) if not refused(*each)][:4]
    assert some
    for path, key, value in some:
        said = project.process("run", path, "--dry-run", *option(key, value))
        assert said.code in (0, 2, 4) and (said.code == 0 or said.err.count("\n") == 1), (path, key, value, said)
        assert said.code or "trials in" in said.out, (path, key, value, said)


EXTREME = [
    ("agnostic_hard", "gamma", "1e-300", "0, or a number of at least 1e-100, is needed, not 1e-300"),
    ("learner_theorems_agnostic", "k_scale", "1e300", "a number ≤ 1e+100 is needed, not "),
    ("quickstart", "eps", "1e300", "a number ≤ 1e+100 is needed, not "),
    ("public_learner_hundredth", "eps", "1e-100", "more examples or points are needed than are reckoned with); allowed: "),
]


@pytest.mark.parametrize(("name", "key", "value", "said"), EXTREME, ids=[f"{key} {value}" for _, key, value, _ in EXTREME])
def test_a_number_out_of_all_proportion_is_told_with_what_is_allowed(name: str, key: str, value: str, said: str) -> None:
    (path,) = [path for path in EXPERIMENTS if path.stem == name]
    told = refused(path, key, value)
    assert f"--set {key}: " in told and said in told
