"""The constants of BCMNUW20: how many private examples PMW asks for (Lemma 7), and how many public points a cover (Lemma 11).

Lemma 7 is about queries in {±1}, whose averages PMW releases as shares (1 + q)/2; and it does not say at which inner accuracy
α' DR14's algorithm is to run. Its 200 is 4(2 + 32√2) rounded up, and its 128 is 4·32: DR14's own, at α' = α/2. Any other α' is
`c_share`: 1 for what Algorithm 3 of BCMNUW20 hands on, 3 for DR14's error of 3α'.

Two sets keep to what they promise. In `repaired` a share is off by at most 3α' by DR14 Theorem 4.15, so an average by 6α', and
half of the error is for sampling: α' = α/12. `proved` has Lemma 7's own form and the least constant that is proved here, by
`claims.bcmnuw20.l7_proved`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import comb, e, exp, log, sqrt

from harness.theory.factors import PRINTED as VALUES
from harness.theory.factors import ConstantValues, Factor, with_changes

DR14 = 2 + 32 * sqrt(2)
"""The factor of the threshold in online PMW (DR14 Algorithm 6)."""

C_N = Factor("c_n", 200, "n = c_n √(ln|X̃| ln(2/δ)) (ln|H̃| + ln(c_inner ln|X̃|/(α²β))) / (εα²)", "BCMNUW20 Lemma 7")
C_INNER = Factor(
    "c_inner", 128, "n = c_n … (ln|H̃| + ln(c_inner ln|X̃|/(α²β))) / (εα²), inside the logarithm", "BCMNUW20 Lemma 7", least=1
)
C_SHARE = Factor("c_share", 2, "α' = α/c_share, the accuracy that PMW is run at", "BCMNUW20 Algorithm 3")
C_THRESHOLD = Factor(
    "c_threshold",
    DR14,
    "threshold = c_threshold √(c ln(2/δ)) (ln|Q| + ln(4c/β)) / (εn)",
    "DR14 Algorithm 6",
    written="2 + 32√2",
)
C_UPDATES = Factor("c_updates", 4, "c = c_updates ln|X| / α'², the most updates", "DR14 Algorithm 6")
C_ETA = Factor("c_eta", 2, "η = α'/c_eta, how far an update moves the weights", "DR14 Algorithm 6", least=0.01)
C_SIGMA = Factor("c_sigma", 32, "σ = √(c_sigma c ln(2/δ)) / ε", "DR14 Algorithm 3")
C_SPLIT = Factor("c_split", 512, "ε√c_split : ε, the parts of ε for tests and for released values", "DR14 Algorithm 3")
C_LEVEL = Factor("c_level", 1, "threshold = c_level α', of A_PAP_calibrated alone", "DR14 Theorem 4.15")
DR14S = C_THRESHOLD, C_UPDATES, C_ETA, C_SIGMA, C_SPLIT, C_LEVEL
"""Those of the algorithm itself."""


@dataclass(frozen=True)
class PmwConstants:
    """A set of constants for PMW: how it is run for an error α, and the number n of private points that is said to be enough.

    share: α' = α/share, c_share by name. factor: what n has for DR14's 2 + 32√2 times share², c_n by name. inner: what stands
    before ln|X̃| inside the logarithm, c_inner by name; None where it is DR14's 32 share². noise: the share of β that is left
    for PMW's noise, where the rest is for sampling; 1 where n has nothing for sampling. values: those of all constants by name,
    where some are changed.
    """

    name: str
    source: str
    share: float
    factor: float
    noise: float
    inner: float | None = None
    values: ConstantValues = VALUES

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The constants of the set."""
        share = replace(C_SHARE, printed=self.share, place=self.source)
        if self.inner is None:
            formula = C_N.formula.replace("c_inner", "32 c_share²")
            return replace(C_N, printed=self.factor, formula=formula, place=self.source), share, *DR14S
        factor = replace(C_N, printed=self.factor, place=self.source)
        return factor, share, replace(C_INNER, printed=self.inner, place=self.source), *DR14S

    def changed(self, changes: Mapping[str, float]) -> "PmwConstants":
        """The set with the constants in `changes` at these values, under a name that says so."""
        values = self.values.but(changes)
        factor, share = (values[each] for each in self.factors[:2])
        inner = None if self.inner is None else values[C_INNER] if C_INNER.name in changes else self.inner
        name = with_changes(self.name, changes)
        return replace(self, name=name, share=share, factor=factor, inner=inner, values=values)

    def n(self, queries: float, log_cells: float, alpha: float, beta: float, eps: float, delta: float) -> float:
        """n at which the error is claimed to be at most alpha with probability 1 − beta, for |H̃| queries on |X̃| cells."""
        constant = 32 * self.share**2 if self.inner is None else self.inner
        inner = log(constant * log_cells / (alpha**2 * self.noise * beta))
        for_weights = self.factor * sqrt(log_cells * log(2 / delta)) * (log(queries) + inner) / (eps * alpha**2)
        sampling = 8 * log(2 * queries / ((1 - self.noise) * beta)) / alpha**2 if self.noise < 1 else 0.0
        return max(for_weights, sampling)


PRINTED = PmwConstants("BCMNUW20", C_N.place, share=C_SHARE.printed, factor=C_N.printed, noise=1, inner=C_INNER.printed)
REPAIRED = PmwConstants("repaired", "DR14 Theorem 4.15 with α' = α/12", share=12, factor=DR14 * 12**2, noise=0.5)
PROVED = PmwConstants("proved", "BCMNUW20 Lemma 7, with what is proved", share=4.7, factor=2600, noise=1, inner=C_INNER.printed)

RELEASE = (PRINTED, REPAIRED, PROVED)


def labellings(points: float, V: int) -> float:
    """The most labellings that a class of VC dimension V gives to `points` points: Σ_{i≤V} C(points, i), by Sauer's lemma."""
    if points <= V:
        return float(2.0 ** min(points, 1000))
    return float(sum(comb(int(points), i) for i in range(V + 1)))


def missed_by_any(m: int, alpha: float, V: int) -> float:
    """An upper bound on P(m public points make no α-cover): 2(2em/V)^{2V} 2^{−αm/2}, for VC dimension V (BCMNUW20 Lemma 11).

    Two hypotheses that agree on all m points and differ with chance above α are an event of the class of differences of
    pairs, which has at most (em/V)^{2V} labellings, missed by a sample (Blumer et al. 1989). For any class of VC dimension V.
    """
    if m < V:
        return 1.0
    exponent = log(2) + 2 * V * log(2 * e * m / V) - alpha * m / 2 * log(2)
    return 1.0 if exponent >= 0 else exp(exponent)


def least(fails: Callable[[int], bool], most: int = 10**18) -> int | None:
    """The least whole number from which on `fails` is false, by doubling and bisection; None if there is none up to `most`."""
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


def known_least(fails: Callable[[int], bool]) -> int:
    """The least whole number from which on `fails` is false. Raises OverflowError where there is none up to 10¹⁸."""
    number = least(fails)
    if number is None:
        raise OverflowError("more examples or points are needed than are reckoned with")
    return number
