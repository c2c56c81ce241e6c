"""What the tests of clusters share: one cluster, for to start it takes longer than most of them, and what runs on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.project import FULL
from tests.support.reference import Reference
from tests.support.turns import waits
from tests.sweep.nodes import Nodes

if TYPE_CHECKING:
    from tests.support.project import Project

SMALL: dict[str, str | None] = {
    "learner": "leftmost",
    "distribution": "[uniform, {name: hard, c: 1}]",
    "trials": "9",
    "mechanisms": "[A_binClas, majority, noisy_majority]",
    "figure": "{x: m, panels: [distribution]}",
}
TRACED = FULL | {
    "learner": "Middle",
    "trials": "60",
    "mechanisms": "[A_binClas, majority]",
    "claims": '["BTT18:L3.3"]',
    "figure": "{x: m}",
}
PLUGIN = '''
import os
import time
from pathlib import Path

from harness import sources
class Middle:
    """The middle between the labels. On a node of the cluster it takes its time, leaves a trace, and knows whose code runs."""

    def fit(self, X, y):
        fits = vars(os.environ)["_data"].get(b"FITS")  # as nobody watches it; rows do not depend on it
        if fits is not None:
            if "harness.report" in sources.served():
                raise RuntimeError("a worker has more than what rows depend on")
            born = Path("/proc/self/environ").read_text()  # with which the C library was loaded
            if not all(word in born for word in ("OMP_NUM_THREADS=1", "MALLOC_TRIM_THRESHOLD_=")):
                raise RuntimeError("a worker began without its threads and memory set")
            with (Path(os.fsdecode(fits)) / str(os.getpid())).open("a") as file:
                file.write(".")
            time.sleep(0.0006)
        self.cut, self.right = (X[y == 0].max() + X[y == 1].min()) / 2, y[X[:, 0].argmax()]

    def predict(self, X):
        return (X[:, 0] > self.cut) == self.right

LEARNER = Middle
'''


@pytest.fixture(scope="session")
def reference(shared_project: "Project") -> Reference:
    """Four cells of nine trials of three mechanisms."""
    spec = shared_project.spec(**SMALL)
    assert shared_project.process("run", spec, "--serial", "--out", "serial").code == 0
    return Reference(shared_project, "small")


@pytest.fixture(scope="session")
def traced(shared_project: "Project") -> Reference:
    """Two cells of sixty trials with a learner of a plugin; on the cluster a trial takes 60 ms or more."""
    (shared_project.root / "traces.py").write_text(PLUGIN)
    spec = shared_project.spec("traced", **TRACED)
    assert shared_project.process("--plugin", "traces", "run", spec, "--serial", "--out", "serial").code == 0
    return Reference(shared_project, "traced")


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file for each process of the cluster, as long as the number of its fits."""
    return tmp_path_factory.mktemp("traces")


CLUSTER = pytest.StashKey[Nodes]()


@pytest.fixture(scope="session")
def cluster(traces: Path, pytestconfig: pytest.Config) -> Iterator[Nodes]:
    """One cluster for all tests."""
    nodes = pytestconfig.stash[CLUSTER] = Nodes({"FITS": str(traces)})
    try:
        nodes.start()
        yield nodes
    finally:
        nodes.end()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """The cluster ends with the last test that waits, not with the session: an idle one takes a tenth of a core."""
    if CLUSTER in item.config.stash and not (nextitem and waits(nextitem.nodeid)):
        item.config.stash[CLUSTER].end()
