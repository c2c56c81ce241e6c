"""BTT18a Section 5, the example of weak quality: how far apart the labels' probabilities are at the edges of X = ℝ ∖ (−c, c).

p(1|x) = Φ(x√8/c), written out and not taken from the instance. |p₁ − p₀| = 2Φ(|x|√8/c) − 1 is least at x = ±c.
"""

from collections.abc import Iterator
from math import erfc, exp

import numpy as np

from harness.claims.engine import Claim, Computed, Number, Quote


def other_label(x: float) -> float:
    """The probability of the less likely label, of x in units of c: Φ(−|x|√8) = erfc(2|x|)/2."""
    return erfc(2 * abs(x)) / 2


def _at_the_edges() -> Iterator[Number]:
    for x in (-1.0, 1.0):
        yield Number(f"x = {x:g}c: probability of the other label, against e⁻⁴", other_label(x), exp(-4))


def _everywhere() -> Iterator[Number]:
    grid = np.geomspace(1, 10, 200)
    worst = max(grid, key=lambda x: other_label(x) / exp(-4 * x * x))
    yield Number(
        f"x from c to 10c, worst at {worst:.3g}c: probability of the other label, against exp(−4x²/c²)",
        other_label(float(worst)),
        exp(-4 * float(worst) ** 2),
    )


def _equality() -> Iterator[Number]:
    yield Number("x = ±c: e⁻⁴, against the probability of the other label", exp(-4), other_label(1.0))


PLACE = "BTT18a §5 (after Definition 5.11, the example)"
EQUALITY = Quote(PLACE, "In particular, we have min_{x∈X} (max{p(y=1|x), p(y=0|x)}) = 1−e⁻⁴ ≈ 0.98.")

CLAIMS = (
    Claim(
        "BTT18a:G-example",
        "BTT18a Section 5, the example",
        "At x = c and x = −c of y = sign(x + z) with z ~ N(0, c²/8), |p(1|x) − p(0|x)| > 1 − 2e⁻⁴: the other label has a "
        "probability below e⁻⁴.",
        decider=Computed(_at_the_edges),
        quote=Quote(PLACE, "Therefore, we have that min_{x∈X} |p(y=1|x) − p(y=0|x)| > 1−2e⁻⁴ ≈ 0.96."),
    ),
    Claim(
        "BTT18a:G-example-everywhere",
        "BTT18a Section 5, the example",
        "p(1|x) > 1 − exp(−4x²/c²) for x ≥ c, and p(1|x) < exp(−4x²/c²) for x ≤ −c.",
        decider=Computed(_everywhere),
        quote=Quote(PLACE, "p(y=1|x) = { > 1−exp(−4x²/c²), if x > c; < exp(−4x²/c²), if x < −c"),
    ),
    Claim(
        "BTT18a:G-example-equality",
        "BTT18a Section 5, the example",
        "The least over X of max{p(1|x), p(0|x)} equals 1 − e⁻⁴.",
        decider=Computed(_equality),
        expected="refuted",
        quote=EQUALITY,
        why="It equals Φ(√8) = 0.9977. The 1 − e⁻⁴ = 0.9817 is what a tail bound gives, so it is a lower bound and no more.",
    ),
)
