"""What is in flight when, and what becomes of batches that Ray gives up: on a Ray that is a list, whose clock is the test's."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import grpc  # type: ignore[import-untyped]
import pytest
import ray.exceptions as lost

from harness.sweep.errors import CannotRunError
from harness.sweep.ray import cluster, connection, stall_detector
from harness.sweep.ray.cluster import LOOK_SECONDS, Cluster
from harness.sweep.ray.connection import CHECK_SECONDS, RESTART_SECONDS, Connection
from harness.sweep.ray.stall_detector import StallDetector
from harness.sweep.run.batches import Batches
from harness.sweep.run.run import wanted
from harness.sweep.run.work import Batch, Result, run_batch

if TYPE_CHECKING:
    from tests.support.project import Project

pytestmark = pytest.mark.usefixtures("blocks_of_one")

Fate = Callable[[Batch], BaseException | None]


class Ray:
    """Tasks come back one after the other, `seconds` apart on the clock; `fate` says which end in an error.

    None is begun before `idle_until`; `free` says how many CPUs nobody has.
    """

    exceptions = lost

    def __init__(self, cpus: Callable[[], float], seconds: float, fate: Fate) -> None:
        self.cpus, self.seconds, self.fate = cpus, seconds, fate
        self.now, self.flying, self.most, self.submitted = 0.0, 0, list[int](), list[Batch]()
        self.free, self.idle_until = cpus, 0.0

    def submit(self, sign: tuple[str, int], batch: Batch) -> tuple[int, Batch]:
        self.flying += 1
        self.submitted.append(batch)
        return len(self.submitted), batch

    def wait(
        self, tasks: list[tuple[int, Batch]], num_returns: int, timeout: float
    ) -> tuple[list[tuple[int, Batch]], list[Any]]:
        self.most.append(self.flying)
        assert self.flying == len(tasks) and num_returns == 1
        self.now += self.seconds
        if self.now < self.idle_until:
            return [], tasks
        self.flying -= 1
        return [tasks[0]], tasks[1:]

    def get(self, task: tuple[int, Batch]) -> Result:
        error = self.fate(task[1])
        if error is not None:
            raise error
        return run_batch(task[1])

    def available_resources(self) -> dict[str, float]:
        return {"CPU": cpus} if (cpus := self.free()) else {}

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": cpus} if (cpus := self.cpus()) else {}


class Here:
    """Calls are made at once, and Ray is looked after before each."""

    def __call__(self, call: Callable[[], Any], seconds: float, watch: Callable[[], None] = lambda: None) -> Any:
        watch()
        return call()


def survives(batch: Batch) -> None:
    return None


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Cluster, Ray]]:
    """An engine that is on such a Ray."""

    def engine(
        cpus: Callable[[], float] = lambda: 2.0,
        seconds: float = 0.1,
        fate: Fate = survives,
        address: str | None = None,
        workers: int | None = None,
        patience: float | None = None,
    ) -> tuple[Cluster, Ray]:
        fake, made = Ray(cpus, seconds, fate), Cluster(address, workers, patience)
        for module in (cluster, connection, stall_detector):
            monkeypatch.setattr(module, "monotonic", lambda: fake.now)
        monkeypatch.setattr(connection, "check_reachable", lambda address: None)
        monkeypatch.setattr(connection, "CallThread", Here)
        monkeypatch.setattr("ray.init", lambda **words: None)
        made._link = Connection(address or "x:1", None, {})
        made._link.ray, made._submit = fake, fake.submit
        made._looked, made._window = float("-inf"), 1
        return made, fake

    return engine


def batches(project: "Project", trials: int, seconds: float = 0.0) -> Batches:
    """So many trials of one cell."""
    sweep = project.sweep(trials=str(trials), m="20", learner="leftmost", figure="{x: m}")
    empty = project.store(sweep).finished()
    return Batches(sweep, wanted(sweep, empty), {}, seconds)


def outcome(engine: Cluster, todo: Batches) -> list[Result]:
    """All results; every one is made known, as in a run."""
    results = []
    for result in engine.run(todo):
        todo.measured(result)
        results.append(result)
    return results


@pytest.mark.law
def test_the_window_follows_the_cluster(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    """Two in flight for each CPU of the moment: 2, then 5, then none for a while, then 1. Looked at every LOOK_SECONDS."""
    changes = [(0.0, 2.0), (20.0, 5.0), (40.0, 0.0), (60.0, 1.0)]
    engine, ray = on(seconds=0.5, address="x:1")
    ray.cpus = lambda: [cpus for since, cpus in changes if ray.now >= since][-1]
    assert len(outcome(engine, batches(project, 160))) == 160
    for (since, cpus), until in zip(changes, (20, 40, 60, 79), strict=True):
        settled = int((since + LOOK_SECONDS) / 0.5) + 12
        assert set(ray.most[settled : 2 * until - 1]) == {max(1, 2 * int(cpus))}
    assert max(ray.most) == 10


def test_workers_bound_what_runs_at_once_on_a_cluster(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    engine, ray = on(cpus=lambda: 64.0, address="x:1", workers=3)
    outcome(engine, batches(project, 20))
    assert max(ray.most) == 3


@pytest.mark.law
def test_what_is_in_flight_does_not_grow_with_the_sweep(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    engine, ray = on()
    outcome(engine, batches(project, 300))
    assert max(ray.most) == 4 and len(ray.submitted) == 300


DEATHS = [lost.WorkerCrashedError(), lost.NodeDiedError("gone"), lost.OutOfMemoryError("full")]  # type: ignore[no-untyped-call]


@pytest.mark.at_once("WorkerCrashedError")
@pytest.mark.parametrize("death", DEATHS, ids=lambda death: type(death).__name__)
def test_of_a_batch_that_dies_only_the_trial_that_kills_is_lost(
    project: "Project", on: Callable[..., tuple[Cluster, Ray]], death: Exception
) -> None:
    engine, ray = on(fate=lambda batch: death if 37 in batch.trials else None)
    results = outcome(engine, batches(project, 100, seconds=60))
    assert max(len(batch.trials) for batch in ray.submitted) > 90
    raised = {trial: said for result in results for trial, said in result.raised.items()}
    assert list(raised) == [37] and raised[37].startswith(f"4 workers died of it: {death}")
    finished = [row["trial"] for result in results for row in result.rows.to_pylist() if row["mechanism"] == "A_binClas"]
    assert sorted(finished) == [trial for trial in range(100) if trial != 37]


def test_workers_that_cannot_KINDs_end_the_run(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    """An import that fails on the nodes would fail for every trial."""
    why = ModuleNotFoundError("No module named 'scipy'")
    missing = lost.RayTaskError("_run_there", "Traceback", why)  # type: ignore[no-untyped-call]
    engine, ray = on(fate=lambda batch: missing)
    with pytest.raises(CannotRunError, match=r"^the workers cannot run trials: No module named 'scipy'$"):
        outcome(engine, batches(project, 100))
    assert len(ray.submitted) <= 4


@pytest.mark.law
def test_a_cluster_that_is_lost_is_waited_for_and_given_up(
    project: "Project", on: Callable[..., tuple[Cluster, Ray]], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, ray = on(seconds=0.5, address="x:1")
    away: tuple[float, float] = (10, 10 + RESTART_SECONDS / 2)

    def check_reachable(address: str) -> None:
        assert address == "x:1"
        if away[0] <= ray.now < away[1]:
            raise CannotRunError("no Ray at x:1: refused")

    monkeypatch.setattr(connection, "check_reachable", check_reachable)
    assert len(outcome(engine, batches(project, 100))) == 100
    away = ray.now, float("inf")
    with pytest.raises(
        CannotRunError, match=r"^no Ray at x:1: refused; what was finished is kept, and the same command resumes$"
    ):
        outcome(engine, batches(project, 100))
    assert RESTART_SECONDS - CHECK_SECONDS < ray.now - away[0] < RESTART_SECONDS + 5


class Dropped(grpc.RpcError):  # type: ignore[misc]
    """What Ray's client raises of most calls as they are."""


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("Client is shutting down."),
        Dropped("<_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE"),
        Exception("Client Wait request failed. Reference invalid?"),
        AttributeError("'NoneType' object has no attribute 'WaitObject'"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_client_that_is_cut_off_ends_in_one_line_of_ours(
    project: "Project", on: Callable[..., tuple[Cluster, Ray]], error: Exception
) -> None:
    engine, _ = on(fate=lambda batch: error, address="ray://x:1")
    with pytest.raises(
        CannotRunError,
        match=r"^lost the Ray at ray://x:1: its client server ended, or cannot be reached; what was finished is kept",
    ):
        outcome(engine, batches(project, 3))


def test_an_error_of_a_trial_is_none_of_the_client(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    """Ray gives it the type of its cause too."""
    trouble = lost.RayTaskError("run_there", "", ConnectionError("no such host")).as_instanceof_cause()  # type: ignore[no-untyped-call]
    engine, _ = on(fate=lambda batch: trouble, address="ray://x:1")
    with pytest.raises(CannotRunError, match=r"^the workers cannot run trials: no such host"):
        outcome(engine, batches(project, 3))


@pytest.fixture
def unsigned(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker leaves a sign."""
    monkeypatch.setattr(StallDetector, "_begun", lambda self: set())


@pytest.mark.law
@pytest.mark.usefixtures("unsigned")
def test_a_full_cluster_is_waited_for_an_hour(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    """Also where a CPU is free for a moment now and then, of one job and the next; what is waited for is said meanwhile."""
    engine, ray = on(seconds=1.0, address="x:1")
    ray.free, ray.idle_until = lambda: float(ray.now % 1000 < 10), 3600.0
    results = engine.run(batches(project, 100))
    assert next(results).batch.trials and ray.now >= 3600
    ray.idle_until = ray.now + 100
    said = set()
    for result in results:
        said.add(engine.waiting)
        assert result.batch.trials
    assert said == {""} and ray.now >= ray.idle_until


@pytest.mark.usefixtures("unsigned")
@pytest.mark.parametrize(
    ("cpus", "free", "seconds", "after", "why"),
    [
        (2, 0, 60.0, 60, r"others have all CPUs of the Ray at x:1, for 6\d s now: wait longer"),
        (2, 2, None, 60, r"no worker of the Ray at x:1 begins a batch, though CPUs are free, for 6\d s now: free memory"),
        (0, 0, None, 0, "the Ray at x:1 has no CPU: add a node that has some, wait for one with --patience SECONDS"),
        (0, 0, 60.0, 60, r"the Ray at x:1 has no CPU, for 6\d s now: add a node"),
    ],
)
def test_a_cluster_that_gives_no_cpu_is_given_up(
    project: "Project",
    on: Callable[..., tuple[Cluster, Ray]],
    cpus: int,
    free: int,
    seconds: float | None,
    after: int,
    why: str,
) -> None:
    engine, ray = on(cpus=lambda: cpus, seconds=0.5, address="x:1", patience=seconds)
    ray.free, ray.idle_until = lambda: free, float("inf")
    with pytest.raises(CannotRunError, match=f"^{why}.*; what was finished is kept, and the same command resumes$"):
        outcome(engine, batches(project, 100))
    assert after <= ray.now <= after + 2 * LOOK_SECONDS
    assert why.startswith(engine.waiting) and engine.waiting


@pytest.mark.usefixtures("unsigned")
def test_cpus_that_were_there_a_moment_ago_are_waited_for(project: "Project", on: Callable[..., tuple[Cluster, Ray]]) -> None:
    """A node was killed, and another will come."""
    engine, ray = on(seconds=1.0, address="x:1")
    ray.idle_until = 14.0
    ray.cpus = ray.free = lambda: 2.0 if ray.now < 5 or ray.now >= 12 else 0.0
    assert len(outcome(engine, batches(project, 20))) == 20


@pytest.fixture
def heads(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException, int], list[str]]:
    """`heads(error, times)`: one that raises the error so many times before it takes a driver; gives a list of attempts."""

    def head(error: BaseException, times: int) -> list[str]:
        attempts: list[str] = []

        def init(address: str, **words: Any) -> None:
            attempts.append(address)
            if len(attempts) <= times:
                raise error

        monkeypatch.setattr(connection, "check_reachable", lambda address: None)
        monkeypatch.setattr("ray.init", init)
        return attempts

    return head


STILLBORN = ConnectionAbortedError(
    "Initialization failure from server:\nTraceback (most recent call last):\n  File ...\nRuntimeError: Starting failed.\n\n"
)


def test_a_server_that_dies_at_birth_is_asked_for_again(heads: Callable[[BaseException, int], list[str]]) -> None:
    attempts = heads(STILLBORN, 1)
    Connection("ray://x:1", None, {})
    assert attempts == ["ray://x:1"] * 2


@pytest.mark.parametrize(
    ("error", "times", "told"),
    [
        (STILLBORN, 2, r"Initialization failure from server: RuntimeError: Starting failed\."),
        (ConnectionError("ray client connection timeout"), 1, "ray client connection timeout"),
        (RuntimeError("Version mismatch: ours, theirs\nMore about it."), 1, "Version mismatch: ours, theirs"),
        (RuntimeError(), 1, "RuntimeError"),
    ],
)
def test_what_ray_says_of_a_cluster_is_told_in_a_line(
    heads: Callable[[BaseException, int], list[str]], error: BaseException, times: int, told: str
) -> None:
    attempts = heads(error, times)
    with pytest.raises(CannotRunError, match=f"^no Ray at ray://x:1: {told}$"):
        Connection("ray://x:1", None, {})
    assert len(attempts) == times
