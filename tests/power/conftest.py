"""What the tests of power and calm share: the experiments of this project, made small and run in this process."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pytest

from harness.report.stored import Stored
from harness.report.verdicts import Evidence, Finding
from harness.sweep.run.batches import BATCH_SECONDS, Serial
from harness.sweep.run.run import run_sweep
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from tests.support.experiments import Broken, Measure, Read

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@pytest.fixture(scope="session")
def read() -> Read:
    """A committed experiment with keys changed."""
    return lambda experiment, **changes: Sweep(EXPERIMENTS / f"{experiment}.yaml", changes)


@pytest.fixture(scope="session")
def measure(read: Read, tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """Run such an experiment, from scratch and under whatever faults are planted, for its evidence."""
    folder = tmp_path_factory.mktemp("measure")

    def run(experiment: str, **changes: str) -> Evidence:
        sweep = read(experiment, **changes)
        digest = sha256(sweep.text.encode()).hexdigest()
        made = {
            "kind": sweep.kind.name,
            "spec": sweep.text,
            "spec_sha256": digest,
            "set": {},
            "makes": {"seed": sweep.spec.seed},
        }
        store = Store(folder, experiment, made)
        outcome = run_sweep(sweep, store, Serial(), Mock(), fresh=True, batch_seconds=BATCH_SECONDS)
        return Stored(sweep, store.path, outcome.table).evidence

    return run


@pytest.fixture(scope="session")
def broken() -> Broken:
    """The claims that are found to be what they should not be. An undecided claim is not one of them."""

    def claims(findings: Iterable[Finding]) -> set[str]:
        decided = [finding for finding in findings if finding.outcome in ("holds", "refuted")]
        return {finding.claim.id for finding in decided if not finding.as_expected}

    return claims
