"""Theorems 13 and 14: 'for every α > 0'."""

from harness.claims.bcmnuw20 import t13, t14
from harness.claims.engine import Erratum

ERRATA = (
    Erratum(
        id="for-every-alpha-above-zero",
        title="Nothing is hard from α = 1 on, nor nearly so as α comes near 1",
        severity="condition not stated",
        quotes=(t13.THEOREM, t14.THEOREM),
        why="Averages of ±1 are in [−1, 1], so from α = 1 on the answer 0 to every query is accurate whatever the distribution "
        "is.",
        counterexample="α = 1: answer 0 to every query, from n = 1 private row and m = 0 public ones. It is private, errs by "
        "at most 1, and √p/α grows without bound. Nor are the constants the same for all α < 1: with α = 1 − 1/(5n) publish "
        "all n rows with chance 1/4n and answer with their averages, else 0. That is (0, 1/4n)-private, and at p = 10⁶ and n = "
        "60 within α with chance 1/240 − 10⁻⁶ ≥ 1/300 = 1 − α; √p is 1000, and p may be e^(n/5).",
        holds="Both speak of α below some constant less than 1; what is tried here has α ≤ 1/4.",
        answer="That α is meant to be small, as everywhere in the paper.",
        claims=("BCMNUW20:T13-alpha",),
        script="every_alpha",
    ),
)
