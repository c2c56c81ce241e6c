"""A Ray of our own is reached from this machine alone."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loopback() -> Iterator[None]:
    """Context manager in which a Ray that starts listens on 127.0.0.1 and not on all network interfaces.

    Older versions would listen there without a token.
    Ray has no option for it. It does so by itself where it takes a system for one that clusters do not run on.
    """
    from ray._private import ray_constants

    before = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before
