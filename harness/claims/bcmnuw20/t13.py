"""BCMNUW20 Theorem 13: what the tracing attack names, (1, 1/4n)-privacy does not allow.

It is about every private algorithm at once, and no run or number shows that. Tried are the steps of its proof, and the attack
on averages of so few rows, for p so large that they are accurate for the distribution all the same: without that the theorem
says nothing about them.

If more than m of n + m rows are named but for a chance of 1/(n+m)², some private row is named with chance at least
(1 − (m+1)/(n+m)²)/n ≥ 1/2n; were it replaced by a fresh row it would be named with chance 1/(n+m)² at most. So privacy asks for
1/2n ≤ e/n² + 1/4n, which is n ≤ 4e.

In numbers, privacy allows e·n/(n+m)² + 1/4 private rows to be named on average, and so that chance for any to be.
"""

from collections.abc import Iterator
from functools import partial
from math import e, log, sqrt

import numpy as np
import pandas as pd

from harness.claims.bcmnuw20.l18 import Unshown
from harness.claims.engine import Claim, Computed, Condition, Limit, Never, Number, Probability, Quote, among
from harness.covers import Size
from harness.mechanisms.leak import leaks
from harness.mechanisms.release import ReleaseRequest, releases
from harness.mechanisms.rounding import roundings
from harness.theory.constants.bcmnuw20 import PRINTED
from harness.theory.tracing import contradicted

REACH = 0.08
"""Of √p/α, to where t/2 of all rows are named at the chance that Theorem 14 has, as far as it was tried (T14-repaired)."""

MANY = (*range(11, 100), *(10**k for k in range(2, 13)))


def _step(first: int) -> Iterator[Number]:
    """2n(e/n² + 1/4n), the most that privacy allows over what is named; below 1 is a contradiction."""
    worst = max((first, *(n for n in MANY if n > first)), key=lambda n: 2 * e / n + 0.5)
    yield Number(f"n = {worst}, the worst from n = {first} on: e/n² + 1/4n over 1/2n", 2 * e / worst + 0.5, 1 - 1e-6)


def _private_share() -> Iterator[Number]:
    """That some private row is named with chance 1/2n at least."""
    n, m = max(((n, m) for n in MANY for m in (0, *MANY)), key=lambda sizes: (sizes[1] + 1) / sum(sizes) ** 2)
    yield Number(f"n = {n}, m = {m}, the worst from n = 11 on: (m+1)/(n+m)²", (m + 1) / (n + m) ** 2, 0.5)


def _algebra(sign: int) -> Iterator[Number]:
    """(m+1)(1 − x) − m against 1 − (m ± 1)x at x = 1/(n+m)², in units of x."""
    for n, m in ((11, 0), (100, 10), (1000, 100)):
        x = 1 / (n + m) ** 2
        apart = abs((m + 1) * (1 - x) - m - (1 - (m + sign) * x)) / x
        yield Number(f"n = {n}, m = {m}: both sides apart, in units of 1/(n+m)²", apart, 1e-6)


def _from_four() -> Iterator[Number]:
    """The least n from which on the contradiction is there, at the numbers themselves."""
    failing = [n for n in range(1, 100) for m in (0, 1, 10, 1000) if not contradicted(n, m)]
    yield Number("largest n at which the numbers themselves do not contradict, m = 0 to 1000", max(failing), 10)


def least_private(name: str, p: int, alpha: float) -> int:
    """The n at which a mechanism's own guarantee at (1, 1/4n) is α but for a chance α, for all p averages; ±1 in 10⁶."""
    n, size = 1000, Size(p, p * log(2))
    for _ in range(100):
        needed = releases()[name].needed(size, ReleaseRequest(alpha, alpha, 1.0, 1 / (4 * n), PRINTED))
        assert needed is not None
        if abs(needed - n) <= max(1, 1e-6 * n):
            break
        n = needed
    return n


def _constant() -> Iterator[Number]:
    """√p/α over 20 logarithms: at α = 1 the answer 0 to every query is accurate, of n = 1 private row and m = 0 public ones."""
    for exponent in (100, 200, 300):
        p = 10.0**exponent
        yield Number(f"p = 10^{exponent}, α = 1, n = 1, m = 0: √p/α over n ln(p)²⁰", sqrt(p) / log(p) ** 20, 1)


FALTERING = ((0.25, 10**2), (0.25, 10**4), (0.1, 10**4), (0.01, 10**6))
"""α, and r + t, which is above any multiple of 1/α where p is large."""


