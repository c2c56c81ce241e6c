"""Whatever a spec file holds, reading it gives a sweep or one InputError: never another exception, never a hang."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.sweep.errors import InputError
from harness.sweep.spec import Sweep

SPEC = """\
title: A sweep
question: Which?
seed: 1
trials: {until: decided, max: 9}
concept: thresholds
distribution:
  - uniform
  - {name: hard, c: 1.5}
learner: [leftmost, midpoint]
n: [1e9, 1e10]
m:
  geom: [20, 50, 3]
eps: 1
delta: 1e-6
mechanisms: [A_binClas, majority]
zip: [[n, learner]]
exclude:
  - m: 20
    distribution: hard
claims: ["BTT18:T3.2"]
figure: {x: m, panels: [distribution, learner]}
"""
LINES = SPEC.splitlines()
KEYS = [
    "title",
    "trials",
    "kind",
    "seed",
    "distribution",
    "learner",
    "n",
    "m",
    "eps",
    "T",
    "k_scale",
    "V",
    "alpha",
    "zip",
    "exclude",
]
KEYS += [
    "mechanisms",
    "claims",
    "figure",
    "figure: {x: m, y",
    "n: {geom",
    "concept",
    "sampling",
    "gamma",
    "distribution: {name",
]

ODD = r"""
null
true
~
''
0
-1
1
0.5
1e400
-1e400
.nan
-.inf
1e-400
1e-99
1e308
0x1F
190:20:30
9:9:9:9:9.5
1_0
1e+
--1
١٢
snan
Infinity
[]
{}
[[]]
[{}]
[null]
[1, 2]
[1, [2]]
{a: 1}
{name: hard}
{name: []}
{name: {}}
{name: hard, c: [1]}
{name: hard, mass: 0.1, c: 1}
{name: uniform, target: 1}
{sklearn: tree.DecisionTreeClassifier}
{sklearn: svm.SVC, C: 1e400, kernel: [null]}
{sklearn: {name: x}}
{geom: 1}
{geom: [1, 2, 3]}
{geom: [1e-300, 1e300, 4]}
{geom: [2, 1, 10000]}
{until: decided}
{until: decided, max: 1e99}
[1e9, 1e9]
2020-01-01
2020-13-45
12:30:45
2001-01-01 00:00:00 +99:99
*a
&a [*a]
&a {x: *a}
!x
!!set {1, 2}
!!omap [a: 1]
!!pairs [a: 1]
!!binary aGk
!!float
!!int x
!!bool maybe
!!timestamp never
!!str [1]
!!python/name:os.system
"\ud800"
"\0"
[{m: 20, n: [1e9, [1e9]]}]
[[m], [n]]
[[m, m]]
{x: m, panels: []}
{x: V, panels: [n, m, learner, distribution]}
{x: m, y: cell}
[A_OQR, A_sparseVec]
hard
uniform
exact_error
ensemble
split
privacy
audit
k_tight
full
blumer
"""
ODD_VALUES = st.sampled_from([*ODD.strip().splitlines(), "9" * 400, f"'{'9' * 400}'", f"[{'[' * 99}{']' * 99}]"])
ODD_LINES = (
    st.tuples(st.sampled_from(KEYS), ODD_VALUES).map(": ".join)
    | st.sampled_from(
        ["- ", "  ", "...", "---", "%YAML 9.9", "? x", ": y", "<<: {m: 1}", "\t", "}", "]", "|", ">", "@", "`", "\ufeff"]
    )
    | st.text(max_size=20)
)


def replaced(line: str, value: str) -> str:
    """The line with another value, on the same key."""
    key, colon, _ = line.partition(": ")
    return f"{key}: {value}" if colon else f"{line[: len(line) - len(line.lstrip())]}- {value}"


AT = st.integers(0, len(LINES) - 1)
MUTATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("value"), AT, ODD_VALUES),
        st.tuples(st.sampled_from(["replace", "insert"]), AT, ODD_LINES),
        st.tuples(st.sampled_from(["delete", "twice", "indent"]), AT, st.just("")),
    ),
    min_size=1,
    max_size=3,
)


def mutated(mutations: list[tuple[str, int, str]]) -> str:
    lines = list(LINES)
    for how, at, what in mutations:
        place = at % max(1, len(lines))
        line = lines[place] if lines else ""
        new = {
            "value": [replaced(line, what)],
            "replace": [what],
            "insert": [what, line],
            "delete": [],
            "twice": [line, line],
            "indent": ["  " + line],
        }
        lines[place : place + 1] = new[how]
    return "\n".join(lines) + "\n"


def loads_or_complains(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        sweep = Sweep(path)
    except InputError as error:
        assert re.fullmatch(rf"{re.escape(str(path))}(:\d+)?: [^\n]{{10,2000}}", str(error))  # noqa: PT017
    else:
        assert sweep.cells and all(
            sweep.kind.refuse(cell, name) is None for cell in sweep.cells for name in sweep.spec.mechanisms
        )


IN_ONE_FOLDER = [HealthCheck.function_scoped_fixture]


def test_the_spec_that_is_mutated_is_a_good_one(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(SPEC)
    assert len(Sweep(path).cells) == 2 * 2 * 3 - 2


@pytest.mark.law
@settings(max_examples=800, suppress_health_check=IN_ONE_FOLDER)
@given(MUTATIONS)
def test_a_spec_with_odd_lines_loads_or_is_refused(tmp_path: Path, mutations: list[tuple[str, int, str]]) -> None:
    loads_or_complains(tmp_path / "spec.yaml", mutated(mutations).encode("utf-8", "surrogatepass"))


@pytest.mark.law
@settings(max_examples=300, suppress_health_check=IN_ONE_FOLDER)
@given(st.lists(st.tuples(st.integers(0, len(SPEC) - 1), st.binary(max_size=3)), min_size=1, max_size=4))
def test_a_spec_with_odd_bytes_loads_or_is_refused(tmp_path: Path, places: list[tuple[int, bytes]]) -> None:
    content = bytearray(SPEC.encode())
    for place, new in places:
        content[place : place + len(new) or place + 1] = new
    loads_or_complains(tmp_path / "spec.yaml", bytes(content))
