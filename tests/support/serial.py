"""The engine of this machine as one that runs serially, in the process itself."""

from contextlib import nullcontext

from harness.sweep.run.batches import Serial


class SerialOnly(nullcontext[Serial]):
    """In place of `engines.Local`: a class, as that is asked for engines of its own sort."""

    def __init__(self) -> None:
        super().__init__(Serial())
