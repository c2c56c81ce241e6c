"""Tables in an object store: the same as on a disk, whatever goes wrong; here in a store in memory."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files import object_store
from harness.sweep.files.object_store import ObjectPath
from harness.sweep.run import object_parts
from harness.sweep.run.batches import Batches, Engine, Serial
from harness.sweep.run.object_parts import ObjectParts
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import Outcome, run_sweep
from harness.sweep.run.shards import Shard
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep
from harness.sweep.table.table import Table
from tests.support.bucket import Bucket
from tests.support.doctored import ONE
from tests.support.project import Quiet
from tests.sweep.test_store import Stopping

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

AWAY = "s3://bucket/runs"
RUNS = ObjectPath("s3", "bucket/runs")
SECRET = "AKIAsecret"
SPEC = "experiments/small.yaml"


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """The only bucket there is, of a store in which nobody waits."""
    found = Bucket()

    def file_system(scheme: str, name: str) -> object:
        return found.system

    monkeypatch.setattr(object_store, "file_system", file_system)
    monkeypatch.setattr(object_store, "sleep", lambda seconds: None)
    for name, seconds in (("RENEWED", 0.02), ("DEAD", 2.0), ("LOOK", 0.01)):
        monkeypatch.setattr(object_parts, name, seconds)
    return found


def run(sweep: Sweep, engine: Engine | None = None, shard: Shard | None = None, fresh: bool = False) -> Outcome:
    store = Store(RUNS, sweep.name, provenance(sweep), shard)
    return run_sweep(sweep, store, engine or Serial(), Quiet(), fresh, 0.0)


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every batch is a part."""
    monkeypatch.setattr(Store, "request_seconds", -1.0)


@pytest.mark.law
@pytest.mark.usefixtures("blocks_of_one", "flushed")
def test_a_run_that_is_stopped_leaves_whole_parts_and_goes_on_from_them(project: "Project", bucket: Bucket) -> None:
    sweep = project.sweep()
    whole = project.run(sweep).table
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(sweep, Stopping(5))
    parts = bucket.names()
    assert len(parts) == 10 and all(object_parts.PART.fullmatch(name.rpartition("/")[2]) for name in parts)
    assert sum(Table.read(ObjectPath("s3", part)).rows.num_rows for part in parts) == 20
    outcome = run(sweep)
    assert (outcome.ran, outcome.resumed, outcome.written) == (6, 20, True)
    assert outcome.table.fingerprint == whole.fingerprint
    assert bucket.names() == ["bucket/runs/small.parquet"]
    assert Table.read(RUNS / "small.parquet").fingerprint == whole.fingerprint
    again = run(sweep)
    assert (again.ran, again.written) == (0, False)
    assert run(sweep, fresh=True).ran == 16


@pytest.mark.law
@pytest.mark.usefixtures("blocks_of_one", "flushed")
@pytest.mark.parametrize("rows", [None, "counted"])
def test_shards_together_make_the_table(project: "Project", bucket: Bucket, rows: str | None) -> None:
    sweep = project.sweep(rows=rows)
    whole = project.run(sweep).table
    for number in (2, 3, 1):
        run(sweep, shard=Shard(number, 3))
    assert len({name.split("/")[2] for name in bucket.names()}) == 3
    outcome = run(sweep)
    assert outcome.ran == 0 and outcome.table.fingerprint == whole.fingerprint
    assert bucket.names() == ["bucket/runs/small.parquet"]


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_every_command_reads_from_it_as_from_a_disk(project: "Project", harness: "Harness", bucket: Bucket) -> None:
    project.sweep(**ONE)
    commands = [
        ["run", SPEC, "--serial", "--out"],
        ["run", SPEC, "--serial", "--out"],
        ["run", SPEC, "--dry-run", "--out"],
        ["check", SPEC, "--json", "--out"],
        ["list", "--out"],
        ["table", "small", "--csv", "--out"],
        ["claims", "BTT18:T3.2", SPEC, "--out"],
        ["replay", "small/0/0/A_binClas", "--out"],
        ["verify", "small", "--sample", "100%", "--seed", "1", "--results"],
        ["figures", "small", "--out", "drawn", "--results"],
        ["figures", "--out", "drawn", "--results"],
        ["accept", "small", "--out"],
        ["check", SPEC, "--out"],
    ]
    here = [harness(*words, "here") for words in commands]
    for path in (*Path("results").iterdir(), *Path("figures").iterdir()):
        path.unlink()
    away = [harness(*words, AWAY) for words in commands]
    told = [(said.code, masked(said.out), said.err) for said in here]
    assert told == [(said.code, masked(said.out.replace(AWAY, "here")), said.err.replace(AWAY, "here")) for said in away]
    files = {path.name for path in Path("here").iterdir() if path.is_file()}
    assert {name.rpartition("/")[2] for name in bucket.names()} == files >= {"small.parquet", "small.png"}


