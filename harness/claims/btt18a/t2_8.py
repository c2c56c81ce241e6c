"""BTT18a Theorem 2.8: the utility of A_sparseVec on values just above w + a."""

from harness.claims.engine import ANSWERED, Claim, stable_votes

CLAIMS = (
    Claim(
        "BTT18a:T2.8",
        "BTT18a Theorem 2.8",
        "With a = ln(2mT/β) √(512 T ln(1/δ)) / ε, if at most T of the m values are at most w + a, then with probability at "
        "least 1 − β all the others are answered ⊤.",
        where=stable_votes("A_sparseVec", "BTT18", right=1),
        decider=ANSWERED,
    ),
)
