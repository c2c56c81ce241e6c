"""How small constants can be, where the theory says so too: k_tight, and the threshold that covers the labels."""

import pandas as pd

from harness.claims.engine import Certain, Claim, Condition, Limit, among


def _above(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["printed"]).astype(float)


def _below(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["printed"] / rows["low"]).astype(float)


def _times_as_much_noise(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["low"]) ** 0.5


def _apart(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["low"]).astype(float)


CLAIMS = (
    Claim(
        "least:k",
        "not in the papers: BTT18 Theorem 3.2, with k as small as it can be",
        "Where on m − T queries exactly two thirds of the votes agree, the least k at which these are all answered with that "
        "label, but for β, is k_tight = 3(a* + 1) to within two per cent: at least 0.98 of it, and no more than it.",
        where=(among("constant", "c_k"), among("event", "answered"), among("constants", "k_tight")),
        decider=Certain(
            (Limit("least k over k_tight", 1.0, of=_above), Limit("k_tight over least k", 1 / 0.98, of=_below)),
            "least_constant",
        ),
        nature="ours",
    ),
    Claim(
        "least:w",
        "not in the papers: exact accounting of BTT18 Algorithm 2",
        "The least w at which (ε, δ) is certified is, to within 0.1 per cent, the largest at which a label that one of two "
        "neighbouring tables never gives shows that it is not kept.",
        where=(among("constant", "c_w"), among("event", "private")),
        decider=Certain((Limit("certified over refuted", 1.001, of=_apart),), "least_constant"),
        nature="ours",
    ),
    Claim(
        "least:lambda",
        "not in the papers: exact accounting of BTT18 Algorithm 2",
        "Over 1000 ⊥s and more, the least λ at which (ε, δ) is certified is at most 1.5 times the largest at which an event on "
        "neighbouring tables shows that it is not kept.",
        where=(
            among("constant", "c_lam"),
            among("event", "private"),
            Condition("T ≥ 1000", ("T_target",), lambda first: bool(first["T_target"] >= 1000)),
        ),
        decider=Certain((Limit("certified λ over refuted λ", 1.5, of=_times_as_much_noise),), "least_constant"),
        nature="ours",
    ),
)
