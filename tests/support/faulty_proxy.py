"""A proxy of an HTTP server on this machine, that does to requests what networks and busy servers do, in a drawn order."""

import socket
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Lock, Thread
from time import sleep

SERVED = "served"
FAULTS = ("reset", "500", "503", "slow", "cut answer", "cut upload", "lost answer")
"""What becomes of a request, besides that it is served: see `_Handler`."""


class FaultyProxy(ThreadingHTTPServer):
    """Serves requests, but of a share of them makes a fault. faults: which, drawn anew for each. done: how often each was made.

    denying: whether all are answered by 403; down: whether all connections are reset.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, upstream: int, share: float, faults: Sequence[str] = FAULTS, seed: int = 1) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream, self.share, self.faults = upstream, share, faults
        self.done: Counter[str] = Counter()
        self.denying = self.down = False
        self._random, self._lock = Random(seed), Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_fault(self) -> str:
        with self._lock:
            if self.down or self.denying:
                found = "reset" if self.down else "403"
            else:
                found = self._random.choice(self.faults) if self._random.random() < self.share else SERVED
            self.done[found] += 1
        return found

    def handle_error(self, request: object, client_address: object) -> None:
        """Connections end as they like here."""


@contextmanager
def faulty_proxy(upstream: int, share: float, faults: Sequence[str] = FAULTS) -> Iterator[FaultyProxy]:
    """A proxy of the server on this port, while within."""
    server = FaultyProxy(upstream, share, faults)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: FaultyProxy
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _handle(self) -> None:
        fault = self.server.next_fault()
        if fault == "cut upload":
            self.rfile.read(int(self.headers.get("Content-Length", 0)) // 2)  # of which the server sees nothing
            self._reset()
            return
        body = self._body()
        if fault == "reset":
            self._reset()
        elif fault in ("500", "503", "403"):
            self._refuse(int(fault))
        else:
            if fault == "slow":
                sleep(2.0)
            self._serve(body, fault)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _handle  # noqa: N815

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            content = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                content += self.rfile.read(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return content
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _serve(self, body: bytes, fault: str) -> None:
        upstream = HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        left_out = ("transfer-encoding", "connection", "expect", "content-length")
        headers = {name: value for name, value in self.headers.items() if name.lower() not in left_out}
        try:
            upstream.request(self.command, self.path, body, headers | {"Content-Length": str(len(body))})
            answer = upstream.getresponse()
            content = answer.read()
        except (OSError, HTTPException):
            self._reset()
            return
        finally:
            upstream.close()
        if fault == "lost answer":  # what was asked for is done
            self._reset()
            return
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        told = answer.getheader("Content-Length") if self.command == "HEAD" else None
        self.send_header("Content-Length", told or str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if fault == "cut answer" else content)
        if fault == "cut answer":
            self._reset()

    def _refuse(self, status: int) -> None:
        code = {500: "InternalError", 503: "SlowDown", 403: "AccessDenied"}[status]
        content = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>no</Message></Error>".encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _reset(self) -> None:
        """End the connection so that the other side is told of a reset."""
        self.close_connection = True
        with suppress(OSError):
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
