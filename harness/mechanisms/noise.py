"""Laplace noise, and how often events happen that may be rare beyond a double's last digit."""

from collections.abc import Sequence

import numpy as np

from harness.arrays import Ints, Reals, binomials, indices_of, span

RARE = 1e-8  # from here down 1 − p has lost too many digits of p
MANY = 1 << 8  # events that are looked at together first


def laplace(scale: float, size: int, rng: np.random.Generator) -> Reals:
    """Draws Lap(scale), (size,): density e^{−|x|/scale} / (2·scale).

    An exponential with a random sign has the same law as the inverse of the distribution function, at a quarter of the cost.
    """
    noise = rng.standard_exponential(size)
    bits = np.unpackbits(np.frombuffer(rng.bytes(-(-size // 8)), np.uint8), count=size)
    noise *= np.where(bits, -scale, scale)
    return noise


def gumbel(shape: int | tuple[int, ...], rng: np.random.Generator) -> Reals:
    """Draws standard Gumbel noise, −ln(−ln U), in place: equal to what numpy's generator draws but for the last digits."""
    noise = np.asarray(rng.random(shape))
    np.subtract(1.0, noise, out=noise)
    for _ in range(2):
        np.log(noise, out=noise)
        np.negative(noise, out=noise)
    return noise


def binomial(n: Ints, p: Reals | float, rng: np.random.Generator) -> Ints:
    """Draws Bin(n, p) element by element, exact for chances p as small as 10⁻³⁰⁰ and n up to 10¹⁵; n: (types,).

    Of rare events a Poisson number of balls with mean −n·ln(1−p) is thrown into n boxes: each box has one or more with
    probability p, independently.
    """
    uniform, many = rng.random(n.shape), indices_of(n > 1)
    drawn: Ints = np.zeros(n.shape, np.int64) if len(many) == len(n) else ((uniform < p) & (n == 1)).astype(np.int64)
    if not len(many):
        return drawn
    numbers, chance = n[span(many)], np.asarray(p)[span(many)] if np.ndim(p) else np.full(len(many), p)
    rare = chance < RARE
    if not rare.all():
        often = ~rare
        drawn[many[often]] = binomials(numbers[often], chance[often], rng)
        many, numbers, chance = many[rare], numbers[rare], chance[rare]
    if not _all_are_zero(numbers, chance, rng):
        drawn[many] = rng.poisson(-numbers * np.log1p(-chance))
        for place in many[drawn[many] > 1]:
            drawn[place] = len(np.unique(rng.integers(0, n[place], drawn[place])))
    return drawn


def none_happens(parts: Sequence[tuple[Ints, float]], rng: np.random.Generator) -> bool:
    """Whether `binomial` of each part in turn, of numbers (types,) above 1 and one chance, is 0 throughout: then all of it is
    drawn, and else nothing is.
    """
    if any(p > RARE for _, p in parts):
        return False
    before = rng.bit_generator.state
    likeliest = max((n.max(initial=0) * p for n, p in parts), default=0.0)
    if rng.random(sum(len(n) * (2 if p > 0 else 1) for n, p in parts)).max(initial=0) <= 1 - (1 + 2 * RARE) * likeliest:
        return True
    rng.bit_generator.state = before
    return False


def _all_are_zero(n: Ints, p: Reals, rng: np.random.Generator) -> bool:
    """Whether `rng.poisson` of means −n·ln(1−p), for p ≤ RARE, is 0 of each of many, which is then drawn; else nothing is.

    Of a mean λ below 10 it is 0 if its first uniform number is at most e^−λ ≥ 1 − λ; of a mean of 0 it takes none.
    """
    if len(n) < MANY:
        return not len(n)
    before = rng.bit_generator.state
    some = np.count_nonzero(p)
    chance = n * p if some == len(p) else (n * p)[p > 0]
    if (rng.random(some) <= 1 - (1 + 2 * RARE) * chance).all():
        return True
    rng.bit_generator.state = before
    return False
