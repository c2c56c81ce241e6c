"""The checks have power in every room: faults beyond those of the noise (`test_faults.py`), one at a time.

A fault is seen by the claims whose verdict turns, by the comparison with a table that was made without it, by the rules that
rows keep to, and by a test of its own room. The test is asked on every change, the others in the law tier. What each is seen by
is stated, and told in a table at the end of the output.

A false verdict or change has probability at most 1e-8 in each test. What is said to turn does so at these sizes but for 1e-7.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from harness.report.verdicts import judge
from harness.sweep.errors import CannotRunError
from tests.support.layers import ERROR, compared, told
from tests.support.planted import CHECKS, FAULTS, Fault

if TYPE_CHECKING:
    from harness.report.verdicts import Evidence
    from tests.support.experiments import Broken, Measure


@pytest.fixture(autouse=True)
def sharp_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sweep.run.run.LOOK_ERROR", 1e-9)


@pytest.fixture(scope="module")
def clean(measure: "Measure") -> Callable[[str], "Evidence"]:
    """An experiment without a fault, measured once."""
    found: dict[str, Evidence] = {}

    def of(experiment: str) -> "Evidence":
        if experiment not in found:
            found[experiment] = measure(experiment, **CHECKS[experiment])
        return found[experiment]

    return of


def alone(fault: Fault) -> list[str]:
    """The claims of a fault that the theory alone decides: no experiment is asked for them."""
    return sorted(name for name in fault.claims if name.endswith(("-k-any", "-private")) and not name.startswith("constants"))


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.room}: {fault.what}" for fault in FAULTS])
def test_a_fault_fails_the_one_test_that_must_see_it(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fault it passes, in its own room on every change, and below."""
    fault.plant(monkeypatch)
    assert fault.test.fails()


@pytest.mark.law
@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.room}: {fault.what}" for fault in FAULTS])
def test_a_fault_is_seen_by_what_it_is_said_to_be_seen_by(
    fault: Fault,
    clean: Callable[[str], "Evidence"],
    measure: "Measure",
    broken: "Broken",
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    before = [clean(experiment) for experiment in fault.on]
    names = [*alone(fault), *(name for each in before for name in each.names)]
    assert broken(judge(before, ERROR, names)) == set()
    assert not fault.test.fails()
    fault.plant(monkeypatch)
    try:
        found, refused = [measure(experiment, **CHECKS[experiment]) for experiment in fault.on], False
    except CannotRunError as error:
        found, refused = [], "contradict themselves" in str(error)
    turned = broken(judge(found, ERROR, names)) if not refused else set()
    changed = compared(before, found) if found else set()
    fails = fault.test.fails()
    record_property(*told(f"{fault.room}: {fault.what}", turned, changed, refused, fails))
    assert (turned, refused, fails) == (fault.claims, fault.rows, True)
    assert changed >= fault.comparison


def test_faults_are_planted_in_all_rooms() -> None:
    assert len(FAULTS) >= 17
    assert {fault.room for fault in FAULTS} == {
        "theory",
        "concepts",
        "mechanisms",
        "transfer",
        "trials",
        "sweep",
        "claims",
        "report",
    }
