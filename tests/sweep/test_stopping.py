"""A signal that reaches Python where it drops whatever is raised is obeyed all the same, and told in one line."""

import subprocess
import sys
from time import monotonic

import pytest

from harness.sweep.stopping import GRACE_SECONDS, STOPPED

PROGRAM = """
import os, signal, time, weakref
from harness.sweep.stopping import stoppable

class Thing:
    def __del__(self):
        if {collected}:
            os.kill(os.getpid(), signal.SIGINT)

with stoppable():
    thing = Thing()
    told = weakref.ref(thing, lambda _: {collected} or os.kill(os.getpid(), signal.SIGINT) or sum(range(10)))
    del thing
    for _ in range(3000):
        time.sleep(0.01)
"""


@pytest.mark.process
@pytest.mark.parametrize("collected", [True, False], ids=["a destructor", "a callback"])
def test_a_signal_where_nothing_can_be_raised_is_obeyed_right_after(collected: bool) -> None:
    start = monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(collected=collected)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, f"{STOPPED}\n")
    assert monotonic() - start < GRACE_SECONDS / 2
