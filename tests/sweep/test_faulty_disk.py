"""A folder on a disk that fails, or is slow, below the whole program: exit code 4 with the file's name, and nothing lost.

The disk is a library in front of the system's, which a C compiler makes.
"""

import errno
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Project, Said

SOURCE = Path(__file__).parents[1] / "support/faulty_disk.c"
COMPILER = shutil.which("cc") or shutil.which("gcc")
SPEC = "experiments/small.yaml"
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler to make a failing disk with")

READERS = {
    "check": ("check", SPEC, "--no-reference"),
    "report": ("report", SPEC),
    "accept": ("accept", "small"),
    "run again": ("run", SPEC, "--serial"),
    "taken up": ("run", SPEC, "--serial", "--out", "stopped"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("disk") / "faulty_disk.so"
    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE), "-ldl"], check=True)
    return str(made)


@pytest.fixture(scope="module")
def place(module_project: "Project") -> "Project":
    """A spec and its table."""
    module_project.spec(**ONE)
    assert module_project.process("run", SPEC, "--serial").code == 0
    return module_project


def on(place: "Project", library: str, words: tuple[str, ...], call: str, at: int = 0, milliseconds: int = 0) -> "Said":
    """A command on such a disk."""
    disk = {"LD_PRELOAD": library, "FAULTY_FOLDER": f"{place.root}/", "FAULTY_CALL": call, "FAULTY_ERRNO": str(errno.EIO)}
    return place.process(*words, environment=disk | {"FAULTY_AT": str(at), "FAULTY_MILLISECONDS": str(milliseconds)})


def stopped(place: "Project") -> None:
    """Begin `stopped` anew: what is left there of a run that was killed before its table was whole."""
    parts = place.root / "stopped/.small"
    shutil.rmtree(parts.parent, ignore_errors=True)
    shutil.copytree(place.root / "results/runs/.small", parts)
    shutil.copy(place.root / "results/runs/small.parquet", parts / "000000001.parquet")


@pytest.mark.parametrize("call", ["read", "open", "readdir"])
@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_what_cannot_be_read_is_named_and_is_4(place: "Project", library: str, words: tuple[str, ...], call: str) -> None:
    """At the first such call of the command, and at later ones until it comes to its end; then the disk is mended."""
    for at in (1, 2, 4, 8, 16, 32):
        stopped(place)
        said = on(place, library, words, call, at)
        if said.code == 0:
            break
        assert (said.code, said.err.count("\n")) == (4, 1), (at, said)
        named = ("small", "results", "stopped", str(place.root))  # a file, or a folder
        assert os.strerror(errno.EIO) in said.err and any(path in said.err for path in named), (at, said.err)
    assert at > 1 or call == "readdir"
    again = place.process(*READERS["taken up"])
    assert again.code == 0 and (said.code == 0 or "150 rows were there" in again.out)
    assert place.table(out=Path("stopped")).fingerprint == place.table().fingerprint


def test_a_slow_disk_is_waited_for(place: "Project", library: str) -> None:
    for words in (("run", SPEC, "--serial", "--out", "slow"), ("check", SPEC, "--out", "slow", "--no-reference")):
        assert on(place, library, words, "all", milliseconds=30).code == 0
    assert place.table(out=Path("slow")).fingerprint == place.table().fingerprint
