"""Partitions of [0, 1] into L labelled intervals, realizable: x is labelled with how many of t_1 ≤ … ≤ t_{L−1} are ≤ x.

The multi-class counterpart of thresholds, which are the case L = 2. Each boundary behaves as a threshold: a consistent learner
sees its chunk through the largest example labelled below r and the smallest labelled r or more, for each r, and puts
its r-th threshold in between. Where no example falls in an interval, two boundaries share their neighbours.

Dimensions: L − 1 points can be given two neighbouring labels each, 0/1, 1/2, …, and all 2^{L−1} choices between them are
monotone, so the Natarajan dimension is at least L − 1; the graph dimension, of the 0/1 losses, is no more. It is what V stands
for: Blumer's and the agnostic bounds are for classes of losses.

The law of the neighbours: how many examples fall into each interval is multinomial, and given that the outermost of them are
extremes of uniform points. `sufficient` draws these, so its cost does not grow with n. The mass w of what an extremal learner
gets wrong at a boundary is the gap up to the next example in the interval beside it, or the whole interval. Its gaps have the
joint survival function (1 − Σ a_r)^s, that of spacings of s uniform points, so their sum is at most Beta(L−1, s−L+2) in law:
`pac.spacings`.
"""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from pydantic import Field

from harness.concepts import ConceptClass, Distribution, Situation, Trainable, atoms
from harness.concepts.intervals.rare_atoms import IntervalAtomsSampler
from harness.concepts.intervals.samplers import BLOCK, ConsistentSampler, IntervalSampler
from harness.refusal import Refusal
from harness.theory import pac
from harness.theory.parameters import PacBound


class Uniform(Distribution):
    """Uniform examples on [0, 1]; the target cuts it into intervals of one width. Extremal learners err on about (L − 1)/s.

    With gamma > 0 each label is with that probability one of the others, uniformly.
    """

    def refuse(self, situation: Situation) -> Refusal | None:
        most = 0.9 * (1 - 1 / situation.concept.label_count)  # beyond 1 − 1/L another label is the likeliest
        if situation.gamma > most:
            return Refusal(f"labels flipped at a rate of {situation.gamma:g}; allowed: 0 ≤ gamma ≤ {most:g}", "gamma")
        if situation.gamma > 0 and situation.s > BLOCK:
            what = f"with noisy labels all examples are drawn, and a chunk would have s = {situation.s:.3g}"
            return Refusal(f"{what}; allowed: at most {BLOCK}, or gamma = 0", "gamma")
        return None

    def at(self, situation: Situation) -> IntervalSampler:
        assert isinstance(situation.concept, Intervals)
        kind = IntervalSampler if situation.gamma > 0 else ConsistentSampler
        return kind(situation.concept.labels, situation.learner, situation.gamma)


class Hard(atoms.Hard):
    """A hard distribution for labelled intervals: rare atoms, each between two labels, of the sizes of `atoms.Hard`.

    Whichever the learner, it is wrong on a tie.
    """

    def at(self, situation: Situation) -> Trainable:
        binary = super().at(situation)
        assert isinstance(situation.concept, Intervals) and isinstance(binary, atoms.AtomsSampler)
        return IntervalAtomsSampler(situation.concept.labels, binary)


class Intervals(ConceptClass, frozen=True):
    """The concept class of partitions of [0, 1] into L labelled intervals. labels: L."""

    name: ClassVar[str] = "intervals"
    learners: ClassVar[Mapping[str, str]] = {
        "leftmost": "Each boundary as far left as is consistent.",
        "rightmost": "Each boundary as far right as is consistent.",
        "midpoint": "Each boundary half way between its neighbouring examples.",
    }
    distributions: ClassVar[Mapping[str, type[Distribution]]] = {"uniform": Uniform, "hard": Hard}

    labels: int = Field(3, ge=2, le=100)

    @property
    def label_count(self) -> int:
        return self.labels

    @property
    def vc(self) -> int:
        """The Natarajan dimension, which is the graph dimension too."""
        return self.labels - 1

    @property
    def dual_vc(self) -> int:
        """The dual VC dimension of the graphs of the partitions.

        For a middle label the points of a partition that have it are any interval, else a half-line.
        """
        return min(2, self.labels - 1)

    @property
    def rare_atoms(self) -> int:
        return self.vc

    @classmethod
    def of_vc(cls, V: int) -> "Intervals":
        if not 1 <= V <= 99:
            raise ValueError(f"V = {V} is not attained: the class intervals has dimension L − 1 for L labels; allowed: 1 to 99")
        return cls(labels=V + 1)

    def pac_bound(self, learner: str | None, gamma: float) -> PacBound:
        if gamma > 0:
            return partial(pac.vc_agnostic, V=self.vc)
        sides = 1 if learner in ("leftmost", "rightmost") else 2**self.vc
        bounds = partial(pac.spacings, gaps=self.vc, choices=sides), partial(pac.blumer, V=self.vc)
        return partial(pac.sharpest, bounds=bounds)


CONCEPT = Intervals
