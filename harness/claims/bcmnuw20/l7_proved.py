"""The least constant in the place of Lemma 7's 200 that is proved here: 2600, with α' = α/4.7; and why none below
1701 will do.

Let r = α'/α, C the constant, Λ = ln|H̃| + ln(128 ln|X̃|/(α²β)), and n = C √(ln|X̃| ln(2/δ)) Λ/(εα²). In shares, T is the
threshold, Lap(σ₁) its noise, Lap(2σ₁) that of a test, Lap(σ₂) that of a released value, c = 4 ln|X̃|/α'² and η = α'/2. Each of
these happens but for a share of β, and together they are enough:

1. *Sampling.* By Hoeffding's inequality averages of ±1 are within sα of D's, s = √(2 ln(2|H̃|/(bβ))/n)/α. Left are e = α(1 −
   s)/2.
2. *Values.* Each query releases at most one, off by more than e with chance e^(−e/σ₂): |H̃| of them.
3. *No test exceeds below T − A.* Let a threshold be drawn at some test. To be reached under it a later test needs that none
   before it exceeded, which is likelier for a high threshold, and to exceed by A a low one. So the chance of both is at most
   the product, and summed over where the threshold was drawn, P(ν − ρ > A) ≤ ⅔ e^(−A/2σ₁) for each of 2|H̃| tests.
4. *No query is left more than e away.* |ν| over 2|H̃| tests and |ρ| over at most 2|H̃| + 1 thresholds: T plus both is at most
   e.
5. *It does not halt*, where |H̃| ≥ c, so that it could. An update at a gap g ≥ T − A lowers KL(x‖x_t), of ln|X̃| at first, by
   at least ηg − η²/8 (Hoeffding's lemma), or with chance ½ e^(−g/σ₂), where the value misleads, raises it by at most ηg + η²/8.
   With θ = κ/(ησ₂), κ < ½, e^(θ KL) is multiplied in the mean by at most e^(−θ(ηg − η²/8)) (1 + ½(e^(−(1 − 2κ)g/σ₂) −
   e^(−g/σ₂))). So ⌈c⌉ updates have at most e^(θ ln|X̃|) times that to the power c.

All of it depends on t = ln|H̃| + ln(1/β), K = ln(128 ln|X̃|/α²) and √(ln|X̃| ln(2/δ))/ε ≥ ln 2, and is worst where the last is
least: |X̃| = 2, or 6 where |H̃| ≥ c, δ = ε = α = 1. `room` is what is left over, least as t grows without bound. For n beyond
this n let α' follow from n: run for the α at which n is just enough.

*Below 1701.* As β → 0 logarithms are 1/β alone. A value of one query is off by α/2 with chance ½ e^(−rCΛ/534.6), so rC < 534.6
fails; and T = 94.5α/(rC), at which the second class of `l7_no_accuracy` fails where 4(ηT − η²/8) < α'², Cr² > 168, as |X̃|
grows. One of the two holds at every r unless C ≥ 534.6²/168.
"""

from collections.abc import Iterator
from itertools import product
from math import exp, inf, log, log1p, sqrt

import numpy as np

from harness.claims.engine import Number
from harness.theory.constants.bcmnuw20 import DR14, PROVED

VALUE = sqrt(128) * (sqrt(512) + 1)
"""σ₂ is this times α/(rCΛ)."""

TEST = VALUE / sqrt(512)
"""And σ₁ this."""

SHARES = tuple(product((0.02, 0.1, 0.3), (0.2, 0.4, 0.6), (0.05, 0.1, 0.25)))
"""Of β for sampling, for values and for tests that exceed too soon; the rest is for thresholds and for the halt."""

KAPPAS = (0.1, 0.2, 0.3, 0.4, 0.45)
NO_HALT, HALT = log(128 * log(2)), log(128 * log(6))
"""The least K, and the least where |H̃| ≥ c: at least 57 sets, and so 6 cells."""


