"""T/m = O(γ+α) at few queries."""

from harness.claims.btt18.t3_2 import QUOTE
from harness.claims.engine import Erratum, Quote

ERRATA = Erratum(
    "cutoff-over-m-at-few-queries",
    title="T/m = O(γ+α) needs some ln(m/β)/(γ+α) queries, which Theorem 3.2 does not say",
    severity="condition not stated",
    quotes=(Quote(QUOTE.place, "ii) the misclassification rate of AbinClas is at most T/m = O(γ + α)."),),
    why=(
        "T/m = 3(γ+α) + 3√((γ+α) ln(m/β)/(2m)), and the root is no constant multiple of γ+α where (γ+α)m is far below ln(m/β)."
    ),
    counterexample=(
        "m = 10⁴, β = 0.05, γ = 0, α → 0: (T/m)/α is 5.34 at α = 10⁻³, 26.4 at 10⁻⁵, 237 at 10⁻⁷, 2,350 at 10⁻⁹ and 23,400 "
        "at 10⁻¹¹: it grows without bound, as 1/√α, and faster where T is at least 1."
    ),
    holds="T/m ≤ 3(1 + 1/√2)(γ+α) where (γ+α)m ≥ ln(m/β), at every m ≥ 1 and β in (0, 1).",
    answer="m is meant to be large: the later theorems choose it so (m ≥ 4 log(1/αβ)/α in Claim 4.1).",
    claims=("BTT18:T3.2-rate",),
    repairs=("BTT18:T3.2-rate-repaired",),
    script="cutoff_over_m",
)
