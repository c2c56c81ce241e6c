"""How files of tests are dealt out to xdist's workers: what waits goes to one of them, and what takes long begins early."""

from collections.abc import Sequence
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.support.turns import together


class Places(list[str]):
    """The tests of a worker, each of whose places is found at once: by looking through 15,000 it takes seconds for all."""

    def __init__(self, tests: Sequence[str]) -> None:
        super().__init__(tests)
        self._place = {test: place for place, test in enumerate(tests)}

    def index(self, test: str, *_: Any) -> int:
        return self._place[test]


class Dealt(LoadFileScheduling):  # type: ignore[misc]
    """A file is one worker's, as with `--dist loadfile`, and so are those that share what took long to make.

    xdist looks through all tests that a worker was ever given whenever one ends; here a file that is done is forgotten.
    """

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False  # else files are taken by how many tests they have
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return together(nodeid) or str(super()._split_scope(nodeid))

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = Places(collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        super().mark_test_complete(node, item_index, duration)
        scope, work = self._split_scope(self.registered_collections[node][item_index]), self.assigned_work[node]
        if all(work[scope].values()):
            del work[scope]
