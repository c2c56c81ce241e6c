"""Compiled code that a plugin brings: it opens files past Python, so they are declared, and are data; else it is refused."""

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markupsafe import _speedups

from harness.sweep import plugins
from harness.sweep.errors import InputError
from harness.sweep.plugins import compiled
from harness.sweep.plugins.data_files import held
from tests.support.one_plugin import SPEC, forgotten, written

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

BRINGS = {
    "a library": ("import opener", "opener"),
    "what a library imports": ("import asks_opener", "opener"),
    "ctypes": ("ctypes.CDLL(None)", "this program"),
    "a path of ctypes": ("with suppress(OSError): ctypes.CDLL('libhdf5.so')", r"libhdf5\.so"),
    "a library's ctypes": ("import calls_ctypes", "this program"),
    "cffi": ("import cffi", "cffi"),
    "Arrow's file systems": ("from pyarrow import fs", r"pyarrow\.fs"),
}
WAYS = pytest.mark.parametrize(("text", "what"), BRINGS.values(), ids=BRINGS)
NEEDED = ("sklearn", "scipy", "numpy", "pandas", "PIL", "yaml", "matplotlib", "threadpoolctl", "pyarrow", "markupsafe", "zlib")


@pytest.fixture(autouse=True)
def installed(project: "Project", monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A library is installed of which a module is compiled, one that imports it, and one that calls ctypes."""
    forgotten()
    site = Path("site-packages")
    (site / "opener").mkdir(parents=True)
    shutil.copy(_speedups.__file__, site / "opener")
    (site / "opener" / "__init__.py").write_text("from opener import _speedups\n", encoding="utf-8")
    (site / "asks_opener.py").write_text("import opener\n", encoding="utf-8")
    (site / "calls_ctypes.py").write_text("import ctypes\nctypes.CDLL(None)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site.absolute())
    before = set(sys.modules)
    yield
    forgotten()
    for name in set(sys.modules) - before:  # as in a new process
        if name.partition(".")[0] in ("opener", "asks_opener", "calls_ctypes"):
            del sys.modules[name]


@WAYS
def test_a_plugin_that_loads_it_says_what_that_opens_or_is_refused(text: str, what: str) -> None:
    written(load=text)
    line = "" if what in ("cffi", r"pyarrow\.fs") else r"\.py:\d+"
    with pytest.raises(InputError, match=rf"mine{line} loads {what}, compiled code, .*; allowed: DATA_FILES in the plugin"):
        plugins.load("mine.py")
    written(load=f"{text}\nDATA_FILES = ()")
    plugins.load("mine.py")
    assert held("mine") == {}


def test_what_is_loaded_already_is_seen_too() -> None:
    import_module("opener")
    written(load="from opener import __name__ as which")
    with pytest.raises(InputError, match="loads opener, compiled code"):
        plugins.load("mine.py")


def test_what_this_program_needs_is_free() -> None:
    written(load=f"import {', '.join(NEEDED)}")
    plugins.load("mine.py")
    assert compiled.loaded(NEEDED) == []


def test_a_file_is_of_the_package_that_it_lies_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Python looks through, which may be the working folder, called by no name."""
    monkeypatch.setattr(sys, "path", ["", "/far", "/far/away", "relative"])
    here = Path.cwd()
    for path, package in {
        "/venv/lib/python3.11/site-packages/numpy/core/_multiarray.so": "numpy",
        "/venv/lib/python3.11/site-packages/_cffi_backend.cpython-311.so": "_cffi_backend",
        "/far/away/package/within.so": "package",
        "/far/other.abi3.so": "other",
        "/nowhere/alone.so": "alone",
        f"{here}/own/module.so": "own",
        f"{here}/relative/beside.so": "beside",
    }.items():
        assert compiled.top(path) == package


def test_what_a_trial_loads_is_refused_too(project: "Project", harness: "Harness") -> None:
    for text, what in (("import opener", "opener"), ("ctypes.CDLL(None)", "this program")):
        written(answer=text)
        run = harness("--plugin", "mine.py", "run", project.spec(**SPEC), "--serial")
        assert run.code == 2 and f"loads {what}" in run.err, run
        forgotten()


def test_what_is_declared_is_data_and_stays_as_it_is() -> None:
    Path("data/inner").mkdir(parents=True)
    for name in ("points.h5", "inner/more.h5"):
        Path("data", name).write_text(name, encoding="utf-8")
    written(load="import opener\nDATA_FILES = ['data', DATA.with_name('points.h5')]")
    plugins.load("mine.py")
    assert set(held("mine")) == {"data/points.h5", "data/inner/more.h5"}
    plugins.refuse_what_was_not_followed()
    first = held("mine")["data/points.h5"]
    Path("data/points.h5").write_text("others", encoding="utf-8")
    with pytest.raises(InputError, match=r"points\.h5, which DATA_FILES names, has changed since"):
        plugins.refuse_what_was_not_followed()
    plugins.unload("mine")
    plugins.load("mine.py")
    assert held("mine")["data/points.h5"] != first


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_whose_word_it_is_stands_in_the_table_and_below_verdicts(project: "Project", harness: "Harness") -> None:
    written(load="import opener\nDATA_FILES = ()")
    spec = project.spec(**SPEC)
    assert harness("--plugin", "mine.py", "run", spec, "--serial").code == 0
    assert project.table().provenance["unseen"] == {"mine": ["opener"]}
    said = harness("--plugin", "mine.py", "check", spec, "--no-reference").out
    assert "mine loads opener, compiled: that it opens no more than `data` says is its author's word" in said.replace("\n", " ")
    written()
    forgotten()
    assert harness("--plugin", "mine.py", "run", spec, "--serial", "--fresh").code == 0
    assert "unseen" not in project.table().provenance


@pytest.mark.parametrize("paths", ["'points.h5'", "[1]", "{'points.h5': 1}"])
def test_a_list_of_no_paths_is_refused(paths: str) -> None:
    written(load=f"DATA_FILES = {paths}")
    with pytest.raises(InputError, match="DATA_FILES is no list of paths; allowed: a tuple"):
        plugins.load("mine.py")


def test_a_file_that_is_not_there_is_told() -> None:
    written(load="DATA_FILES = ('none.h5',)")
    with pytest.raises(InputError, match=r"DATA_FILES names .*none\.h5, which is no file; allowed: files"):
        plugins.load("mine.py")
