"""BTT18 §1.1 and §3: advanced composition, the baseline, and how many more queries are answered at the same error."""

from harness.claims.engine import Capacity, Claim, Rate, among, promising

OURS, BASELINE = "A_binClas", "noisy_majority"

CLAIMS = (
    Claim(
        "BTT18:AC",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21",
        "A straightforward application of advanced composition has misclassification rate Õ(√m·V/(εn)): measured against the "
        "explicit bound at the k = (6/ε₀) ln(m/(2β)) that it needs, the ratio does not grow with n or m.",
        where=promising(BASELINE),
        decider=Rate(),
    ),
    Claim(
        "BTT18:AC-queries",
        "BTT18 §1.1",
        "In some cases A_binClas answers 1/α times as many queries as advanced composition at the same n, ε, δ and error α. "
        "(The factor grows as α falls, with an exponent near −1; constants keep the factor itself far below 1/α.)",
        where=(among("mechanism", OURS, BASELINE),),
        decider=Capacity(OURS, BASELINE),
    ),
)
