"""BTT18a Corollary 3.9: the utility of A_OQR at the distance a."""

from harness.claims.engine import ANSWERED, Claim, stable_votes

CLAIMS = (
    Claim(
        "BTT18a:C3.9",
        "BTT18a Corollary 3.9",
        "With a = 32 ln(4mT/min(δ,β)) √(2T ln(2/δ)) / ε, if at most T of the m queries have a distance to instability below "
        "a, then with probability at least 1 − β A_OQR answers all the others exactly.",
        where=stable_votes("A_OQR", "BTT18", right=1),
        decider=ANSWERED,
    ),
)
