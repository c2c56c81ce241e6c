"""Every numbered statement, algorithm and step of a proof of BTT18a, in its order, and what answers for it.

The text at hand has no pages; sections and numbers say where.
"""

from harness.claims.engine import Passage

SECTIONS_2_TO_4 = (
    Passage(
        "BTT18a §1.1 (rates)",
        "Rates from (n/V)^(4/3) and (n/V)^(4/5) queries on.",
        claims=("BTT18a:S4.1-realizable", "BTT18a:S4.1-agnostic"),
    ),
    Passage("BTT18a §1.1 (Informal Theorem 1.1)", "Theorems 4.6 and 4.7 in words.", claims=("BTT18a:T4.6", "BTT18a:T4.7")),
    Passage("BTT18a §1.1 (Informal Theorem 1.2)", "Theorem 5.14 in words.", claims=("BTT18a:T5.14",)),
    Passage(
        "BTT18a §2 (Definitions 2.1 and 2.2)",
        "Agnostic PAC learners.",
        parts=("harness.theory.pac", "harness.theory.parameters.Task"),
    ),
    Passage(
        "BTT18a §2 (Definition 2.3)", "(ε, δ)-differential privacy, 'with probability at least 1 − δ'.", claims=("BTT18a:D2.3",)
    ),
    Passage("BTT18a §2 (Lemma 2.4)", "Post-processing.", claims=("BTT18a:L2.4",)),
    Passage("BTT18a §2 (Definition 2.5)", "Global sensitivity.", parts=("harness.claims.btt18a.tables.sensitivity",)),
    Passage(
        "BTT18a §2 (Lemma 2.6)", "The Laplace mechanism.", claims=("BTT18a:L2.6",), parts=("harness.mechanisms.noise.laplace",)
    ),
    Passage("BTT18a §2.1 (Algorithm 1)", "A_sparseVec.", parts=("harness.mechanisms.above_threshold.a_sparse_vec",)),
    Passage("BTT18a §2.1 (Theorem 2.7)", "A_sparseVec is (ε, δ)-DP.", claims=("BTT18a:T2.7", "BTT18:T3.1-any-eps")),
    Passage("BTT18a §2.1 (Theorem 2.8)", "A_sparseVec's accuracy.", claims=("BTT18a:T2.8",)),
    Passage(
        "BTT18a §3.1 (Definition 3.1)",
        "k-stability; k-stable if and only if the distance is at least k.",
        claims=("BTT18a:D3.1",),
    ),
    Passage("BTT18a §3.1 (Algorithm 2)", "A_stab.", parts=("harness.mechanisms.a_stab.a_stab",)),
    Passage(
        "BTT18a §3.1 (Theorem 3.2)",
        "A_stab is (ε, δ)-DP; BTT18 Theorem 2.4.",
        claims=("BTT18:T2.4", "BTT18a:L3.3", "BTT18a:L3.4"),
    ),
    Passage("BTT18a §3.1 (Lemma 3.3)", "Where f(D) = f(D').", claims=("BTT18a:L3.3",)),
    Passage(
        "BTT18a §3.1 (Lemma 3.3, proof)",
        "The distance has sensitivity 1; Laplace mechanism and post-processing.",
        claims=("BTT18a:L3.3", "BTT18a:L2.4", "BTT18a:L2.6"),
    ),
    Passage("BTT18a §3.1 (Lemma 3.4)", "Where f(D) ≠ f(D').", claims=("BTT18a:L3.4",)),
    Passage(
        "BTT18a §3.1 (Lemma 3.4, proof)", "Both distances are 0; the Laplace tail at Γ is at most δ.", claims=("BTT18a:L3.4",)
    ),
    Passage("BTT18a §3.1 (Theorem 3.5)", "A_stab's utility; BTT18 Theorem 2.5.", claims=("BTT18:T2.5",)),
    Passage(
        "BTT18a §3.2 (Algorithm 3)",
        "A_OQR.",
        claims=("BTT18a:A3-law",),
        parts=("harness.mechanisms.online.a_oqr.OnlineAOQR", "harness.mechanisms.answering.a_oqr.AOQR"),
    ),
    Passage(
        "BTT18a §3.2 (against composition)",
        "A dependence on m that is logarithmic, not √m.",
        claims=("BTT18:AC", "BTT18:AC-queries"),
    ),
    Passage("BTT18a §3.2 (Theorem 3.6)", "A_OQR is (ε, δ)-DP.", claims=("BTT18a:T3.6", "BTT18:T3.1-any-eps")),
    Passage(
        "BTT18a §3.2 (Theorem 3.6, proof, A_1)",
        "The ⊤s and ⊥s are A_sparseVec's, (ε, δ/2)-DP.",
        claims=("BTT18a:T3.6", "BTT18a:T2.7"),
    ),
    Passage("BTT18a §3.2 (Lemma 3.7)", "A_2 where f(D) = f(D').", claims=("BTT18a:L3.7",)),
    Passage("BTT18a §3.2 (Lemma 3.8)", "A_2 where f(D) ≠ f(D').", claims=("BTT18a:L3.8",)),
    Passage(
        "BTT18a §3.2 (Theorem 3.6, proof, union)", "Lemma 3.8 for each of the m queries of a run.", claims=("BTT18a:L3.8-run",)
    ),
    Passage("BTT18a §3.2 (Corollary 3.9)", "A_OQR's utility.", claims=("BTT18a:C3.9", "BTT18a:C3.9-queries")),
    Passage("BTT18a §3.2 (Corollary 3.9, proof)", "a is w and Theorem 2.8's together.", claims=("BTT18a:C3.9", "BTT18a:T2.8")),
    Passage(
        "BTT18a §3.3 (Algorithm 4)",
        "A_subSamp.",
        claims=("BTT18a:A3-law",),
        parts=("harness.mechanisms.answering.a_subsamp.ASubSamp", "harness.mechanisms.online.a_subsamp.OnlineASubSamp"),
    ),
    Passage("BTT18a §3.3 (Algorithm 4, step 2)", "D is split arbitrarily.", claims=("BTT18:T3.1-any-split",)),
    Passage(
        "BTT18a §3.3 (Algorithm 4, step 5)", "ct(top) − ct(second) − 1 stands for the distance.", claims=("BTT18a:C3.10-dist",)
    ),
    Passage(
        "BTT18a §3.3 (Corollary 3.10)",
        "A_subSamp is (ε, δ)-DP.",
        claims=("BTT18a:C3.10", "BTT18a:C3.10-ranges", "BTT18a:C3.10-every"),
    ),
    Passage("BTT18a §3.3 (Corollary 3.10, proof)", "Theorem 3.6 with Algorithm 4's distance.", claims=("BTT18a:C3.10-dist",)),
    Passage(
        "BTT18a §3.3 (Theorem 3.11)",
        "A_subSamp's utility.",
        claims=("BTT18a:T3.11", "BTT18a:T3.11-queries", "BTT18a:T3.11-every"),
    ),
    Passage(
        "BTT18a §3.3 (Theorem 3.11, proof, 72)",
        "k ≥ 72 ln(2m/β) votes make 2k/3 of 3k/4 in the mean.",
        claims=("BTT18a:T3.11-72",),
    ),
    Passage("BTT18a §3.3 (Theorem 3.11, proof, k/3)", "2k/3 votes make a distance of k/3.", claims=("BTT18a:T3.11-third",)),
    Passage("BTT18a §3.3 (Theorem 3.11, proof, k)", "The printed k meets both conditions.", claims=("BTT18a:T3.11-both",)),
    Passage("BTT18a §4.1 (Corollary 4.1)", "As BTT18 Theorem 3.2, with Hoeffding's deviation.", claims=("BTT18a:C4.1",)),
    Passage(
        "BTT18a §4.1 (Corollary 4.1, proof, B)", "Hoeffding with ln(k/β), and k < m.", claims=("BTT18a:C4.1", "BTT18a:C4.1-B")
    ),
    Passage(
        "BTT18a §4.1 (Lemma 4.2)",
        "The counting lemma; BTT18 Lemma 3.3.",
        claims=("BTT18:L3.3", "BTT18:L3.3-any-share", "BTT18:L3.3-none"),
    ),
    Passage(
        "BTT18a §4.1 (Corollary 4.1, proof, its end)",
        "At most 3B queries are unstable, all others right.",
        claims=("BTT18a:C4.1", "BTT18a:T3.11"),
    ),
    Passage("BTT18a §4.1 (Remark 1)", "More than two labels.", claims=("BTT18a:C4.1-labels",)),
    Passage(
        "BTT18a §4.1 (explicit rates)",
        "k, T and the rates, realizable and agnostic.",
        claims=("BTT18a:S4.1-realizable", "BTT18a:S4.1-agnostic"),
    ),
    Passage("BTT18a §4.1 (Theorem 4.3)", "n in the realizable case.", claims=("BTT18a:T4.3", "BTT18a:T4.3-right")),
    Passage("BTT18a §4.1 (Theorem 4.3, its k)", "k as in Algorithm 4, with β for β/2.", errata=("beta-for-half-of-it",)),
    Passage("BTT18a §4.1 (Theorem 4.4)", "n in the agnostic case, in two forms.", claims=("BTT18a:T4.4", "BTT18a:T4.4-right")),
    Passage(
        "BTT18a §4.2 (Algorithm 5)",
        "A_Priv, private as post-processing is.",
        claims=("BTT18a:L2.4",),
        parts=("harness.transfer.a_priv.APriv",),
    ),
    Passage("BTT18a §4.2 (h_priv)", "h_priv is a mapping that does not depend on the query.", claims=("BTT18:T4.2-labels",)),
    Passage("BTT18a §4.2 (Claim 4.5)", "err(h_priv) ≤ 3γ + 7α.", claims=("BTT18a:C4.5",)),
    Passage("BTT18a §4.2 (Claim 4.5, proof, first line)", "err(h_j) ≤ α for all j.", claims=("BTT18:C4.1-alpha",)),
    Passage(
        "BTT18a §4.2 (Claim 4.5, proof, displays)", "β + 3B/m ≤ 7α + 3γ; stable queries are right.", claims=("BTT18a:C4.5",)
    ),
    Passage("BTT18a §4.2 (Theorem 4.6)", "The realizable error and n of A_Priv.", claims=("BTT18a:T4.6", "BTT18a:T4.6-n")),
    Passage(
        "BTT18a §4.2 (Theorem 4.6, proof, labels)", "Each labelled point is drawn independently.", claims=("BTT18:T4.2-labels",)
    ),
    Passage(
        "BTT18a §4.2 (Theorem 4.6, proof, displays)", "7α + α + 7α = 15α, by the triangle inequality.", claims=("BTT18a:T4.6",)
    ),
    Passage("BTT18a §4.2 (Theorem 4.7)", "The agnostic error and n of A_Priv.", claims=("BTT18a:T4.7", "BTT18a:T4.7-n")),
    Passage(
        "BTT18a §4.2 (Theorem 4.7, proof)",
        "4γ + 7α, 4γ + 8α and 7γ + 15α, by the triangle inequality.",
        claims=("BTT18a:T4.7",),
    ),
    Passage(
        "BTT18a §4.2 (earlier work)",
        "A factor Õ(√(V/α)) above the bounds without privacy; bounds of others.",
        reason="The factor is Theorems 4.6 and 4.7 over the known bounds; the others are quoted for comparison.",
    ),
)

