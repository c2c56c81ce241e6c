"""Laplace noise, and how often events happen that may be rare beyond a double's last digit."""

import numpy as np

from harness.arrays import Ints, Reals

RARE = 1e-8  # from here down 1 − p has lost too many digits of p
MANY = 1 << 8  # events that are looked at together first


def laplace(scale: float, size: int, rng: np.random.Generator) -> Reals:
    """Lap(scale), (size,): density e^{−|x|/scale} / (2·scale).

    An exponential with a random sign has the same law as the inverse of the distribution function, at a quarter of the cost.
    """
    noise = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size)
    noise *= np.where(bits, -scale, scale)
    return noise


def gumbel(shape: int | tuple[int, ...], rng: np.random.Generator) -> Reals:
    """Standard Gumbel numbers: the generator's own but for their last digits, whose two logarithms are taken one by one."""
    noise = np.asarray(rng.random(shape))
    np.subtract(1.0, noise, out=noise)
    for _ in range(2):
        np.log(noise, out=noise)
        np.negative(noise, out=noise)
    return noise


def binomial(n: Ints, p: Reals | float, rng: np.random.Generator) -> Ints:
    """Bin(n, p) element by element, exact for chances p as small as 10⁻³⁰⁰ and n up to 10¹⁵; n: (types,).

    Of rare events a Poisson number of balls with mean −n·ln(1−p) is thrown into n boxes: each box has one or more with
    probability p, independently.
    """
    drawn: Ints = ((rng.random(n.shape) < p) & (n > 0)).astype(np.int64)
    many = np.flatnonzero(n > 1)
    if not len(many):
        return drawn
    chance = np.asarray(p)[many] if np.ndim(p) else np.full(len(many), p)
    rare = chance < RARE
    seldom = many[rare]
    if len(seldom) < len(many):
        often = many[~rare]
        drawn[often] = rng.binomial(n[often], chance[~rare])
    if len(seldom):
        drawn[seldom] = _poisson(n[seldom], chance[rare], rng)
        for place in seldom[drawn[seldom] > 1]:
            drawn[place] = len(np.unique(rng.integers(0, n[place], drawn[place])))
    return drawn


def _poisson(n: Ints, p: Reals, rng: np.random.Generator) -> Ints:
    """`rng.poisson` of means −n·ln(1−p), for p ≤ RARE: the same numbers, sooner where there are many and all are 0.

    Of a mean λ below 10 it is 0 if its first uniform number is at most e^−λ ≥ 1 − λ; of a mean of 0 it takes none.
    """
    if len(n) >= MANY:
        before = rng.bit_generator.state
        some = np.count_nonzero(p)
        chance = n * p if some == len(p) else (n * p)[p > 0]
        if (rng.random(some) <= 1 - (1 + 2 * RARE) * chance).all():
            return np.zeros_like(n)
        rng.bit_generator.state = before
    return rng.poisson(-n * np.log1p(-p))
