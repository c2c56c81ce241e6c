"""Theorem 14: who may fail with chance α is not traced where it fails."""

from harness.claims.bcmnuw20.t13 import NAMED
from harness.claims.bcmnuw20.t14 import DEFINITION, THEOREM
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="who-may-fail-with-chance-alpha-is-not-traced-with-chance-one",
        title="(α, α)-accurate is not defined; read as in Definition 8 it leaves a chance α that no row is named",
        severity="condition not stated",
        quotes=(THEOREM, DEFINITION, NAMED),
        why="Accuracy with two parameters is defined in Definition 8 alone, as an error of at most α with probability at least "
        "1 − β. With what is left of chance an algorithm may answer what has nothing to do with its rows, so no attacker names "
        "t/2 of them with chance 1 − 1/(r+t)².",
        counterexample="Toss a coin that shows heads with chance α/2. On heads answer 0 to every query, else with averages of "
        "s = r + t rows, which are within α but for a chance of α/2 where s ≥ 2 ln(4p/α)/α². That is (α, α)-accurate. Given "
        "heads the rows are to the attacker what fresh rows are, each named with chance 2/(α(r+t)²) at most by the first "
        "display of the theorem, so any of them with chance 2/(α(r+t)). So fewer than t/2 are named with chance α/2 − 1/(r+t) "
        "at least. At α = 1/4 and r + t = 100 that is 0.115, against 1/(r+t)² = 0.0001; at every α < 1 it is too much from r + "
        "t = 2/α + 1 on, and r = Ω̃(√p/α) grows without bound with p.",
        holds="Accuracy with a chance of its own: where answers are within α, fewer than t/2 rows are named with chance "
        "1/(r+t)² at most; so t/2 are named with chance 1 − α − 1/(r+t)² of an (α, α)-accurate algorithm. That is tried on "
        "averages, and is no proof of ours. Theorem 13's conclusion stands with it for α ≤ 1/4, by the same proof with m ≤ t/8 "
        "in place of m ≤ t/2 − 1: the private rows' chances to be named have a sum of at least (t/2)(3/4 − 1/121) − t/8 ≥ 1/2.",
        answer="That the second α is a share of the queries, as in related work, or that the theorem is a special case of one "
        "for algorithms that are accurate with probability near 1; and that the Ω in Theorem 13 has room for the lost "
        "constant.",
        repairs=("BCMNUW20:T14-repaired", "BCMNUW20:T13-chance-repaired"),
        script="traced_but_for_alpha",
    ),
)
