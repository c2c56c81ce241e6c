"""Section 5, the example of weak quality: a bound is written as an equality."""

from harness.claims.btt18a.g_example import EQUALITY
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="a-tail-bound-as-an-equality",
        title="The least of max{p(1|x), p(0|x)} is Φ(√8) = 0.9977, not 1 − e⁻⁴",
        severity="slip of the pen",
        quotes=(EQUALITY,),
        why="1 − e⁻⁴ comes from a bound on the normal tail, which is strict: the line before has it with >.",
        counterexample=(
            "x = c: the other label has probability P(N(0, 1/8) > 1) = 0.00234, in intervals, and e⁻⁴ = 0.0183 is 7 times that."
        ),
        holds="The least is at x = ±c and is Φ(√8) = 0.9977, so more than 1 − e⁻⁴ = 0.9817.",
        answer="≥ was meant; the (α + 0.02)-weak quality that is drawn from it holds.",
        claims=("BTT18a:G-example-equality",),
        repairs=("BTT18a:G-example",),
        script="gaussian_example",
    ),
)
