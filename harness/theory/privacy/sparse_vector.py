"""One epoch of A_OQR or A_sparseVec: from a fresh threshold w + Lap(λ), through queries with noise Lap(2λ), to the first ⊥."""

import numpy as np

from harness.arrays import Reals

REACH = 40
"""The quadrature leaves out |Lap(λ)| > 40λ, which has probability e⁻⁴⁰ < 5e-18."""

NODES = np.polynomial.legendre.leggauss(16)
"""Those of every panel, and their weights."""


def epoch_eps(sensitivity: float, lam: float) -> float:
    """2Δ/λ: the ε of pure DP of one epoch, whatever adaptive queries come, if one example moves each distance by at most Δ.

    Say the first ⊥ is at query i, and lower the threshold by Δ on the second table, at a price of e^{Δ/λ}. The queries before i
    fell by at most Δ, so each is ⊤ with at least the probability it had. Query i rose by at most Δ over a threshold Δ lower: a
    shift of at most 2Δ in noise of scale 2λ, at a price of e^{Δ/λ}. An epoch that no ⊥ ends pays the first price only.
    """
    return 2 * sensitivity / lam


def first_bottom(levels: Reals) -> Reals:
    """The distribution of the first ⊥ in an epoch of j queries, (j + 1,): P(it is query i), and last P(none is ⊥).

    levels: (j,), the distances of the queries above w in units of λ, (dist − w)/λ. With u the threshold's noise over λ, query i
    is ⊥ with probability F((u − level)/2), F the distribution function of Lap(1), independently of the others given u. The
    integral over u is by 16-point Gauss–Legendre on panels of width at most 1 that end wherever a factor is not smooth.
    Absolute error 1e-14, relative error 1e-12 for probabilities above 1e-6.
    """
    u, weights = threshold_nodes(levels)
    apart = (u[:, np.newaxis] - levels) / 2
    near = np.exp(-np.abs(apart)) / 2
    below, far = apart < 0, 1 - near
    ended = np.ones((len(u), len(levels) + 1))  # first what is reached, query by query
    np.cumprod(np.where(below, far, near), axis=1, out=ended[:, 1:])
    ended[:, :-1] *= np.where(below, near, far)
    law: Reals = weights @ ended
    return law


def threshold_nodes(kinks: Reals) -> tuple[Reals, Reals]:
    """Nodes u and weights, both (nodes,), to integrate against Lap(1)'s density e^{−|u|}/2 what is smooth between kinks."""
    ends = np.union1d(np.arange(-REACH, REACH + 1), kinks[np.abs(kinks) < REACH])
    x, weights = NODES
    half, middle = np.diff(ends)[:, np.newaxis] / 2, (ends[1:] + ends[:-1])[:, np.newaxis] / 2
    u = (middle + half * x).ravel()
    return u, (half * weights).ravel() * np.exp(-np.abs(u)) / 2
