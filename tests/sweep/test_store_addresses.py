"""Which addresses are places in an object store, and that of others no secret is said again."""

import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep.errors import InputError
from harness.sweep.files.object_store import ObjectPath
from harness.sweep.files.reading import place
from tests.support.doctored import ONE

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SECRET = "AKIAsecret"
SPEC = "experiments/small.yaml"


@pytest.mark.parametrize(
    "said",
    ["s3://bucket", "s3://bucket/runs", "s3://bucket/runs/", "gs://my-bucket.x/a/b=c/d_e", "s3://b12/+x/r.1"],
)
def test_addresses_that_are_places(said: str) -> None:
    found = place(said)
    assert isinstance(found, ObjectPath) and str(found) == said.rstrip("/")
    assert place(found) == found == pickle.loads(pickle.dumps(found))
    assert str(found / "x.parquet") == f"{said.rstrip('/')}/x.parquet"


@pytest.mark.parametrize("said", ["file:///srv/my%20runs", "file:///srv/my runs", "/srv/my runs"])
def test_files_by_address_are_paths(said: str) -> None:
    assert place(said) == Path("/srv/my runs")


@pytest.mark.parametrize(
    "said",
    [
        *("s3:/bucket/runs", "s3://", "s3:///runs", "gs:x/y:/", "S3://bucket/runs", "s3://Bucket/runs", "s3://bucket//runs"),
        *(
            "s3://bucket/../runs",
            "s3://bucket/.small",
            "s3://bucket/a b",
            "s3://bucket/a#b",
            "s3://bucket/ä",
            "s3://bucket:9/x",
        ),
        *(f"s3://{SECRET}:{SECRET}@bucket/runs", f"s3://bucket/runs?access_key={SECRET}", f"https://x:{SECRET}@host/runs"),
        *("hdfs://host/runs", "ftp://host/runs", "http://host/runs", "file://host/runs", "file:/runs", f"file:///r?{SECRET}"),
        *("az://container/runs", "abfs://container/runs"),
    ],
)
def test_other_addresses_are_refused_and_no_secret_is_said_again(project: "Project", harness: "Harness", said: str) -> None:
    if said == "gs:x/y:/":
        assert place(said) == Path(said)  # a folder of an odd name
        return
    with pytest.raises(InputError, match="allowed: a path, file:///PATH, s3://BUCKET/FOLDER or gs://") as told:
        place(said)
    assert SECRET not in str(told.value)
    project.sweep(**ONE)
    ended = harness("run", SPEC, "--serial", "--out", said)
    assert ended.code == 2 and SECRET not in ended.out + ended.err
    assert [path for path in project.files() if not path.startswith("experiments")] == []
