"""Rotation-invariant marginals on ℝ^d, and hard-margin learning on them by deferred decisions.

The target is the first basis vector throughout, and examples are folded by their labels: z = x or −x, with z_1 ≥ 0.

With a Poisson number of examples, those in disjoint regions are independent, and a chunk's hard-margin direction w depends only
on the examples that come nearer to its boundary than its margin. So only those are ever drawn. Each example has a uniform time
in [0, s], and the window [0, t] grows by a factor at a time. While it stands, draw the examples within it that violate the
margin of the present w, but for those that an earlier region and window covered; refit; when none is new, w is the direction of
all examples within the window. The examples drawn are of order d log s.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import acos, asin, cos, exp, inf, lgamma, pi, sin, sqrt

import numpy as np
import scipy
from scipy.special import erf, erfinv, owens_t

from harness.arrays import Bools, Indices, Reals
from harness.concepts.hard_margin import HardMargin

FIRST = 8  # examples a dimension in the first window
GROWTH = 8.0  # of the window


class PointLaw(ABC):
    """A rotation-invariant law of points x in ℝ^d; u stands for any unit vector."""

    @abstractmethod
    def project(self, x: Reals) -> Reals:
        """Examples from vectors of independent standard normals, (…, d, …) with coordinates on axis 1."""

    @abstractmethod
    def cap(self, rho: Reals, d: int) -> Reals:
        """At least P(0 ≤ x · u < ρ), for 0 < ρ ≤ ∞: the mass of a measure on [0, ρ) that is no less than the law of x · u."""

    @abstractmethod
    def below(self, rho: Reals, d: int, rng: np.random.Generator) -> tuple[Reals, Bools]:
        """A point drawn from that measure for each ρ, and whether to keep it, so that the law of x · u on [0, ρ) is left."""

    @abstractmethod
    def spread(self, depth: Reals, normals: Reals) -> Reals:
        """What is orthogonal to u, given x · u, from normals orthogonal to u, (M, d)."""

    @abstractmethod
    def disagreement(self, angle: float, offset: float, d: int) -> float:
        """P(x · u ≥ 0 is not the case where x · v ≥ offset is, or the reverse), v a unit vector at this angle in [0, π] from u.

        For an offset of 0 it is angle/π, for d = 1 too. The absolute error is below 10⁻⁹.
        """

    def draw(self, rows: int, d: int, columns: int, rng: np.random.Generator) -> Reals:
        """(rows, d, columns): coordinates on axis 1."""
        return self.project(rng.standard_normal((rows, d, columns)))


@dataclass(frozen=True)
class NormalPoints(PointLaw):
    """The standard normal law of points in ℝ^d."""

    def project(self, x: Reals) -> Reals:
        return x

    def cap(self, rho: Reals, d: int) -> Reals:
        return np.asarray(erf(rho / sqrt(2)) / 2)

    def below(self, rho: Reals, d: int, rng: np.random.Generator) -> tuple[Reals, Bools]:
        depth = sqrt(2) * erfinv(rng.random(len(rho)) * erf(rho / sqrt(2)))
        return np.asarray(depth), np.ones(len(rho), dtype=np.bool_)

    def spread(self, depth: Reals, normals: Reals) -> Reals:
        return normals

    def disagreement(self, angle: float, offset: float, d: int) -> float:
        # P(x · u < 0, x · v < c) = Φ(c)/2 + T(c, cot angle) (Owen 1956).
        slope = cos(angle) / sin(angle) if angle > 0 else inf
        return 0.5 - 2 * float(owens_t(offset, slope))


@dataclass(frozen=True)
class SpherePoints(PointLaw):
    """The uniform law of points on the unit sphere of ℝ^d.

    The density of arcsin x · u at φ is cos^(d−2) φ · Γ(d/2)/(√π Γ((d−1)/2)), the most at 0.
    """

    def project(self, x: Reals) -> Reals:
        x /= np.sqrt(np.einsum("ij...,ij...->i...", x, x))[:, np.newaxis]
        return x

    def cap(self, rho: Reals, d: int) -> Reals:
        density = exp(lgamma(d / 2) - lgamma((d - 1) / 2)) / sqrt(pi)
        return np.asarray(density * np.arcsin(np.minimum(rho, 1)))

    def below(self, rho: Reals, d: int, rng: np.random.Generator) -> tuple[Reals, Bools]:
        angle = rng.random(len(rho)) * np.arcsin(np.minimum(rho, 1))
        return np.sin(angle), rng.random(len(rho)) < np.cos(angle) ** (d - 2)

    def spread(self, depth: Reals, normals: Reals) -> Reals:
        radius = np.sqrt(np.maximum(1 - depth**2, 0))
        across: Reals = (radius / np.linalg.norm(normals, axis=1))[:, np.newaxis] * normals
        return across

    def disagreement(self, angle: float, offset: float, d: int) -> float:
        if d == 1:
            side = 1 if angle == 0 else -1
            return sum((x >= 0) != (side * x >= offset) for x in (-1, 1)) / 2
        if d == 2:
            return _arcs(angle, offset)
        # The projection of x onto the plane of u and v has length sin t or more with probability cos^(d−2) t. One of the two
        # lines meets circles from the first of these lengths on; from the second on they meet within.
        lengths = (abs(offset), abs(offset) / sin(angle) if angle > 0 else inf)

        def density(t: float) -> float:
            return (d - 2) * cos(t) ** (d - 3) * sin(t) * _arcs(angle, offset / sin(t))

        share, _ = scipy.integrate.quad(
            density, 0, pi / 2, points=[asin(length) for length in lengths if length < 1], epsabs=1e-11
        )
        return float(share)


def _arcs(angle: float, offset: float) -> float:
    """The share of a circle on which cos φ ≥ 0 is not the case where cos(φ − angle) ≥ offset is, or the reverse."""
    half = acos(min(1.0, max(-1.0, offset)))
    low, high = angle - half, angle + half
    both = sum(max(0.0, min(pi / 2 + turn, high) - max(turn - pi / 2, low)) for turn in (-2 * pi, 0, 2 * pi))
    return (pi + 2 * half - 2 * both) / (2 * pi)


@dataclass(frozen=True)
class _Candidates:
    """The regions z · u < margin of some chunks, each u at an angle θ from the target e_1, towards v orthogonal to it."""

    u: Reals
    v: Reals
    theta: Reals
    margin: Reals

    @classmethod
    def of(cls, w: Reals) -> "_Candidates":
        """Of w: (B, d). Where w = 0, the region is everywhere."""
        norm = np.linalg.norm(w, axis=1)
        trained = norm > 0
        with np.errstate(divide="ignore"):
            margin = 1 / norm
        u = np.where(trained[:, np.newaxis], w, np.eye(1, w.shape[1])) / np.where(trained, norm, 1)[:, np.newaxis]
        side = u.copy()
        side[:, 0] = 0
        sine = np.linalg.norm(side, axis=1)
        v = np.where(sine[:, np.newaxis] > 0, side, np.eye(1, w.shape[1], 1)) / np.where(sine > 0, sine, 1)[:, np.newaxis]
        return cls(u, v, np.arctan2(sine, u[:, 0]), margin)

    def draw(self, marginal: PointLaw, window: Reals, rng: np.random.Generator) -> tuple[Indices, Reals]:
        """(owner, z): a Poisson process of intensity window · (the law of folded examples) on each region."""
        chunks, d = self.u.shape
        # Misclassified ones are a wedge of angle θ in a half-circle. The others are of unfolded examples those with z_1 ≥ 0.
        in_wedge = np.repeat(np.arange(chunks), rng.poisson(window * self.theta / pi))
        in_band = np.repeat(np.arange(chunks), rng.poisson(2 * window * marginal.cap(self.margin, d)))
        depth, kept = marginal.below(self.margin[in_band], d, rng)
        in_band, depth = in_band[kept], depth[kept]
        owner = np.concatenate([in_wedge, in_band])
        z = rng.standard_normal((len(owner), d))
        v, theta, first = self.v[owner], self.theta[owner], z[:, 0].copy()
        second = np.einsum("md,md->m", z, v)
        z -= second[:, np.newaxis] * v
        z[:, 0] = 0

        wedge = slice(len(in_wedge))
        radius, angle = np.hypot(first[wedge], second[wedge]), rng.random(len(in_wedge)) * theta[wedge]
        z[wedge] -= (radius * np.cos(angle))[:, np.newaxis] * v[wedge]
        z[wedge, 0] = radius * np.sin(angle)
        z[wedge] = marginal.project(z[wedge])

        band = slice(len(in_wedge), None)
        z[band] += (first[band] * np.cos(theta[band]))[:, np.newaxis] * v[band]
        z[band, 0] = -first[band] * np.sin(theta[band])
        z[band] = marginal.spread(depth, z[band]) + depth[:, np.newaxis] * self.u[in_band]
        consistent = z[:, 0] >= 0
        return owner[consistent], z[consistent]


class _DrawnChunks:
    """The examples of B chunks drawn so far, and the regions and windows within which they are all there are."""

    def __init__(self, chunks: int, d: int) -> None:
        self.z = np.zeros((chunks, d, 16))
        self.margins = np.full((chunks, 16), -np.inf)
        self.held = np.zeros(chunks, dtype=np.intp)
        self.covered: list[tuple[Reals, Reals, Reals]] = []  # (u, margin, window) of every chunk, window 0 where it had none

    def unseen(self, owner: Indices, z: Reals, time: Reals) -> Bools:
        """Which examples no earlier region and window covered."""
        unseen = np.ones(len(owner), dtype=np.bool_)
        for u, margin, window in self.covered:
            near = np.einsum("md,md->m", u[owner], z) < margin[owner]
            unseen &= ~(near & (time <= window[owner]))
        return unseen

    def cover(self, rows: Indices, candidates: _Candidates, window: Reals) -> None:
        """Every example of these regions and windows has been drawn."""
        chunks, d = self.z.shape[:2]
        u, margin, windows = np.zeros((chunks, d)), np.zeros(chunks), np.zeros(chunks)
        u[rows], margin[rows], windows[rows] = candidates.u, candidates.margin, window
        self.covered.append((u, margin, windows))

    def add(self, owner: Indices, z: Reals) -> None:
        """More examples, in any order."""
        order = np.argsort(owner, kind="stable")
        owner, z = owner[order], z[order]
        more = np.bincount(owner, minlength=len(self.held))
        place = self.held[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(more) - more, more)
        self.held += more
        room, most = self.z.shape[2], int(self.held.max())
        if most > room:
            self.z = np.pad(self.z, ((0, 0), (0, 0), (0, most - room // 2)))
            self.margins = np.pad(self.margins, ((0, 0), (0, most - room // 2)), constant_values=-np.inf)
        self.z[owner, :, place] = z
        self.margins[owner, place] = 1


def learn(marginal: PointLaw, d: int, chunks: int, s: int, rng: np.random.Generator) -> Reals:
    """Draws and trains a hard-margin direction w for each chunk of Poisson(s) examples, (chunks, d), d ≥ 2; 0 where empty."""
    machine, drawn = HardMargin.untrained(chunks, d), _DrawnChunks(chunks, d)
    rows, window = np.arange(chunks), np.full(chunks, min(float(FIRST * d), s))
    while len(rows):
        candidates = _Candidates.of(machine.w[rows])
        points, z = candidates.draw(marginal, window[rows], rng)
        owner = rows[points]
        unseen = drawn.unseen(owner, z, rng.random(len(points)) * window[owner])
        drawn.cover(rows, candidates, window[rows])
        owner, z = owner[unseen], z[unseen]
        drawn.add(owner, z)
        changed = np.unique(owner)
        if len(changed):
            held = slice(int(drawn.held[changed].max()))
            machine.fit(drawn.z[changed, :, held], drawn.margins[changed, held], changed)
        whole = np.setdiff1d(rows, changed, assume_unique=True)
        rows = np.concatenate([changed, whole[window[whole] < s]])
        window[whole] = np.minimum(GROWTH * window[whole], s)
    return machine.w
