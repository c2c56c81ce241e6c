"""Laplace noise, and how often events happen that may be rare beyond a double's last digit."""

import numpy as np

from harness.arrays import Ints, Reals

RARE = 1e-8  # from here down 1 − p has lost too many digits of p


def laplace(scale: float, size: int, rng: np.random.Generator) -> Reals:
    """Lap(scale), (size,): density e^{−|x|/scale} / (2·scale).

    An exponential with a random sign has the same law as the inverse of the distribution function, at a quarter of the cost.
    """
    noise = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size).view(np.int8)
    noise *= 1 - 2 * bits
    noise *= scale
    return noise


def binomial(n: Ints, p: Reals | float, rng: np.random.Generator) -> Ints:
    """Bin(n, p) element by element, exact for chances p as small as 10⁻³⁰⁰ and n up to 10¹⁵; n: (types,).

    Of rare events a Poisson number of balls with mean −n·ln(1−p) is thrown into n boxes: each box has one or more with
    probability p, independently.
    """
    drawn: Ints = ((rng.random(n.shape) < p) & (n > 0)).astype(np.int64)
    many = np.flatnonzero(n > 1)
    if len(many):
        p = np.broadcast_to(p, n.shape)
        rare = p[many] < RARE
        often, seldom = many[~rare], many[rare]
        drawn[often] = rng.binomial(n[often], p[often])
        drawn[seldom] = rng.poisson(-n[seldom] * np.log1p(-p[seldom]))
        for place in seldom[drawn[seldom] > 1]:
            drawn[place] = len(np.unique(rng.integers(0, n[place], drawn[place])))
    return drawn
