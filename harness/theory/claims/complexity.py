"""Deciding a sample complexity: n* as measured against the explicit fixed point, along α, V or ε.

n = Õ(…) holds if n* grows no faster than the n that the fixed point asks for, which has all logarithms in it, as the problem
gets harder. Each n* comes with an interval that is right but for a stated chance (`trials.search`), so the least-squares slope
of ln(n*/n) against the logarithm of the axis has an interval too, without any normal approximation. Beside it stand the local
exponents of n* itself, with its interval, and of the fixed point.

Along V the printed power of V stands in the place of the fixed point, whose own V hides in a PAC bound until it is larger than
the logarithm of the confidence beside it: there n* does grow faster than the fixed point, and no faster than the power.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from harness.theory.claims.claim import Claim, Outcome, Verdict
from harness.theory.claims.rate import LEAST_POINTS, LOGS

HARDER = {"alpha": -1, "V": 1, "eps": -1}
"""The axes, and whether learning gets harder as they rise (1) or fall (−1)."""
SETTING = ["concept", "distribution", "distribution_parameters", "learner", "constants", "k_scale", "delta", "beta", "gamma"]


class MeasuredComplexity(Claim):
    """n* of one construction over what its fixed point asks for does not grow by more than logarithms.

    agnostic: whether it is about γ > 0, or about γ = 0. power: of V, as printed.
    """

    kind = "rate"
    power: float = 1.5
    trials = "sample_complexity"
    mechanism: str
    constants: str = "BTT18"
    agnostic: bool = False

    def questions(self, frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
        rows = frame[(frame["mechanism"] == self.mechanism) & (frame["constants"] == self.constants) & ~frame["vacuous"]]
        rows = rows[((rows["gamma"] > 0) == self.agnostic) & rows["n_high"].notna()]
        for axis in HARDER:
            for _, line in rows.groupby([*SETTING, "target", *(other for other in HARDER if other != axis)], sort=False):
                if line[axis].nunique() >= LEAST_POINTS:
                    yield line.assign(axis=axis)

    def decide(self, rows: pd.DataFrame, error: float) -> Verdict:
        axis, first = str(rows["axis"].iloc[0]), rows.iloc[0]
        found, solved = slope(rows, axis, "n_star"), slope(rows, axis, "needed")
        expected = self.power if axis == "V" else solved[0]
        growth = tuple(each - expected for each in found)
        spent = float(rows["error"].sum())
        outcome: Outcome = "undecided"
        if spent <= error:
            outcome = "holds" if growth[2] <= LOGS else "refuted" if growth[1] > LOGS else "undecided"
        ends = sorted(rows[axis])[:: HARDER[axis]]
        goal = "its theorem's error" if first["target"] == "theorem" else "α itself"
        place = f"{first['concept']}, {first['distribution']}, {goal}, along {axis} from {ends[0]:.3g} to {ends[-1]:.3g}"
        sign = HARDER[axis]
        exponents = (
            f"exponent {sign * found[0]:.2f} in [{min(sign * found[1], sign * found[2]):.2f}, "
            f"{max(sign * found[1], sign * found[2]):.2f}], the fixed point's {sign * solved[0]:.2f}"
            + (f", the printed {self.power:g}" if axis == "V" else "")
        )
        return Verdict(
            claim=self.id,
            outcome=outcome,
            mechanism=self.mechanism,
            where=f"{place}: {exponents}",
            trials=len(rows),
            measured=growth[0],
            bound=LOGS,
            error=error,
            challenged=growth[2] - growth[1] <= 2 * LOGS,  # an exponent that is off by more would have shown
        )


def slope(rows: pd.DataFrame, axis: str, column: str) -> tuple[float, float, float]:
    """The least-squares slope of a column's logarithm as learning gets harder, and the ends that n*'s intervals give it."""
    x = HARDER[axis] * np.log(rows[axis].to_numpy(float))
    centred = x - x.mean()
    weights = centred / (centred @ centred)
    middle = float(weights @ np.log(rows[column].to_numpy(float)))
    if column != "n_star":
        return middle, middle, middle
    low, high = (np.log(rows[end].to_numpy(float).clip(1)) for end in ("n_low", "n_high"))
    rising = weights > 0
    return middle, float(weights @ np.where(rising, low, high)), float(weights @ np.where(rising, high, low))


class Realizable(MeasuredComplexity):
    """Theorem 4.2's n."""

    id = "BTT18:T4.2-n"
    source = "BTT18 Theorem 4.2, n"
    statement = (
        "Realizable: the least n at which A_Priv learns grows no faster than the n = Õ(V^(3/2)/(εα^(3/2))) of the explicit "
        "fixed point, as α falls, V rises or ε falls."
    )
    mechanism = "A_Priv"


class Agnostic(MeasuredComplexity):
    """Theorem 4.3's n."""

    id = "BTT18:T4.3-n"
    source = "BTT18 Theorem 4.3, n"
    statement = "Agnostic: the least n at which A_Priv learns grows no faster than the n of the explicit fixed point."
    mechanism = "A_Priv"
    agnostic = True


class Estimated(Agnostic):
    """Remark 1's n."""

    id = "BTT18:R1-n"
    source = "BTT18 Remark 1, n"
    statement = (
        "With T from a private estimate on half of the examples, the least n at which A_Priv learns grows no faster than the "
        "explicit fixed point: the asymptotics do not change."
    )
    mechanism = "A_Priv_estimated"


class FewerPoints(MeasuredComplexity):
    """Remark 2's n."""

    id = "BTT18:R2"
    source = "BTT18 Remark 2"
    statement = (
        "If Θ is an ERM, m = Õ(V/α) points and n = Õ(V^(3/2)/(εα)) examples suffice: the least n grows no faster than the "
        "explicit fixed point."
    )
    mechanism = "A_Priv_erm"


class PACOnly(MeasuredComplexity):
    """Remark 3's n."""

    id = "BTT18:R3"
    source = "BTT18 Remark 3"
    statement = (
        "With PAC learners only, n = Õ(V²/(εα)) suffices in the realizable case: the least n grows no faster than the explicit "
        "fixed point."
    )
    mechanism = "A_Priv_pac"
    power = 2.0


class LabelPrivate(MeasuredComplexity):
    """BTT18a Theorem 4.6's n."""

    id = "BTT18a:T4.6-n"
    source = "BTT18a Theorem 4.6, n"
    statement = (
        "Realizable, label-private: the least n grows no faster than the n = Õ(V^(3/2)/α^(3/2)) of the explicit fixed point."
    )
    mechanism = "label_private"
    constants = "BTT18a"


CLAIMS = (Realizable(), Agnostic(), Estimated(), FewerPoints(), PACOnly(), LabelPrivate())
