"""The proof of Theorem 13: m − 1 for m + 1."""

from harness.claims.bcmnuw20.t13 import SUM
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="m-minus-one-for-m-plus-one",
        title="(m − 1) stands where (m + 1) is right",
        severity="slip of the pen",
        quotes=(SUM,),
        why="(m + 1)(1 − x) − m = 1 − (m + 1)x.",
        counterexample="n = 11, m = 0: the left side is 1 − 1/121, and the right side 1 + 1/121.",
        holds="1 − (m+1)/(n+m)² ≥ 1 − 1/(n+m) from n = 1 on, so the line after it is right as it stands.",
        answer="That it is a slip of the pen.",
        claims=("BCMNUW20:T13-algebra",),
        repairs=("BCMNUW20:T13-algebra-repaired",),
        script="m_minus_one",
    ),
)
