"""The empirical audit against the exact numbers."""

from harness.claims.engine import Agreement, Claim

CLAIMS = (
    Claim(
        "audit",
        "not in the papers: that the code does what the theory is computed for",
        "For an event chosen beforehand, the ε' with p ≤ e^{ε'} q + δ that the mechanism's own code shows on two neighbouring "
        "vote tables agrees with the exact number: its interval contains it, and its lower end reaches half of it.",
        decider=Agreement(),
        check="self-check",
        nature="ours",
    ),
)
