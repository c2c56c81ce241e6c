"""Situations as tests need them: of a given chunk size and learner, with nothing solved for."""

from harness.concepts import ConceptClass, Distribution, Situation
from harness.concepts.thresholds import Thresholds


def situation_of(
    s: int, learner: str = "leftmost", T: float = 3.0, concept: ConceptClass | None = None, gamma: float = 0.0
) -> Situation:
    """s examples a chunk, seen through the learner; thresholds and no noise unless they are given."""
    return Situation(concept or Thresholds(), learner, s, gamma, cutoff=T)


def least_s(
    distribution: Distribution,
    start: int = 1,
    learner: str = "leftmost",
    concept: ConceptClass | None = None,
    gamma: float = 0.0,
) -> int:
    """The least chunk size from `start` on at which the distribution is defined."""
    sizes = range(start, start + 10**4)
    return next(s for s in sizes if distribution.refuse(situation_of(s, learner, concept=concept, gamma=gamma)) is None)
