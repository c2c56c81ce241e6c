"""As a user who may not: what cannot be read or written is told with exit code 2 or 4, and stays as it was."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC = "experiments/small.yaml"
NOBODY = 65534
COMMANDS = {
    "run": ("run", SPEC, "--serial"),
    "check": ("check", SPEC, "--no-reference"),
    "report": ("report", SPEC, "--html", "pages/page.html"),
    "accept": ("accept", "small", "--anyway"),
    "figures": ("figures", "small", "--results", "results/runs", "--out", "pages"),
    "table": ("table", "small"),
}
SHUT: dict[str, tuple[str, int]] = {
    "a spec": (SPEC, 0o600),
    "a table": ("results/runs/small.parquet", 0o600),
    "the parts": ("results/runs/.small", 0o700),
    "a folder": ("results/runs", 0o700),
    "a folder that is read": ("results/runs", 0o755),
    "the pages": ("pages", 0o755),
    "the references": ("results", 0o711),
}


@contextmanager
def as_nobody() -> Iterator[None]:
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user, which root may")
@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize(("place", "mode"), SHUT.values(), ids=SHUT)
def test_what_another_may_not_is_told_and_stays(project: "Project", harness: "Harness", place: str, mode: int) -> None:
    project.run(project.sweep(**ONE))
    Path("pages").mkdir()
    for words in COMMANDS.values():  # so that all that they load is loaded
        assert harness(*words).code == 0, words
    for path in [project.root, *project.root.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    Path(place).chmod(mode)
    denied = 0
    for words in COMMANDS.values():
        with as_nobody():
            said = harness(*words)
        assert said.code in (0, 2, 4) and "Traceback" not in said.err, (words, said)
        if said.code:
            denied += 1
            assert "Permission denied" in said.err and said.err.count("\n") == 1, (words, said)
            assert {path: path.read_bytes() for path in before} == before, (words, said)
        before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    assert denied
