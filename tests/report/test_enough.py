"""How many trials would decide: by the test itself, which that many trials do decide, and much fewer do not."""

from dataclasses import replace

import pytest

from harness.claims.engine import Certain, Limit, Probability, Verdict
from harness.claims.engine.claim import Decider
from harness.claims.engine.events import Law
from harness.report.enough import enough, told_enough

ERROR = 1e-5
LIMITS = (Limit("bottoms", 3),)


def judged(decider: Probability, failures: int, trials: int, allowed: float) -> Verdict:
    outcome, said = decider.ruling(failures, trials, allowed, ERROR)
    said = {"error": ERROR, **said}
    return Verdict("MINE:T1", outcome, trials=trials, failures=failures, bound=allowed, **said)


@pytest.mark.parametrize(
    ("decider", "failures", "trials", "allowed"),
    [
        (Probability(LIMITS), 0, 20, 0.1),
        (Probability(LIMITS), 9, 100, 0.1),
        (Probability(LIMITS), 12, 100, 0.1),
        (Law(LIMITS, within=0.05), 12, 100, 0.1),
        (Law(LIMITS, within=0.05), 30, 100, 0.35),
    ],
)
def test_so_many_trials_decide_and_nine_tenths_of_them_do_not(
    decider: Probability, failures: int, trials: int, allowed: float
) -> None:
    verdict = judged(decider, failures, trials, allowed)
    assert verdict.outcome == "undecided"
    needed = enough(decider, verdict)
    assert needed is not None and needed < 1e6
    after = [judged(decider, round(failures * share * needed / trials), round(share * needed), allowed) for share in (1.0, 0.9)]
    assert after[0].outcome != "undecided" and after[1].outcome == "undecided"


def test_no_number_decides_a_rate_that_is_at_its_allowance() -> None:
    needed = enough(Probability(LIMITS), judged(Probability(LIMITS), 10, 100, 0.1))
    assert needed is not None
    assert told_enough(needed) == "no number of trials would decide: the rate is at its allowance"


def test_nothing_is_said_of_what_is_decided_or_not_by_single_trials() -> None:
    decided = judged(Probability(LIMITS), 0, 10_000, 0.1)
    assert decided.outcome == "holds" and enough(Probability(LIMITS), decided) is None
    assert enough(Certain(LIMITS), replace(decided, outcome="undecided")) is None
    assert enough(Probability(LIMITS), replace(decided, outcome="undecided", error=0.0)) is None
    assert enough(Decider(), replace(decided, outcome="undecided")) is None


@pytest.mark.parametrize(("trials", "said"), [(7.0, "7"), (123.0, "130"), (40_100.0, "41,000"), (1.0e9, "1,000,000,000")])
def test_the_number_is_rounded_up_to_two_digits(trials: float, said: str) -> None:
    assert told_enough(trials) == f"about {said} trials would decide"
