"""A plugin for each way to misbehave, in each place: told as what the plugin did wrong, with its line; and nothing is lost."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from tests.support.one_plugin import forgotten

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said

PLUGIN = '''
import atexit
import os
import sys
import threading
import weakref
from math import nan

import numpy as np
import typer

from harness.claims.engine import Certain, Claim, Condition, Limit, Probability
from harness.mechanisms.answering import majority
from harness.mechanisms.answering.answers import Answers
from harness.report.figures.means import Means
from harness.theory.plan import Plan


posix = sys.modules["posix"]


class Odd(BaseException):
    """What no program catches."""


def here(place, usual=None):
    asked = vars(os.environ)["_data"]  # which nobody watches
    if asked.get(b"PLACE") != place.encode():
        return usual
    way = asked[b"WAY"].decode()
    if way.startswith(("raise", "sys", "open")):
        exec(compile(way, __file__, "exec"))
    return eval(way)


class Mine(majority.Majority):
    name, source, legend = "mine", "Me", "mine"

    def plan(self, constants, task, n):
        k = here("k", 10)
        return here("plan", Plan(n=n, k=k, s=n // 10, alpha=0.1, bound=None, reason="none"))

    def answer(self, ballot, plan, task, rng):
        usual = super().answer(ballot, plan, task, rng)
        return here("answer", Answers(here("given", usual.given)))


class Drawing(Means):
    name = "drawing"

    def panels(self, frame, view):
        return here("plot", super().panels(frame, view))


class Learner:
    def fit(self, X, y):
        here("fit")

    def predict(self, X):
        return here("predict", X[:, 0] > 0.5)


MECHANISM, PLOT, LEARNER = Mine(), Drawing(), Learner
CLAIMS = (
    Claim("ME:T1", "Me", "It holds.", Certain((Limit("bottoms", lambda first: here("bound", 9.0)),))),
    Claim("ME:T2", "Me", "So.", Certain((Limit("bottoms", 9.0),)), (Condition("it", (), lambda first: here("where", True)),)),
    Claim("ME:T3", "Me", "So.", Probability((Limit("bottoms", 9.0),), may_fail=lambda first: here("chance", 0.5))),
)
here("import")
'''

RAISES = {
    "an error": "raise ArithmeticError('no')",
    "an end": "sys.exit(0)",
    "an end at once": "raise os._exit(0)",
    "an end of the parser's": "raise typer.Exit(0)",
    "what nothing catches": "raise Odd('no')",
    "as if Ctrl-C": "raise KeyboardInterrupt",
    "an end of a file": "raise EOFError",
    "no file": "open('/nowhere/at/all')",
}
STRANGE = {"nan": "nan", "text": "'some'", "nothing": "None", "a shape": "np.zeros((3, 3, 3))", "less": "-1"}
RUN = ("run", "experiments/small.yaml", "--serial")
SPEC = {
    "mechanisms": "[majority, mine]",
    "learner": "leftmost",
    "m": "20",
    "claims": '["ME:T1", "ME:T2", "ME:T3"]',
    "figure": "{x: m, plot: drawing}",
}
PLACES = {
    "import": (RUN, ("check",), ("plan", "--n", "1e9", "--m", "20"), ("report",), ("list",), ("claims",)),
    "plan": (RUN, ("check",), ("plan", "--n", "1e9", "--m", "20")),
    "k": (RUN, ("plan", "--n", "1e9", "--m", "20")),
    "answer": (RUN, ("replay", "experiments/small.yaml/CELL/1/mine")),
    "given": (RUN,),
    "bound": (RUN, ("check",), ("report",)),
    "where": (("check",), ("claims", "ME:T2", "experiments/small.yaml")),
    "chance": (("check",),),
    "plot": (("run", "experiments/small.yaml", "--serial", "--fresh"),),
}
"""The commands to which misbehaviour in a place matters."""

IN_A_THREAD = "threading.Thread(target=os._exit, args=(0,)).start()"

HARMLESS = {
    ("bound", "less"): "it is refuted",
    **dict.fromkeys([("bound", "nan"), ("bound", "nothing")], "it is vacuous"),
    **dict.fromkeys([("where", name) for name in STRANGE], "it is true or false"),
}
"""What is none, and what it amounts to."""

FIRST = ("an end", "an end at once", "nan")
"""What is tried on every change."""

CASES = [
    pytest.param(
        *(place, way, command),
        id=f"{place}, {name}, {command[0]}",
        marks=[] if name in FIRST and command == commands[0] and place != "plot" else pytest.mark.process,
    )
    for place, commands in PLACES.items()
    for name, way in (RAISES if place == "import" else RAISES | STRANGE).items()
    for command in (commands if name in ("an error", "an end") else commands[:1])
    if (place, name) not in HARMLESS
]


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """What a test loads is gone after it."""
    yield
    forgotten()


@pytest.fixture
def mine(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> "Harness":
    """A project with a plugin whose run is whole, and its commands, each as in a process of its own."""
    Path("mine.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.setattr(signal, "default_int_handler", None)  # as in a program that listens itself
    project.spec(**SPEC)

    def command(*words: str | Path) -> "Said":
        for plugin in plugins.loaded():
            plugins.unload(plugin.name)
        return harness("--plugin", "mine.py", *words)

    return command


@pytest.mark.at_once("k, nan, run", "answer, an end, run", "where, an end, check")
@pytest.mark.usefixtures("blocks_of_one")
@pytest.mark.parametrize(("place", "way", "words"), CASES)
def test_it_is_told_as_the_plugins(
    mine: "Harness",
    project: "Project",
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    place: str,
    way: str,
    words: tuple[str, ...],
) -> None:
    if place != "plot":
        request.getfixturevalue("quick_figures")
    if words[0] != "run":
        assert mine(*RUN).code == 0
        words = tuple(word.replace("CELL", project.rows()["cell"].iloc[0]) for word in words)
        if words[0] in ("check", "report"):
            words = (words[0], "experiments/small.yaml", *(["--no-reference"] if words[0] == "check" else []))
    before = project.files()
    monkeypatch.setenv("PLACE", place)
    monkeypatch.setenv("WAY", way)
    ended = mine(*words)
    assert ended.code == 2, ended
    assert re.match(r"error: .*mine\.py:\d+: ", ended.err) and ended.err.count("\n") == 1, ended.err
    assert before <= project.files()
    monkeypatch.delenv("PLACE")
    assert mine(*RUN).code == 0
    assert len(project.rows()) == 8


@pytest.mark.process
@pytest.mark.parametrize(
    ("engine", "way"),
    [
        *(("--workers=1", way) for way in ("sys.exit(0)", "raise KeyboardInterrupt", "raise Odd('no')", "os._exit(0)")),
        *(("--serial", way) for way in ("sys.exit(0)", "os._exit(0)", "posix._exit(0)", IN_A_THREAD)),
    ],
)
def test_wherever_a_trial_runs(project: "Project", engine: str, way: str) -> None:
    """Here or on a Ray: the cell in which nothing is wrong is kept."""
    Path("mine.py").write_text(PLUGIN.replace('here("answer"', 'here("answer" if task.m > 20 else ""'), encoding="utf-8")
    project.spec(**SPEC | {"m": "[20, 30]"})
    command = ("--plugin", "mine.py", "run", "experiments/small.yaml", engine)
    way = way if way == IN_A_THREAD or way.startswith("raise") else f"raise {way}"
    ended = project.process(*command, environment={"PLACE": "answer", "WAY": way})
    assert ended.code == 2 and "Traceback" not in ended.err, ended
    assert re.match(r"error: .*mine\.py:\d+: ", ended.err), ended.err
    again = project.process(*command)
    assert again.code == 0 and ("_exit" in way or "4 trials run, 8 rows were there" in again.out), again.out


@pytest.mark.process
@pytest.mark.parametrize("end", [IN_A_THREAD, *(f"weakref.finalize(majority, {name}._exit, 0)" for name in ("os", "posix"))])
def test_what_is_left_to_end_the_program_does_not(project: "Project", end: str) -> None:
    """Of a check that would fail: exit 0 would pass for a success."""
    Path("mine.py").write_text(PLUGIN, encoding="utf-8")
    project.spec(**SPEC)
    ended = project.process(
        "--plugin", "mine.py", "check", "experiments/small.yaml", environment={"PLACE": "import", "WAY": end}
    )
    assert ended.code == 4 and "error: nothing was measured" in ended.err, ended


@pytest.mark.usefixtures("quick_figures")
def test_memory_that_is_not_there_is_nobodys_fault(mine: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("plan", "answer", "bound"):
        monkeypatch.setenv("PLACE", place)
        monkeypatch.setenv("WAY", "raise MemoryError")
        ended = mine(*RUN)
        assert ended.code == 4 and "memory" in ended.err and "Traceback" not in ended.err, ended
