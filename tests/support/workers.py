"""How files of tests are dealt out to xdist's workers: what waits goes to one of them, and what takes long begins early."""

from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.support.turns import together


class Dealt(LoadFileScheduling):  # type: ignore[misc]
    """A file is one worker's, as with `--dist loadfile`, and so are those that share what took long to make."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False  # else files are taken by how many tests they have
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return together(nodeid) or str(super()._split_scope(nodeid))
