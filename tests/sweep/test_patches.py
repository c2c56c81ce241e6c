"""What belongs to all of a process is changed by no plugin: it is told, with the line, and is as before."""

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from harness.mechanisms.answering import majority
from harness.sweep import plugins
from harness.sweep.errors import InputError
from tests.support.one_plugin import PLUGIN, SPEC, forgotten, written

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

CALLS = {
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)": "changes what a signal does",
    "from signal import SIGTERM, signal; signal(SIGTERM, print)": "changes what a signal does",
    "import signal; signal.alarm(1)": "changes what a signal does",
    "import signal; signal.set_wakeup_fd(-1)": "changes what a signal does",
    "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])": "changes what a signal does",
    "import signal; signal.raise_signal(signal.SIGINT)": "sends a signal",
    "os.kill(os.getpid(), 9)": "sends a signal",
    "import faulthandler; faulthandler.dump_traceback_later(9, exit=True)": "has the process told of, or ended, later",
    "os.chdir('/')": "changes the working folder",
    "import contextlib; contextlib.chdir('/').__enter__()": "changes the working folder",
    "os.umask(0)": "changes who may read new files",
    "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))": "changes the limits of the process",
    "import sys; sys.setrecursionlimit(10**9)": "changes how deep calls may be",
    "import sys; sys.addaudithook(print)": "hears of what others do",
    "import locale; locale.setlocale(locale.LC_ALL, 'C')": "changes the locale",
    "np.seterr(all='raise')": "changes what numpy does on errors",
    "import socket; socket.getaddrinfo('localhost', 80)": "asks the network",
    "import socket; one = socket.socket(); one.close(); one.listen()": "listens on a port",
    "import atexit, time; atexit.register(time.sleep, 971)": "changes what is done when the program ends",
    "import gc; gc.disable()": "changes when objects are collected",
    "import gc; gc.set_threshold(1)": "changes when objects are collected",
}
HOOKED = {
    "import sys; sys.excepthook = lambda *_: None": "sys.excepthook",
    "import sys; sys.unraisablehook = print": "sys.unraisablehook",
    "import threading; threading.excepthook = lambda *_: None": "threading.excepthook",
    "import gc; gc.callbacks.append(lambda *_: None)": "gc.callbacks",
    "import gc; gc.callbacks.append(print)": "gc.callbacks",
}
REPLACED = {
    "np.sort = lambda values: values": "numpy.sort",
    "majority.Majority.answer = lambda *_: None": "harness.mechanisms.answering.majority.Majority.answer",
    "majority.MECHANISM.answer = lambda *_: None": "harness.mechanisms.answering.majority.MECHANISM.answer",
    "import builtins; builtins.sum = max": "builtins.sum",
    "from harness.theory import plan as plans; plans.Plan = dict": "harness.theory.plan.Plan",
}
FREE = (
    "import warnings; warnings.simplefilter('ignore')",
    "np.errstate(all='raise').__enter__().__exit__(None, None, None) if False else np.errstate(all='raise')",
    "import faulthandler; faulthandler.is_enabled()",
    "import signal; signal.getsignal(signal.SIGINT)",
    "import sys; sys.path.insert(0, '/nowhere')",
    "import random; random.seed(1); np.random.seed(1)",
    "import gc; gc.collect()",
    "import weakref; weakref.finalize(np, id, 1)",
)


@pytest.fixture(autouse=True)
def nothing_stays(project: "Project") -> Iterator[None]:
    """What a test loads is gone after it."""
    forgotten()
    yield
    forgotten()


@pytest.mark.parametrize(("call", "does"), CALLS.items())
def test_a_call_that_changes_what_all_have_is_refused_with_its_line(call: str, does: str) -> None:
    before = signal.getsignal(signal.SIGINT), os.getcwd(), sys.getrecursionlimit(), np.geterr()
    written(load=call)
    line = PLUGIN[: PLUGIN.index("{load}")].count("\n") + 1
    with pytest.raises(InputError, match=rf"mine\.py:{line} {does}; allowed: "):
        plugins.load("mine.py")
    assert (signal.getsignal(signal.SIGINT), os.getcwd(), sys.getrecursionlimit(), np.geterr()) == before


@pytest.mark.usefixtures("quick_figures", "blocks_of_one")
def test_so_it_is_while_trials_run(project: "Project", harness: "Harness") -> None:
    written(answer="import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)")
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and "changes what a signal does; allowed: to leave it as it is" in said.err, said
    written()
    forgotten()
    again = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial", "--fresh")
    assert again.code == 0, again


@pytest.mark.parametrize(("replace", "what"), REPLACED.items())
def test_what_is_replaced_is_told_and_put_back(replace: str, what: str) -> None:
    before = np.sort, majority.Majority.answer, majority.MECHANISM.answer, sum
    written(load=replace)
    with pytest.raises(InputError, match=rf"mine\.py(:\d+)? replaces {what}, of which others' rows come; allowed: "):
        plugins.load("mine.py")
    assert (np.sort, majority.Majority.answer, majority.MECHANISM.answer, sum) == before


def hooks() -> tuple[object, ...]:
    return sys.excepthook, sys.unraisablehook, threading.excepthook, *gc.callbacks


@pytest.mark.parametrize(("replace", "what"), HOOKED.items())
@pytest.mark.usefixtures("quick_figures", "blocks_of_one")
def test_what_python_calls_for_errors_and_collections_is_told_and_put_back(
    project: "Project", harness: "Harness", replace: str, what: str
) -> None:
    """When the plugin is loaded, and while a trial runs, of which no row is kept."""
    before = hooks()
    told = f"replaces {what}, which all in the process have; allowed: to leave it as it is"
    written(load=replace)
    with pytest.raises(InputError, match=rf"mine\.py(:\d+)? {told}"):
        plugins.load("mine.py")
    assert hooks() == before
    written(answer=replace)
    said = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
    assert said.code == 2 and told in said.err and "mine.py" in said.err, said
    left = [getattr(getattr(hook, "__code__", None), "co_filename", "") for hook in hooks()]
    assert not any("mine.py" in file for file in left) and print not in hooks()


def test_no_warning_becomes_an_error_for_others() -> None:
    written(load="import warnings; warnings.simplefilter('error')")
    with warnings.catch_warnings():
        warnings.resetwarnings()
        with pytest.raises(InputError, match=r"mine\.py makes errors of all warnings of a sort; allowed: "):
            plugins.load("mine.py")
        assert not warnings.filters


@pytest.mark.parametrize("free", FREE)
def test_what_changes_nothing_for_others_is_free(free: str) -> None:
    path = [*sys.path]
    written(load=free)
    plugins.load("mine.py")
    assert Path("mine.py").exists() and sys.path == path
