"""The paper's two claims: what its mechanism promises, and how many heads there are at least."""

from harness.claims.engine import Certain, Claim, Limit, among

CLAIMS = (
    Claim(
        "SEC:T1",
        "SEC Theorem 1",
        "All m queries are answered.",
        where=(among("mechanism", "basic_composition"),),
        decider=Certain((Limit("bottoms", 0),)),
    ),
    Claim(
        "SEC:T2",
        "SEC Theorem 2",
        "There are no more heads than tosses times 0.9.",
        decider=Certain((Limit("heads", lambda first: 0.9 * float(first["tosses"])),), trials="tosses"),
    ),
)
