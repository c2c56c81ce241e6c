"""BCMNUW20 Section 4: stumps on the cube by public points alone, and by private points alone.

O(ln p/α²) public points: by Hoeffding's inequality m = 2 ln(2p/β)/α². Õ(ln p/α² + √p/α) private ones: Gaussian noise on the p
averages, with its exact curve, and Hoeffding for the sample.
"""

from math import log

from harness.claims.engine import Claim, Condition, Limit, Probability, Quote, among

WITHIN = Probability((Limit("error", "alpha", trivial=1.0),), "release", may_fail="beta")

SECTION = Quote(
    "BCMNUW20 §4",
    "This concept class can be released using either Õ(log(p)/α² + √p/α) private samples and no public samples, or using "
    "O(log(p)/α²) public samples and no private samples.",
)

CLAIMS = (
    Claim(
        "BCMNUW20:stumps-public",
        "BCMNUW20 Section 4, explicit",
        "From m = 2 ln(2p/β)/α² public points on, the averages of these alone are within α with probability at least 1 − β.",
        where=(
            among("concept", "cube_stumps"),
            among("mechanism", "public_averages"),
            Condition(
                "m ≥ 2 ln(2p/β)/α²",
                ("m", "p", "alpha", "beta"),
                lambda first: bool(first["m"] >= 2 * log(2 * first["p"] / first["beta"]) / first["alpha"] ** 2),
            ),
        ),
        decider=WITHIN,
        quote=SECTION,
    ),
    Claim(
        "BCMNUW20:stumps-private",
        "BCMNUW20 Section 4, explicit",
        "From the n on at which √(2 ln(4p/β)/n) and 2Φ⁻¹(1 − β/4p)σ are at most α together, σ = √p/(nμ(ε, δ)), Gaussian noise "
        "on the p averages of private points alone is within α with probability at least 1 − β.",
        where=(
            among("concept", "cube_stumps"),
            among("mechanism", "gaussian_averages"),
            among("m", 0),
            Condition("n ≥ what it asks for", ("n", "needed"), lambda first: bool(first["n"] >= first["needed"])),
        ),
        decider=WITHIN,
        quote=SECTION,
    ),
)
