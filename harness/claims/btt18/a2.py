"""BTT18 Algorithm 2: how many ⊥s A_binClas can let out before it halts, and how many the hard instance forces.

The printed loop runs while c ≤ T, so the ⊥ that makes c pass T is out before the loop looks again. ⌊T⌋ + 1 is what the loop
does, and what privacy has to be charged for; utility needs it, and DR14's Sparse halts one earlier. No line of the text says
that T is the most: that would be a reading of the name, and nothing printed falls with it.

A class with V rare atoms has a hard instance: V atoms of mass c/s, each missed by about e^−c of the chunks. At c = ln 2 the
votes are split in half on every atom, with a gap of about √k, far below the threshold w.
"""

from math import floor, isclose, log, sqrt

import pandas as pd

from harness.claims.engine import (
    Certain,
    Claim,
    Condition,
    Limit,
    Probability,
    Quote,
    among,
    parameters,
    promised,
    realizable,
)
from harness.concepts import concepts

LOOP = (among("mechanism", "A_binClas", "A_subSamp"),)


def _rare_atoms(first: pd.Series) -> bool:
    """Whether V of the class's atoms are rare, not V − 1."""
    concept = concepts().get(first["concept"])
    return concept is not None and concept.model_validate(parameters(first, "concept")).rare_atoms == first["V"]


def _half_missed(first: pd.Series) -> bool:
    return isclose(parameters(first, "distribution").get("c", 0), log(2), rel_tol=1e-6)


def _mean(first: pd.Series) -> float:
    """μ, the expected number of queries on rare atoms."""
    return float(first["m"] * first["V"] * log(2) / first["s"])


def _off_mean(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["bottoms"] - _mean(rows.iloc[0])).abs()


def _bernstein(first: pd.Series) -> float:
    L = log(2 / float(first["beta"]))
    return sqrt(2 * _mean(first) * L) + L / 3


CLAIMS = (
    Claim(
        "BTT18:A2-cutoff",
        "BTT18 Algorithm 2, a reading of its loop: cutoff parameter T",
        "Read as DR14's Sparse, which halts at T: whatever the votes, A_binClas answers ⊥ at most T times. (The other reading "
        "is the loop to the letter, “while c ≤ T”, which lets one more out.)",
        where=LOOP,
        decider=Certain((Limit("bottoms", "T", unit=1),)),
        expected="refuted",
        nature="reading",
        of="BTT18:T3.1",
        quote=Quote("BTT18 §3, p. 5 (Algorithm 2, input and step 5)", "cutoff parameter: T; for i ∈ [m] and c ≤ T do"),
        why=(
            "The loop runs while c ≤ T and counts a ⊥ after it was given, so it ends at ⌊T⌋ + 1 of them, where DR14's "
            "Sparse ends at T. Utility needs the one more; the privacy proof pays for one fewer."
        ),
    ),
    Claim(
        "BTT18:A2-cutoff-repaired",
        "BTT18 Algorithm 2, its loop to the letter",
        "Whatever the votes, A_binClas answers ⊥ at most ⌊T⌋ + 1 times, so that its privacy is that of ⌊T⌋ + 1 epochs.",
        where=LOOP,
        decider=Certain((Limit("bottoms", lambda first: floor(first["T"]) + 1, unit=1),)),
        check="self-check",
        nature="repair",
        of="BTT18:A2-cutoff",
        proof="The loop is entered with c ≤ T only, c grows by 1 a ⊥, and so the last ⊥ is let out at a c of at most ⌊T⌋.",
    ),
    Claim(
        "BTT18:A2-bottoms",
        "not in the papers: the ⊥ that a realizable instance forces on BTT18 Algorithm 2",
        "Where a class has V rare atoms of mass ln 2/s each, A_binClas answers ⊥ on those of its queries, μ = mV ln 2/s in "
        "the mean: with probability at least 1 − β their number is within √(2μL) + L/3 of that, L = ln(2/β) (Bernstein).",
        where=(
            Condition("a class with V rare atoms", ("concept", "concept_parameters", "V"), _rare_atoms),
            among("distribution", "hard"),
            Condition("c = ln 2", ("distribution_parameters",), _half_missed),
            realizable(),
            among("mechanism", "A_binClas"),
            promised(),
        ),
        decider=Probability((Limit("bottoms off their mean", _bernstein, of=_off_mean, reads=("bottoms", "m", "V", "s")),)),
        check="self-check",
        nature="ours",
    ),
)
