"""BCMNUW20 Remark 9: from G with error at most α there is a data set of more than V/α² points whose averages are within 2α of
G.

That it exists is uniform convergence: a sample of D is one, with some chance. At small size it is found, though G is no help:
n' is the least number above V/α², and G errs by all of α on every query, up on some and down on others, as it is drawn. Samples
of D are drawn until one is within 2α of G on all of H̃.
"""

from collections.abc import Iterator
from itertools import product
from math import floor

import numpy as np

from harness.claims.bcmnuw20.c3 import SMALL
from harness.claims.engine import Claim, Computed, Number, Quote

TRIES = 4000
ALPHAS = 0.1, 0.3, 0.5


def _found() -> Iterator[Number]:
    for concept, alpha in product(SMALL, ALPHAS):
        rng = np.random.default_rng(9)
        marginal = list(concept.distributions.values())[-1]()
        cover = concept.cover(marginal, concept.draw(marginal, 40 if concept.sizes(40).queries < 10**4 else 12, rng))
        means = 2 * cover.expected - 1
        answers = np.clip(means + alpha * rng.choice((-1, 1), cover.queries), -1, 1)
        points = floor(concept.vc / alpha**2) + 1
        drawn = (2 * cover.answers(cover.private(points, rng)) - 1 for _ in range(TRIES))
        apart = next((far for far in (float(np.abs(each - answers).max()) for each in drawn) if far <= 2 * alpha), np.inf)
        yield Number(f"{concept.name}: {points} points, α = {alpha:g}: |average − G| over 2α", apart / (2 * alpha), 1.0)


CLAIMS = (
    Claim(
        "BCMNUW20:Rem9",
        "BCMNUW20 Remark 9",
        "From any G with error at most α there is a data set of n' > V/α² points whose averages are within 2α of G, over the "
        "cover. Decided at small size: one is found.",
        decider=Computed(_found),
        quote=Quote(
            "BCMNUW20 §2.3 (Remark 9)",
            "given a data structure G whose error ≤ α, then it suffices find a data set v ∈ 𝒳^{n′}, where n′ > VC(H)/α², "
            "such that |1/n′ Σ_{i∈[n]} h(v_i)) − G(h)| ≤ 2α for all h ∈ H, and hence the accuracy requirement would follow "
            "by the triangle inequality. Also, we know that this data set must exist.",
        ),
    ),
)
