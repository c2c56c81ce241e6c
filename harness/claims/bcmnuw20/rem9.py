"""BCMNUW20 Remark 9: from G with error at most α there is a data set of more than V/α² points whose averages are within 2α of
G.

That it exists is uniform convergence: a sample of D is one, with some chance. At small size it is found: G is PMW's own, with
its exact error as α, and samples of ⌊V/α²⌋ + 1 points of D are drawn until one is within 2α on all of H.
"""

from collections.abc import Iterator
from math import floor

import numpy as np

from harness.claims.bcmnuw20.c3 import SMALL
from harness.claims.engine import Claim, Computed, Number
from harness.mechanisms.release.numeric_sparse import PmwNoise, PmwPlan, pmw

TRIES = 200


def _found() -> Iterator[Number]:
    for each in SMALL:
        rng = np.random.default_rng(9)
        marginal = list(each.distributions.values())[-1]()
        cover = each.cover(marginal, each.draw(marginal, 40 if each.sizes(40).queries < 10**4 else 12, rng))
        n = 10**7
        plan = PmwPlan.of(cover.queries, cover.log_cells, n, 0.1, 0.05, 1.0, 1e-6)
        answers = pmw(cover, cover.answers(cover.private(n, rng)), plan, PmwNoise.drawn(plan, cover.queries, rng)).answers
        alpha = max(cover.cover_error(answers), 0.05)
        points = floor(each.vc / alpha**2) + 1
        apart = min(2 * float(np.abs(cover.answers(cover.private(points, rng)) - answers).max()) for _ in range(TRIES))
        yield Number(f"{each.name}: {points} points, α = {alpha:.3g}: largest |average − G| over 2α", apart / (2 * alpha), 1.0)


CLAIMS = (
    Claim(
        "BCMNUW20:Rem9",
        "BCMNUW20 Remark 9",
        "From any G with error at most α there is a data set of n' > V/α² points whose averages are within 2α of G, over the "
        "cover. Decided at small size: one is found.",
        decider=Computed(_found),
    ),
)
