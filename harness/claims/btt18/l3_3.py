"""BTT18 Lemma 3.3 at ξ = 1/3, with B the most mistakes that any h_j made in the trial.

It is tight: on the hard distribution, with c just below ln 3 and so many atoms that all h_j err about as often, more than nine
tenths of the bound are reached.
"""

import pandas as pd

from harness.claims.engine import Certain, Claim, Limit, known


def _share(rows: pd.DataFrame) -> "pd.Series[float]":
    """Queries with more than k/3 wrong votes, as a share of 3B; at B = 0 of 1, where the strict inequality says 0 < 0."""
    return rows["unstable"] / (3 * rows["max_mistakes"].astype(int)).clip(lower=1)


CLAIMS = (
    Claim(
        "BTT18:L3.3",
        "BTT18 Lemma 3.3, ξ = 1/3",
        "If each of k classifiers makes at most B > 0 mistakes on m queries, fewer than B/ξ queries have more than ξk "
        "wrong votes. "
        "(At B = 0 the printed strict inequality says 0 < 0.)",
        where=(known("max_mistakes"),),
        decider=Certain((Limit("share_of_3B", 1, of=_share, strict=True),)),
        nature="identity",
    ),
    Claim(
        "BTT18:L3.3-nine-tenths",
        "not in the papers: that Lemma 3.3 is tight at ξ = 1/3",
        "The same with 0.9 · B/ξ. (False: the lemma is tight to within a tenth.)",
        decider=Certain((Limit("share_of_3B", 0.9, of=_share, strict=True),)),
        where=(known("max_mistakes"),),
        expected="refuted",
    ),
)
