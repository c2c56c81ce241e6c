"""Regularised logistic loss of folded examples, and its minimiser: F(w) = mean ln(1 + e^(−w · z)) + Λ‖w‖²/2 + b · w.

An example x with a label y = ±1 is folded to z = yx, and ‖z‖ ≤ 1. A gradient of one example's loss, −σ(−w · z) z, is no longer
than 1, and its derivative has no eigenvalue above SMOOTHNESS.
"""

import numpy as np
from scipy.special import expit

from harness.arrays import Reals

SMOOTHNESS = 0.25
TOLERANCE = 1e-12  # of a gradient's length: rounding leaves 10⁻¹⁵
ROWS = 1 << 15  # examples looked at together, which fit into the cache
MANY, WARM = 1 << 17, 64  # of more examples a minimiser is first sought on a share 1/WARM
MOST_STEPS = 100


def gradient(z: Reals, w: Reals) -> Reals:
    """The gradient at w of the mean logistic loss of folded examples z, (n, d): (d,)."""
    total = np.zeros(z.shape[1])
    for start in range(0, len(z), ROWS):
        block = z[start : start + ROWS]
        total -= expit(-(block @ w)) @ block
    return total / len(z)


def curvature(z: Reals, w: Reals) -> Reals:
    """The matrix of second derivatives at w of the mean logistic loss of folded examples z, (n, d): (d, d)."""
    total = np.zeros((z.shape[1], z.shape[1]))
    for start in range(0, len(z), ROWS):
        block = z[start : start + ROWS]
        wrong = expit(-(block @ w))
        total += (block * (wrong * (1 - wrong))[:, np.newaxis]).T @ block
    return total / len(z)


def minimiser(z: Reals, regular: float, linear: Reals | float = 0.0) -> Reals:
    """The minimiser w, (d,), of regularised logistic loss F on folded examples z, to a gradient of at most TOLERANCE.

    It is no farther than TOLERANCE/Λ from where F is least.

    regular: Λ > 0. linear: b, (d,). By Newton's steps, halved until the gradient is shorter, as it is for a short step. Raises
    ArithmeticError where rounding leaves more than TOLERANCE.
    """
    w = minimiser(z[: len(z) // WARM], regular, linear) if len(z) > MANY else np.zeros(z.shape[1])

    def slope(w: Reals) -> Reals:
        return gradient(z, w) + regular * w + linear

    left = slope(w)
    for _ in range(MOST_STEPS):
        if np.linalg.norm(left) <= TOLERANCE:
            return w
        step = np.linalg.solve(curvature(z, w) + regular * np.eye(len(w)), left)
        while np.linalg.norm(tried := slope(w - step)) >= np.linalg.norm(left) and np.linalg.norm(step) > 0:
            step /= 2
        w, left = w - step, tried
    raise ArithmeticError(f"a gradient of {np.linalg.norm(left):.2g} is left after {MOST_STEPS} steps")
