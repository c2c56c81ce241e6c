"""What is an address, and what is said of those where no cluster answers; a real cluster's answers are in test_cluster.py."""

import os
import socket
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from time import monotonic

import grpc  # type: ignore[import-untyped]
import pytest

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.ray import address
from harness.sweep.ray.address import CALLS, check_reachable, parse, resolve
from harness.sweep.ray.cluster import Cluster

GOOD = {
    "127.0.0.1:6379": ("", "127.0.0.1", 6379),
    "head:1": ("", "head", 1),
    "[::1]:6379": ("", "::1", 6379),
    "ray://head": ("ray", "head", 10001),
    "ray://10.0.0.1:443": ("ray", "10.0.0.1", 443),
}
BAD = [
    "",
    "head",
    "local",
    ":6379",
    "head:",
    "head:0",
    "head:65536",
    "head:x",
    "ray://",
    "http://head:8265",
    "ray://a:1/b",
    "[::1",
]


@pytest.mark.parametrize(("text", "parts"), GOOD.items(), ids=GOOD)
def test_addresses(text: str, parts: tuple[str, str, int]) -> None:
    assert parse(text) == parts
    assert resolve(text) == text


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_address_is_refused_before_anything_runs(text: str) -> None:
    with pytest.raises(InputError) as error:
        Cluster(text)
    said = f"--address: no address of a Ray cluster: {text!r}; allowed: auto, HOST:PORT, ray://HOST[:PORT]"
    assert str(error.value) == said


def test_auto_is_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:7")
    assert resolve("auto") == "ray://head:7"
    monkeypatch.setenv("RAY_ADDRESS", "http://head:8265")  # where jobs are submitted to
    with pytest.raises(InputError, match=r"^RAY_ADDRESS: no address of a Ray cluster: 'http://head:8265'; allowed: "):
        resolve("auto")


class Service(grpc.GenericRpcHandler):  # type: ignore[misc]
    """One of the two services of a Ray, as far as they are called: it wants its token, where it has one."""

    def __init__(self, method: str, token: str | None) -> None:
        self.method, self.token, self.given = method, token, list[str]()

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        def answer(request: bytes, context: grpc.ServicerContext) -> bytes:
            self.given.append(dict(context.invocation_metadata()).get("authorization", ""))
            if self.token is not None and self.given[-1] != f"Bearer {self.token}":
                context.abort(grpc.StatusCode.UNAUTHENTICATED, "Invalid or missing")
            return b""

        return grpc.unary_unary_rpc_method_handler(answer) if details.method == self.method else None


@pytest.fixture
def service(request: pytest.FixtureRequest) -> Iterator[tuple[Service, str]]:
    """A service for a scheme, with a token, and its address."""
    scheme, token = request.param
    server = grpc.server(futures.ThreadPoolExecutor(1))
    handler = Service(CALLS[scheme][0], token)
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield handler, f"ray://127.0.0.1:{port}" if scheme else f"127.0.0.1:{port}"
    server.stop(None).wait()


@pytest.fixture(autouse=True)
def nobodys_tokens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_USE_TLS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RAY_AUTH_MODE", "")
    monkeypatch.setenv("HOME", str(tmp_path))


WITH_TOKEN = pytest.mark.parametrize("service", [("", "secret"), ("ray", "secret")], indirect=True, ids=["own", "client"])


@WITH_TOKEN
@pytest.mark.parametrize("mode", ["", "token"])
@pytest.mark.parametrize("place", ["variable", "file", "home"])
def test_a_token_that_is_there_is_used(
    service: tuple[Service, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, place: str
) -> None:
    """Also where nobody has told Ray to, which then is told."""
    monkeypatch.setenv("RAY_AUTH_MODE", mode)
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray/auth_token").write_text("secret\n" if place == "home" else "another")
    (tmp_path / "file").write_text(" secret\n")
    if place == "variable":
        monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    if place != "home":
        monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / ("file" if place == "file" else "none")))
    check_reachable(service[1])
    assert service[0].given == (["Bearer secret"] if mode else ["", "Bearer secret"])
    assert os.environ["RAY_AUTH_MODE"] == "token"


@WITH_TOKEN
@pytest.mark.parametrize(
    ("mode", "token", "why"),
    [
        ("", "", "{home}/.ray/auth_token holds none"),
        ("token", "tökén", "RAY_AUTH_TOKEN holds none"),
        ("token", "other", "it is not the one in RAY_AUTH_TOKEN"),
        ("", "other", "it is not the one in RAY_AUTH_TOKEN"),
        ("disabled", "secret", "RAY_AUTH_MODE turns tokens off"),
    ],
)
def test_a_token_that_is_not_there_is_asked_for(
    service: tuple[Service, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, token: str, why: str
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", mode)
    monkeypatch.setenv("RAY_AUTH_TOKEN", token)
    with pytest.raises(CannotRunError) as error:
        check_reachable(service[1])
    assert str(error.value).startswith(
        f"the Ray at {service[1]} asks for a token, and {why.format(home=tmp_path)}; set RAY_AUTH_MODE"
    )
    assert os.environ["RAY_AUTH_MODE"] == mode


@pytest.mark.parametrize("service", [("", None), ("ray", None)], indirect=True)
def test_a_cluster_that_wants_no_token_is_given_none_unasked(
    service: tuple[Service, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    check_reachable(service[1])
    assert service[0].given == [""]


@pytest.mark.parametrize("service", [("", None), ("ray", None)], indirect=True)
def test_the_other_port_of_a_cluster_is_recognised(service: tuple[Service, str]) -> None:
    host = service[1].removeprefix("ray://")
    other = host if service[1] != host else f"ray://{host}"
    with pytest.raises(
        CannotRunError, match=rf"^no Ray at {other}: something else listens there; HOST:PORT is a cluster's own"
    ):
        check_reachable(other)


def test_silence_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused at once; and a listener that never says a word is given up after so many seconds."""
    monkeypatch.setattr(address, "SECONDS", 0.5)
    begun = monotonic()
    # Two ports, both held to the end: gRPC keeps a connection for the next channel to the same port, which would see it reset.
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        port = silent.getsockname()[1]
        with pytest.raises(CannotRunError, match=f"^no Ray at 127.0.0.1:{port}: "):
            check_reachable(f"127.0.0.1:{port}")
        port = deaf.getsockname()[1]
        with pytest.raises(CannotRunError, match=f"^no Ray at ray://127.0.0.1:{port}: .*refused"):
            check_reachable(f"ray://127.0.0.1:{port}")
    assert monotonic() - begun < 10
