"""BTT18a Theorem 4.7: label-private learning in the agnostic case."""

from harness.claims.engine import Claim, agnostic, confident, error_within, fifteen_alpha, learned

CLAIMS = (
    Claim(
        "BTT18a:T4.7",
        "BTT18a Theorem 4.7",
        "Agnostic: as BTT18a:T4.6, with n = Õ(V^(3/2)/α^(5/2)) and err(ĥ) ≤ 7γ + 15α.",
        where=(*learned("label_private", "BTT18a"), agnostic(), confident()),
        decider=error_within(fifteen_alpha),
    ),
)
