"""What answers at the address of a Ray cluster: asked once, before Ray is, which itself tries for minutes and then guesses.

An address is one of
    auto                  the Ray of RAY_ADDRESS, else the one that runs on this machine
    HOST:PORT             a cluster that this machine is a node of
    ray://HOST[:PORT]     a cluster reached from outside, through its client server; port 10001 by default
"""

import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.reading import read_text

SECONDS = 5.0
CLIENT_PORT = 10001
# One harmless call of each of the two services, with its request as it goes over the wire.
CALLS = {
    "": ("/ray.rpc.NodeInfoGcsService/CheckAlive", b""),
    "ray": ("/ray.rpc.RayletDriver/ClusterInfo", b"\x08\x06"),  # type: PING
}


def parse(address: str, place: str = "--address") -> tuple[str, str, int]:
    """The scheme ("" or "ray"), host and port of a Ray cluster's address other than `auto`. Raises InputError."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        host, port = parts.hostname, parts.port or (CLIENT_PORT if parts.scheme else None)
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme not in CALLS or parts.path:
        raise InputError(f"no address of a Ray cluster: {address!r}; allowed: auto, HOST:PORT, ray://HOST[:PORT]", place)
    return parts.scheme, host, port


def resolve(address: str) -> str:
    """The address that `auto` stands for; any other as it is.
    Raises InputError, and CannotRunError when it stands for nothing.
    """
    if address == "auto" and (named := os.environ.get("RAY_ADDRESS")):
        parse(named, "RAY_ADDRESS")
        return named
    if address != "auto":
        return address
    from ray._private.services import canonicalize_bootstrap_address  # Ray tells its own address to nobody else

    try:
        return str(canonicalize_bootstrap_address("auto"))
    except ConnectionError as error:
        raise CannotRunError(f"no Ray at auto: {str(error).splitlines()[0]}") from None


def check_reachable(address: str) -> None:
    """Returns when a Ray cluster answers at the resolved address and takes the token that this driver has for it.

    Raises CannotRunError, in seconds, when nothing answers, when what answers is something else, and when the cluster wants a
    token that the driver does not have. What Ray encrypts or lets Kubernetes authenticate is left to Ray.
    """
    mode = os.environ.get("RAY_AUTH_MODE", "").lower()
    if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true") or mode not in ("", "disabled", "token"):
        return
    source, token = _token()
    code, details = _call(address, token if mode == "token" else "")
    if code == "UNAUTHENTICATED":
        why = "RAY_AUTH_MODE turns tokens off" if mode == "disabled" else f"{source} holds none"
        if token and mode != "disabled":
            why = f"it is not the one in {source}"
            code, details = _call(address, token)
        if code == "UNAUTHENTICATED":
            raise CannotRunError(
                f"the Ray at {address} asks for a token, and {why}; set RAY_AUTH_MODE=token, "
                "and RAY_AUTH_TOKEN to the cluster's token or RAY_AUTH_TOKEN_PATH to a file with it"
            )
        os.environ["RAY_AUTH_MODE"] = "token"  # Ray reads this when it is imported
    if code == "UNIMPLEMENTED":
        details = "something else listens there; HOST:PORT is a cluster's own port, ray://HOST:PORT that of its client server"
    if code is not None:
        raise CannotRunError(f"no Ray at {address}: {details}")


def _call(address: str, token: str) -> tuple[str | None, str]:
    """The code and words with which the service at the address refuses a call; the code is None when it answers."""
    import grpc  # type: ignore[import-untyped]  # half a second, for those who use it

    scheme, host, port = parse(address)
    method, request = CALLS[scheme]
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    with grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            credentials = [("authorization", f"Bearer {token}")] if token else []
            channel.unary_unary(method)(request, timeout=SECONDS, metadata=credentials)
        except grpc.RpcError as error:
            return error.code().name, " ".join(error.details().split())
    return None, ""


def _token() -> tuple[str, str]:
    """Where Ray looks for a token here, in Ray's order, and the token there; empty when there is none."""
    source: str | Path = "RAY_AUTH_TOKEN"
    token = os.environ.get("RAY_AUTH_TOKEN", "").strip()
    if not token:
        source = os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray/auth_token"
        with suppress(InputError):
            token = read_text(Path(source)).strip()
    return str(source), token if token.isascii() and token.isprintable() else ""  # as headers must be
