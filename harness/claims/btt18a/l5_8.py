"""BTT18a Lemma 5.8: how far a score is from its mean, by on-average stability.

Its proof loses a factor of 4: it splits ¼ between the coins and the data, and Markov's inequality on the coins is not needed,
because Chebyshev's holds on average over them. With E Var(h | coins) ≤ α²n'/2 (Steele 1986), α√(2n') is twice the standard
deviation.
"""

from math import sqrt

import pandas as pd

from harness.claims.engine import Claim, Limit, Probability, Quote, among, known

MEASURED = (among("mechanism", "on_average"), known("closed"))
"""Trials of learners of which α is known: with a larger one the lemma says less."""


def within(constant: float) -> Probability:
    """A score is beyond constant·α√(2n') of its mean with probability at most ¼."""

    def most(first: pd.Series) -> float:
        return constant * float(first["closed"]) * sqrt(2 * first["s"])

    return Probability((Limit("deviation", most, trivial=1.0),), "stability", may_fail=0.25)


LEMMA = Quote(
    "BTT18a §5 (Lemma 5.8)",
    "Let B be α-on-average stable (soft-label) classification learner. […] Then, for any fixed x ∈ X, we have P_{r∼R, "
    "D̂∼Dⁿ′}[|h_D̂^(r)(x) − E_D̂[h_D̂^(r)](x)| ≤ 4α√(2n′)] ≥ 3/4, where the probability is taken over both the random "
    "coins r of B and the dataset D̂.",
)

CLAIMS = (
    Claim(
        "BTT18a:L5.8",
        "BTT18a Lemma 5.8",
        "Where Θ is α-on-average stable, P(|h(x) − E h(x)| ≤ 4α√(2n')) ≥ 3/4 at every x.",
        where=MEASURED,
        decider=within(4.0),
        quote=LEMMA,
    ),
    Claim(
        "BTT18a:L5.8-sharp",
        "not in the papers: Lemma 5.8 with a quarter of its constant",
        "Where Θ is α-on-average stable, P(|h(x) − E h(x)| ≤ α√(2n')) ≥ 3/4 at every x: 1 is enough in place of 4, by "
        "Chebyshev's inequality alone.",
        where=MEASURED,
        decider=within(1.0),
        nature="ours",
    ),
)
