"""BTT18 Theorem 3.2: how many chunks stable queries need, with the votes set directly.

The printed k is far more than enough, so no simulation can make its claim fail. k_tight suffices (`theory.least.answered` has
the proof), and the union bound over the m queries is nearly attained: where it was tried, a tenth less does not.
"""

from collections.abc import Iterator
from math import log, sqrt

from harness.claims.engine import ANSWERED, Claim, Computed, Number, Quote, stable_votes, task_of
from harness.theory.constants import constants


def _against_tight() -> Iterator[Number]:
    """k_tight, written out, against the printed k, where δ is the smaller of δ and β/2 and where it is not."""
    cases = ((1000, 10.0, 1e-6, 0.05), (1, 1.0, 0.1, 1e-40), (1000, 10.0, 0.1, 1e-150), (10, 3.5, 1e-60, 0.5))
    for m, T, delta, beta in cases:
        lam = sqrt(32 * T * log(2 / delta))
        tight = 3 * (2 * lam * (log(2 * m / delta) + log(2 * m / (3 * beta))) + 1)
        for name in ("BTT18", "BTT18a"):
            where = f"{name}, m = {m}, T = {T:g}, δ = {delta:g}, β = {beta:g}"
            yield Number(where, tight, constants()[name].k(task_of(m, beta, delta=delta), T))


CONDITION = Quote(
    "BTT18 §3.1, p. 6 (proof of Theorem 3.2)",
    "observe that to satisfy the distance to instability condition (in Theorem 2.5) for the remaining m − 3B queries, it would "
    "suffice to have k/3 ≥ 32 log(4mT/min(δ, β/2)) √(2T log(2/δ))/ε (taking into account the noise in the threshold passed to "
    "A_stab in Step 8 of A_binClas). This condition on k is satisfied by the setting of k in A_binClas.",
)

CLAIMS = (
    Claim(
        "BTT18:T3.2-k",
        "BTT18 Algorithm 2 and Theorem 3.2, proof",
        "With k = 34√2 λ ln(4mT/min(δ,β/2)), if on at least m − T queries at least 2k/3 votes agree, then with probability "
        "at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "BTT18"),
        decider=ANSWERED,
        nature="step",
        of="BTT18:T3.2",
        quote=CONDITION,
    ),
    Claim(
        "BTT18:T3.2-k-repaired",
        "not in the papers: BTT18 Theorem 3.2, with k as small as its own argument allows",
        "For every m, T, ε, δ and β < 2/3: with a* = w + 2λ ln(2m/(3β)), k = 3(a* + 1) suffices in place of the printed k: if "
        "on at least m − T queries at least 2k/3 votes agree, then with probability at least 1 − β A_binClas answers all of "
        "these with that label.",
        where=stable_votes("A_binClas", "k_tight"),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "BTT18:T3.2-k-any",
        "not in the papers: BTT18 Algorithm 2, k = 34√2 λ ln(4mT/min(δ, β/2)); BTT18a Algorithm 4",
        "The printed k is at least k_tight whichever of δ and β/2 is the smaller: with δ or β/2 alone for the minimum it falls "
        "below it where the other is far smaller.",
        decider=Computed(_against_tight),
        nature="ours",
    ),
    Claim(
        "probe:BTT18:T3.2-k-nine-tenths",
        "not in the papers: that k_tight is nearly necessary",
        "The same with 0.9 · k_tight. (False where m = 1000, δ = 10⁻⁶, β = 0.25.)",
        where=stable_votes("A_binClas", "k_tight", k_scale=0.9),
        decider=ANSWERED,
        expected="refuted",
        nature="probe",
        of="BTT18:T3.2-k-repaired",
    ),
)
