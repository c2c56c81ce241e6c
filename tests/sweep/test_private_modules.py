"""Compiled modules behind those of libraries: a plugin that names one is told so, with its line; others are free."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from harness.sweep import plugins
from harness.sweep.errors import InputError
from tests.support.one_plugin import PLUGIN, forgotten, written

if TYPE_CHECKING:
    from tests.support.project import Project

PRIVATE = {
    "import _sqlite3": "_sqlite3",
    "from _sqlite3 import connect": "_sqlite3",
    "import pyarrow._csv": "pyarrow._csv",
    "from pyarrow import _csv as reader": "pyarrow._csv",
    "read = pa._csv.read_csv": "pyarrow._csv",
    "pa.lib.memory_map": "pyarrow.lib",
    "from pyarrow.lib import OSFile": "pyarrow.lib",
    "from signal import _signal": "_signal",
    "import socket; socket._socket": "_socket",
    "def later(): import _socket": "_socket",
    "import posix": "posix",
}
FREE = (
    "import collections.abc",
    "import concurrent.futures._base",
    "np.linalg._linalg",
    "import sys; sys._getframe()",
    "import sqlite3, socket, math, pyarrow.compute; pa.ArrowInvalid",
    "class Own: _inner = 1\nOwn._inner",
)


@pytest.fixture(autouse=True)
def nothing_stays(project: "Project") -> Iterator[None]:
    forgotten()
    yield
    forgotten()


@pytest.mark.parametrize(("text", "name"), PRIVATE.items())
def test_a_compiled_private_module_is_refused_with_its_line(text: str, name: str) -> None:
    written(load=text)
    line = PLUGIN[: PLUGIN.index("{load}")].count("\n") + 1
    with pytest.raises(
        InputError, match=rf"mine\.py:{line} takes {name}, which is compiled and private, .*; allowed: the public"
    ):
        plugins.load("mine.py")


@pytest.mark.parametrize("text", FREE)
def test_what_is_public_or_no_compiled_module_is_free(text: str) -> None:
    written(load=text)
    plugins.load("mine.py")
