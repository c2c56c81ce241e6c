"""What audits are held to: the exact numbers, where these are known, and what a mechanism is said to keep to."""

from harness.claims.engine import Claim, EpsilonAgreement, known
from harness.claims.engine.agreement import SpendsNoMore

CLAIMS = (
    Claim(
        "audit",
        "not in the papers: that the code does what the theory is computed for",
        "For an event chosen beforehand, the ε' with p ≤ e^{ε'} q + δ that the mechanism's own code shows on two neighbouring "
        "vote tables agrees with the exact number: its interval contains it, and its lower end reaches half of it.",
        decider=EpsilonAgreement(),
        where=(known("p"),),
        check="self-check",
        nature="ours",
    ),
    Claim(
        "audit:kept",
        "not in the papers: privacy that is measured",
        "No audit shows that the mechanism spends more than the ε that it is said to keep to at δ, by an accountant or by its "
        "author: the lower end from runs on neighbours is at most that. (Where it is, this is no proof of privacy.)",
        decider=SpendsNoMore(),
        where=(known("claimed"),),
        nature="ours",
    ),
)
