"""BCMNUW20 Lemma 18 (Alon, Bassily, Moran 2019, Theorem 4.1): the step to Theorem 15 that no program decides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from harness.claims.engine import Claim, Decider, Quote, Verdict
from harness.claims.engine.claim import Kind

WHY = (
    "it is about every private learner at once: its proof takes a learner with few public points, makes one with none of it, "
    "and that contradicts infinite Littlestone dimension. Runs of any one learner can agree with it, and cannot show it"
)


@dataclass(frozen=True)
class Unshown(Decider):
    """Decides nothing: the statement is one that no trial and no number decides. why: in words."""

    kind: ClassVar[Kind] = "rate"

    why: str

    def computed(self, claim: str) -> Iterator[Verdict]:
        yield Verdict(claim, "untested", where=self.why)


LEMMA = Quote(
    "BCMNUW20 §5 (Lemma 18, from [1, Theorem 4.1])",
    "Let ℋ be any class with an infinite Littlestone dimension (e.g., the class of thresholds over ℝ). Then, any PAP "
    "learner for ℋ must have public sample complexity m = Ω(1/α), where α is the excess error.",
)

CLAIMS = (
    Claim(
        "BCMNUW20:L18",
        "BCMNUW20 Lemma 18",
        "Every learner of a class of infinite Littlestone dimension, such as thresholds on ℝ, that is private in its private "
        "examples needs m = Ω(1/α) public ones.",
        decider=Unshown(WHY),
        expected="untested",
        quote=LEMMA,
    ),
)
