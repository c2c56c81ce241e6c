"""Hard-margin support vector machines through the origin, many at once.

Each chunk's examples are folded by their labels, z = x or −x, so that a direction w is consistent with the chunk where
z · w > 0 for all of them. The machine is the w of least norm with z · w ≥ 1 for all z: the direction whose margin, the least
z · w / |w|, is the largest. Chunks without examples have w = 0.

Solved by the dual active-set method of Goldfarb and Idnani (Mathematical Programming 27, 1983), on all chunks together: |w|
grows with every constraint taken in, so it ends, and all that is kept of a chunk are at most d support points. Examples may be
shown in portions, again and again until none changes w.

Numbers are kept where a chunk has so many examples that its margin is tiny: if the target is the first basis vector, then with
d support points w is of order 1/margin in the first coordinate, and of order 1 in the others.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from harness.arrays import Indices, Reals

DEPENDENT = 1e-28  # relative square of what a point adds to the span of others, below which it is rounding
MAX_STEPS = 10_000  # of the active set; tens are usual


@dataclass
class HardMargin:
    """The hard-margin support vector machines of B chunks in ℝ^d, through the origin.

    w: (B, d). used: (B, d), 1 for slots with a support point. support: (B, d, d), as rows the support points z, with z · w = 1;
    zero in a free slot. dual: (B, d, d), rows of the pseudo-inverse of the support: z_i · dual_j = 1[i = j]. weight: (B, d),
    w = Σ weight_i z_i with weights ≥ 0.
    """

    w: Reals
    used: Reals
    support: Reals
    dual: Reals
    weight: Reals

    @classmethod
    def untrained(cls, chunks: int, d: int) -> Self:
        """The machines of chunks that have no examples yet."""
        vectors, matrices = (chunks, d), (chunks, d, d)
        return cls(np.zeros(vectors), np.zeros(vectors), np.zeros(matrices), np.zeros(matrices), np.zeros(vectors))

    def fit(self, z: Reals, margins: Reals | None = None, rows: Indices | None = None) -> None:
        """Trains the machines further, to meet z · w ≥ 1 for more examples. z: (B, d, R), or (len(rows), d, R) for some chunks.

        margins: (…, R), 1 where there is an example, −∞ where there is none; None where they are all there. Every z · w is then
        at least 1 − 10⁻⁹ − 10⁻¹⁵|w|. Raises FloatingPointError where the examples cannot be separated in double precision.
        """
        rows = np.arange(len(self.w)) if rows is None else rows
        for _ in range(MAX_STEPS):
            w = self.w[rows]
            slack = np.matmul(w[:, np.newaxis, :], z)[:, 0]
            slack -= 1.0 if margins is None else margins
            worst = slack.argmin(axis=1)
            least = slack[np.arange(len(rows)), worst]
            violated = np.flatnonzero(least < -1e-9 - 1e-15 * np.sqrt(_dot(w, w)))
            if not len(violated):
                return
            self._take_in(rows[violated], z[violated, :, worst[violated]], least[violated])
            if 2 * len(violated) < len(rows):  # those that are done stay so
                rows, z = rows[violated], z[violated]
                margins = None if margins is None else margins[violated]
        raise FloatingPointError("the examples of a chunk are not separated by any halfspace in double precision")

    def _take_in(self, rows: Indices, z: Reals, slack: Reals) -> None:
        """Make one more point a support of each of these chunks, dropping those that it replaces. slack: z · w − 1 < 0."""
        entering = np.zeros(len(rows))  # the weight of the new point
        for _ in range(MAX_STEPS):
            support, dual, weight = self.support[rows], self.dual[rows], self.weight[rows]
            share = _apply(dual, z)  # z is Σ share_i z_i, and a part orthogonal to the support
            part = z - _combine(share, support)
            part -= _combine(_apply(dual, part), support)
            size = _dot(part, part)
            size[(size <= DEPENDENT * _dot(z, z)) | self.used[rows].all(axis=1)] = 0
            with np.errstate(divide="ignore", invalid="ignore"):
                to_meet = np.where(size > 0, -slack / size, np.inf)
                to_zero = np.where(share > 0, weight / share, np.inf)
            dropped = to_zero.argmin(axis=1)
            chunk = np.arange(len(rows))
            step = np.minimum(to_meet, to_zero[chunk, dropped])
            if not np.isfinite(step).all():
                raise FloatingPointError("the examples of a chunk are not separated by any halfspace in double precision")
            entering += step
            slack = slack + step * size
            self.weight[rows] = np.maximum(weight - step[:, np.newaxis] * share, 0)
            met = to_meet <= step
            done = np.flatnonzero(met)
            self._add(rows[done], z[done], share[done], part[done] / size[done, np.newaxis])
            left = np.flatnonzero(~met)
            if not len(left):
                return
            self._drop(rows[left], dropped[left])
            rows, z, slack, entering = rows[left], z[left], slack[left], entering[left]
        raise FloatingPointError("the examples of a chunk are not separated by any halfspace in double precision")

    def _add(self, rows: Indices, z: Reals, share: Reals, new: Reals) -> None:
        """A support point whose row of the pseudo-inverse is `new`; w and the weights follow from the support alone."""
        slot = self.used[rows].argmin(axis=1)
        self.used[rows, slot], self.support[rows, slot] = 1, z
        dual = self.dual[rows] - share[:, :, np.newaxis] * new[:, np.newaxis, :]
        dual[np.arange(len(rows)), slot] = new
        # Elimination keeps to the scale of each coordinate; the update would not.
        full = self.used[rows].all(axis=1)
        dual[full] = np.linalg.inv(self.support[rows[full]]).transpose(0, 2, 1)
        w = dual.sum(axis=1)
        self.dual[rows], self.w[rows] = dual, w
        self.weight[rows] = np.maximum(_apply(dual, w), 0)

    def _drop(self, rows: Indices, slot: Indices) -> None:
        """Free a slot, and compute the pseudo-inverse of the others anew."""
        self.used[rows, slot], self.support[rows, slot], self.weight[rows, slot] = 0, 0, 0
        support = self.support[rows]
        gram = np.matmul(support, support.transpose(0, 2, 1))
        diagonal = np.arange(support.shape[1])
        gram[:, diagonal, diagonal] += 1 - self.used[rows]
        self.dual[rows] = np.matmul(np.linalg.inv(gram), support)


def _dot(a: Reals, b: Reals) -> Reals:
    product: Reals = np.einsum("bd,bd->b", a, b)
    return product


def _apply(matrix: Reals, vector: Reals) -> Reals:
    product: Reals = np.einsum("bij,bj->bi", matrix, vector)
    return product


def _combine(weight: Reals, rows: Reals) -> Reals:
    combined: Reals = np.einsum("bi,bij->bj", weight, rows)
    return combined
