"""Numbers and files have limits that are told: within seconds, in little memory, with exit code 2."""

import os
import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from math import inf, isfinite
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from harness.concepts import concepts
from harness.report.crossover import CrossoverQuestion
from harness.sweep.errors import InputError
from harness.sweep.spec import ForQueries, Spec, Sweep, UntilDecided
from harness.sweep.spec.complaints import WANTED, in_words
from harness.sweep.spec.figure_spec import FigureSpec, FindingSpec
from harness.trials import kinds
from harness.trials.cell import Planned, Setting
from harness.trials.fields import exact_number, whole_number
from tests.bad_input.mutations import FRESH, REFERENCE, SPEC

if TYPE_CHECKING:
    from tests.support.bench import Bench
    from tests.support.project import Project

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9))
from harness.cli import main
main()
"""
"""The harness in a process that has 3 GB of addresses, of which its libraries take about a half."""


def sparse(path: Path) -> None:
    path.touch()
    os.truncate(path, 10**11)


ENDLESS: dict[str, Callable[[Path], object]] = {
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "a pipe": os.mkfifo,
    "memory": lambda path: path.symlink_to("/proc/self/mem"),
    "a hundred gigabytes": sparse,
}
COMMANDS: dict[str, Sequence[Sequence[str]]] = {
    SPEC: (["run", SPEC, "--serial"], ["check", SPEC], ["report", SPEC], ["claims"], ["figures"], ["accept", "small"]),
    FRESH: (["run", SPEC, "--serial"], ["check", SPEC], ["report", SPEC], ["accept", "small"]),
    REFERENCE: (["check", SPEC], ["figures"]),
}


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("place", COMMANDS)
def test_what_has_no_end_is_told_of_by_every_command(bench: "Bench", place: str, kind: str) -> None:
    path = bench.root / place
    for words in COMMANDS[place]:
        path.unlink()
        ENDLESS[kind](path)
        bench_files, bench.files = bench.files, lambda: {}  # type: ignore[method-assign]  # which would read it
        try:
            said = bench._said(list(words))
        finally:
            bench.files = bench_files  # type: ignore[method-assign]
            path.unlink()
            bench.put(place, bench.good[place])
        in_the_way = words[0] == "run" and place == FRESH and kind != "a hundred gigabytes"  # of what the run would write
        told = f"error: {place} is a " if in_the_way else f"error: {place}: "
        assert said.code == (4 if in_the_way else 2) and said.err.startswith(told) and said.err.count("\n") == 1, said


@pytest.mark.process
def test_a_device_takes_no_memory(project: "Project") -> None:
    said = project.process("run", "/dev/zero", "--serial", program=("-c", LIMITED))
    assert (said.code, said.out) == (2, ""), said
    assert said.err == "error: /dev/zero: a device, which may have no end; allowed: a regular file\n"


NUMBERS = ["1e1000000000", "-1e1000000000", f"1e{'9' * 99}", "1.0e+1000000000", "9" * 9000, f"'{'9' * 9000}'", "0o7"]
NUMBERS += ["0x" + "F" * 9000, "0b" + "1" * 9000, "1" + ":59" * 9000, "1" + "_000" * 2000]
NUMBERS += [f"!!{name} '1{':1' * 4000}'" for name in ("int", "float")]
ROADS = [
    "seed: {x}",
    "trials: {x}",
    "trials: {{until: decided, max: {x}}}",
    "trials: {{queries: {x}, max: 3}}",
    "m: {x}",
    "n: [1e9, {x}]",
    "eps: {x}",
    "m: {{geom: [1, 9, {x}]}}",
    "n: {{geom: [{x}, 1e9, 3]}}",
    "V: {x}",
    "distribution: {{name: hard, c: {x}}}",
    "concept: {{name: halfspaces, d: {x}}}",
    "learner: {{sklearn: tree.DecisionTreeClassifier, max_depth: {x}}}\nsampling: full",
    "exclude: [{{m: {x}}}]",
]


@pytest.mark.parametrize("road", ROADS)
def test_no_number_takes_long_or_fails_wherever_it_comes_in(project: "Project", road: str) -> None:
    for number in NUMBERS:
        lines = road.format(x=number).splitlines()
        changes: dict[str, str | None] = {key: value for key, _, value in (line.partition(": ") for line in lines)}
        begun = process_time()
        try:
            project.sweep(**changes)
        except InputError as error:
            assert len(str(error)) < 700 and "\n" not in str(error)  # noqa: PT017
        else:
            assert road.startswith(("exclude", "learner"))  # which know no number's meaning
        assert process_time() - begun < 2


def test_the_options_that_take_numbers_have_the_same_limits(bench: "Bench") -> None:
    for number in ("1e1000000000", "9" * 9000, "0x1F"):
        for option in ("--m", "--n", "--alpha", "--V", "--eps", "--delta", "--beta", "--gamma"):
            said = bench.harness("plan", "--m", "100", "--n", "1e9", option, number)
            assert said.code == 2 and re.match(rf"error: {option}: a (finite )?number", said.err), said
        for words in (["--set", f"m={number}"], ["--set", f"seed={number}"]):
            said = bench.harness("run", SPEC, "--serial", *words)
            assert said.code == 2 and said.err.startswith("error: --set"), said
    assert bench.harness("replay", f"small/0/{'9' * 9000}/A_binClas").code == 2


digits = st.text("0123456789", min_size=1, max_size=25)
plain = st.builds("{}{}{}".format, st.sampled_from(["", "-", "+"]), digits, digits.map(".{}".format) | st.just(""))
exponents = st.integers(-(10**30), 10**30) | st.integers(-400, 400)
numbers = plain | st.builds("{}e{}".format, plain, exponents) | digits.map("0x{}".format) | digits.map("1:{}".format)


@given(numbers)
@example("0e1000000000")
@example("-0")
@example("1e-1000000000")
@example("0.0000000000000000000000000001e30")
@example("999999999999999999.5")
def test_a_text_is_the_number_that_it_says_or_none(text: str) -> None:
    """A fraction is no whole number, also where its nearest float is one."""
    try:
        found = exact_number(text)
    except ValueError as error:
        assert "number" in str(error) and len(str(error)) < 200  # noqa: PT017
        assert not re.fullmatch(r"[-+]?(0|[1-9]\d*)(\.\d+)?", text), "what is plainly written is read"
        return
    assert isfinite(float(text)) and float(found) == float(text)
    if not 1e-300 < abs(float(text)) < 1e300:
        return
    said = Decimal(text)
    is_whole = said == said.to_integral_value()
    assert not is_whole or abs(said) >= 10**18 or (type(found) is int and found == said)
    if is_whole:
        assert whole_number(text) == said
    elif abs(said) >= 10**17:
        with pytest.raises(ValueError, match=r"fractional"):
            whole_number(text)


@pytest.mark.parametrize("value", [inf, -inf, float("nan"), 10**400, "1e309", "inf", "-Infinity", "NaN"])
def test_what_is_beyond_all_floats_is_no_number(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^a finite number is needed, not "):
        exact_number(value)


ODD: list[Any] = [None, True, "", "x", "1e20", "1e400", "1e1000000000", 10**20, 10**400, -1, 0, 0.5, 1e20, inf, float("nan")]
ODD += [[], [1], [[]], {}, {"a": 1}, {"geom": [1, 2, 3]}, {1: 2}, b"x", date(2020, 1, 1), {"name": 5}, ("x", 1), {1, 2}]
GOOD: dict[type[BaseModel], dict[str, Any]] = {
    **{kind.cell: {} for kind in kinds().values()},
    Spec: {"trials": 5},
    FigureSpec: {"x": "m"},
    FindingSpec: {"says": "Nothing"},
    UntilDecided: {"until": "decided", "max": 3},
    ForQueries: {"queries": 5, "max": 3},
    Setting: {"m": 100, "n": 10**9},
    Planned: {"m": 100, "n": 10**9},
    CrossoverQuestion: {},
    **{concept: {} for concept in concepts().values()},
    **{each: {} for concept in concepts().values() for each in concept.distributions.values()},
}
PYDANTIC = re.compile(r"input should|value error|validation error|type=|should be a valid|unable to|\bpydantic", re.IGNORECASE)


@pytest.mark.parametrize("model", GOOD, ids=lambda model: model.__name__)
def test_no_complaint_is_in_the_words_of_pydantic(model: type[BaseModel]) -> None:
    """Whatever stands in whatever field. The fields that are needed and not given are left to the others."""
    told = 0
    for field in model.model_fields:
        for value in ODD:
            try:
                model.model_validate(GOOD[model] | {field: value})
            except ValidationError as error:
                about = [in_words(detail) for detail in error.errors() if detail["loc"][:1] == (field,)]
                for said in about:
                    assert not PYDANTIC.search(said) and "another value" not in said, (field, value, said)
                    assert len(said) < 600 and "\n" not in said
                told += len(about)
    assert told or not model.model_fields


def test_every_kind_of_error_about_a_type_has_words_of_ours() -> None:
    assert all("needed" in words for words in WANTED.values())


def timed(content: str, path: Path) -> tuple[float, str]:
    """How long it takes, on this processor, to read a spec, and what is said of it."""
    path.write_text(content, encoding="utf-8")
    begun, said = process_time(), ""
    try:
        Sweep(path)
    except InputError as error:
        said = str(error)
    return process_time() - begun, said


def test_a_long_comment_is_not_read(project: "Project") -> None:
    seconds, said = timed(project.spec().read_text() + "# " + "x" * 10**7, project.spec())
    assert seconds < 1 and said == f"{SPEC}: longer than is read; allowed: at most 1,000,000 bytes"


@pytest.mark.law
def test_many_exclusions_of_many_cells_take_seconds(project: "Project") -> None:
    """Ten thousand combinations and three thousand rules, which leave out all but two."""
    rules = [{"m": m, "n": [str(n) for n in range(10**9, 10**9 + 100)]} for m in range(2, 101)]
    rules += [{"n": n, "learner": ["leftmost", "midpoint"]} for n in range(10**9 + 1, 10**9 + 100)]
    text = project.spec(m="{geom: [1, 100, 100]}", n=f"[{', '.join(str(n) for n in range(10**9, 10**9 + 100))}]").read_text()
    seconds, said = timed(f"{text}exclude: {yaml.safe_dump(rules, default_flow_style=True, width=10**6)}", project.spec())
    assert seconds < 20, seconds
    assert said == "" or "would share a point" in said


def test_a_grid_is_counted_before_it_is_made(project: "Project") -> None:
    axes = dict.fromkeys(("eps", "delta", "beta", "gamma", "k_scale", "alpha"), "{geom: [0.001, 0.01, 10000]}")
    seconds, said = timed(project.spec(**axes).read_text(), project.spec())
    assert seconds < 1 and "4e+24 combinations of all axes; allowed: at most 100,000" in said


@pytest.mark.parametrize("count", [101, 1999])
def test_cells_are_counted_before_they_are_read(project: "Project", count: int) -> None:
    """As many as take a minute to read are the most: what is left out does not count."""
    changes = {"n": f"{{geom: [1e9, 1e12, {count}]}}", "m": "{geom: [20, 1000, 50]}", "learner": "leftmost"}
    seconds, said = timed(project.spec(**changes).read_text(), project.spec())
    assert seconds < 1 and f"n: {50 * count:,} cells; allowed: at most 5,000, so cut the sweep along an axis" in said


def test_rows_are_counted_before_they_are_run(project: "Project") -> None:
    with pytest.raises(InputError, match=r":4: trials: 16,000,000 rows in all; allowed: at most 10,000,000, so cut the sweep"):
        project.sweep(trials="2e6")
    project.sweep(trials="{until: decided, max: 1e7}")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["m", "n", "eps", "delta", "seed", "trials"]), numbers)
def test_a_number_in_a_spec_is_its_own_or_refused_at_its_line(project: "Project", key: str, text: str) -> None:
    path = project.spec(**{key: text})
    try:
        sweep = Sweep(path)
    except InputError as error:
        assert not PYDANTIC.search(str(error)), error  # noqa: PT017
        assert re.match(rf"{SPEC}:\d+: ", str(error)), error  # noqa: PT017
    else:
        found = sweep.spec.seed if key == "seed" else sweep.spec.trials if key == "trials" else getattr(sweep.cells[0], key)
        assert float(found) == float(text)  # type: ignore[arg-type]
