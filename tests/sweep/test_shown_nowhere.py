"""Work is finished where nobody sees it: streams that are closed or break, and the backend of somebody's notebook."""

import fcntl
import os
import pty
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pytest

from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Project

SPEC = "experiments/small.yaml"
RUN = f"{sys.executable} -m harness run {SPEC} --serial"


@pytest.mark.parametrize("shown", [">&-", "<&- >&- 2>&-", "| head -c 5 >head"])
def test_a_run_whose_streams_are_closed_or_break_comes_to_its_end(project: "Project", shown: str) -> None:
    project.sweep(**ONE)
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", f"{RUN} {shown}"], cwd=project.root, timeout=280, check=False)
    assert ended.returncode == 0
    assert len(project.rows()) == 150 and (project.root / "results/runs/small.png").exists()


def test_output_that_cannot_be_written_is_told_when_all_is_done(project: "Project") -> None:
    project.sweep(**ONE)
    command = ["bash", "-c", f"{RUN} >/dev/full"]
    ended = subprocess.run(command, cwd=project.root, timeout=280, check=False, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 4 and "standard output is not whole: [Errno 28]" in ended.stderr, ended.stderr
    assert len(project.rows()) == 150 and (project.root / "results/runs/small.png").exists()


@pytest.mark.parametrize(
    "words", ["check SPEC --no-reference --json", "check SPEC --no-reference", "table SPEC --csv", "list --json"]
)
def test_a_reader_that_has_read_enough_changes_no_exit_code(project: "Project", words: str) -> None:
    project.sweep(**ONE | {"trials": "3000"})
    assert project.process(*RUN.split()[3:]).code == 0
    command = f"{sys.executable} -m harness {words.replace('SPEC', SPEC)}"
    whole = subprocess.run(["bash", "-c", f"{command} >all"], cwd=project.root, timeout=280, check=False)
    for reader in ("true", "head -c 5"):
        part = ["bash", "-o", "pipefail", "-c", f"{command} | {reader}"]
        ended = subprocess.run(part, cwd=project.root, timeout=280, check=False, capture_output=True)
        assert (ended.returncode, ended.stderr) == (whole.returncode, b"")


@pytest.mark.parametrize("engine", ["--serial", "--workers=2"])
def test_a_terminal_that_hangs_up_takes_nothing_along(project: "Project", engine: str) -> None:
    """The command leads a session of its own on a terminal, which is closed as soon as something is on it."""
    project.sweep(**ONE | {"trials": "150000"})
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "harness", "run", SPEC, engine]
    run = subprocess.Popen(
        command, cwd=project.root, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=controlling
    )
    os.close(theirs)
    said = b""
    while b"trials" not in said:
        said += os.read(ours, 1000)
    os.close(ours)
    try:
        assert run.wait(200) == 0
    finally:
        run.kill()
    assert len(project.rows()) > 0 and (project.root / "results/runs/small.pdf").exists()
    assert project.process("check", SPEC, "--no-reference").code in (0, 3)


def controlling() -> None:
    """Make the terminal that of the new session, so that all in it hear of its end."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_backend_of_a_notebook_draws_nothing_here(project: "Project") -> None:
    project.sweep(**ONE)
    said = project.process(*RUN.split()[3:], environment={"MPLBACKEND": "module://matplotlib_inline.backend_inline"})
    assert said.code == 0 and (project.root / "results/runs/small.png").exists()
