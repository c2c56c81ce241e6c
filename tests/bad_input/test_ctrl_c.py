"""Ctrl-C beside a plugin that does not stop, in each place: the command ends, says so in one line, and keeps its rows."""

import os
import re
import signal
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from harness.sweep.stopping import GRACE_SECONDS, STOPPED
from tests.sweep.nodes import begun, said_by_us

if TYPE_CHECKING:
    from tests.support.project import Project

pytestmark = pytest.mark.timeout(280)

PLUGIN = """
import os
import sys
import threading
import time
from contextlib import suppress
from math import inf

from harness.claims.engine import Certain, Claim, Limit
from harness.mechanisms.answering import majority
from harness.report.figures.means import Means


def swallows():
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass


def says_otherwise():
    try:
        time.sleep(1000)
    except BaseException as error:
        raise ArithmeticError("no") from error


def says_all_is_well():
    try:
        time.sleep(1000)
    finally:
        sys.exit(0)


def waits_for_its_thread():
    thread = threading.Thread(target=swallows)
    thread.start()
    thread.join()


def goes_on():
    def steps():
        while True:
            try:
                yield time.sleep(0.01)
            except BaseException:
                pass
    for _ in steps():
        pass


def here(place, usual=None):
    variables = vars(os.environ)["_data"]  # which nobody watches
    if variables[b"PLACE"] == place.encode():
        with suppress(FileExistsError):
            os.mkdir(variables[b"DEEP"])
        {way}()
    return usual


class Mine(majority.Majority):
    name, source, legend = "mine", "Me", "mine"

    def plan(self, constants, task, n):
        here("plan")
        return super().plan(constants, task, n)

    def answer(self, ballot, plan, task, rng):
        if task.m > 20:
            here("answer")
        return super().answer(ballot, plan, task, rng)


class Drawing(Means):
    name = "drawing"

    def panels(self, frame, view):
        return here("plot", super().panels(frame, view))


MECHANISM, PLOT = Mine(), Drawing()
CLAIMS = (Claim("ME:T1", "Me", "It holds.", Certain((Limit("bottoms", lambda first: here("bound", inf)),))),)
here("import")
"""
WAYS = re.findall(r"^def (\w+)\(\):", PLUGIN, re.MULTILINE)
SPEC = {
    "mechanisms": "[majority, mine]",
    "learner": "leftmost",
    "m": "[20, 30]",
    "trials": "4",
    "claims": '["ME:T1"]',
    "figure": "{x: m, plot: drawing}",
}
RUN = ("--plugin", "mine.py", "run", "experiments/small.yaml")
PLACES = ("import", "plan", "answer", "bound", "plot")


@pytest.mark.parametrize(
    ("place", "way", "engine"),
    [
        *((place, way, "--serial") for place in PLACES for way in WAYS if place == "answer" or way == WAYS[0]),
        *(("answer", way, "--workers=1") for way in WAYS),
    ],
)
def test_it_ends(project: "Project", place: str, way: str, engine: str) -> None:
    """Sent to all processes of the command, as a terminal does. What was finished is there, and the same command goes on."""
    Path("mine.py").write_text(PLUGIN.replace("{way}", way), encoding="utf-8")
    project.spec(**SPEC)
    deep = project.root / "deep"
    with begun(project.root, *RUN, engine, environment={"PLACE": place, "DEEP": str(deep)}) as process:
        while not deep.exists():
            assert process.poll() is None
            sleep(0.01)
        start = monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, complaints = process.communicate(timeout=GRACE_SECONDS + 60)
        took = monotonic() - start
    print(f"{place}, {way}, {engine}: ended after {took:.1f} s")
    assert (process.returncode, said_by_us(complaints)) == (128 + signal.SIGINT, f"{STOPPED}\n")
    assert took < GRACE_SECONDS + 15
    again = project.process(*RUN, engine, environment={"PLACE": "nowhere"})
    assert again.code == 0, again
    assert place != "answer" or "rows were there" in again.out, again.out
    assert len(project.rows()) == 16
