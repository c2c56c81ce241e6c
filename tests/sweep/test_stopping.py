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


@pytest.mark.parametrize("collected", [True, False], ids=["a destructor", "a callback"])
def test_a_signal_where_nothing_can_be_raised_is_obeyed_right_after(collected: bool) -> None:
    start = monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(collected=collected)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (130, f"{STOPPED}\n")
    assert monotonic() - start < GRACE_SECONDS / 2


ENDING = """
import atexit, ctypes
from harness.sweep.stopping import stoppable

libc = ctypes.CDLL(None)
libc.__cxa_atexit(ctypes.cast(libc.abort, ctypes.c_void_p), None, None)
atexit.register(print, "done as Python ends")
with stoppable():
    print("told", end=", ")
    {end}
"""


@pytest.mark.parametrize(("end", "code"), [("raise SystemExit(3)", 3), ("raise SystemExit", 0), ("pass", 0)])
def test_a_library_that_aborts_as_the_process_is_taken_down_changes_no_exit_code(end: str, code: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ENDING.format(end=end)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "told, done as Python ends\n", "")


HANGING = """
import time, weakref
from harness.sweep import stopping

class Thing:
    pass

stopping.GRACE_SECONDS = 0.5
weakref.finalize(Thing, time.sleep, 971)
with stopping.stoppable():
    print("told")
    raise SystemExit(3)
"""


def test_what_hangs_as_the_program_ends_is_left_and_the_exit_code_stays() -> None:
    ended = subprocess.run([sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "told\n", "")