def faltering(alpha: float, rows: int) -> float:
    """The least chance that the attack names fewer than t/2 of r + t = `rows` rows, if with chance α/2 the algorithm answers 0.

    A fresh row is named with chance 1/(r+t)² at most. Where the answer is 0 all rows are fresh: with chance α/2, any of them is
    named with chance 2/(α(r+t)) at most.
    """
    return alpha / 2 - 1 / rows


def chance_of_few() -> Iterator[Number]:
    """Compares with 1/(r+t)² the least chance that fewer than t/2 rows are named, if the algorithm answers 0 w.p. α/2."""
    for alpha, rows in FALTERING:
        yield Number(f"α = {alpha:g}, r + t = {rows:,}: chance of fewer than t/2", faltering(alpha, rows), 1 / rows**2)


def _surely_some() -> Iterator[Number]:
    """1/2 over (t/2)(1 − α − 1/(n+m)²) − m, the least sum of the private rows' chances where m ≤ t/8 and n ≥ 11."""
    tries = ((t, m, n) for t in (1, 7, 8, 9, 16, 100, 10**6) for m in {0, t // 8} for n in (11, 100, 10**6))
    least, worst = min((max(1, t / 2) * (1 - 0.25 - 1 / (n + m) ** 2) - m, (t, m, n)) for t, m, n in tries)
    yield Number(f"t, m, n = {worst}, the worst of those tried, α = 1/4: 1/2 over the sum of chances", 0.5 / least, 1)


def _gap() -> Iterator[Number]:
    """n over √p/α, of Gaussian noise on all averages."""
    for p, alpha in ((4096, 0.25), (10**6, 0.25), (10**6, 0.1), (10**8, 0.1), (10**10, 0.1), (10**12, 0.01)):
        n = least_private("gaussian_averages", p, alpha)
        yield Number(f"p = {p:.3g}, α = {alpha:g}: n = {n:.3g} over √p/α", n * alpha / sqrt(p), 100)


def _bites() -> Iterator[Number]:
    """Averages of how many rows are α-accurate without any privacy, over REACH√p/α."""
    for p, alpha in ((10**8, 0.25), (10**9, 0.1), (10**9, 0.05)):
        n = least_private("exact_averages", p, alpha)
        yield Number(f"p = {p:.3g}, α = {alpha:g}: n = {n:.3g} over {REACH}√p/α", n * alpha / sqrt(p) / REACH, 1)


ANY_PRIVATE = Never((Limit("named_private", 0),), "tracing", may_fail="bound")
ENOUGH = Condition("n ≥ 11", ("n",), lambda first: bool(first["n"] >= 11))
SAYS = "some private row is named with chance at most e·n/(n+m)² + 1/4"
PRIVATE = (*(name for name, each in releases().items() if each.private), *leaks())


def in_reach(share: float) -> Condition:
    """The condition that n ≤ share·√p/α, so that the attack of Theorem 14 reaches the rows, and that none of them is public."""
    return Condition(
        f"n ≤ {share:g}√p/α, m = 0",
        ("n", "m", "p", "alpha"),
        lambda first: bool(first["m"] == 0 and first["n"] * first["alpha"] <= share * first["p"] ** 0.5),
    )


def accurate_for_d(first: pd.Series) -> bool:
    """Whether a cell's n makes averages of n rows be within α of the means but for a chance of α, by Hoeffding's bound."""
    return bool(first["n"] >= 2 * log(2 * first["p"] / first["alpha"]) / first["alpha"] ** 2)


ACCURATE = Condition("n ≥ 2 ln(2p/α)/α², so that averages are (α, α)-accurate for D", ("n", "p", "alpha"), accurate_for_d)


def unnamed(rows: pd.DataFrame) -> "pd.Series[float]":
    """For each trial 1 where at most m rows of the data set are named by the attack, m being how many are public, else 0."""
    return pd.Series(np.where(rows["named"] > rows["m"], 0.0, 1.0), rows.index)


def inaccurate_or_lucky(first: pd.Series) -> float:
    """The chance α + 1/(n+m)² of a cell: the answers may be inaccurate, and the attack may fail."""
    return float(first["alpha"] + 1 / (first["n"] + first["m"]) ** 2)


TRACED = Probability(
    (Limit("error", "alpha"), Limit("runs with m rows named or fewer", 0.5, of=unnamed, reads=("named", "m"))),
    "tracing",
    may_fail=inaccurate_or_lucky,
)
THEOREM = Quote(
    "BCMNUW20 §4 (Theorem 13)",
    "Fix any p ∈ ℕ and α > 0. Suppose 𝒜 is a PAP algorithm that takes n private samples and m public samples, satisfies "
    "(1, 1/4n)-differential privacy, and is (α, α)-accurate for the class of decision stumps 𝒮_p. Then either n = Ω̃(√p/α) or "
    "m = Ω(1/α²).",
)
LAST = Quote(
    "BCMNUW20 §4 (proof of Theorem 13)",
    "we have shown that 𝒜 cannot satisfy (ε, 1/4n)-differential privacy for its private samples unless 1/2n ≤ e^ε · 1/n² + "
    "1/4n ⟹ ln(n/4) ≤ ε. Therefore, in particular, for n ≥ 11, 𝒜 cannot be (1, 1/4n)-differentially private.",
)
NAMED = Quote(
    "BCMNUW20 §4 (proof of Theorem 13)",
    "By Theorem 14, ℙ[|{i ∈ [n + m] : 𝒯(q, z_i) = IN}| ≥ m + 1] ≥ ℙ[|{i ∈ [n + m] : 𝒯(q, z_i) = IN}| ≥ t/2] ≥ 1 − 1/(r + t)² "
    "≥ 1 − 1/(n + m)²",
)
SUM = Quote(
    "BCMNUW20 §4 (proof of Theorem 13)",
    "Σ_{i=1}^n ℙ[𝒯(q, x_i) = IN] ≥ (m + 1)(1 − 1/(n + m)²) − m = 1 − (m − 1)/(n + m)² ≥ 1 − 1/(n + m) ≥ 1 − 1/n ≥ 1/2",
)
OWN = "not in the papers: "
WHY_UNTESTED = (
    "it is about every private algorithm at once, and runs of some can agree with it, and cannot show it; tried are the steps "
    "of its proof, and the attack on averages that are accurate for D (T13-accurate, T14-repaired)"
)

CLAIMS = (
    Claim(
        "BCMNUW20:T13",
        "BCMNUW20 Theorem 13",
        "A PAP algorithm with n private and m public samples that is (1, 1/4n)-private, and (α, α)-accurate for stumps on "
        "{±1}^p, has n = Ω̃(√p/α) or m = Ω(1/α²).",
        decider=Unshown(WHY_UNTESTED),
        expected="untested",
        quote=THEOREM,
    ),
    Claim(
        "BCMNUW20:T13-alpha",
        "BCMNUW20 Theorem 13, 'for every α > 0'",
        "So it is for every α > 0: at α = 1 too n = Ω̃(√p/α) or m = Ω(1/α²).",
        decider=Computed(_constant),
        expected="refuted",
        of="BCMNUW20:T13",
        quote=THEOREM,
        why="From α = 1 on the answer 0 to every query, of no row at all, is accurate and private: n = 1 and m = 0 are enough "
        "at every p.",
    ),
    Claim(
        "BCMNUW20:T13-step",
        "BCMNUW20 Theorem 13, the last step of the proof",
        "From n = 11 on 1/2n ≤ e/n² + 1/4n does not hold.",
        decider=Computed(partial(_step, 11)),
        nature="step",
        of="BCMNUW20:T13",
        quote=LAST,
    ),
    Claim(
        "probe:BCMNUW20:T13-step-ten",
        "BCMNUW20 Theorem 13, the last step of the proof",
        "The same from n = 10 on. (False: 4e is 10.9.)",
        decider=Computed(partial(_step, 10)),
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T13-step",
    ),
    Claim(
        "BCMNUW20:T13-half",
        "BCMNUW20 Theorem 13, a step of the proof",
        "From n = 11 on and for every m, 1 − (m+1)/(n+m)² ≥ 1/2.",
        decider=Computed(_private_share),
        nature="step",
        of="BCMNUW20:T13",
        quote=SUM,
    ),
    Claim(
        "BCMNUW20:T13-algebra",
        "BCMNUW20 Theorem 13, a step of the proof as printed",
        "(m+1)(1 − 1/(n+m)²) − m = 1 − (m−1)/(n+m)².",
        decider=Computed(partial(_algebra, -1)),
        expected="refuted",
        nature="step",
        of="BCMNUW20:T13",
        quote=SUM,
        why="Multiplied out, the left side is 1 − (m+1)/(n+m)². The proof goes through with that.",
    ),
    Claim(
        "BCMNUW20:T13-algebra-repaired",
        "BCMNUW20 Theorem 13, a step of the proof, repaired",
        "(m+1)(1 − 1/(n+m)²) − m = 1 − (m+1)/(n+m)².",
        decider=Computed(partial(_algebra, +1)),
        nature="repair",
        of="BCMNUW20:T13-algebra",
        check="identity",
        proof="Multiply out.",
    ),
    Claim(
        "BCMNUW20:T13-chance",
        "BCMNUW20 Theorem 13, a step of the proof, accuracy read as in Definition 8",
        "Of every algorithm whose error is at most α with probability at least 1 − α, m + 1 rows are named but for a chance of "
        "1/(n+m)².",
        decider=Computed(chance_of_few),
        expected="refuted",
        nature="reading",
        of="BCMNUW20:T13",
        quote=NAMED,
        why="Such an algorithm may answer 0 to every query with chance α/2, and then no row can be told from a fresh one.",
    ),
    Claim(
        "BCMNUW20:T13-chance-repaired",
        "BCMNUW20 Theorem 13, the sum of the private rows' chances, repaired",
        "With α ≤ 1/4, m ≤ t/8 and n ≥ 11, where t/2 rows are named but for a chance of α + 1/(n+m)², the private rows' "
        "chances to be named have a sum of at least 1/2, as the proof needs.",
        decider=Computed(_surely_some),
        nature="repair",
        of="BCMNUW20:T13-chance",
        proof="The expected number named is at least max(1, t/2)(1 − α − 1/(n+m)²), and at most m of them are public. Where m "
        "= 0 that is 3/4 − 1/121. Where m ≥ 1, t ≥ 8, and (t/2)(3/4 − 1/121) − t/8 ≥ t/5 ≥ 1/2.",
    ),
    Claim(
        "BCMNUW20:T13-numbers",
        f"{OWN}BCMNUW20 Theorem 13 at its own numbers",
        "Without the two roundings to 1/2n the contradiction is there from n = 11 on as well, m from 0 to 1000.",
        decider=Computed(_from_four),
        nature="ours",
        of="BCMNUW20:T13-step",
    ),
    Claim(
        "BCMNUW20:T13-accurate",
        "BCMNUW20 Theorem 13, the attack on averages that are accurate for D",
        "Averages of 2 ln(2p/α)/α² ≤ n ≤ 0.2√p/α rows and no more are within α of the means, and m + 1 rows or more are named, "
        "but for a chance of α + 1/(n+m)². (Privacy at (1, 1/4n) lets no row be named but for a chance of e/n + 1/4.)",
        where=(among("mechanism", "all_averages"), among("biases", "narrow"), ENOUGH, in_reach(0.2), ACCURATE),
        decider=TRACED,
        nature="step",
        of="BCMNUW20:T13",
        quote=NAMED,
    ),
    Claim(
        "BCMNUW20:T13-release",
        "BCMNUW20 Theorem 13, a step of the proof, of mechanisms that are private",
        f"Where a (1, 1/4n)-private mechanism answers, {SAYS}.",
        where=(among("mechanism", *PRIVATE), among("eps", 1)),
        decider=ANY_PRIVATE,
        nature="step",
        of="BCMNUW20:T13",
        quote=LAST,
    ),
    Claim(
        "probe:BCMNUW20:T13-release-averages",
        "BCMNUW20 Theorem 13, of mechanisms that are not private",
        f"Of the averages of n ≤ 0.1√p/α rows, or of answers within α of them: {SAYS}. (False: the attack names a private row "
        "in every run or nearly. Of so few coordinates these averages need not be accurate for D, which the attack does not "
        "mind.)",
        where=(among("mechanism", *roundings()), among("biases", "narrow"), among("eps", 1), ENOUGH, in_reach(0.1)),
        decider=ANY_PRIVATE,
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T13-release",
    ),
    Claim(
        "BCMNUW20:T13-gap",
        f"{OWN}how far the attack of BCMNUW20 Theorem 13 is from Gaussian noise",
        "Gaussian noise on all averages at (1, 1/4n) is α-accurate from n ≤ 100√p/α on, at the six pairs tried, p from 4096 to "
        "10¹²: the attack ends a few hundred times below.",
        decider=Computed(_gap),
        nature="ours",
        of="BCMNUW20:T13",
    ),
    Claim(
        "BCMNUW20:T13-sizes",
        f"{OWN}where BCMNUW20 Theorem 13 says more than sampling does",
        "At p = 10⁸ and α = 1/4, and at p = 10⁹ and α = 1/10 and 1/20, averages of 0.08√p/α rows, which the attack reaches, "
        "are α-accurate for the distribution. (At p = 10⁵ and α = 1/4 they are not: there the theorem is about no mechanism.)",
        decider=Computed(_bites),
        nature="ours",
        of="BCMNUW20:T13",
    ),
)
