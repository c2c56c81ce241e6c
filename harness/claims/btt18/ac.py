"""BTT18 §1.1 and §3: advanced composition, the baseline, and how many more queries are answered at the same error."""

from dataclasses import replace

from harness.claims.btt18.rates import AC
from harness.claims.engine import (
    Capacity,
    Claim,
    Exponents,
    Quote,
    among,
    decided_by_mean,
    fixed_instance,
    hard_at_every_size,
    promised,
    promising,
)

OURS, BASELINE = "A_binClas", "noisy_majority"

RATE = Quote(
    "BTT18 §1.1, p. 3",
    "A straightforward application of the advanced composition theorem of differential privacy would have led to a "
    "misclassification rate ≈ √m V/n, which can be significantly larger than our rate.",
)

CLAIMS = (
    Claim(
        "BTT18:AC",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21",
        "A straightforward application of advanced composition has misclassification rate Õ(√m·V/(εn)): at the "
        "k = (6/ε₀) ln(m/(2β)) that it needs, on any instance that stays as it is, the rate grows with n, m, V and ε "
        "no faster.",
        where=(*promising(BASELINE), fixed_instance(), decided_by_mean()),
        decider=Exponents(replace(AC, upper=True)),
        quote=RATE,
    ),
    Claim(
        "BTT18:AC-exponents",
        "BTT18 §1.1 and §3, DR14 Corollary 3.21, the powers",
        "On instances that are hard at every s, the misclassification rate of advanced composition goes as √m·V/(εn), in each "
        "of n, m, V and ε, but for the logarithm of its k.",
        where=(*promising(BASELINE), fixed_instance(), hard_at_every_size(), decided_by_mean()),
        decider=Exponents(AC),
        nature="reading",
        of="BTT18:AC",
        quote=RATE,
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
        quote=Quote(
            "BTT18, abstract, p. 1",
            "In particular, if the underlying non-private learner yields a classification error of at most α ∈ (0, 1), then "
            "our construction answers more queries, by at least a factor of 1/α in some cases, than what is implied by a "
            "straightforward application of the advanced composition theorem for differential privacy.",
        ),
    ),
)
