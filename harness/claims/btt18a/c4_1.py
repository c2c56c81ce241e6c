"""BTT18a Corollary 4.1: the misclassification rate of A_subSamp, with the additive deviation in T.

A_subSamp is printed for any finite label set, the corollary for two. What the proof asks of the votes is that on all but T
queries at least 2k/3 of them are for the true label. Lemma 3.3 gives that for any number of labels: a vote is right or wrong,
and a wrong vote is a mistake of one hypothesis. Then the second label has at most the other k/3 votes, so
ct(top) − ct(second) ≥ k/3 as with two labels, and the same k, λ, w and T suffice. More labels can only help: wrong votes that
are spread leave a larger gap than votes for one rival. One changed example moves one vote, so the gap by at most 2, as with two
labels: privacy is the same. Two things do change. The learner's α is that of the multi-class problem, with the graph dimension
for V. And a ⊥ that is answered by a random label is wrong with probability 1 − 1/L, not 1/2.
"""

import pandas as pd

from harness.claims.engine import Claim, Condition, parameters, printed_cutoff, rate_within


def _many_labels(first: pd.Series) -> bool:
    return bool(parameters(first, "concept").get("labels", 2) > 2)


CLAIMS = (
    Claim(
        "BTT18a:C4.1",
        "BTT18a Corollary 4.1",
        "Let T = 3((γ+α)m + √(m ln(m/β)/2)), and let Θ be an (α, β/k, n/k)-agnostic PAC learner. Then with probability at "
        "least 1 − 2β A_subSamp answers all m queries without halting, with at most T answers ⊥, and at least m − T are "
        "right.",
        where=printed_cutoff("A_subSamp", "BTT18a"),
        decider=rate_within(betas=2),
    ),
    Claim(
        "BTT18a:C4.1-labels",
        "BTT18a Corollary 4.1, over L > 2 labels",
        "For any finite label set: let T = 3((γ+α)m + √(m ln(m/β)/2)), and let Θ be an (α, β/k, n/k)-agnostic PAC learner, "
        "for the chance of a wrong label. Then with probability at least 1 − 2β A_subSamp answers all m queries without "
        "halting, with at most T answers ⊥, and at least m − T are right.",
        where=(
            *printed_cutoff("A_subSamp", "BTT18a"),
            Condition("more than two labels", ("concept_parameters",), _many_labels),
        ),
        decider=rate_within(betas=2),
    ),
)