def masked(said: str) -> str:
    """Without what took how long."""
    return re.sub(r"\d[\d.e-]* ?(s|ms|MB|kB|B|GB)\b|\d+\.\d+e?-?\d*\b| +", "…", said)


def test_of_two_runs_the_second_is_told_at_once(project: "Project", bucket: Bucket) -> None:
    sweep = project.sweep()
    first = Store(RUNS, "small", provenance(sweep))
    with first.locked(), pytest.raises(CannotRunError, match=r"another run is writing s3://bucket/runs/small\.parquet; wait"):
        run(sweep)
    assert bucket.names() == []


@pytest.mark.law
def test_a_run_that_was_killed_is_outlived(project: "Project", bucket: Bucket) -> None:
    """And one whose own object was taken away meanwhile goes on."""
    sweep = project.sweep()
    whole = project.run(sweep).table
    bucket.put("bucket/runs/.small/owner-0a1b2c3d", b"one\n")
    store = Store(RUNS, "small", provenance(sweep))
    with store.locked():
        assert [name for name in bucket.names() if name.endswith("0a1b2c3d")] == []
        bucket.objects.clear()
        while not bucket.names():  # until it is renewed
            sleep(0.01)
        with pytest.raises(CannotRunError):
            run(sweep)
    assert run(sweep).table.fingerprint == whole.fingerprint


