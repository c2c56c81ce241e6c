"""Runs whose tables lie with servers that speak as Amazon's and Google's stores do, through a proxy that makes faults.

HARNESS_TEST_S3 and HARNESS_TEST_GS are the programs of these servers, `moto_server` and `fake-gcs-server`: moto needs libraries
in other versions than this project, and the other is none of Python's. .ci/nightly has them; without, these tests are skipped.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from http.client import HTTPConnection
from itertools import count
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest
from pyarrow.fs import FileSelector, FileSystem, GcsFileSystem, S3FileSystem

from harness.sweep.run.object_parts import DEAD, PART, RENEWED
from tests.support.faulty_proxy import FAULTS, FaultyProxy, faulty_proxy
from tests.sweep.nodes import begun, free_ports, listens, said_by_us
from tests.sweep.test_faults import LONG

if TYPE_CHECKING:
    from tests.support.project import Project, Said

pytestmark = pytest.mark.timeout(900)  # of a machine that has much else to do

SECRET = "SECRETsecretSECRET"
SPEC = "experiments/long.yaml"
RUN = ("run", SPEC, "--serial", "--batch-seconds", "0.1")
TRIALS = 400
WRITTEN = {f"long.{suffix}" for suffix in ("parquet", "png", "pdf", "svg", "tex")}
OFTEN = (
    "-c",
    "from harness.sweep.run.store import Store; Store.request_seconds = 0.5; from harness.__main__ import main; main()",
)
"""The program, with parts that are written more often, so that there is less to wait for."""

FOLDERS = count(1)
KEYS = {
    **{"AWS_ACCESS_KEY_ID": "AKIATESTING", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_EC2_METADATA_DISABLED": "true"},
    **{"AWS_DEFAULT_REGION": "us-east-1"},
}


@contextmanager
def serving(program: str, *words: str, variable: str) -> Iterator[int]:
    """A server of a test's own; gives its port."""
    if variable not in os.environ:
        pytest.skip(f"{variable} names no {program}")
    (port,) = free_ports(1)
    command = [os.environ[variable], *(word.format(port=port) for word in words)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not listens(port):
            assert server.poll() is None
            sleep(0.05)
        yield port
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="module")
def amazon() -> Iterator[int]:
    """The port of a store with the bucket `bucket`."""
    with serving("moto_server", "-H", "127.0.0.1", "-p", "{port}", variable="HARNESS_TEST_S3") as port:
        ask(port, "PUT", "/bucket")
        yield port


@pytest.fixture(scope="module")
def google() -> Iterator[int]:
    url = "http://127.0.0.1:{port}"
    words = ["-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", "{port}", "-external-url", url]
    with serving("fake-gcs-server", *words, "-public-host", "127.0.0.1:{port}", variable="HARNESS_TEST_GS") as port:
        ask(port, "POST", "/storage/v1/b", b'{"name": "bucket"}')
        yield port


