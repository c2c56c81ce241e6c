"""BTT18 §1.1 and §3: advanced composition, the baseline, and how many more queries are answered at the same error."""

from dataclasses import replace

from harness.claims.btt18.rates import AC
from harness.claims.engine import (
    Capacity,
    Claim,
    Exponents,
    among,
    decided_by_mean,
    fixed_instance,
    hard_at_every_size,
    promised,
    promising,
)

OURS, BASELINE = "A_binClas", "noisy_majority"

CLAIMS = (
    Claim(
        "BTT18:AC",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21",
        "A straightforward application of advanced composition has misclassification rate Õ(√m·V/(εn)): at the "
        "k = (6/ε₀) ln(m/(2β)) that it needs, on any instance that stays as it is, the rate grows with n, m, V and ε "
        "no faster.",
        where=(*promising(BASELINE), fixed_instance(), decided_by_mean()),
        decider=Exponents(replace(AC, upper=True)),
    ),
    Claim(
        "BTT18:AC-exponents",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21, the powers",
        "On instances that are hard at every s, the misclassification rate of advanced composition goes as √m·V/(εn), in each "
        "of n, m, V and ε, but for the logarithm of its k.",
        where=(*promising(BASELINE), fixed_instance(), hard_at_every_size(), decided_by_mean()),
        decider=Exponents(AC),
    ),
    Claim(
        "BTT18:AC-queries",
        "BTT18 §1.1",
        "In some cases A_binClas answers 1/α times as many queries as advanced composition at the same n, ε, δ and error α: "
        "as α falls the factor grows as 1/α but for the logarithms of both fixed points, where an instance is hard at every s. "
        "(Constants keep the factor itself far below 1/α.)",
        where=(
            among("mechanism", OURS, BASELINE),
            among("constants", "BTT18", "tight"),
            promised(),
            fixed_instance(),
            hard_at_every_size(),
            decided_by_mean(),
        ),
        decider=Capacity(OURS, BASELINE),
    ),
)