@pytest.mark.law
@pytest.mark.usefixtures("blocks_of_one", "flushed")
def test_two_at_once_do_no_harm(project: "Project", bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were both of the opinion that the other is dead: names are apart, and every row is there once."""
    sweep = project.sweep()
    whole = project.run(sweep).table
    monkeypatch.setattr(ObjectParts, "_outlived", lambda self, own: [])
    with pytest.raises(KeyboardInterrupt):
        run(sweep, Stopping(3))

    class Meanwhile(Serial):
        """Has the other run end while it is on."""

        def run(self, batches: Batches) -> Iterator[Result]:
            for number, result in enumerate(super().run(batches)):
                if number == 4:
                    assert run(sweep).ran == 13 - 4
                yield result

    assert run(sweep, Meanwhile()).table.fingerprint == whole.fingerprint
    assert bucket.names() == ["bucket/runs/small.parquet"]


def test_passing_faults_pass(project: "Project", bucket: Bucket) -> None:
    """Half of all requests fail, two after one another."""
    sweep, count = project.sweep(), 0
    whole = project.run(sweep).table

    def fault(verb: str, key: str) -> None:
        nonlocal count
        count += 1
        if count % 4 in (1, 2):
            raise OSError(f"When asking: AWS Error NETWORK_CONNECTION during {verb}: curlCode: 56")

    bucket.fault = fault
    assert run(sweep).table.fingerprint == whole.fingerprint
    assert Table.read(RUNS / "small.parquet").fingerprint == whole.fingerprint
    assert count > 30


def test_what_a_store_took_in_part_is_written_again(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    put, sizes = Bucket.put, iter([0, 3, 5])
    monkeypatch.setattr(Bucket, "put", lambda self, key, content: put(self, key, content[: next(sizes)]))
    (RUNS / "x").write(b"whole")
    assert bucket.objects == {"bucket/runs/x": b"whole"}


REFUSALS = [
    (
        "AWS Error ACCESS_DENIED during PutObject: {secret}",
        CannotRunError,
        "access is denied (ACCESS_DENIED); AWS_",
    ),
    ("AWS Error UNKNOWN (HTTP status 403) during HeadObject: {secret}", CannotRunError, "access is denied (403); AWS_"),
    ("AWS Error INVALID_ACCESS_KEY_ID during PutObject operation: {secret}", CannotRunError, "access is denied (INVALID_"),
    (
        "AWS Error NO_SUCH_BUCKET during PutObject: {secret}",
        InputError,
        "there is no such bucket (NO_SUCH_BUCKET)",
    ),
    ("AWS Error NETWORK_CONNECTION during PutObject: {secret}", CannotRunError, "the store does not answer (NETWORK_"),
    ("AWS Error SLOW_DOWN during PutObject operation: {secret}", CannotRunError, "the store does not answer (SLOW_DOWN)"),
    ("google::cloud::Status(PERMISSION_DENIED: {secret})", CannotRunError, "access is denied (PERMISSION_DENIED)"),
    ("google::cloud::Status(UNAVAILABLE: {secret})", CannotRunError, "the store does not answer (UNAVAILABLE)"),
    ("AWS Error INVALID_BUCKET_STATE: {secret}", CannotRunError, "the store refuses (INVALID_BUCKET_STATE)"),
]
"""What stores said, and what is told of it."""
OF_EACH_KIND = [REFUSALS[place] for place in (0, 3, 5)]


@pytest.mark.parametrize(("said", "error", "words"), REFUSALS)
def test_what_a_store_said_is_told_in_our_words(said: str, error: type[Exception], words: str) -> None:
    told = object_store._told("s3", "s3://bucket/runs", f"When asking: {said.format(secret=SECRET)}")
    assert type(told) is error and words in str(told) and SECRET not in str(told) and "s3://bucket/runs" in str(told)


@pytest.mark.usefixtures("blocks_of_one", "flushed")
@pytest.mark.at_once("slow")
@pytest.mark.parametrize(("said", "error", "words"), OF_EACH_KIND, ids=["denied", "no bucket", "slow"])
def test_a_store_that_refuses_costs_nothing_that_was_there(
    project: "Project",
    bucket: Bucket,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    error: type[Exception],
    words: str,
) -> None:
    """Which is gone on from."""
    sweep = project.sweep()
    whole = project.run(sweep).table
    monkeypatch.setattr(object_store, "SECONDS", -1.0)

    def fault(verb: str, key: str) -> None:
        if verb == "put" and key.endswith(".parquet") and sum(name.endswith(".parquet") for name in bucket.objects) >= 3:
            raise OSError(f"When asking: {said.format(secret=SECRET)}")

    bucket.fault = fault
    with pytest.raises(error) as told:
        run(sweep)
    assert words in str(told.value) and SECRET not in str(told.value) and "s3://bucket/runs/.small/" in str(told.value)
    assert len(bucket.names()) == 3
    bucket.fault = lambda verb, key: None
    assert run(sweep).table.fingerprint == whole.fingerprint


@pytest.mark.usefixtures("quick_figures")
def test_files_of_others_are_left_alone(project: "Project", harness: "Harness", bucket: Bucket) -> None:
    project.sweep(**ONE)
    for key in ("runs/small.parquet", "runs/small.png", "runs/.small/notes.txt", "runs/report.html"):
        bucket.objects.clear()
        bucket.put(f"bucket/{key}", b"mine")
        for words in (["run", SPEC, "--serial"], ["run", SPEC, "--serial", "--fresh"], ["report", SPEC]):
            ended = harness(*words, "--out", AWAY)
            assert ended.code in (0, 2, 4) and "Traceback" not in ended.err
        assert bucket.objects[f"bucket/{key}"] == b"mine"


def test_damage_is_told_and_not_read_as_good(project: "Project", harness: "Harness", bucket: Bucket) -> None:
    sweep = project.sweep(**ONE)
    run(sweep)
    content = bucket.objects["bucket/runs/small.parquet"]
    for damaged in (content[:-9], content[: len(content) // 2], b""):
        bucket.put("bucket/runs/small.parquet", damaged)
        ended = harness("check", SPEC, "--out", AWAY)
        assert ended.code == 2 and "error: s3://bucket/runs/small.parquet: " in ended.err


def test_provenance_has_nothing_of_where_a_table_lies(project: "Project", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    sweep = project.sweep(**ONE)
    told = json.dumps(run(sweep).table.provenance)
    assert SECRET not in told and "bucket" not in told


def test_a_bucket_that_is_not_there_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow.fs import FileInfo, FileType

    monkeypatch.undo()

    class Empty(Bucket):
        """Has no bucket at all, or says what it likes."""

        said: Callable[[], FileInfo]

        def info(self, key: str) -> FileInfo:
            return self.said()

    def denied() -> FileInfo:
        raise OSError(f"AWS Error ACCESS_DENIED during HeadBucket operation: {SECRET}")

    def down() -> FileInfo:
        raise pa.ArrowInvalid(f"curlCode: 7, Could not connect to server {SECRET}")

    store = Empty()
    monkeypatch.setattr(object_store, "_s3", lambda name: store.system)
    store.said = lambda: FileInfo("bucket", FileType.NotFound)
    with pytest.raises(InputError, match="s3://no-such-bucket: there is no such bucket"):
        object_store.file_system("s3", "no-such-bucket")
    store.said = down
    with pytest.raises(CannotRunError, match="s3://down: the store does not answer") as told:
        object_store.file_system("s3", "down")
    assert SECRET not in str(told.value)
    store.said = denied  # of the bucket itself; what is in it may be another matter
    assert object_store.file_system("s3", "not-to-be-listed") is not None
