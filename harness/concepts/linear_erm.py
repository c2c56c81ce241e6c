"""Homogeneous halfspaces of least empirical risk on any labels: exact, in few coordinates, for many chunks at once.

Examples are folded by their labels, z = x or −x, so that a direction w errs on z where z · w ≤ 0. They are in general position,
or in fewer than three coordinates anywhere.

The directions that err on the same examples are a cell, with walls z_i · w = 0. A cell of least risk is right on each z_i that
has a wall there, as a step through that wall would otherwise lower the risk. So it is found by going through the walls: within
one, the other examples pose the same problem in one coordinate less, and from what is least there a step towards z_i leads to a
direction with no further mistake. In the plane the cells are arcs, found by sorting. The cost is s^(V−1) log s.
"""

from math import pi

import numpy as np

from harness.arrays import Indices, Ints, Reals

MOST_COORDINATES = 4
MOST_ARCS = 1 << 24  # to be looked at for one chunk: a few seconds
BLOCK = 1 << 18  # coordinates held at once of the problems within walls


def most_examples(V: int) -> int:
    """How many examples a chunk may have for exact empirical risk minimisation over halfspaces in V ≥ 3 coordinates."""
    most: float = MOST_ARCS ** (1 / (V - 1))
    return round(most)


def least_risk(z: Reals, numbers: Ints | None = None) -> Reals:
    """The direction of a halfspace of least empirical risk for each chunk, unit vectors (chunks, V). z: (chunks, V, s), folded.

    numbers: (s,), in the plane, how many examples each stands for; None where that is one.

    Of several, in the plane the middle of the first arc, counterclockwise; in more coordinates one from the wall of the first
    example; on the line −1. The first basis vector where s = 0.
    """
    chunks, V, s = z.shape
    if s == 0:
        return np.eye(1, V).repeat(chunks, axis=0)
    if V == 1:
        return np.where(2 * np.count_nonzero(z > 0, axis=2) > s, 1.0, -1.0)
    return _middle_of_arc(z, np.ones(s, dtype=np.int64) if numbers is None else numbers) if V == 2 else _from_walls(z)


def _middle_of_arc(z: Reals, numbers: Ints) -> Reals:
    s, total = z.shape[2], int(numbers.sum())
    # Turning counterclockwise, w becomes right on z, or wrong, once in each half-turn. Those near the first basis vector, where
    # w lies if that is the target and s is large, keep their full relative precision.
    better = z[:, 1] >= 0
    turns = np.arctan2(np.where(better, -z[:, 0], z[:, 0]), np.abs(z[:, 1]))  # in [−π/2, π/2]
    order = turns.argsort(axis=1)
    turns, better = np.take_along_axis(turns, order, axis=1), np.take_along_axis(better, order, axis=1)
    # The risk before the first turn, then after each of the s in this half-turn; in the next one, that of all less.
    number = numbers[order]
    before = np.where(better, number, 0).sum(axis=1)
    mistakes = np.cumsum(np.column_stack([before, np.where(better, -number, number)]), axis=1)[:, 1:]
    turns = np.hstack([turns, turns + pi])
    width = np.diff(turns, axis=1, append=turns[:, :1] + 2 * pi)
    mistakes = np.where(width > 0, np.hstack([mistakes, total - mistakes]), total + 1)
    # From opposite some arc of least risk, where it is the greatest, counterclockwise to the first.
    start = mistakes.argmin(axis=1)[:, np.newaxis] + s
    first = np.take_along_axis(mistakes, (start + np.arange(2 * s)) % (2 * s), axis=1).argmin(axis=1)[:, np.newaxis]
    arc = (start + first) % (2 * s)
    middle = (np.take_along_axis(turns, arc, axis=1) + np.take_along_axis(width, arc, axis=1) / 2)[:, 0]
    return np.column_stack([np.cos(middle), np.sin(middle)])


def _from_walls(z: Reals) -> Reals:
    chunks, V, s = z.shape
    walls = chunks * s
    w, risk = np.empty((walls, V)), np.empty(walls, dtype=np.intp)
    rows = max(1, BLOCK // (V * s))
    for start in range(0, walls, rows):
        block = slice(start, min(start + rows, walls))
        w[block], risk[block] = _beside(z, *np.divmod(np.arange(block.start, block.stop), s))
    best: Indices = np.arange(0, walls, s) + risk.reshape(chunks, s).argmin(axis=1)
    return np.take(w, best, axis=0)


def _beside(z: Reals, chunk: Indices, i: Indices) -> tuple[Reals, Indices]:
    """(w, its risk) for walls i, (P,), of these chunks: w is of least risk within the wall, and turned towards z_i."""
    normal = z[chunk, :, i]
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    place = np.arange(z.shape[2] - 1)
    others = z[chunk[:, np.newaxis], :, place + (place >= i[:, np.newaxis])].transpose(0, 2, 1)
    # A reflection (Householder's) takes the normal to the first axis, and so the wall to the other coordinates.
    mirror = normal.copy()
    mirror[:, 0] += np.copysign(1, normal[:, 0])
    scale = (1 + np.abs(normal[:, 0]))[:, np.newaxis]
    depth = np.matmul(mirror[:, np.newaxis], others)
    inside = least_risk(others[:, 1:] - (mirror[:, 1:] / scale)[:, :, np.newaxis] * depth)
    w = np.pad(inside, ((0, 0), (1, 0)))
    w -= np.einsum("pv,pv->p", mirror[:, 1:], inside)[:, np.newaxis] / scale * mirror
    # Turning towards z_i changes the label of each other example once in a half-turn: turn half as far as the first one.
    along, towards = np.matmul(w[:, np.newaxis], others)[:, 0], np.matmul(normal[:, np.newaxis], others)[:, 0]
    turn = np.arctan2(np.abs(along), -np.sign(along) * towards).min(axis=1, initial=pi)[:, np.newaxis] / 2
    risk = np.count_nonzero(np.cos(turn) * along + np.sin(turn) * towards <= 0, axis=1)
    return np.cos(turn) * w + np.sin(turn) * normal, risk
