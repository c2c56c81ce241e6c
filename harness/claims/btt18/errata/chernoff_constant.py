"""A Chernoff bound with half of its constant."""

from harness.claims.btt18.t3_2 import QUOTE
from harness.claims.btt18.t3_2_proof import CHERNOFF
from harness.claims.engine import Erratum

ERRATA = Erratum(
    "chernoff-without-its-constant",
    title="Theorem 3.2's cutoff has 1/2 where Chernoff's bound has 2 or 3, and fails at small β",
    severity="conclusion false outside ordinary values",
    quotes=(QUOTE, CHERNOFF),
    why=(
        "For a mean of μ = (γ+α)m, Chernoff's bound gives μ + √(3μL) where μ ≥ 3L, L = ln(m/β), and Bernstein's μ + √(2μL) + "
        "L/3. With √(μL/2) one h_j passes B with a chance of about (β/m)^(1/4), not β/m. The conclusion averages over the h_j "
        "and survives that at ordinary β. At small β it does not: half of the h_j may err on one set of mass α and half on "
        "another, so that votes are split on mass 2α, and there every answer is ⊥."
    ),
    counterexample=(
        "T = ⌈3B⌉: m = 8, α = 1/620, β = 10⁻⁶, δ = 10⁻⁶, γ = 0: 3B = 0.9994, so T = 1, and two or more of the eight queries "
        "are ⊥ with probability 2.9·10⁻⁴, where 2β = 2·10⁻⁶. With m = 6, α = 0.00332 it fails at β = 3.2·10⁻⁴ (6.497·10⁻⁴ > "
        "6.4·10⁻⁴). T = max(1, 3B): m = 5, α = 0.0196, β = 0.007, 3B = 1.996: 0.0142 > 0.014. T = 3B as a real number: m = 1, "
        "α = 0.0526, β = 0.05, 3B = 0.9999: 0.1052 > 0.1. The step: m = 100, γ+α = 0.02, β = 0.05, B = 4.76: one h_j errs on "
        "five queries or more with probability 0.051 > 0.05."
    ),
    holds=(
        "The theorem as printed, with T = ⌈3B⌉ for β from 0.0015 to 0.2, and with T = max(1, 3B) from 0.03 to 0.2, at ε ≤ 100 "
        "and δ ≤ 0.2. With T = ⌈3B⌉ it fails from β = 3.4·10⁻⁴ down, with max(1, 3B) from 7.5·10⁻³, with a real T = 3B from "
        "0.055; between these and where it is proved nothing is known. For every β ≤ 0.2: T = 3(μ + √(2μL) + L/3)."
    ),
    answer=(
        "β is a small constant such as 0.05 and T is a whole number: there the theorem stands, and a constant in front of the "
        "root changes no rate. The full version's Corollary 4.1 has √(m log(m/β)/2), which follows from Hoeffding's bound "
        "where k ≤ m."
    ),
    claims=("BTT18:T3.2", "BTT18:T3.2-B"),
    repairs=("BTT18:T3.2-ordinary-beta", "BTT18:T3.2-repaired", "BTT18:T3.2-B-repaired"),
    script="chernoff_constant",
)
