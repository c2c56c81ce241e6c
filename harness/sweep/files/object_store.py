"""Places in an object store, `s3://BUCKET/FOLDER` or `gs://BUCKET/FOLDER`: what tables and figures need of a path, for these.

An object is whole or is not there: it is seen when its one request, or the last of a multipart upload, has succeeded, and what
was there before is seen until then. A writer that is killed leaves nothing but, of an object of more than 10 MB, an upload
which nobody sees and the rules of a bucket can remove. Nothing is renamed, and there are no folders, only names.

Credentials are those of the machine, by the environment, a profile or a role, and never part of an address; nor is what a store
says told in its own words, which may hold them.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from operator import attrgetter
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from harness.sweep.errors import CannotRunError, InputError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

FORM = re.compile(r"(s3|gs)://([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])((?:/[A-Za-z0-9_=+-][A-Za-z0-9._=+-]*)*)/?")
ALLOWED = (
    "s3://BUCKET/FOLDER or gs://BUCKET/FOLDER, of letters, digits and ._=+-, no folder with a dot before it; credentials, "
    "region and endpoint come from the environment"
)
SECONDS = 60.0
"""How long a store may fail to answer while a run is on, before that ends; at its beginning it has a request's few tries."""
GOOGLE_SECONDS = 10.0
"""How long Google's library tries by itself; that there are no credentials it says after three times as long."""

DENIED = re.compile(
    r"ACCESS_DENIED|INVALID_ACCESS_KEY|SIGNATURE|EXPIRED|TOKEN|CREDENTIAL|UNAUTHENTICATED|PERMISSION_DENIED|UNAUTHORIZED"
    r"|status:? 40[13]",
    re.IGNORECASE,
)
GONE = re.compile(r"NO_SUCH_BUCKET|bucket does not exist", re.IGNORECASE)
PASSING = re.compile(
    r"NETWORK|INTERNAL|SLOW_DOWN|UNAVAILABLE|TIMEOUT|THROTTL|DEADLINE|ABORTED|status:? 5\d\d|curl|connect|UNKNOWN|short",
    re.IGNORECASE,
)
CODE = re.compile(r"AWS Error (?!UNKNOWN)([A-Z_]+)|Status\(([A-Z_]+)|HTTP status (\d{3})")
CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or a role of the machine say who asks",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login` or the machine's account say who asks",
}

Found = TypeVar("Found")


class Stat(NamedTuple):
    """The size of an object in bytes, and when it was written, in nanoseconds."""

    st_size: int
    st_mtime_ns: int


