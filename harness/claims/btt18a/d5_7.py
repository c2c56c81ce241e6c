"""BTT18a Definition 5.7, its remark: a bound on the mean change of a loss is none on its root mean square, up to a constant.

SGD with constant steps ½ on labels 0 and 1 that are equally likely, of one point: w ← (w + y)/2. The example of step t counts
½^(n − t + 1), so that the mean change is (1 − ½ⁿ)/2n and the mean square (1 − ¼ⁿ)/6n. The absolute loss |h − y| changes by what
h does, the squared one by at least half of it for one of the two labels: Lipschitz, smooth or strongly convex, it is the same.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from harness.claims.engine import Claim, ComputedExponents, Form, NoLogarithms, Quote, Sweep

REMARK = Quote(
    "BTT18a §5 (remark after Definition 5.7)",
    "The standard way to define stability notions is usually done with respect to some fixed loss function ℓ(h(x), y), for "
    "example, via a bound on (1/n) Σ_j E[|ℓ(h_D(x), ỹ) − ℓ(h_{D^(j)}(x), ỹ)|] for all x, y. However, under some standard and "
    "natural assumptions on the loss function, one can show that the latter implies our definition given above (up to some "
    "constant).",
)


def change_ratio(power: float) -> Iterator[Sweep]:
    """A sweep along n' for SGD of constant steps: a score's root-mean-square change over (its mean absolute change)^power."""
    s = np.array([10.0**e for e in range(1, 13)])
    mean, square = (1 - 0.5**s) / (2 * s), (1 - 0.25**s) / (6 * s)
    ratio = np.sqrt(square) / mean**power
    yield "constant steps ½ on one atom, p = ½", "s", pd.DataFrame({"s": s, "mean": ratio, "low": ratio, "high": ratio})


BOUNDED = Form({"s": 0.0}, NoLogarithms(), {"√n": {"s": 0.5}}, upper=True)

CLAIMS = (
    Claim(
        "BTT18a:D5.7-remark",
        "BTT18a Definition 5.7, its remark",
        "Where the mean of |ℓ(h, y) − ℓ(h', y)| is at most α for every y, the root of the mean of |h − h'|² is at most α up "
        "to a constant. Decided by the ratio of the two, along n', for the absolute loss.",
        decider=ComputedExponents(BOUNDED, lambda: change_ratio(1.0)),
        expected="refuted",
        quote=REMARK,
        why="With constant steps the mean change is at most 1/2n' and the root mean square √(1/6n'): their ratio grows as √n'.",
    ),
    Claim(
        "BTT18a:D5.7-remark-repaired",
        "BTT18a Definition 5.7, its remark, repaired",
        "Where the mean of |h − h'| is at most α, the root of the mean of |h − h'|² is at most √α, for every α. Decided by the "
        "ratio of the two, along n'.",
        decider=ComputedExponents(BOUNDED, lambda: change_ratio(0.5)),
        nature="repair",
        of="BTT18a:D5.7-remark",
        proof="Scores are in [0, 1], so that |h − h'|² is at most |h − h'|.",
    ),
)
