"""BTT18a Theorem 3.11: the utility of A_subSamp where each vote is right with probability 3/4.

A coin query whose votes fell below 2/3 is not counted as stable, yet it is one the theorem promises: so a trial fails also
where more than T queries are unstable.
"""

from harness.claims.engine import ANSWERED, Claim, Limit, Never, stable_votes

CLAIMS = (
    Claim(
        "BTT18a:T3.11",
        "BTT18a Theorem 3.11",
        "With k = 136 ln(4mT/min(δ,β/2)) √(T ln(2/δ)) / ε, if on at least m − T queries each vote is x_f with probability at "
        "least 3/4, then with probability at least 1 − β all of these are answered x_f.",
        where=stable_votes("A_subSamp", "BTT18a", distribution="coin", right=0.75),
        decider=Never((*ANSWERED.limits, Limit("unstable", "T"))),
    ),
)
