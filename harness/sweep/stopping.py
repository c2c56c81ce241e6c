"""How a command ends: at the first signal that asks it to stop, and with its own exit code whatever else there is.

Ctrl-C and a `kill` unwind the command in the same way: what is finished goes to disk, Ray is shut down, one line is told, and
the exit code is 128 plus the signal's number. A terminal that hangs up asks for nothing: what is under way comes to its end.

When all is done the process ends at once. Threads that libraries began in C++ may still be there: to take Python down beside
them can end in an abort, of a command whose work is finished; a plugin's own would be waited for.
"""

import atexit
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread, Timer
from time import sleep
from traceback import walk_tb
from types import FrameType
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON_SECONDS = 0.02
GRACE_SECONDS = 20.0  # for what is asked to stop while it is deep in a library, or swallows what is raised
OF_RAY = "sigterm_handler"  # of its workers
STOPPED = "error: stopped; what was finished is kept, and the same command takes up from there"

_end_now = os._exit  # before a plugin could be in its place
_hanging = False
_last_words = Lock()


class Stopped(BaseException):
    """The end of the program that a signal asked for.
    It is no Exception: what catches those, like a trial's errors, lets it pass.
    """

    def __init__(self, number: int) -> None:
        self.number = number


def was_asked_for(error: BaseException) -> bool:
    """Whether an exception is the end of the program that a signal asked for, and no error of the code that was running."""
    if isinstance(error, KeyboardInterrupt):
        return signal.getsignal(signal.SIGINT) is signal.default_int_handler
    of_ray = isinstance(error, SystemExit) and any(frame.f_code.co_name == OF_RAY for frame, _ in walk_tb(error.__traceback__))
    return of_ray or isinstance(error, Stopped)


def abandon() -> None:
    """Marks that some thread of this process never comes back, so that the process ends without waiting for it."""
    global _hanging
    _hanging = True


@contextmanager
def stoppable() -> Iterator[None]:
    """Context manager for a whole program: the first signal to stop ends the work; the process ends with the block.

    Signals that are ignored stay so; SIGHUP is. An error that is no SystemExit leaves as it is.
    """
    heard: list[int] = []
    heeded = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) == 1:
            raise Stopped(number)

    def unheeded(lost: Any) -> None:
        """Python drops what is raised while it collects an object or calls back that one is gone: ask again right after."""
        if not isinstance(lost.exc_value, Stopped):
            dropped(lost)
            return
        number = lost.exc_value.number
        heard.clear()
        Timer(SOON_SECONDS, os.kill, (os.getpid(), number)).start()

    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    _end_late(set(heeded))
    for one in heeded:
        signal.signal(one, hear)
    dropped, sys.unraisablehook = sys.unraisablehook, unheeded
    try:
        yield
        heard.append(0)
        _leave(0)
    except BaseException as error:
        end = _told(heard[0]) if heard else error  # whatever became of it on the way
        heard.append(0)
        if isinstance(end, SystemExit):
            _leave(end.code if isinstance(end.code, int) else int(end.code is not None))
        raise end from None
    finally:  # what comes now comes too late
        heard.append(0)
        sys.unraisablehook = dropped
        for one in heeded:
            signal.signal(one, signal.SIG_IGN)


@contextmanager
def children_unaware() -> Iterator[None]:
    """Context manager in which new processes start with signals to stop blocked: Ctrl-C is left to their parent."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*SIGNALS, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_late(heeded: set[int]) -> None:
    """Have a thread end the process that has not ended GRACE_SECONDS after the first of the signals."""
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        with mouth:
            while (number := ear.recv(1)[0]) not in heeded:
                pass
            sleep(GRACE_SECONDS)
            _told(number)
            _end(128 + number)

    Thread(target=listen, daemon=True).start()


def _told(number: int) -> SystemExit:
    """Say that the command is stopped, once; how the process ends then."""
    if _last_words.acquire(blocking=False):
        for stream in ("stdout", "stderr"):
            try:
                if stream == "stderr":
                    print(STOPPED, file=sys.stderr)
                getattr(sys, stream).flush()
            except (OSError, ValueError):  # the terminal is gone
                setattr(sys, stream, None)
    return SystemExit(128 + number)


def _leave(code: int) -> NoReturn:
    """End the process, with what libraries asked to be done at the end, unless some thread will never come back.

    It has GRACE_SECONDS: what hangs is left.
    """
    if not _hanging:
        late = Timer(GRACE_SECONDS, _end, [code])
        late.daemon = True
        late.start()
        atexit._run_exitfuncs()
    _end(code)


def _end(code: int) -> NoReturn:
    """End the process as it is, with what it has said."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    _end_now(code)