def ask(port: int, verb: str, path: str, body: bytes = b"") -> None:
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request(verb, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200


@pytest.fixture(scope="module")
def undisturbed(module_project: "Project") -> "Project":
    """A project with the spec of a sweep."""
    module_project.spec("long", **{**LONG, "trials": str(TRIALS)})
    return module_project


@pytest.fixture(scope="module")
def calm(undisturbed: "Project") -> str:
    """The fingerprint of its table, of a run to which nothing happened."""
    said = undisturbed.process(*RUN, "--out", "calm")
    assert said.code == 0
    return fingerprint(said.out)


@pytest.fixture
def out() -> str:
    """A folder for each test."""
    return f"bucket/runs-{next(FOLDERS)}"


def environment(proxy: FaultyProxy) -> dict[str, str]:
    return {**KEYS, "AWS_ENDPOINT_URL": proxy.address, "STORAGE_EMULATOR_HOST": proxy.address}


def fingerprint(said: str) -> str:
    return said.partition("(fingerprint ")[2].partition(")")[0]


def run(project: "Project", address: str, proxy: FaultyProxy) -> "Said":
    return project.process(*RUN, "--out", address, program=OFTEN, environment=environment(proxy))


def running(project: "Project", address: str, proxy: FaultyProxy) -> AbstractContextManager[subprocess.Popen[str]]:
    """The same, which is waited for by the caller."""
    return begun(project.root, *RUN, "--out", address, program=OFTEN, environment=environment(proxy))


def s3(port: int) -> FileSystem:
    return S3FileSystem(endpoint_override=f"http://127.0.0.1:{port}", access_key="x", secret_key="y", region="us-east-1")


def names(store: FileSystem, out: str) -> list[str]:
    """All objects below a folder."""
    found = store.get_file_info(FileSelector(out, allow_not_found=True, recursive=True))
    return sorted(info.path.removeprefix(f"{out}/") for info in found if info.is_file)


def parts(store: FileSystem, out: str) -> list[str]:
    return [name for name in names(store, out) if PART.fullmatch(name.rpartition("/")[2])]


def test_a_run_among_faults_ends_with_the_table_of_a_calm_one(undisturbed: "Project", amazon: int, calm: str, out: str) -> None:
    """One request of five goes wrong, in every way that there is."""
    with faulty_proxy(amazon, 0.2) as proxy:
        said = run(undisturbed, f"s3://{out}", proxy)
        assert (said.code, said_by_us(said.err)) == (0, "")
        assert fingerprint(said.out) == calm
        checked = undisturbed.process("check", SPEC, "--no-reference", "--out", f"s3://{out}", environment=environment(proxy))
        assert checked.code in (0, 3), checked
        page = undisturbed.process("report", SPEC, "--out", f"s3://{out}", environment=environment(proxy))
        assert page.code == 0, page
    print(dict(proxy.done))
    assert sum(proxy.done[fault] for fault in FAULTS) > 5
    assert {*names(s3(amazon), out)} == WRITTEN | {"report.html"}


def test_a_driver_that_is_killed_leaves_whole_parts_alone(undisturbed: "Project", amazon: int, calm: str, out: str) -> None:
    """Killed twice, and started again by the same command, which waits until the dead one's object is old."""
    store = s3(amazon)
    with faulty_proxy(amazon, 0.1) as proxy:
        for kills in (1, 2):
            began = monotonic()
            with running(undisturbed, f"s3://{out}", proxy) as process:
                while len(parts(store, out)) < kills:
                    assert process.poll() is None, process.communicate()
                    assert monotonic() - began < 200
                    sleep(0.1)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
            print(f"killed {monotonic() - began:.1f} s after its start, with {len(parts(store, out))} parts")
        left = names(store, out)
        assert all(name.startswith(".long/") for name in left) and len(left) == len(parts(store, out)) + 1
        said = run(undisturbed, f"s3://{out}", proxy)
    assert said.code == 0, said
    assert fingerprint(said.out) == calm and ", 0 rows were there" not in said.out
    assert [name for name in names(store, out) if name.startswith(".")] == []


def test_a_second_run_is_told_and_the_first_goes_on(undisturbed: "Project", amazon: int, out: str) -> None:
    """Of ten times as many trials: the first is at it for longer than the second takes to start."""
    store, more = s3(amazon), ("--trials", str(10 * TRIALS))
    with faulty_proxy(amazon, 0.0) as proxy:
        words, as_ever = (*RUN, *more, "--out", f"s3://{out}"), environment(proxy)
        with begun(undisturbed.root, *words, program=OFTEN, environment=as_ever) as first:
            while not names(store, out):
                sleep(0.05)
            second = undisturbed.process(*words, program=OFTEN, environment=as_ever)
            assert first.poll() is None
            told, complaints = first.communicate(timeout=250)
        assert second.code == 4 and f"another run is writing s3://{out}/long.parquet; wait for it" in second.err
        assert (first.returncode, said_by_us(complaints)) == (0, "")
        assert fingerprint(told) == fingerprint(undisturbed.process(*RUN, *more, "--out", "calm-more").out)


def test_a_store_that_goes_is_told_of_and_gone_on_with_when_it_is_back(
    undisturbed: "Project", amazon: int, calm: str, out: str
) -> None:
    store = s3(amazon)
    with faulty_proxy(amazon, 0.0) as proxy:
        with running(undisturbed, f"s3://{out}", proxy) as process:
            while not parts(store, out):
                assert process.poll() is None, process.communicate()
                sleep(0.1)
            proxy.down = True
            _, complaints = process.communicate(timeout=280)
        assert process.returncode == 4 and "the store does not answer (NETWORK_CONNECTION)" in complaints
        assert SECRET not in complaints and "the same command goes on from it" in complaints
        proxy.down = False
        said = run(undisturbed, f"s3://{out}", proxy)
    assert said.code == 0 and ", 0 rows were there" not in said.out
    assert fingerprint(said.out) == calm


def test_who_may_not_and_what_is_not_there_are_told_in_seconds(undisturbed: "Project", amazon: int, out: str) -> None:
    with faulty_proxy(amazon, 0.0) as proxy:
        nowhere = run(undisturbed, "s3://no-such-bucket/runs", proxy)
        assert (nowhere.code, "there is no such bucket" in nowhere.err) == (2, True)
        proxy.denying = True
        for words in (["run", SPEC, "--serial"], ["check", SPEC], ["list"], ["report", SPEC]):
            began = monotonic()
            denied = undisturbed.process(*words, "--out", f"s3://{out}", environment=environment(proxy))
            assert denied.code == 4 and "access is denied" in denied.err and "Traceback" not in denied.err
            assert SECRET not in denied.out + denied.err and monotonic() - began < 60
    assert names(s3(amazon), out) == []


def test_what_is_cut_in_the_middle_of_an_upload_is_not_there(amazon: int, out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 25 MB, which go in several parts: what was there before is seen until all of the new is."""
    from harness.sweep.errors import CannotRunError
    from harness.sweep.files import object_store

    with faulty_proxy(amazon, 0.5, ("cut upload", "reset", "lost answer")) as proxy:
        for name, value in environment(proxy).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(object_store, "SECONDS", 0.0)
        monkeypatch.setattr(object_store, "file_system", object_store.file_system.__wrapped__)
        place, whole, seen = object_store.ObjectPath("s3", f"{out}/large"), b"", set()
        for turn in range(8):
            content = bytes([turn]) * 25_000_000
            try:
                place.write(content)
                outcome = "written"
            except CannotRunError:
                outcome = "refused"
            there = s3(amazon).get_file_info(place.key)
            now = b"" if not there.is_file else s3(amazon).open_input_file(place.key).read()
            assert now == content or (outcome == "refused" and now == whole)
            whole = now
            seen.add(outcome)
    assert seen == {"written", "refused"}, seen


def test_a_run_with_google_among_faults(undisturbed: "Project", google: int, calm: str, out: str) -> None:
    with faulty_proxy(google, 0.2, ("503", "slow", "reset")) as proxy:
        said = run(undisturbed, f"gs://{out}", proxy)
        assert said.code == 0, said
        assert fingerprint(said.out) == calm
        again = run(undisturbed, f"gs://{out}", proxy)
        assert again.code == 0 and "nothing to do" in again.out, again
        nowhere = run(undisturbed, "gs://no-such-bucket/runs", proxy)
        assert (nowhere.code, "there is no such bucket" in nowhere.err) == (2, True)
    store = GcsFileSystem(anonymous=True, scheme="http", endpoint_override=f"127.0.0.1:{google}")
    assert {*names(store, out)} == WRITTEN


def test_a_dead_run_is_known_by_several_renewals() -> None:
    assert DEAD >= 4 * RENEWED
