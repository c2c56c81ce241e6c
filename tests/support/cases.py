"""Every registered class with each of its distributions and learners, with and without noise. A new one joins by itself."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from harness.concepts import ConceptClass, Distribution, Sampler, Sampling, Situation, concepts
from tests.support.situations import least_s, situation_of


class Case(NamedTuple):
    """A distribution of a class, seen through a learner; gamma: the noise of its labels."""

    concept: ConceptClass
    distribution: Distribution
    learner: str
    gamma: float

    def situation(self, s: int) -> Situation:
        return situation_of(s, self.learner, concept=self.concept, gamma=self.gamma)

    def sampler(self, s: int) -> Sampler:
        return self.distribution.at(self.situation(s))

    def samplings(self) -> dict[str, Sampling]:
        return dict(self.distribution.samplings(self.concept, self.learner))

    @property
    def small(self) -> int:
        """A chunk size at which learners still err."""
        return least_s(self.distribution, 5, self.learner, self.concept, self.gamma)


def _cases() -> Iterator[tuple[str, Case]]:
    for name, concept in concepts().items():
        for kind, distribution in concept.distributions.items():
            for learner in concept.learners:
                for gamma in (0.0, 0.1):
                    refused = distribution().refuse(situation_of(1000, learner, concept=concept(), gamma=gamma))
                    if refused is None and (gamma == 0 or not concept.synthetic):
                        yield f"{name}-{kind}-{learner}-{gamma}", Case(concept(), distribution(), learner, gamma)


EVERY = dict(_cases())
LEARNED = {name: case for name, case in EVERY.items() if not case.concept.synthetic}
"""Those with a learner whose law can be tested."""


def distinct(cases: Mapping[str, Case]) -> dict[str, Case]:
    """The first case of each source of votes: a few atoms, for one, are seen by many a class and learner, all with one law."""
    found: dict[object, str] = {}
    for name, case in cases.items():
        found.setdefault((case.sampler(case.small), case.small, tuple(case.samplings().items())), name)
    return {name: cases[name] for name in found.values()}