def room(factor: float, share: float, t: float, K: float, halts: bool) -> float:
    """What is left over in the tightest of five inequalities that prove Lemma 7, as a share of it, at the best split of β.
    It is below 0 where one of them fails.
    """
    r, beyond = 1 / share, t + K
    cells = sqrt((log(6) if halts else log(2)) * log(2))
    threshold = 2 * DR14 / (r * factor) * (beyond - log(8 * r * r)) / beyond
    test, value = TEST / (r * factor * beyond), VALUE / (r * factor * beyond)
    largest = -inf
    for sampled, valued, soon in SHARES:
        rest = 1 - sampled - valued - soon
        if rest <= 0:
            continue
        error = (1 - sqrt(2 * (t + log(2 / sampled)) / (factor * cells * beyond))) / 2
        noise = 2 * test * (t + log(4 / rest)) + test * (t + log(6 / rest))
        left = min(error / value / (t + log(1 / valued)) - 1, 1 - (threshold + noise) / error)
        if halts:
            gap = threshold - 2 * test * (t + log(4 / 3 / soon))
            left = min(left, max(_learned(r, gap, value, t + log(2 / rest), K, kappa) for kappa in KAPPAS))
        largest = max(largest, left)
    return largest


def _learned(r: float, gap: float, value: float, log_chance: float, K: float, kappa: float) -> float:
    """How much more than ln|X̃| is learned in c updates, as a share of it. All in units of α."""
    if gap <= 0:
        return -inf
    astray = log1p((exp(-(1 - 2 * kappa) * gap / value) - exp(-gap / value)) / 2)
    price = r / 2 * value / kappa  # 1/θ, over α²
    return 4 / r**2 * (r / 2 * gap - r**2 / 32 - price * astray) - 1 - price * 128 * exp(-K) * log_chance


def settings() -> Iterator[tuple[float, float, bool]]:
    """The triples (t, K, whether PMW could halt) at which Lemma 7's proof is checked: t = ln(|H̃|/β), K = ln(128 ln|X̃|/α²).
    They go from where each begins to where nothing changes any more.
    """
    steps = [0.0, *np.geomspace(0.05, 1e8, 40).tolist()]
    rises = [*np.linspace(0, 4, 6).tolist(), 8.0, 16.0, 50.0, 200.0]
    for step, rise in product(steps, rises):
        yield step, NO_HALT + rise, False
        yield max(0.0, HALT + rise + log(PROVED.share**2 / 32)) + step, HALT + rise, True


def margins() -> Iterator[Number]:
    """Compares with 1 the share that the proof of Lemma 7 uses of what its inequalities allow, where that share is largest."""
    least = min((room(PROVED.factor, PROVED.share, *each), each) for each in settings())
    (left, (t, K, halts)) = least
    where = (
        f"c_n = {PROVED.factor:g}, α' = α/{PROVED.share:g}: tightest where ln(|H̃|/β) = {t:.3g} and 128 ln|X̃|/α² = {exp(K):.3g}"
    )
    yield Number(f"{where}{', |H̃| ≥ c' if halts else ''}: what is used of what there is", 1 - left, 1.0)


def by_dr14(log_queries: float, cells: float, alpha: float, beta: float, eps: float, delta: float) -> float:
    """The least constant in the place of 200 with which DR14 Theorem 4.15 and Hoeffding's inequality give Lemma 7: 6α' + s ≤ α.

    Over α' and the share of β for sampling; in Lemma 7's form, with its 128.
    """
    inner, root = log_queries + log(128 * cells / (alpha**2 * beta)), sqrt(cells * log(2 / delta))

    def over_form(share: float, sampled: float) -> float:
        """n over that form: the larger of what the theorem and what sampling asks for at α' = α/share."""
        of_theorem = log_queries + log(32 * cells * share**2 / (alpha**2 * (1 - sampled) * beta))
        sampling = 2 * (log_queries + log(2 / (sampled * beta))) / (1 - 6 / share) ** 2
        return max(DR14 * share**2 * of_theorem / inner, sampling * eps / (root * inner))

    return min(
        over_form(share, sampled) for share, sampled in product(np.geomspace(6.01, 12, 300), (0.01, 0.03, 0.1, 0.3, 0.5))
    )


def numbers_against_200() -> Iterator[Number]:
    """Compares with 200 the least constant by DR14 Theorem 4.15: at the worst corner, at ordinary values, in the limit."""
    for where, setting in (
        ("|H̃| = 1, |X̃| = 2, α, β, ε and δ → 1", (0.0, log(2), 1.0, 1.0, 1.0, 1.0)),
        ("|H̃| = |X̃| = 1000, α = 0.1, β = 0.05, ε = 0.9, δ = 10⁻⁶", (log(1000), log(1000), 0.1, 0.05, 0.9, 1e-6)),
        ("|H̃| → ∞", (1e7, 1e6, 0.1, 0.05, 0.9, 1e-6)),
    ):
        yield Number(f"least constant that Theorem 4.15 of DR14 gives, {where}", by_dr14(*setting), 200.0)
