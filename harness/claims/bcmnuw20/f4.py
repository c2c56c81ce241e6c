"""BCMNUW20 Fact 4: the dual VC dimension is less than 2^(V+1) (Assouad 1983)."""

from collections.abc import Iterator

import numpy as np

from harness.claims.bcmnuw20.c3 import shattered, small_covers
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.covers.cube_stumps import CubeStumpQueries, Product


def _duals() -> Iterator[Number]:
    """A cover's own dimensions, both by brute force, and those that are known of its class."""
    for where, concept, cover in small_covers((2, 4)):
        table = np.unique(cover.table(), axis=0)
        if table.shape[1] <= 2**8:
            yield Number(f"p of H̃, {where}", shattered(np.unique(table.T, axis=0)), 2 ** (shattered(table) + 1) - 1)
        yield Number(f"p of H, {concept.name}", concept.dual_vc, 2 ** (concept.vc + 1) - 1)
    for p in (3, 7):  # all stumps on so small a cube attain it
        concept = CubeStumpQueries(dimension=p)
        table = concept.grid(Product(), 2).table()
        yield Number(f"p of H, all {p} stumps on the cube", shattered(table.T), 2 ** (concept.vc + 1) - 1)


CLAIMS = (
    Claim(
        "BCMNUW20:F4",
        "BCMNUW20 Fact 4",
        "The dual VC dimension p of a class of VC dimension V is less than 2^(V+1).",
        decider=Computed(_duals),
        quote=Quote(
            "BCMNUW20 §2.1 (Fact 4)",
            "Let H be a binary hypothesis class. The dual VC-dimension of H satisfies: VC⊥(H) < 2^{VC(H)+1}.",
        ),
    ),
)