SECTION_5 = (
    Passage(
        "BTT18a §5 (Definition 5.1)",
        "γ-partitions of [0, 1] and their half-shifted ones.",
        parts=("harness.mechanisms.scoring.histograms.half_edges",),
    ),
    Passage(
        "BTT18a §5 (Definition 5.1, its last sentence)",
        "1/γ may be taken for a whole number.",
        parts=("harness.theory.constants.btt18a_scores",),
    ),
    Passage(
        "BTT18a §5 (Definitions 5.2 and 5.3)",
        "γ-histograms, and GenHist.",
        parts=("harness.mechanisms.scoring.histograms.Histograms",),
    ),
    Passage(
        "BTT18a §5 (Algorithm 6)",
        "A_SL-Quer.",
        errata=("a-threshold-that-is-not-set",),
        parts=("harness.mechanisms.scoring.a_sl_quer.ASLQuer", "harness.theory.constants.btt18a_scores"),
    ),
    Passage("BTT18a §5 (Algorithm 7)", "A_PrvLearn.", parts=("harness.scores.Scorer",)),
    Passage(
        "BTT18a §5 (Algorithm 8)",
        "H_Priv, of two tests.",
        errata=("a-threshold-that-is-not-set",),
        parts=("harness.mechanisms.scoring.two_tests.two_tests",),
    ),
    Passage(
        "BTT18a §5 (precision by query)",
        "γ may be chosen by query.",
        reason="It is an extension that no theorem of the text is about.",
    ),
    Passage("BTT18a §5 (Theorem 5.4)", "A_SL-Quer is (ε, δ)-DP.", claims=("BTT18a:T5.4",)),
    Passage("BTT18a §5 (Theorem 5.4, proof)", "T becomes 2T and δ becomes δ/2, in λ and in w.", claims=("BTT18a:T5.4",)),
    Passage(
        "BTT18a §5 (Definition 5.5)",
        "d-stable histograms.",
        claims=("BTT18a:T5.6",),
        errata=("stable-by-definition",),
        parts=("harness.mechanisms.scoring.histograms.Histograms",),
    ),
    Passage(
        "BTT18a §5 (Theorem 5.6)",
        "All queries with stable histograms are answered by them.",
        claims=("BTT18a:T5.6", "BTT18a:T5.6-shifted"),
    ),
    Passage(
        "BTT18a §5 (Theorem 5.6, proof)",
        "Corollary 3.9 with β/2, and Theorem 3.5 for the shifted ones.",
        claims=("BTT18a:T5.6", "BTT18a:T5.6-shifted"),
    ),
    Passage(
        "BTT18a §5 (Definition 5.7)",
        "α-on-average stability.",
        parts=("harness.scores.estimate.estimated_alpha", "harness.scores.means.LabelMeans"),
    ),
    Passage(
        "BTT18a §5 (remark after Definition 5.7)",
        "Stability of a loss implies it, up to a constant.",
        claims=("BTT18a:D5.7-remark",),
    ),
    Passage(
        "BTT18a §5 (Lemma 5.8)", "A prediction is within 4α√(2n') of its mean with probability 3/4.", claims=("BTT18a:L5.8",)
    ),
    Passage("BTT18a §5 (Lemma 5.8, proof)", "Markov, Steele and Chebyshev.", claims=("BTT18a:L5.8", "BTT18a:L5.8-sharp")),
    Passage("BTT18a §5 (after Lemma 5.8)", "Lemma 5.8 in words, with 1/8.", errata=("an-eighth-for-a-quarter",)),
    Passage(
        "BTT18a §5 (SGD, interlude)", "SGD is O(1/n')-on-average stable.", claims=("BTT18a:SGD-rate", "BTT18a:SGD-rate-growth")
    ),
    Passage("BTT18a §5 (Definition 5.9)", "Consistent randomization, and that permuted SGD has it.", claims=("BTT18a:D5.9",)),
    Passage("BTT18a §5 (Corollary 5.10)", "Two thirds of the predictions are near the mean.", claims=("BTT18a:C5.10",)),
    Passage("BTT18a §5 (Definition 5.11)", "ν-weak quality.", parts=("harness.trials.soft_labels",)),
    Passage(
        "BTT18a §5 (example)",
        "Labels of a sign with Gaussian noise.",
        claims=("BTT18a:G-example", "BTT18a:G-example-everywhere", "BTT18a:G-example-equality"),
        parts=("harness.scores.beyond_c.BeyondC",),
    ),
    Passage(
        "BTT18a §5 (example, accurate learners)",
        "A learner whose mean is within α of p(1|x) has (α + 0.02)-weak quality.",
        reason="It is the triangle inequality on the example's numbers, and a sentence on what good learners do.",
    ),
    Passage("BTT18a §5 (Definition 5.12)", "(ν, β)-strong quality.", claims=("BTT18a:L5.13", "BTT18a:L5.13-strong")),
    Passage(
        "BTT18a §5 (Lemma 5.13)",
        "Weak quality of the learner, strong quality of A_PrvLearn.",
        claims=("BTT18a:L5.13", "BTT18a:L5.13-strong"),
    ),
    Passage(
        "BTT18a §5 (Lemma 5.13, proof)",
        "Two thirds of the predictions are in one bin, which is then k/3-stable and passes.",
        claims=("BTT18a:L5.13-stable", "BTT18a:C5.10"),
    ),
    Passage("BTT18a §5 (Theorem 5.14)", "All m scores are near their means.", claims=("BTT18a:T5.14",)),
    Passage("BTT18a §5 (Theorem 5.14, proof, k)", "k is enough for all queries of weak quality.", claims=("BTT18a:T5.14-k",)),
    Passage(
        "BTT18a §5 (Theorem 5.14, proof, bins)",
        "The bin that passes holds the mean, or a neighbour of it does.",
        claims=("BTT18a:T5.14",),
    ),
    Passage(
        "BTT18a §5 (lower bound)",
        "No contradiction to the lower bound of DSSUV 2015.",
        claims=("BTT18a:S5-lower-bound", "BTT18a:S5-tracing", "BTT18a:S5-tracing-answers"),
    ),
    Passage(
        "BTT18a §5 (uniform stability)",
        "α-uniform stability.",
        claims=("BTT18a:SGD",),
        parts=("harness.scores.replacement.Pairs",),
    ),
    Passage(
        "BTT18a §5 (Theorem 2)",
        "Uniform stability with a permutation makes on-average stability without.",
        claims=("BTT18a:SGD",),
    ),
    Passage(
        "BTT18a §5 (Theorem 2, proof)",
        "Exchangeability: swapping entries of an i.i.d. sequence changes no law.",
        claims=("BTT18a:SGD",),
    ),
)

COVERAGE = SECTIONS_2_TO_4 + SECTION_5
