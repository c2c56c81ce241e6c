"""The repaired constants: the k of `corrected` and of `tight`, and the privacy of a run at `tight`.

The printed formula of k is far more than enough for the corrected distance too. The k of `tight` suffices, and the union bound
over the m queries is nearly attained: a tenth less does not. Half of δ is for the composition of the epochs, half for the
labels. The privacy of a run at `corrected` is BTT18:T3.1-repaired.
"""

from harness.claims.engine import ANSWERED, Claim, among, at_most, spends_eps, stable_votes

TIGHT = "not in the papers: BTT18 Algorithm 2 with noise that spends exactly (ε, δ)"

CLAIMS = (
    Claim(
        "constants:corrected-k",
        "not in the papers: BTT18 Algorithm 2 with a distance of sensitivity 1",
        "With the distance max{0, ⌈gap/2⌉ − 1} and λ, w and k = 34√2 λ ln(4m(T+1)/min(δ,β/2)) for T + 1, if on at least "
        "m − T queries at least 2k/3 votes agree, then w.p. at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "corrected"),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "constants:tight-k",
        TIGHT,
        "With the distance max{0, ⌈gap/2⌉ − 1}, the least λ and w that spend (ε, δ) over ⌊T⌋ + 1 epochs, and a* = w + 2λ "
        "ln(2m/(3β)), k = 6(a* + 1) suffices: if on at least m − T queries at least 2k/3 votes agree, then with probability "
        "at least 1 − β A_binClas answers all of these with that label.",
        where=stable_votes("A_binClas", "tight"),
        decider=ANSWERED,
        nature="ours",
    ),
    Claim(
        "probe:constants:tight-k-nine-tenths",
        TIGHT,
        "The same with 0.9 of that k. (False at the m, T and β tried.)",
        where=stable_votes("A_binClas", "tight", k_scale=0.9),
        decider=ANSWERED,
        expected="refuted",
        nature="probe",
        of="constants:tight-k",
    ),
    Claim(
        "constants:tight-private",
        TIGHT,
        "With the distance max{0, ⌈gap/2⌉ − 1}, λ = 2/ε₀ where ⌊T⌋ + 1 pure ε₀-DP mechanisms spend (ε, δ/2), and w so that "
        "P(Lap(2λ) − Lap(λ) > w) = δ/(2(⌊T⌋ + 1)), A_binClas is (ε, δ)-DP.",
        where=(among("mechanism", "tight"), at_most("eps", 10)),
        decider=spends_eps(),
        check="self-check",
        nature="ours",
    ),
)
