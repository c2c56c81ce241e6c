"""BTT18a Corollary 3.10: the privacy of A_subSamp, whose noise and distance are those of A_binClas."""

from harness.claims.engine import Claim, Quote, among, at_most, spends_eps

QUOTE = Quote("BTT18a §3.3 (Corollary 3.10)", "Algorithm 4 is (ε, δ)-differentially private.")

CLAIMS = (
    Claim(
        "BTT18a:C3.10",
        "BTT18a Corollary 3.10",
        "A_subSamp is (ε, δ)-DP. Certified for ε up to 5, as BTT18:T3.1.",
        where=(among("mechanism", "printed"), at_most("eps", 5)),
        decider=spends_eps(),
        quote=QUOTE,
    ),
)
