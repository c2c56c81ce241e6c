"""Every numbered statement, algorithm and step of a proof of BTT18, in its order, and what answers for it."""

from harness.claims.engine import Passage

COVERAGE = (
    Passage(
        "BTT18, abstract, p. 1",
        "By at least a factor of 1/α more queries than by advanced composition, in some cases.",
        claims=("BTT18:AC-queries",),
    ),
    Passage(
        "BTT18 §1.1, p. 3 (composition)", "A misclassification rate ≈ √m V/n by advanced composition.", claims=("BTT18:AC",)
    ),
    Passage("BTT18 §1.1, p. 3 (Informal Theorem 1.1)", "Theorem 3.4 in words.", claims=("BTT18:T3.4",)),
    Passage("BTT18 §1.1, p. 3 (Informal Theorem 1.2)", "Theorems 4.2 and 4.3 in words.", claims=("BTT18:T4.2", "BTT18:T4.3")),
    Passage(
        "BTT18 §1.1, p. 3 (a factor of √(V/α))",
        "The bounds are a factor Õ(√(V/α)) above those without privacy.",
        claims=("BTT18:T4.2-form", "BTT18:T4.3-form-coarse"),
    ),
    Passage(
        "BTT18 §1.1, p. 4 (label-private learning)",
        "The construction serves where only labels are private.",
        parts=("harness.transfer.a_priv.LabelPrivate",),
    ),
    Passage(
        "BTT18 §2, p. 4 (Definition 2.1)",
        "(α, β, n)-learner.",
        parts=("harness.theory.pac", "harness.theory.parameters.Task"),
    ),
    Passage(
        "BTT18 §2, p. 4 (Definition 2.2)",
        "(ε, δ)-differential privacy, for |D Δ D'| = 1.",
        claims=("BTT18:T3.1-any-split",),
        parts=("harness.theory.privacy.stab.hockey_stick",),
    ),
    Passage(
        "BTT18 §2.1, p. 4 (Definition 2.3)",
        "k-stability and the distance to instability; BTT18a Definition 3.1.",
        claims=("BTT18a:D3.1", "BTT18:T2.5-integer"),
        parts=("harness.claims.btt18a.tables.own_distance",),
    ),
    Passage("BTT18 §2.1, p. 4 (Algorithm 1)", "A_stab.", parts=("harness.mechanisms.a_stab.a_stab",)),
    Passage("BTT18 §2.1, p. 4 (Theorem 2.4)", "A_stab is (ε, δ)-DP.", claims=("BTT18:T2.4",)),
    Passage("BTT18 §2.1, p. 4 (Theorem 2.5)", "A_stab's utility.", claims=("BTT18:T2.5",)),
    Passage(
        "BTT18 §3, p. 5 (extension)",
        "The construction can be extended to more labels, with analogous guarantees.",
        claims=("BTT18a:C4.1-labels",),
    ),
    Passage(
        "BTT18 §3, p. 5 (Algorithm 2)",
        "A_binClas.",
        claims=("BTT18:A2-cutoff", "BTT18:A2-bottoms"),
        parts=("harness.mechanisms.answering.a_binclas.ABinClas", "harness.theory.constants.btt18"),
    ),
    Passage(
        "BTT18 §3, p. 5 (Algorithm 2, step 3)",
        "D is split arbitrarily.",
        claims=("BTT18:T3.1-any-split",),
    ),
    Passage(
        "BTT18 §3, p. 5 (Algorithm 2, step 7)",
        "ct(top) − ct(second) − 1 stands for the distance to instability.",
        claims=("BTT18:T3.1-dist",),
    ),
    Passage(
        "BTT18 §3, p. 5 (Theorem 3.1)",
        "A_binClas is (ε, δ)-DP.",
        claims=("BTT18:T3.1", "BTT18:T3.1-any-eps", "BTT18:T3.1-any-cutoff"),
    ),
    Passage(
        "BTT18 §3, p. 5 (Theorem 3.1, the idea of its proof)",
        "Distance to instability and sparse vector; the proof itself is in no version of the text but for BTT18a's parts.",
        claims=("BTT18:T3.1-dist", "BTT18a:T3.6"),
    ),
    Passage(
        "BTT18 §3, p. 5 (Theorem 3.2)",
        "At T = 3B: no early halt, at most T ⊥s, a rate of at most T/m.",
        claims=(
            "BTT18:T3.2",
            "BTT18:T3.2-real",
            "BTT18:T3.2-at-least-one",
            "BTT18:T3.2-ceiling",
            "BTT18:T3.1-any-cutoff",
        ),
    ),
    Passage("BTT18 §3, p. 5 (Theorem 3.2 (ii), its O)", "T/m = O(γ + α).", claims=("BTT18:T3.2-rate",)),
    Passage(
        "BTT18 §3, p. 5 (Theorem 3.2, proof, first step)",
        "Of k learners all err at most γ + α, but for β.",
        claims=("BTT18:T3.2-learners",),
    ),
    Passage(
        "BTT18 §3, p. 5 (Theorem 3.2, proof, Chernoff)",
        "No h_j errs on more than B queries, but for β.",
        claims=("BTT18:T3.2-B",),
    ),
    Passage(
        "BTT18 §3, p. 6 (Lemma 3.3)",
        "The counting lemma: fewer than B/ξ queries have more than ξk wrong votes.",
        claims=("BTT18:L3.3", "BTT18:L3.3-any-share", "BTT18:L3.3-none"),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.2, proof, 3B)",
        "At most 3B queries have more than k/3 wrong votes.",
        claims=("BTT18:L3.3", "BTT18:T3.2-spread", "BTT18:T3.2-T"),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.2, proof, k)",
        "The printed k makes the other queries stable enough.",
        claims=("BTT18:T3.2-k", "BTT18:T3.2-k-any"),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.2, proof, part (ii))",
        "2k/3 right votes, so a right answer, but for 2β in all.",
        claims=("BTT18:T3.2", "BTT18:T3.2-k"),
    ),
    Passage("BTT18 §3, p. 6 (Remark 1)", "T from a private estimate of γ + α.", claims=("BTT18:R1", "BTT18:R1-asymptotics")),
    Passage(
        "BTT18 §3, p. 6 (explicit rate)",
        "T → α → k → T can be solved.",
        claims=("BTT18:T3.2-T",),
        parts=("harness.theory.fixed_point.plan_for_n", "harness.theory.fixed_point.plan_for_alpha"),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.4)",
        "The realizable rate, up to M queries and beyond.",
        claims=(
            "BTT18:T3.4",
            "BTT18:T3.4-few",
            "BTT18:T3.4-exponents",
            "BTT18:T3.4-exponents-few",
        ),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.4, proof)",
        "T = O(1) up to M, so the rate is Õ(V/(εn)); beyond, T = Õ(m²V²/(ε²n²)).",
        claims=("BTT18:T3.4-step",),
    ),
    Passage(
        "BTT18 §3, p. 6 (after Theorem 3.4)",
        "The rate is far below Õ(√m V/(εn)) of advanced composition.",
        claims=("BTT18:AC", "BTT18:AC-queries"),
    ),
    Passage(
        "BTT18 §3, p. 6 (Theorem 3.5)",
        "The agnostic rate, up to M queries and beyond.",
        claims=(
            "BTT18:T3.5",
            "BTT18:T3.5-exponents",
            "BTT18:T3.5-exponents-few",
            "BTT18:T3.5-M",
            "BTT18:T3.5-gamma",
        ),
    ),
    Passage(
        "BTT18 §3, p. 7 (Theorem 3.5, proof)",
        "T = O(1) up to M, so the rate is O(γ) + Õ(√(V/(εn))); beyond, T is that of the theorem.",
        claims=(
            "BTT18:T3.5-step",
            "BTT18:T3.5-M",
        ),
    ),
    Passage(
        "BTT18 §4, p. 7 (h_priv)",
        "h_priv is a mapping, ⊥ a fair coin, and does not depend on Q.",
        claims=("BTT18:T4.2-labels",),
        parts=("harness.transfer.a_priv.with_coins",),
    ),
    Passage(
        "BTT18 §4, p. 7 (Algorithm 3)",
        "A_Priv, private as post-processing is.",
        claims=("BTT18a:L2.4",),
        parts=("harness.transfer.a_priv.APriv",),
    ),
    Passage("BTT18 §4, p. 7 (Claim 4.1)", "err(h_priv) ≤ 3γ + 7α.", claims=("BTT18:C4.1",)),
    Passage("BTT18 §4, p. 7 (Claim 4.1, proof, first line)", "err(h_j) ≤ α for all j.", claims=("BTT18:C4.1-alpha",)),
    Passage(
        "BTT18 §4, p. 7 (Claim 4.1, proof, first display)",
        "The share of unstable queries passes 3B/m with probability below β.",
        claims=("BTT18:T3.2-B", "BTT18:L3.3"),
    ),
    Passage("BTT18 §4, p. 8 (Claim 4.1, proof, second display)", "β + 3B/m ≤ 7α + 3γ.", claims=("BTT18:C4.1-step",)),
    Passage(
        "BTT18 §4, p. 8 (Claim 4.1, proof, its end)",
        "A stable query is answered rightly, but for β in all.",
        claims=("BTT18:T3.2-k",),
    ),
    Passage("BTT18 §4, p. 8 (Theorem 4.2)", "The realizable error and n of A_Priv.", claims=("BTT18:T4.2", "BTT18:T4.2-n")),
    Passage(
        "BTT18 §4, p. 8 (Theorem 4.2, proof, k and n)",
        "k = Õ(V²/(ε²α²n)), and from it n.",
        claims=("BTT18:T4.2-form",),
    ),
    Passage(
        "BTT18 §4, p. 8 (Theorem 4.2, proof, labels)",
        "Each labelled point is drawn independently.",
        claims=("BTT18:T4.2-labels",),
    ),
    Passage(
        "BTT18 §4, p. 8 (Theorem 4.2, proof, displays)",
        "7α + α + 7α = 15α, by the triangle inequality.",
        claims=("BTT18:T4.2",),
    ),
    Passage("BTT18 §4, p. 8 (Remark 2)", "Of an ERM fewer points are enough.", claims=("BTT18:R2", "BTT18:R2-error")),
    Passage(
        "BTT18 §4, p. 8 (Remark 3)",
        "PAC learners are enough with a target of 1/m.",
        claims=("BTT18:R3", "BTT18:R3-error", "BTT18:R3-labels"),
    ),
    Passage("BTT18 §4, p. 8 (Theorem 4.3)", "The agnostic error and n of A_Priv.", claims=("BTT18:T4.3", "BTT18:T4.3-n")),
    Passage("BTT18 §4, p. 8 (Theorem 4.3, proof)", "As Theorem 4.2's.", claims=("BTT18:T4.3", "BTT18:T4.2-labels")),
    Passage(
        "BTT18 §5, p. 9 (label privacy)",
        "A label-private learner by dropping half of the labels.",
        parts=("harness.transfer.a_priv.LabelPrivate",),
    ),
    Passage(
        "BTT18 §5, p. 9 (earlier bounds)",
        "Upper and lower bounds of others for label-private learning.",
        reason="They are other papers' theorems, quoted for comparison; nothing here rests on them.",
    ),
    Passage("BTT18 §5, p. 9 (other losses)", "The guarantees carry over to surrogate losses.", claims=("BTT18:S5",)),
    Passage(
        "BTT18, slides",
        "The theorems of the paper without logarithms, and the counting picture.",
        reason="Nothing is said there that is not in BTT18 or, of soft labels, in BTT18a.",
    ),
)
