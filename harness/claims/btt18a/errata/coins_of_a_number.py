"""Definition 2.3: probability 1 − δ over coins of an inequality between two numbers."""

from harness.claims.btt18a.d2_3 import QUOTE
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="the-coins-of-a-number",
        title="Definition 2.3 asks of an inequality between two numbers that it hold with probability 1 − δ",
        severity="slip of the pen",
        quotes=(QUOTE,),
        why=(
            "Pr(M(D) ∈ S) has no coins left: they have been summed over. To the letter the definition is that of δ = 0, and "
            "A_stab, which answers with positive probability what a neighbour never does, has it for no ε. Read of outcomes, "
            "it is not closed under post-processing (Lemma 2.4)."
        ),
        counterexample=(
            "A_stab on votes (2, 1) and (1, 2), which have different winners and distance 0: S = {the first label} has "
            "probability δ/2 on one, ½e^(−ln(1/δ)) at every ε, and 0 on the other."
        ),
        holds="Pr(M(D) ∈ S) ≤ e^ε Pr(M(D′) ∈ S) + δ for every S, which is what all proofs use; A_stab has it at every ε and δ.",
        answer="The usual definition is meant, in loose words that are common.",
        claims=("BTT18a:D2.3",),
        repairs=("BTT18a:D2.3-repaired",),
        script="coins_of_a_number",
    ),
)
