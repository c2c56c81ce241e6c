"""BCMNUW20 Lemma 11: how many public points make an α/4-cover, explicitly; for any class, and by what is special to one."""

from harness.claims.engine import Claim, Condition, Limit, Probability, Quote, among


def enough(cover: str) -> tuple[Condition, ...]:
    """The conditions that public averages are taken over this cover, of at least the m public points that Lemma 11 asks for."""
    m = Condition("m ≥ what it asks for", ("m", "m_needed"), lambda first: bool(first["m"] >= first["m_needed"]))
    return among("mechanism", "public_averages"), among("cover", cover), m


COVERS = Probability(
    (Limit("radius", lambda first: float(first["alpha"]) / 4, said="α/4"),), "release", may_fail=lambda first: first["beta"] / 2
)

CLAIMS = (
    Claim(
        "BCMNUW20:L11",
        "BCMNUW20 Lemma 11, explicit",
        "At the least m with 2(2em/V)^(2V) 2^(−αm/8) ≤ β/2, the cover of m public points is an α/4-cover with probability at "
        "least "
        "1 − β/2.",
        where=enough("any"),
        decider=COVERS,
        quote=Quote(
            "BCMNUW20 §3 (Lemma 11)",
            "Let w ~ D^m. Then, with probability at least 1 − β/2, the family H̃ constructed in Step 3 of Algorithm 3 is an "
            "α/4-cover for H w.r.t. D. … as long as m = Ω((d log(1/α) + log(1/β))/α).",
        ),
    ),
    Claim(
        "BCMNUW20:L11-spacing",
        "BCMNUW20 Lemma 11, by spacings",
        "The same at the least m that is known for the class: thresholds with (m + 1)(1 − α/4)^m ≤ β/2, as only the largest "
        "gap between public points counts; intervals by several gaps; stumps on the cube by pairs.",
        where=enough("spacing"),
        decider=COVERS,
        nature="repair",
        of="BCMNUW20:L11",
        proof=(
            "For thresholds: an α/4-gap without a public point begins at one of m points or at the end, and the others "
            "miss it with chance (1 − α/4)^m at most. For 0 < α, β < 1 and any marginal."
        ),
    ),
    Claim(
        "probe:BCMNUW20:L11-spacing-third",
        "BCMNUW20 Lemma 11, by spacings",
        "Already at a third of that m. (False, for thresholds: the largest gap is about (ln m)/m.)",
        where=(
            among("mechanism", "public_averages"),
            among("cover", "spacing"),
            among("concept", "thresholds"),
            Condition(
                "a third of the m that it asks for",
                ("m", "m_needed"),
                lambda first: bool(0.3 * first["m_needed"] <= first["m"] <= 0.34 * first["m_needed"]),
            ),
        ),
        decider=COVERS,
        expected="refuted",
        nature="probe",
        of="BCMNUW20:L11-spacing",
    ),
)
