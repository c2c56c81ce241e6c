"""An object store in memory, as pyarrow has file systems: what it is asked, and what goes wrong, in the hands of a test."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pyarrow as pa
from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileSystemHandler, FileType, PyFileSystem

Fault = Callable[[str, str], None]
"""Told of every request, its verb and key, before it is answered; may raise."""


class Bucket(FileSystemHandler):  # type: ignore[misc]
    """Objects by their keys, BUCKET/NAME. A prefix of keys is a folder; what is written is there when it is closed, or not."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.written: dict[str, int] = {}
        self.fault: Fault = lambda verb, key: None
        self.asked: list[tuple[str, str]] = []
        self._clock = 10**9

    @property
    def system(self) -> FileSystem:
        return PyFileSystem(self)

    def names(self) -> list[str]:
        return sorted(self.objects)

    def _request(self, verb: str, key: str) -> None:
        self.asked.append((verb, key))
        self.fault(verb, key)

    def put(self, key: str, content: bytes) -> None:
        self._request("put", key)
        self._clock += 10**9
        self.objects[key], self.written[key] = content, self._clock

    def get_type_name(self) -> str:
        return "memory"

    def get_file_info(self, paths: list[str]) -> list[FileInfo]:
        for path in paths:
            self._request("head", path)
        return [self.info(path) for path in paths]

    def info(self, key: str) -> FileInfo:
        if key in self.objects:
            return FileInfo(key, FileType.File, size=len(self.objects[key]), mtime_ns=self.written[key])
        folder = "/" not in key or any(each.startswith(f"{key}/") for each in self.objects)
        return FileInfo(key, FileType.Directory if folder else FileType.NotFound)

    def get_file_info_selector(self, selector: FileSelector) -> list[FileInfo]:
        self._request("list", selector.base_dir)
        inside = f"{selector.base_dir}/"
        found = {inside + key.removeprefix(inside).partition("/")[0] for key in self.objects if key.startswith(inside)}
        return [self.info(key) for key in sorted(found)]

    def open_input_file(self, path: str) -> pa.NativeFile:
        self._request("get", path)
        if path not in self.objects:
            raise FileNotFoundError(2, "Path does not exist", path)
        return pa.PythonFile(BytesIO(self.objects[path]), mode="r")

    def open_input_stream(self, path: str) -> pa.NativeFile:
        return self.open_input_file(path)

    def open_output_stream(self, path: str, metadata: Any) -> pa.NativeFile:
        return pa.PythonFile(_Upload(self, path), mode="w")

    def delete_file(self, path: str) -> None:
        self._request("delete", path)
        if self.objects.pop(path, None) is None:
            raise FileNotFoundError(2, "Path does not exist", path)

    def _not_asked(self, *_: Any) -> None:
        raise NotImplementedError

    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = move = copy_file = _not_asked
    open_append_stream = normalize_path = _not_asked


class _Upload(BytesIO):
    """Seen when it is closed."""

    def __init__(self, bucket: Bucket, key: str) -> None:
        super().__init__()
        self._bucket, self._key = bucket, key

    def close(self) -> None:
        if not self.closed:
            content = self.getvalue()
            super().close()
            self._bucket.put(self._key, content)
