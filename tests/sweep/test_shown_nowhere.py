"""Work is finished where nobody sees it: streams that are closed or break, and the backend of somebody's notebook."""

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Project

pytestmark = pytest.mark.process
RUN = f"{sys.executable} -m harness run experiments/small.yaml --serial"


@pytest.mark.parametrize("shown", [">&-", "<&- >&- 2>&-", "| head -c 5 >head"])
def test_a_run_whose_streams_are_closed_or_break_comes_to_its_end(project: "Project", shown: str) -> None:
    project.sweep(**ONE)
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", f"{RUN} {shown}"], cwd=project.root, timeout=280, check=False)
    assert ended.returncode == 0
    assert len(project.rows()) == 150 and (project.root / "results/runs/small.png").exists()


def test_a_backend_of_a_notebook_draws_nothing_here(project: "Project") -> None:
    project.sweep(**ONE)
    said = project.process(*RUN.split()[3:], environment={"MPLBACKEND": "module://matplotlib_inline.backend_inline"})
    assert said.code == 0 and (project.root / "results/runs/small.png").exists()
