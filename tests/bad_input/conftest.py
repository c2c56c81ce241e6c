"""Bad input, systematically: whatever a spec, a table or a command line holds, a command says so and leaves nothing behind.

Every command ends with a documented exit code and never with another exception. Code 2 or 4 comes with one message that names
the place, and no file is new, changed or gone. The commands run in this process; no trial is run and no figure drawn.
"""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from harness.claims.registry import claims
from harness.sweep.errors import CannotRunError
from harness.sweep.run.batches import Serial
from tests.support.bench import Bench
from tests.support.picture import stand_in


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    def refuse(*_: Any, **__: Any) -> None:
        raise CannotRunError("no trial is run here")

    made = Bench(tmp_path_factory.mktemp("bench"))
    of_tables = {name: claim for name, claim in claims().items() if claim.trials}  # the others take time
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [])
        patch.setattr(Serial, "run", refuse)
        patch.setattr("harness.sweep.engines.Cluster", refuse)
        for where in ("harness.commands.claims", "harness.report.verdicts.claims"):
            patch.setattr(where, lambda: of_tables)
        patch.setattr("harness.report.figures.rendered", stand_in)
        yield made
