"""The exponential mechanism over thresholds, drawn in full."""

import numpy as np


def drawn_in_full(m: int, n: int, gamma: float, tilt: float, rng: np.random.Generator) -> float:
    """The error over thresholds at m public points, with every example drawn and every h̃ asked."""
    cuts = np.append(0.0, np.sort(rng.random(m)))
    x = rng.random(n)
    y = (x >= 0.5) ^ (rng.random(n) < gamma)
    mistakes = ((x[:, np.newaxis] >= cuts) != y[:, np.newaxis]).sum(axis=0)
    weights = np.exp(-tilt * (mistakes - mistakes.min()))
    return float(gamma + (1 - 2 * gamma) * abs(rng.choice(cuts, p=weights / weights.sum()) - 0.5))
