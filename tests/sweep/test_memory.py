"""How much memory there is: the least that the machine, the groups of this process and its own limits leave."""

import gc
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.sweep.run import memory
from harness.sweep.run.memory import for_a_worker

MB = 10**6
MACHINE = {"/proc/meminfo": "MemTotal:  9999999 kB\nMemAvailable:  1000000 kB\n"}
NEW = "/sys/fs/cgroup"
OLD = "/sys/fs/cgroup/memory"

Files = dict[str, str]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Callable[[Files], None]:
    """A system of which only these files can be read, and whose processes have no limits of their own."""

    def of(files: Files) -> None:
        monkeypatch.setattr(memory, "_read", lambda path: files.get(str(path), ""))
        monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    return of


@pytest.mark.parametrize(
    ("files", "free"),
    [
        pytest.param({}, 1024 * MB, id="no groups"),
        pytest.param({"/proc/self/cgroup": "0::/\n"}, 1024 * MB, id="a group without limits"),
        pytest.param(
            {
                "/proc/self/cgroup": "0::/job\n",
                f"{NEW}/job/memory.max": f"{800 * MB}\n",
                f"{NEW}/job/memory.current": f"{500 * MB}\n",
                f"{NEW}/job/memory.stat": f"anon {300 * MB}\ninactive_file {200 * MB}\n",
            },
            500 * MB,
            id="files that are cached give way",
        ),
        pytest.param(
            {
                "/proc/self/cgroup": "0::/user/job\n",
                f"{NEW}/user/job/memory.max": "max\n",
                f"{NEW}/user/job/memory.current": "0\n",
                f"{NEW}/user/memory.max": f"{400 * MB}\n",
                f"{NEW}/user/memory.current": f"{100 * MB}\n",
            },
            300 * MB,
            id="the limit of a group above",
        ),
        pytest.param(
            {
                "/proc/self/cgroup": "12:cpu:/else\n7:memory:/box\n",
                f"{OLD}/box/memory.limit_in_bytes": f"{600 * MB}\n",
                f"{OLD}/box/memory.usage_in_bytes": f"{700 * MB}\n",
                f"{OLD}/box/memory.stat": f"inactive_file 1\ntotal_inactive_file {200 * MB}\n",
            },
            100 * MB,
            id="the older kind",
        ),
    ],
)
def test_the_least_that_is_left_is_shared_by_the_workers(system: Callable[[Files], None], files: Files, free: int) -> None:
    system(MACHINE | files)
    assert for_a_worker(1) == int(0.9 * free) and for_a_worker(4) == int(0.9 * free / 4)


def test_a_limit_of_a_process_holds_for_each_worker(system: Callable[[Files], None], monkeypatch: pytest.MonkeyPatch) -> None:
    system(MACHINE)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (200 * MB, resource.RLIM_INFINITY))
    assert [for_a_worker(workers) for workers in (1, 4, 10)] == [200 * MB, 200 * MB, int(0.9 * 1024 * MB / 10)]


def test_here_some_is_said() -> None:
    free = for_a_worker(1)
    assert free is not None and 0 < free < 10**15
    assert 10**6 < memory.peak() < 10**12 and memory.asked_for(1 << 30) == 0
    assert Path("/proc/meminfo").exists() or memory.peak() == 0


def test_cycles_are_looked_for_again_afterwards() -> None:
    with memory.uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
