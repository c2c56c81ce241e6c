"""The checks have power in every kind of trial: faults in those that `test_faults.py` and `test_rooms.py` do not touch."""

import pytest

from harness.trials import kinds
from tests.support.planted_kinds import FAULTS, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.kind}: {fault.what}" for fault in FAULTS])
def test_a_fault_fails_the_one_test_that_must_see_it(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not fault.test.fails()
    fault.plant(monkeypatch)
    assert fault.test.fails()


def test_faults_are_planted_in_nearly_all_kinds() -> None:
    """Answers, what they spend and scores that are searched for share their code with those that are planted elsewhere."""
    assert len(FAULTS) >= 20
    assert kinds().keys() - {fault.kind for fault in FAULTS} == {"answers", "privacy", "least_scores"}
