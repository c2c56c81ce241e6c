"""The constants of BCMNUW20: how many private examples PMW asks for (Lemma 7), and how many public points a cover (Lemma 11).

Lemma 7 is about queries in {±1}, whose averages PMW releases as shares (1 + q)/2. DR14 Theorem 4.15 gives shares to within 3α',
so averages to within 6α', of those of the data, and the data are a sample. For an error of α in all, half of it for sampling,
α' is α/12. Lemma 7 has a factor of 200, which is 4(2 + 32√2) rounded up: that of α' = α/2, where the 3, the range and sampling
are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, e, exp, log, sqrt

DR14 = 2 + 32 * sqrt(2)
"""The factor of the threshold in online PMW (DR14 Algorithm 6)."""


@dataclass(frozen=True)
class PmwConstants:
    """How PMW is run for an error alpha, and what n is said to be enough.

    share: α' = α/share. factor: what n has for DR14's 2 + 32√2 times share². noise: the share of β that is left for PMW's
    noise, where the rest is for sampling; 1 where sampling is left out.
    """

    name: str
    source: str
    share: float
    factor: float
    noise: float

    def n(self, queries: float, log_cells: float, alpha: float, beta: float, eps: float, delta: float) -> float:
        """n at which the error is claimed to be at most alpha with probability 1 − beta, for |H̃| queries on |X̃| cells."""
        inner = log(32 * self.share**2 * log_cells / (alpha**2 * self.noise * beta))
        own = self.factor * sqrt(log_cells * log(2 / delta)) * (log(queries) + inner) / (eps * alpha**2)
        sampling = 8 * log(2 * queries / ((1 - self.noise) * beta)) / alpha**2 if self.noise < 1 else 0.0
        return max(own, sampling)


PRINTED = PmwConstants("BCMNUW20", "BCMNUW20 Lemma 7", share=2, factor=200, noise=1)
REPAIRED = PmwConstants("repaired", "DR14 Theorem 4.15 with α' = α/12", share=12, factor=DR14 * 12**2, noise=0.5)

RELEASE = (PRINTED, REPAIRED)


def labellings(points: float, V: int) -> float:
    """The most labellings of so many points by a class of VC dimension V: Σ_{i≤V} C(points, i), by Sauer's lemma."""
    if points <= V:
        return float(2.0 ** min(points, 1000))
    return float(sum(comb(int(points), i) for i in range(V + 1)))


def missed_by_any(m: int, at: float, V: int) -> float:
    """2 (2em/V)^{2V} 2^{−at·m/2}: at least the chance that m public points make no at-cover (BCMNUW20 Lemma 11, explicit).

    Two hypotheses that agree on all m points and differ with chance above `at` are an event of the class of differences of
    pairs, which has at most (em/V)^{2V} labellings, missed by a sample (Blumer et al. 1989). For any class of VC dimension V.
    """
    if m < V:
        return 1.0
    exponent = log(2) + 2 * V * log(2 * e * m / V) - at * m / 2 * log(2)
    return 1.0 if exponent >= 0 else exp(exponent)


def least(fails: Callable[[int], bool], most: int = 10**18) -> int | None:
    """The least whole number from which on something does not fail; None where there is none up to `most`."""
    high = 1
    while fails(high):
        if high >= most:
            return None
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    return high
