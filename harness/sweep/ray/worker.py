"""What a worker is sent: one function that needs nothing there but Ray and the libraries."""

from collections.abc import Callable
from typing import Any

from ray import cloudpickle

from harness.sources import served
from harness.sweep.plugins import loaded
from harness.sweep.run.provenance import libraries
from harness.sweep.run.work import Batch, Result, needed


def packed(batch: Batch) -> bytes:
    """A batch as bytes on its way to a worker, which can unpack it only once it has the modules."""
    return bytes(cloudpickle.dumps(batch))  # type: ignore[no-untyped-call]


def task() -> Callable[[bytes], Result]:
    """The function that runs a packed batch on a worker, pickled whole, with the texts that this process runs and the plugins.

    Where it is called, the modules are made of these texts; what lies there under the same names is not looked at. It raises
    CannotRunError where libraries would make other rows than those here.
    """
    texts = {name: (module.text, module.path, module.package) for name in needed().modules if (module := served()[name])}
    wanted, plugins = libraries(), cloudpickle.dumps(loaded())  # type: ignore[no-untyped-call]

    def run_there(batch: bytes) -> Any:  # a name from here would be imported there, before there is anything to import
        import os
        import signal
        import sys
        from importlib.metadata import version
        from types import ModuleType

        from ray.cloudpickle import loads

        # Nobody interrupts a worker by it: what a plugin raises as if somebody did is told from that.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if "harness.sources" not in sys.modules:
            sources = sys.modules["harness.sources"] = ModuleType("harness.sources")
            exec(texts["harness.sources"][0], sources.__dict__)
            sources.serve({name: sources.Source(*source) for name, source in texts.items()})
        from harness.sweep.errors import CannotRunError

        for name, here in wanted.items():
            if version(name) != here:
                node = os.uname().nodename
                raise CannotRunError(f"{name} is {version(name)} on node {node} and {here} here; install the same on all")
        from harness.sweep.plugins import restore
        from harness.sweep.run.work import run_batch

        restore(loads(plugins))
        return run_batch(loads(batch))

    return run_there
