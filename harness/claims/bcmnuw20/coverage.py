"""Every numbered statement, algorithm and step of a proof of BCMNUW20, in its order, and what answers for it.

The text at hand has no pages; sections and numbers say where.
"""

from harness.claims.engine import Passage

COVERAGE = (
    Passage("BCMNUW20 §1.1 (1)", "Upper bounds of d/α public and √p d^(3/2)/α² private points.", claims=("BCMNUW20:T10",)),
    Passage(
        "BCMNUW20 §1.1 (2)",
        "The lower bound for stumps, and what is enough for them.",
        claims=("BCMNUW20:T13", "BCMNUW20:stumps-public", "BCMNUW20:stumps-private"),
    ),
    Passage("BCMNUW20 §1.1 (3)", "1/α public points for an infinite Littlestone dimension.", claims=("BCMNUW20:T15",)),
    Passage(
        "BCMNUW20 §1.2 (upper bounds)",
        "The representative domain has at most (e|H̃|/p)^p points, p of H.",
        claims=("BCMNUW20:C3-class",),
    ),
    Passage(
        "BCMNUW20 §1.2 (lower bound)",
        "Tracing names a private row where m ≤ t − 1.",
        claims=("BCMNUW20:T14", "BCMNUW20:T13-chance"),
    ),
    Passage("BCMNUW20 §2.1 (Definition 1)", "α-covers.", parts=("harness.covers.Cover",)),
    Passage(
        "BCMNUW20 §2.1 (Definition 2)",
        "Representative domains, with those of thresholds and halfspaces.",
        parts=(
            "harness.covers.Cover",
            "harness.covers.thresholds.ThresholdQueries",
            "harness.covers.affine_halfspaces.AffineHalfspaceQueries",
        ),
    ),
    Passage("BCMNUW20 §2.1 (before Claim 3)", "At most 2^|H̃| points, one a vector of values.", claims=("BCMNUW20:C3",)),
    Passage("BCMNUW20 §2.1 (Claim 3)", "The size of a representative domain.", claims=("BCMNUW20:C3",)),
    Passage("BCMNUW20 §2.1 (Fact 4)", "The dual VC dimension is below 2^(V+1).", claims=("BCMNUW20:F4",)),
    Passage(
        "BCMNUW20 §2.1 (Definition 5)", "Query release and its worst error.", parts=("harness.mechanisms.release.Released",)
    ),
    Passage(
        "BCMNUW20 §2.2 (Definition 6)",
        "Differential privacy, neighbours by replacing one element.",
        parts=("harness.theory.privacy.composition",),
    ),
    Passage(
        "BCMNUW20 §2.2 (Algorithm 1)",
        "PMW.",
        parts=("harness.mechanisms.release.pmw.PMW", "harness.mechanisms.release.numeric_sparse.pmw"),
    ),
    Passage("BCMNUW20 §2.2 (Lemma 7, privacy)", "PMW is (ε, δ)-DP.", claims=("BCMNUW20:P",)),
    Passage("BCMNUW20 §2.2 (Lemma 7)", "PMW's accuracy.", claims=("BCMNUW20:L7", "BCMNUW20:L7-corollary")),
    Passage("BCMNUW20 §2.3 (Algorithm 2)", "A generic PAP algorithm.", parts=("harness.mechanisms.release.Release",)),
    Passage("BCMNUW20 §2.3 (Definition 8)", "PAP query release.", parts=("harness.mechanisms.release.Problem",)),
    Passage("BCMNUW20 §2.3 (Remark 9)", "A data set from any data structure.", claims=("BCMNUW20:Rem9",)),
    Passage("BCMNUW20 §3 (Algorithm 3)", "A_PAP.", parts=("harness.mechanisms.release.pmw.APAP",)),
    Passage(
        "BCMNUW20 §3 (Theorem 10)",
        "A_PAP's n and m.",
        claims=("BCMNUW20:T10", "BCMNUW20:T10-any-eps"),
        errata=("eps-of-lemma-7-not-in-theorem-10",),
    ),
    Passage("BCMNUW20 §3 (remark after Theorem 10)", "2^d for p, by Fact 4.", claims=("BCMNUW20:F4",)),
    Passage("BCMNUW20 §3 (Lemma 11)", "H̃ is an α/4-cover.", claims=("BCMNUW20:L11",)),
    Passage(
        "BCMNUW20 §3 (Theorem 10, proof, privacy)",
        "Representatives of neighbours are neighbours; post-processing.",
        claims=("BCMNUW20:P", "BTT18a:L2.4"),
    ),
    Passage(
        "BCMNUW20 §3 (Theorem 10, proof, cover)",
        "Averages of h and of its projection are within α/2.",
        claims=("BCMNUW20:L11",),
    ),
    Passage(
        "BCMNUW20 §3 (Theorem 10, proof, sizes)",
        "ln|H̃| ≤ d ln(em/d), and ln|X̃| by Claim 3.",
        claims=("BCMNUW20:T10", "BCMNUW20:C3"),
        parts=("harness.theory.constants.bcmnuw20.labellings",),
    ),
    Passage("BCMNUW20 §3 (Theorem 10, proof, last display)", "Lemma 7 at α/2 and β/2.", claims=("BCMNUW20:L7", "BCMNUW20:T10")),
    Passage(
        "BCMNUW20 §4 (what is enough)",
        "O(log(p)/α²) public points alone, or Õ(log(p)/α² + √p/α) private ones.",
        claims=("BCMNUW20:stumps-public", "BCMNUW20:stumps-private"),
    ),
    Passage(
        "BCMNUW20 §4 (Definition 12)",
        "Stumps on the cube, with VC dimension log p and dual p.",
        parts=("harness.covers.cube_stumps.CubeStumpQueries",),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 13)",
        "n = Ω̃(√p/α) or m = Ω(1/α²).",
        claims=("BCMNUW20:T13", "BCMNUW20:T13-alpha", "BCMNUW20:T13-accurate", "BCMNUW20:T13-release"),
        errata=("for-every-alpha-above-zero",),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 14)",
        "The tracing attack.",
        claims=(
            "BCMNUW20:T14",
            "BCMNUW20:T14-definition-8",
            "BCMNUW20:T14-repaired",
            "BCMNUW20:T14-reach",
            "BCMNUW20:T14-false",
        ),
        errata=("who-may-fail-with-chance-alpha-is-not-traced-with-chance-one", "for-every-alpha-above-zero"),
        parts=("harness.trials.tracing", "harness.trials.tracing_law", "harness.theory.tracing"),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 13, proof, m + 1 named)",
        "More rows are named than there are public ones, but for 1/(n + m)².",
        claims=("BCMNUW20:T13-chance", "BCMNUW20:T13-chance-repaired", "BCMNUW20:T13-accurate"),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 13, proof, Markov)",
        "The sum of the chances, less m, is at least 1/2.",
        claims=("BCMNUW20:T13-half", "BCMNUW20:T13-algebra"),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 13, proof, one row)",
        "Some private row is named with probability 1/2n, and a fresh one with 1/n².",
        claims=(
            "BCMNUW20:T13-half",
            "BCMNUW20:T14",
        ),
    ),
    Passage(
        "BCMNUW20 §4 (Theorem 13, proof, last step)",
        "1/2n ≤ e^ε/n² + 1/4n fails from n = 11 on.",
        claims=("BCMNUW20:T13-step", "BCMNUW20:T13-release"),
    ),
    Passage(
        "BCMNUW20 §5 (Theorem 15)",
        "m = Ω(1/α) for an infinite Littlestone dimension.",
        claims=("BCMNUW20:T15", "BCMNUW20:T15-delta", "BCMNUW20:T15-A_PAP"),
        errata=("rows-published-with-chance-delta",),
    ),
    Passage("BCMNUW20 §5 (Definition 16)", "PAP learners.", parts=("harness.transfer.release_learner",)),
    Passage(
        "BCMNUW20 §5 (Lemma 17)",
        "A PAP learner from PAP release.",
        claims=("BCMNUW20:L17", "BCMNUW20:L17-thresholds", "BCMNUW20:L17-n"),
        parts=("harness.transfer.release_learner",),
    ),
    Passage(
        "BCMNUW20 §5 (Lemma 17, why it follows)",
        "The reduction of [6] for (ε, δ), and Remark 9 for data structures.",
        claims=("BCMNUW20:L17", "BCMNUW20:L17-privacy", "BCMNUW20:Rem9"),
    ),
    Passage(
        "BCMNUW20 §5 (Lemma 18)",
        "m = Ω(1/α) for PAP learners.",
        claims=("BCMNUW20:L18",),
        errata=("rows-published-with-chance-delta",),
    ),
    Passage(
        "BCMNUW20 §5 (Theorem 15, proof)", "Lemma 17, then Lemma 18.", claims=("BCMNUW20:T15", "BCMNUW20:L17", "BCMNUW20:L18")
    ),
)
