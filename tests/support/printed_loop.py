"""BTT18a Algorithm 3 as printed, and the noise that a run of ours drew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from harness.arrays import Ints, Reals
from harness.ballots import MOST_QUERIES
from harness.mechanisms import above_threshold, sure_bottoms
from harness.mechanisms.above_threshold import Candidates
from harness.mechanisms.answering.answers import Answers


def printed_bottoms(noisy: Sequence[float], first: float, redrawn: Sequence[float], allowed: float) -> list[int]:
    """The ⊥s on given noise, a query at a time: while fewer than so many are out. redrawn[i] is the ŵ after a ⊥ of query i."""
    bottoms: list[int] = []
    threshold = first
    for i, value in enumerate(noisy):
        if len(bottoms) >= allowed:
            break
        if not value > threshold:
            bottoms.append(i)
            threshold = redrawn[i]
    return bottoms


@dataclass
class Tape:
    """A run part by part: the queries that could be ⊥, in order of arrival, the threshold in effect before them, and the ⊥s."""

    parts: list[Candidates] = field(default_factory=list)
    before: list[float] = field(default_factory=list)
    bottoms: list[Ints] = field(default_factory=list)


def record(mechanism: Callable[[], Answers]) -> tuple[Answers, Tape]:
    """Run a mechanism that ends in A_OQR, and keep the noise that it drew."""
    tape, settle = Tape(), above_threshold.settle

    def recording(noisy: Reals, first: float, owned: Reals, allowed: int) -> Ints:
        tape.before.append(first)
        tape.bottoms.append(settle(noisy, first, owned, allowed))
        return tape.bottoms[-1]

    with pytest.MonkeyPatch.context() as patch:
        reveal = above_threshold.reveal

        def revealing(*given: object) -> Candidates:
            tape.parts.append(reveal(*given))  # type: ignore[arg-type]
            return tape.parts[-1]

        patch.setattr(sure_bottoms, "MANY", MOST_QUERIES)  # all goes through the loop
        patch.setattr(above_threshold, "reveal", revealing)
        patch.setattr(above_threshold, "settle", recording)
        answers = mechanism()
    return answers, tape
