"""Section 1.2: the p of H where that of H̃ belongs."""

from harness.claims.bcmnuw20 import c3
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="dual-dimension-of-the-class",
        title="(e|H̃|/p)^p bounds the representative domain with the dual VC dimension of H̃, not of H",
        severity="slip of the pen",
        quotes=(c3.TECHNIQUES,),
        why=(
            "(e|H̃|/p)^p rises with p only up to p = |H̃|. Once |H̃| is below the p of H, which is at least that of H̃, it "
            "is too small, and below p/e it is less than 1."
        ),
        counterexample=(
            "Stumps x_i on {±1}^20, p = 20. Two public points tell four of them apart: |H̃| = 4, and all 16 patterns of "
            "these four are cells; (4e/20)^20 is 5·10⁻⁶."
        ),
        holds="The same with the dual VC dimension of H̃, as Claim 3 and the proof of Theorem 10 have it (BCMNUW20:C3).",
        answer="That §1.2 is an outline, and that the claim itself says VC⊥(H̃).",
        claims=("BCMNUW20:C3-class",),
        repairs=("BCMNUW20:C3",),
        script="bcmnuw20_p_of_the_class",
    ),
)
