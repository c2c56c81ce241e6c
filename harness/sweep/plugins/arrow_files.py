"""What Arrow is asked to read by name: it opens files by itself, so that Python tells of none of them.

Its functions, and classes of Parquet files, are told of before they do so, for those that look them up from then on.
"""

import os
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

READERS = {
    "pyarrow": ("memory_map", "input_stream", "OSFile.__new__"),
    "pyarrow.csv": ("read_csv", "open_csv"),
    "pyarrow.dataset": ("dataset",),
    "pyarrow.feather": ("read_feather", "read_table"),
    "pyarrow.ipc": ("RecordBatchFileReader.__init__", "RecordBatchStreamReader.__init__"),
    "pyarrow.json": ("read_json",),
    "pyarrow.orc": ("read_table", "ORCFile.__init__"),
    "pyarrow.parquet": ("read_metadata", "read_schema", "ParquetFile.__init__", "ParquetDataset.__init__"),
}
"""By module, those whose first argument may be a path, or several."""


Heard = Callable[[str, int], None]
"""Told of a path and the flags with which it is opened, as os.open has them."""


def watch(heard: Heard) -> None:
    """Wraps Arrow's functions that read files: before they read, they call `heard` with each path, also within a folder."""
    for module, names in READERS.items():
        for name in names:
            *home, last = name.split(".")
            holder: Any = import_module(module)
            place = getattr(holder, home[0]) if home else holder
            telling = _telling(getattr(place, last), heard, bool(home))
            if last == "__new__":  # of a compiled class, which takes no other
                setattr(holder, home[0], _Telling(home[0], (place,), {last: telling}))
            else:
                setattr(place, last, telling)


class _Telling(type):
    """The class of a class that tells of what it opens: what Arrow makes of the other is one of it too."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.__bases__)


def _telling(reader: Callable[..., Any], heard: Heard, bound: bool) -> Callable[..., Any]:
    """The reader, which tells first. bound: whether it is given an object before the paths."""

    @wraps(reader)
    def telling(*arguments: Any, **options: Any) -> Any:
        where, *others = [*arguments[bound:], *options.values(), None]
        flags = os.O_WRONLY if any(isinstance(other, str) and other in ("w", "wb") for other in others) else os.O_RDONLY
        for path in where if isinstance(where, list | tuple) else [where]:
            if isinstance(path, str | os.PathLike):
                for file in _files(os.fsdecode(path)):
                    heard(file, flags)
        return reader(*arguments, **options)

    return telling


def _files(path: str) -> list[str]:
    """A path, and where it is of a folder those of all that is in it."""
    return [path, *(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names))]
