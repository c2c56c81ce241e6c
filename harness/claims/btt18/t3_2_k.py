"""BTT18 Theorem 3.2: how many chunks stable queries need, with the votes set directly.

The printed k is far more than enough, so no simulation can make its claim fail. k_tight suffices, and the union bound over the
m queries is nearly attained: a tenth less does not.
"""

from harness.claims.engine import ANSWERED, Claim, stable_votes

CLAIMS = (
    Claim(
        "BTT18:T3.2-k",
        "BTT18 Algorithm 2 and Theorem 3.2, proof",
        "With k = 34√2 λ ln(4mT/min(δ,β/2)), if on at least m − T queries at least 2k/3 votes agree, then with probability "
        "at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "BTT18"),
        decider=ANSWERED,
    ),
    Claim(
        "BTT18:T3.2-k-repaired",
        "BTT18 Theorem 3.2, with k as small as its own argument allows",
        "With a* = w + 2λ ln(2m/(3β)), k = 3(a* + 1) suffices in place of the printed k: if on at least m − T queries at "
        "least 2k/3 votes agree, then with probability at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "k_tight"),
        decider=ANSWERED,
    ),
    Claim(
        "BTT18:T3.2-k-nine-tenths",
        "not in the papers: that k_tight is nearly necessary",
        "The same with 0.9 · k_tight. (False: k_tight is tight to within a tenth.)",
        where=stable_votes("A_binClas", "k_tight", k_scale=0.9),
        decider=ANSWERED,
        expected="refuted",
    ),
)
