"""BCMNUW20 Theorem 10: A_PAP, its n and m.

Explicitly, as its proof has it: the m of Lemma 11 for an α/4-cover, which costs α/2, and the n of Lemma 7 for the other α/2, on
the largest cover that m points can make. The printed n has a form with logarithms, which the explicit n is set against; and
n*, the least n at which A_PAP keeps to α, is measured along α, p and ε on instances that do not change with them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.claims.engine import Claim, Computed, Condition, Decider, Limit, Number, Probability, Verdict, among, promised
from harness.claims.engine.claim import Kind
from harness.claims.engine.exponents import LEAST_POINTS, slope_weights
from harness.claims.engine.verdict import Outcome
from harness.theory.constants.bcmnuw20 import PRINTED, labellings, least, missed_by_any

WITHIN = Probability((Limit("error", "alpha", trivial=1.0),), "release", may_fail="beta")
SAYS = "with probability at least 1 − β the error of A_PAP over all of H is at most α"
POWERS = {"alpha": -2.0, "p": 0.5, "eps": -1.0, "V": 1.5}
"""As printed, but for logarithms."""

LOGS = 0.125
"""Beyond the printed power and the explicit n's own exponent, which has all the logarithms: half the way to a rival's ± 1/4."""

TIED = "p", "V"
"""The dimensions of a class, which move together. A sweep is along the one that grows by more."""


def at(constants: str, cover: str) -> tuple[Condition, ...]:
    """Where enough public and private points are promised to be enough."""
    return among("mechanism", "A_PAP"), among("constants", constants), among("cover", cover), promised()


def explicit(V: int, p: int, alpha: float, beta: float, eps: float, delta: float) -> float:
    """n of A_PAP for any class: m by Lemma 11, |H̃| and |X̃| by Sauer's lemma, n by Lemma 7 with α/2 and β/2."""
    m = least(lambda m: missed_by_any(m, alpha / 4, V) > beta / 2)
    assert m is not None
    queries = labellings(m, V)
    log_cells = p * log(np.e * queries / p) if p < queries else queries * log(2)
    return PRINTED.n(queries, log_cells, alpha / 2, beta / 2, eps, delta)


def printed(V: int, p: int, alpha: float, beta: float, eps: float, delta: float) -> float:
    """(V ln(1/α) + ln(1/β))^(3/2) √(p ln(1/δ))/(εα²)."""
    return float((V * log(1 / alpha) + log(1 / beta)) ** 1.5 * sqrt(p * log(1 / delta)) / (eps * alpha**2))


def _growth() -> Iterator[Number]:
    """The ratio of the two along each parameter, over its value at the start: an O(·) has it bounded."""
    start = {"V": 4, "p": 8, "alpha": 0.1, "beta": 0.05, "eps": 1.0, "delta": 1e-6}
    sweeps: dict[str, tuple[float, ...]] = {
        "alpha": (1e-2, 1e-4, 1e-6),
        "V": (8, 32, 64),
        "p": (16, 31),
        "eps": (0.1, 0.01),
        "beta": (1e-6, 1e-12),
    }

    def ratio(given: dict[str, float]) -> float:
        return explicit(**given) / printed(**given)  # type: ignore[arg-type]

    for axis, values in sweeps.items():
        for value in values:
            where = f"growth of explicit n over the printed form, {axis} from {start[axis]:g} to {value:g}"
            yield Number(where, ratio(start | {axis: value}) / ratio(start), 2.0)