@dataclass(frozen=True, order=True)
class ObjectPath:
    """A place in an object store. key: BUCKET/FOLDER/NAME. Its methods are those of `Path` with the same names.

    All that ask the store raise InputError where there is no such bucket, and CannotRunError where it denies access, refuses or
    does not answer; passing faults are tried again for a minute.
    """

    scheme: str
    key: str

    def __str__(self) -> str:
        return f"{self.scheme}://{self.key}"

    def __truediv__(self, name: str) -> "ObjectPath":
        return ObjectPath(self.scheme, f"{self.key}/{name}")

    @property
    def name(self) -> str:
        return self.key.rpartition("/")[2]

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    @property
    def parent(self) -> "ObjectPath":
        return ObjectPath(self.scheme, self.key.rpartition("/")[0] or self.key)

    def with_name(self, name: str) -> "ObjectPath":
        return self.parent / name

    def with_stem(self, stem: str) -> "ObjectPath":
        return self.parent / f"{stem}{self.suffix}"

    def with_suffix(self, suffix: str) -> "ObjectPath":
        return self.parent / f"{self.stem}{suffix}"

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Nothing: there are no folders."""

    def kind(self) -> str | None:
        """`a file`, `a folder` where other names begin with this one and a slash, or None."""
        return {"File": "a file", "Directory": "a folder"}.get(self._info().type.name)

    def exists(self) -> bool:
        return self.kind() is not None

    def stat(self) -> Stat:
        info = self._info()
        return Stat(info.size or 0, info.mtime_ns or 0)

    def children(self) -> "list[ObjectPath]":
        """The objects and folders directly in the folder, in order."""
        from pyarrow.fs import FileSelector

        return [self / info.base_name for info in self._asked(lambda fs: fs.get_file_info(FileSelector(self.key, True)))]

    def read_bytes(self, most: int | None = None) -> bytes:
        """What the object holds. most: bytes; raises FileNotFoundError, and InputError where it is longer."""

        def read(fs: "FileSystem") -> bytes:
            with fs.open_input_file(self.key) as file:
                size = file.size()
                if most is not None and size > most:
                    raise InputError(f"longer than is read; allowed: at most {most:,} bytes", str(self))
                return self._whole(file.read(), size)

        return self._asked(read)

    def ends(self, first: int, last: int) -> bytes:
        """So many bytes from the beginning, and so many up to the end, no byte twice."""

        def read(fs: "FileSystem") -> bytes:
            with fs.open_input_file(self.key) as file:
                size, content = file.size(), file.read(first)
                if len(content) < size:  # else there is nothing to read, which some stores refuse
                    file.seek(max(len(content), size - last))
                    content += file.read()
                return self._whole(content, min(size, first + last))

        return self._asked(read)

    def write(self, content: bytes) -> None:
        """Puts content in the place of what is there, as a whole or not at all."""

        def written(fs: "FileSystem") -> None:
            with fs.open_output_stream(self.key) as file:
                file.write(content)
            if fs.get_file_info(self.key).size != len(content):  # an upload that was broken off, and taken for all of it
                raise OSError("short: the store has less than was written")

        self._asked(written)

    def unlink(self, missing_ok: bool = False) -> None:
        try:
            self._asked(lambda fs: fs.delete_file(self.key))
        except FileNotFoundError:
            if not missing_ok:
                raise

    def _info(self) -> Any:
        return self._asked(lambda fs: fs.get_file_info(self.key))

    @staticmethod
    def _whole(content: bytes, size: int) -> bytes:
        if len(content) != size:
            raise OSError("short: the connection ended before the object")
        return content

    def _asked(self, call: "Callable[[FileSystem], Found]") -> Found:
        """What a call gives, tried again while what is wrong may pass."""
        fs, begun, pause = file_system(self.scheme, self.key.partition("/")[0]), monotonic(), 0.5
        while True:
            try:
                return call(fs)
            except FileNotFoundError:
                raise
            except _faults() as error:
                if not _passes(str(error)) or monotonic() - begun > SECONDS:
                    raise _told(self.scheme, str(self), str(error)) from None
            sleep(pause)
            pause = min(2 * pause, 8.0)


Location = Path | ObjectPath
"""Where tables and figures may be."""

Somewhere = TypeVar("Somewhere", bound=Location)


def object_path(address: str) -> ObjectPath | None:
    """The place in an object store that an address means; None where it is no such address."""
    match = FORM.fullmatch(address)
    return ObjectPath(match[1], f"{match[2]}{match[3]}") if match else None


def children(folder: Location) -> list[Location]:
    """The paths directly in a folder, in order; none where there is no folder."""
    return [*(sorted(folder.glob("*"), key=attrgetter("name")) if isinstance(folder, Path) else folder.children())]


@cache
def file_system(scheme: str, bucket: str) -> "FileSystem":
    """The file system of a bucket that exists. Raises InputError and CannotRunError as `ObjectPath` does."""
    fs = _s3(bucket) if scheme == "s3" else _gs()
    try:
        kind = fs.get_file_info(bucket).type.name
    except _faults() as error:
        if DENIED.search(str(error)) and "status" not in str(error):  # one may see into a bucket, and not the bucket
            return fs
        raise _told(scheme, f"{scheme}://{bucket}", str(error)) from None
    if kind == "NotFound":
        raise _told(scheme, f"{scheme}://{bucket}", "NO_SUCH_BUCKET")
    return fs


def _s3(bucket: str) -> "FileSystem":
    from pyarrow.fs import S3FileSystem, resolve_s3_region

    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not endpoint and not region:
        try:
            region = resolve_s3_region(bucket)
        except _faults() as error:
            raise _told("s3", f"s3://{bucket}", str(error)) from None
    # A small object is then put by one request, and not by three.
    return S3FileSystem(region=region, endpoint_override=endpoint, allow_delayed_open=True)


def _gs() -> "FileSystem":
    from pyarrow.fs import GcsFileSystem

    endpoint = os.environ.get("STORAGE_EMULATOR_HOST")
    options: dict[str, Any] = {"retry_time_limit": timedelta(seconds=GOOGLE_SECONDS)}
    if endpoint:  # as of all that Google's own libraries have: a server for tests, which knows nobody
        scheme, _, host = endpoint.rpartition("://")
        options |= {"anonymous": True, "scheme": scheme or "http", "endpoint_override": host}
    return GcsFileSystem(**options)


def _faults() -> tuple[type[Exception], ...]:
    """What pyarrow raises where a store does not do what it is asked; loaded with the first store that is."""
    from pyarrow import ArrowException

    return OSError, ArrowException


def _passes(message: str) -> bool:
    """Whether what a store said is worth another try."""
    return not DENIED.search(message) and not GONE.search(message) and bool(PASSING.search(message))


def _told(scheme: str, place: str, message: str) -> Exception:
    """What a store said in words of ours, with no more of it than its code."""
    match = CODE.search(message)
    code = f" ({next(filter(None, match.groups()))})" if match else ""
    if GONE.search(message):
        return InputError(f"there is no such bucket{code}; allowed: one that is there, which is not made", place)
    if DENIED.search(message):
        return CannotRunError(f"{place}: access is denied{code}; {CREDENTIALS[scheme]}, and the bucket's policy what they may")
    if PASSING.search(message):
        why = f"the store does not answer{code}"
        return CannotRunError(f"{place}: {why}; what was written there is kept, and the same command goes on from it")
    return CannotRunError(f"{place}: the store refuses{code}; what was written there is kept")
