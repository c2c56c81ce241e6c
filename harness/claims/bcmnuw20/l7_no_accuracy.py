"""BCMNUW20 Lemma 7 at every inner accuracy α' = rα at once: DR14's Algorithm 6 keeps to α at none of them
where the order of the queries is the worst and its answers are those of the stream.

Let α' be any function of α, β, ε, δ, n, |X̃| and |H̃|. Two classes on N cells of |H̃| sets each leave no r. In shares the
threshold T is 0.4725 α/r but for logarithms, and n is so large that noise and sampling are nothing to it.

*Small α'.* D has mass ½ + g on a half of X̃, α/2 < g < T. The uniform weights answer ½, no test exceeds, and the average of ±1
is off by 2g > α. T falls in r, and (T − g) over the scale of the noise too, so what holds at r holds below it.

*Large α'.* D is uniform on two cells y and z. The queries hold y and z by turns, and of the other cells so much that the
weights have a = ½ − g on them, g just above T: those of least weight, so that no two of the others are ever further apart than
e^η, η = α'/2. Each query exceeds T and is updated, which multiplies the weight of its cell by e^η and then all by 1/Z, Z = 1 +
a(e^η − 1). After c updates, c = 4 ln N/α'², the algorithm halts, and y and z have at most (2/N) max(1/a, e^(η/2 + (c + 1)φ)),
where φ = η/2 − ln Z: each is in every other query. The last query is {y, z}, of which D has all. φ is concave in η and 0 at 0,
so φ/η² falls where φ > 0, and a g that is above T at r is above it at any larger one: what holds at r holds above it.

T wants g < T at r in the first case and g > T in the second, so both are had about the r at which T is just above α/2, 0.943,
if (1 − 4φ/α'²) ln N leaves enough: 4φ/α'² is 0.95 there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log, sqrt

from harness.claims.engine import Number
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.theory.constants.bcmnuw20 import PRINTED

APART = 1e-3
"""Of α/2: how far the average of the first class is beyond it. The gap of the second is a fifth of that above its threshold."""


@dataclass(frozen=True)
class L7Setting:
    """The numbers of one setting of Lemma 7. log_queries, log_cells: ln |H̃| and ln |X̃|."""

    alpha: float
    beta: float
    eps: float
    delta: float
    log_queries: float
    log_cells: float

    @property
    def n(self) -> int:
        """The n that Lemma 7 asks for, with its constants 200 and 128."""
        inner = self.log_queries + log(128 * self.log_cells / (self.alpha**2 * self.beta))
        return int(PRINTED.factor * sqrt(self.log_cells * log(2 / self.delta)) * inner / (self.eps * self.alpha**2)) + 1

    def plan(self, share: float) -> PmwPlan:
        """The numbers of DR14's PMW at α' = share·α."""
        accuracy, n = share * self.alpha, self.n
        plan = PmwPlan.of(1, self.log_cells, n, accuracy, self.beta, self.eps, self.delta)
        more = 1 + self.log_queries / log(4 * plan.c / self.beta)
        return PmwPlan(plan.c, plan.eta, plan.threshold * more, plan.test, plan.value)

    def missed(self, share: float) -> float:
        """A bound on the chance that the first class is answered to within α, at α' = share·α and at any smaller α'."""
        plan, gap = self.plan(share), self.alpha / 2 * (1 + APART)
        room = plan.threshold - gap
        if room <= 0:
            return 1.0
        noise = exp(-room / 4 / (2 * plan.test))  # half of the room is for the sample, and half of the rest for the threshold
        return min(1.0, 2 * noise + 2 * exp(-2 * self.n * (room / 2) ** 2))

    def halted(self, share: float) -> float:
        """A bound on the chance that the second class is, at α' = share·α and any larger α'.
        That is that a test does not exceed, or misleads.
        """
        plan = self.plan(share)
        apart = plan.threshold * APART / 5
        kept = 0.5 - plan.threshold - apart
        moved = plan.eta / 2 - log(1 + kept * (exp(plan.eta) - 1))
        weight = log(2) - self.log_cells + max(-log(kept), plan.eta / 2 + (plan.c + 1) * moved)
        if weight > log(1 - self.alpha):
            return 1.0
        idle, astray = exp(-apart / 4 / (2 * plan.test)), exp(-plan.threshold / plan.value)
        return min(1.0, (plan.c + 2) * (idle + astray) + 2 * exp(-2 * self.n * (apart / 2) ** 2))

    def turn(self) -> float:
        """The α'/α at which PMW's threshold is just far enough above α/2 for the first class."""
        low, high = 0.5, 2.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            gap = self.alpha / 2 * (1 + 2 * APART)
            low, high = (middle, high) if self.plan(middle).threshold > gap else (low, middle)
        return low


SETTINGS = (
    L7Setting(0.1, 0.05, 0.9, 1e-6, 1e6, 200.0),
    L7Setting(0.2, 0.2, 0.5, 1e-3, 1e6, 200.0),
    L7Setting(0.01, 1e-6, 0.1, 1e-9, 1e6, 200.0),
)


def at_no_accuracy() -> Iterator[Number]:
    """Compares with β the least chance that Lemma 7's PMW errs beyond α, over all α' up to a turning point and all beyond."""
    for setting in SETTINGS:
        share = setting.turn()
        where = f"chance to miss α = {setting.alpha:g}, ln|X̃| = {setting.log_cells:g}, ln|H̃| = {setting.log_queries:g}"
        yield Number(f"{where}, for any α' ≤ {share:.3f}α", 1 - setting.missed(share), setting.beta)
        yield Number(f"{where}, for any α' ≥ {share:.3f}α", 1 - setting.halted(share), setting.beta)
