"""What Arrow is asked to read by name: it opens files by itself, so that Python tells of none of them.

Its functions, and classes of Parquet files, are told of before they do so, for those that look them up from then on.
"""

import os
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

READERS = {
    "pyarrow": ("memory_map", "input_stream"),
    "pyarrow.csv": ("read_csv", "open_csv"),
    "pyarrow.dataset": ("dataset",),
    "pyarrow.feather": ("read_feather", "read_table"),
    "pyarrow.ipc": ("open_file", "open_stream"),
    "pyarrow.json": ("read_json",),
    "pyarrow.orc": ("read_table", "ORCFile.__init__"),
    "pyarrow.parquet": ("read_metadata", "read_schema", "ParquetFile.__init__", "ParquetDataset.__init__"),
}
"""By module, those whose first argument may be a path, or several."""


def watch(heard: Callable[[str], None]) -> None:
    """Wraps Arrow's functions that read files: before they read, they call `heard` with each path, also within a folder."""
    for module, names in READERS.items():
        for name in names:
            *home, last = name.split(".")
            place: Any = import_module(module)
            for part in home:
                place = getattr(place, part)
            setattr(place, last, _telling(getattr(place, last), heard, bool(home)))


def _telling(reader: Callable[..., Any], heard: Callable[[str], None], bound: bool) -> Callable[..., Any]:
    """The reader, which tells first. bound: whether it is given an object before the paths."""

    @wraps(reader)
    def telling(*arguments: Any, **options: Any) -> Any:
        where = next(iter([*arguments[bound : bound + 1], *options.values()]), None)
        for path in where if isinstance(where, list | tuple) else [where]:
            if isinstance(path, str | os.PathLike):
                for file in _files(os.fsdecode(path)):
                    heard(file)
        return reader(*arguments, **options)

    return telling


def _files(path: str) -> list[str]:
    """A path, and where it is of a folder those of all that is in it."""
    return [path, *(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names))]
