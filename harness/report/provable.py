"""What is known of a constant on one instance alone: there a proof may say what is enough, where none does over a range."""

from typing import Any

import pandas as pd

from harness.theory.constants import constants
from harness.theory.constants.bcmnuw20 import PROVED, REPAIRED
from harness.theory.constants.btt18a import margin, stable_distance
from harness.theory.constants.btt18a_scores import score_constants
from harness.theory.factors import set_named
from harness.theory.least import ConstantSetting
from harness.theory.least.answered import StableQueriesAsked, of_distances, of_labels, of_scores

Row = pd.Series
"""One of a kind that searches for a constant."""

ANSWERED = {"answering": ("answered",), "scores": ("agreed", "stable")}
"""The events that a union bound over the queries is about."""


def setting(of: str, row: "pd.Series[Any]") -> ConstantSetting | None:
    """The m, T, ε, δ and β of a row of measured constants; None where T follows from an α, and for a release."""
    T = row.get("T_target" if of == "answering" else "T")
    if T is None or pd.isna(T):
        return None
    return ConstantSetting(int(row["m"]), float(T), float(row["eps"]), float(row["delta"]), float(row["beta"]))


def provable(of: str, row: "pd.Series[Any]") -> float | None:
    """The least value of a constant that is proved to be enough on a row's instance, or None.

    Of privacy it is what an accountant certifies. Of stable queries it is where what is asked for is what suffices, as
    `theory.least.answered` proves. Of a release it is that of the set that keeps to its promise: `repaired` its own, and in the
    form of Lemma 7 what `claims.bcmnuw20.l7_proved` proves.
    """
    if row["event"] == "private":
        return None if pd.isna(row["high"]) else float(row["high"])
    if of == "release":
        sound = REPAIRED if str(row["constants"]).startswith(REPAIRED.name) else PROVED
        return next((sound.values[each] for each in sound.factors if each.name == row["constant"]), None)
    place = setting(of, row)
    if place is None or row["event"] not in ANSWERED[of]:
        return None
    task = _asked(of, str(row["constants"]), str(row["constant"]))
    return None if task is None else task.alone(place)


def _asked(of: str, name: str, constant: str) -> StableQueriesAsked | None:
    """As `theory.least` has it; None where the constant has no part in what is asked of stable queries."""
    if constant in {each.name for each in (*stable_distance.factors, *margin.factors)}:
        return of_distances(constant)
    if of == "scores":
        if name == "BTT18a" or constant not in {each.name for each in set_named(name, score_constants()).factors}:
            return None  # as printed the loop ends too soon whatever k is
        return of_scores(name, constant)
    base = set_named(name, constants())
    in_k = {each.name for each in base.factors} - {each.name for each in base.calibration.factors}
    return of_labels(name, constant) if constant in in_k else None
