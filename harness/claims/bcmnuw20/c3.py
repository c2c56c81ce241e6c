"""BCMNUW20 Claim 3: how large a representative domain is, by the dual VC dimension of the cover itself.

X̃ is the dual class of H̃, so Sauer's lemma for the dual class is the claim. With the dual VC dimension of H in place of
H̃'s, as §1.2 has it and the proof of Theorem 10 has not, the right side is too small once |H̃| is less than p.
"""

from collections.abc import Iterator
from itertools import combinations
from math import e, log

import numpy as np

from harness.arrays import Bools
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.covers import Cover, QueryClass
from harness.covers.affine_halfspaces import AffineHalfspaceQueries
from harness.covers.cube_stumps import CubeStumpQueries, Product
from harness.covers.halfspaces import HalfspaceQueries
from harness.covers.interval_unions import IntervalQueries, IntervalUnions
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries

TECHNIQUES = Quote(
    "BCMNUW20 §1.2 (Upper bounds)",
    "Using Sauer's Lemma, we can show that the size of such a representative domain is at most (e|H̃|/p)^p, where p is the "
    "dual VC-dimension of H.",
)
SMALL: tuple[QueryClass, ...] = (
    *(ThresholdQueries(), IntervalQueries(), IntervalUnions(), StumpQueries(d=2), HalfspaceQueries(), AffineHalfspaceQueries()),
    CubeStumpQueries(dimension=8),
)
"""A class each whose covers can be written out."""


def small_covers(points: tuple[int, ...] = (1, 2, 4, 6)) -> Iterator[tuple[str, QueryClass, Cover]]:
    """For each class of SMALL and number of public points: a description, the class, and a cover made by so many points."""
    for concept in SMALL:
        marginal = next(iter(concept.distributions.values()))()
        for m in points:
            drawn = concept.draw(marginal, m, np.random.default_rng(m))
            yield f"{concept.name}, m = {m}", concept, concept.cover(marginal, drawn)


def shattered(rows: Bools) -> int:
    """The VC dimension of a matrix of truths, each row a set of columns, by trying all sets of columns."""
    size = 1
    while 2**size <= len(rows) and any(
        len(np.unique(rows[:, list(some)], axis=0)) == 2**size for some in combinations(range(rows.shape[1]), size)
    ):
        size += 1
    return size - 1


def _of_itself() -> Iterator[Number]:
    for where, _, cover in small_covers((1, 2, 4)):
        p = shattered(np.unique(cover.table().T, axis=0))
        most = p * log(e * cover.queries / p) if p else 0.0
        yield Number(f"ln |X̃|, {where}, |H̃| = {cover.queries}, p = {p}", cover.log_cells, most)


def _of_the_class() -> Iterator[Number]:
    for p, m in ((20, 2), (100, 3)):
        concept = CubeStumpQueries(dimension=p)
        marginal = Product()
        cover = concept.cover(marginal, concept.draw(marginal, m, np.random.default_rng(1)))
        where = f"ln |X̃|, cube_stumps of p = {p}, m = {m}, |H̃| = {cover.queries}"
        yield Number(where, cover.log_cells, p * log(e * cover.queries / p))


CLAIMS = (
    Claim(
        "BCMNUW20:C3",
        "BCMNUW20 Claim 3",
        "|X̃| ≤ (e|H̃|/p)^p, with p the dual VC dimension of H̃. Decided on covers of all classes at small m, p by brute force.",
        decider=Computed(_of_itself),
        quote=Quote(
            "BCMNUW20 §2.1 (Claim 3)",
            "Let H̃ be a finite class of binary functions defined over a domain 𝒳. Then, the size of a representative "
            "domain 𝒳_H̃ satisfies: |𝒳_H̃| ≤ (e|H̃|/VC⊥(H̃))^{VC⊥(H̃)}.",
        ),
    ),
    Claim(
        "BCMNUW20:C3-class",
        "BCMNUW20 Section 1.2, Claim 3 told in advance",
        "|X̃| ≤ (e|H̃|/p)^p, with p the dual VC dimension of H.",
        decider=Computed(_of_the_class),
        expected="refuted",
        why=(
            "Claim 3 and the proof of Theorem 10 have the dual VC dimension of the finite class H̃; §1.2 puts that of H. "
            "Once |H̃| is well below that p, (e|H̃|/p)^p is below 1, which is the size of nothing."
        ),
        nature="step",
        of="BCMNUW20:C3",
        quote=TECHNIQUES,
    ),
)
