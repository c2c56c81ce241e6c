"""Command lines: any options with any values, on a good project."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import cli
from harness.sweep.errors import InputError
from tests.bad_input.mutations import FRESH, ROW, SPEC

if TYPE_CHECKING:
    from tests.support.bench import Bench

PATHS = [".", "..", "/dev/null", "/proc/none", "nowhere/at/all", "results", "small.yaml", "experiments", "////", "a" * 300]
TEXTS = ["-", "--", "---", "small", "[/]", "ε", "٣", "tight", "blumer"]
NUMBERS = ["0", "1", "-1", "1e6", "1e12", "0.5", "1e-320", "1e400", "nan", "-inf", "0x1F", "true", "null", "1_0"]
SETTINGS = ["m=20", "=", "m", "m=", "m=[1", "title=2020-99-99", "x.y=1", "m=[20, 30]", "exclude=[{m: &a [*a]}]"]
SETTINGS += ["seed=!!python/name:os.system", "seed=!!python/object/apply:os.system [touch pwned]"]
LONG = ["9" * 400, "BTT18:T3.2", "small/0/0/A_binClas", "small/x/y/z", "x\ny"]
SURROGATE = "\udcff"  # what is not UTF-8 in an argument
WORDS = st.sampled_from(["", SURROGATE, SPEC, FRESH, *PATHS, *TEXTS, *NUMBERS, *SETTINGS, *LONG]) | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6
)
WRITE = ("--summary", "--fresh")  # these may do their work and then end with 4
COMMANDS: dict[str, Any] = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
OPTIONS = {
    name: [
        "--help",
        *(each for param in command.params for each in param.opts if each.startswith("--") and each not in WRITE),
    ]
    for name, command in COMMANDS.items()
}
USAGE = r"Error .*(No such|Invalid value|Missing|requires|unexpected extra|takes no|does not take|not a valid)"
PLACES = ("--", ".: cannot be read", "small", "replay", "no experiment", "claims: ", "results/", "experiments/")
GOOD = {
    "run": [[SPEC, "--serial"]],
    "replay": [[ROW]],
    "accept": [["small"]],
    "table": [["small"], ["small", "--csv"]],
    "columns": [["small"]],
    "plan": [["--m", "1e3"], ["--m", "1e6", "--n", "1e12"]],
}


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """A command with some of its options, or others, with values that they may or may not take."""
    name = draw(st.sampled_from(list(OPTIONS)))
    every = [option for options in OPTIONS.values() for option in options]
    option = st.sampled_from(OPTIONS[name]) | st.sampled_from(OPTIONS[name]) | st.sampled_from([*every, "--hlep", "-x"])
    setting = st.tuples(st.just("--set"), st.sampled_from(SETTINGS)) if name == "run" else st.nothing()
    given = st.tuples(option, WORDS) | st.tuples(option) | st.tuples(WORDS) | setting
    before = draw(st.sampled_from([[], [], [], [], ["--plugin"], ["--plugin", "os"], ["--plugin", "."], ["--plugin", "none"]]))
    words = draw(st.sampled_from([[], [], *GOOD.get(name, [])]))
    return [*before, name, *words, *(word for each in draw(st.lists(given, max_size=3)) for word in each)]


@settings(max_examples=settings().max_examples // 2)
@given(command_lines())
def test_any_command_line_ends_well(bench: "Bench", words: list[str]) -> None:
    said = bench.harness(*words)
    told = " ".join(said.err.replace("│", " ").split())
    if said.code == 2 and not re.search(USAGE, told):
        named = [str(InputError(name)) for word in words if word for name in (word, str(Path(word)))]
        assert told.startswith(tuple(" ".join(f"error: {place}".split()) for place in (*PLACES, *named))), said
