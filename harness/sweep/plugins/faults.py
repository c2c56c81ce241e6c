"""What a plugin does wrong, told as that, with its file and line: whatever it raises, be it the end of the program.

A part that raises is at fault in its own line. One that returns what is no plan, label or bound has the harness stumble later,
in lines of nobody's: then the parts at work are named that plugins brought.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import TYPE_CHECKING

from harness.registry import PartError, brought
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.plugins import loaded
from harness.sweep.plugins.data_files import remedy
from harness.sweep.stopping import was_asked_for

if TYPE_CHECKING:
    from harness.trials.fields import Identified


@contextmanager
def blaming(*names: str, cell: "Identified | None" = None) -> Iterator[None]:
    """Context manager that turns an error of a plugin's making into an InputError. names, cell: at work; see `fault`."""
    try:
        yield
    except (InputError, PartError):
        raise
    except BaseException as error:
        if message := fault(error, *names, cell=cell):
            raise InputError(message) from error
        raise


def fault(error: BaseException, *names: str, cell: "Identified | None" = None) -> str:
    """A message on what a plugin did wrong, with its file and line; empty where no plugin had a hand in an error.

    names: of the parts at work, whoever brought them. cell: has to do with others, by their names too.
    """
    if isinstance(error, PartError):
        return str(error)
    if isinstance(error, MemoryError | CannotRunError) or was_asked_for(error):
        return ""
    files = {source.path for plugin in loaded() for source in plugin.modules.values()}
    frames = ((frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__))
    lines = [f"{file}:{line}" for file, line in frames if file in files]
    places = lines[-1:] or (brought([*names, *named(cell)]) if isinstance(error, Exception) else [])
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{' and '.join(places)}: {message}{remedy(error)}" if places else ""


def named(cell: "Identified | None") -> Iterator[str]:
    """The names of the parts that are parameters of a cell."""
    for _, value in cell or ():
        yield value if isinstance(value, str) else str(getattr(value, "name", ""))