@dataclass(frozen=True)
class Exponent(Decider):
    """The local exponent of n* along α, p, ε or V, with an interval that follows from those of its points.

    holds: all of the interval is within LOGS of what lies between the printed power and the exponent of the explicit n over the
    same sweep; along V, where √p goes with the printed power and no class on ordered cells attains it, of the latter alone, if
    that is no larger than printed. refuted: all of it is beyond.
    """

    kind: ClassVar[Kind] = "rate"
    trials = "release_complexity"
    lacking: ClassVar[str] = f"no sweep along alpha, p, eps or V has {LEAST_POINTS} points"

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        same = ["concept", "distribution", "distribution_parameters", "mechanism", "constants", "cover"]
        for axis in POWERS:
            tied = TIED if axis in TIED else ()
            fixed = [other for other in POWERS if other != axis and other not in tied]
            for _, line in rows.groupby([*same, *fixed], sort=False):
                growth = {each: line[each].max() / line[each].min() for each in tied}
                if line[axis].nunique() >= LEAST_POINTS and growth.get(axis, 1.0) == max(growth.values(), default=1.0):
                    yield line.assign(axis=axis)

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        weights = slope_weights(np.log(rows[axis].to_numpy(float)))
        high = np.log(rows["high"].to_numpy(float, na_value=np.inf))
        low = np.log(rows["low"].to_numpy(float).clip(1))
        ends = sorted((float(weights @ np.where(weights > 0, low, high)), float(weights @ np.where(weights > 0, high, low))))
        asked = float(weights @ np.log(rows["asked"].to_numpy(float)))
        power = POWERS[axis]
        least_power, most_power = sorted((power, asked))
        if axis == "V":
            power += POWERS["p"] * float(weights @ np.log(rows["p"].to_numpy(float)))
            least_power, most_power = asked, min(asked, power)
        inside = least_power - LOGS <= ends[0] and ends[1] <= most_power + LOGS
        beyond = ends[1] < least_power - LOGS or ends[0] > most_power + LOGS
        known = float(rows["error"].sum()) <= error and bool(np.isfinite(ends).all())
        outcome: Outcome = "undecided" if not known or not (inside or beyond) else "holds" if inside else "refuted"
        sweep = f"{first['concept']}, {axis} from {rows[axis].min():.3g} to {rows[axis].max():.3g}"
        return Verdict(
            claim=claim,
            outcome=outcome,
            mechanism=str(first["mechanism"]),
            where=f"{sweep}: exponent in [{ends[0]:.2f}, {ends[1]:.2f}], the explicit n's {asked:.2f}, printed {power:.3g}",
            trials=len(rows),
            measured=max(0.0, least_power - ends[0], ends[1] - most_power),
            bound=LOGS,
            error=error,
            challenged=ends[1] - ends[0] <= 2 * LOGS,
        )


CLAIMS = (
    Claim(
        "BCMNUW20:T10",
        "BCMNUW20 Theorem 10, explicit",
        f"At the m of Lemma 11 for any class and the n of Lemma 7 with its 200, {SAYS}.",
        where=at("BCMNUW20", "any"),
        decider=WITHIN,
    ),
    Claim(
        "probe:BCMNUW20:T10-spacing",
        "BCMNUW20 Theorem 10, explicit, with the least m that is known",
        f"At the m by spacings and the n of Lemma 7 with its 200, {SAYS}. (False: of the α, PMW takes 0.92 and the cover 0.3.)",
        where=at("BCMNUW20", "spacing"),
        decider=WITHIN,
        expected="refuted",
        nature="probe",
        of="BCMNUW20:T10",
    ),
    Claim(
        "BCMNUW20:T10-repaired",
        "BCMNUW20 Theorem 10, explicit, repaired",
        f"At either m and the n with α' = α/12 in Lemma 7, {SAYS}.",
        where=(among("mechanism", "A_PAP"), among("constants", "repaired"), promised()),
        decider=WITHIN,
        nature="repair",
        of="BCMNUW20:T10",
    ),
    Claim(
        "BCMNUW20:T10-form",
        "BCMNUW20 Theorem 10, the form of n",
        "The explicit n is O((V ln(1/α) + ln(1/β))^(3/2) √(p ln(1/δ))/(εα²)): over the printed form it does not grow by more "
        "than twice along V, p < 2^(V+1), α, β and ε.",
        decider=Computed(_growth),
    ),
    Claim(
        "BCMNUW20:T10-exponents",
        "BCMNUW20 Theorem 10, exponents of n*",
        "The least n at which PMW, or A_PAP, keeps to α grows like α⁻², √p and 1/ε, but for logarithms: its local exponents "
        "are within 1/8 of what lies between these and the explicit n's own. Along V it grows like the explicit n, within 1/8, "
        "and no faster than V^(3/2) √p.",
        where=(among("mechanism", "A_PAP", "PMW"), among("find", "n")),
        decider=Exponent(),
    ),
)
