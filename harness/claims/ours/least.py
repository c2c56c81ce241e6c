"""How small constants can be, where the theory says so too: k_tight, and the threshold that covers the labels.

What is said of a whole range is computed by `theory.least`; what tables show is said for the settings that they have.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from harness.claims.engine import Certain, Claim, Computed, Condition, Limit, Number, among
from harness.theory.constants import constants
from harness.theory.least import STANDARD, Range
from harness.theory.least.answered import of_labels
from harness.theory.least.private import BINARY, least_lam

WIDE = Range(queries=10**30, eps=(0.01, 29.0), delta=(1e-30, 0.2), beta=(1e-30, 0.2))
"""At 12 what is asked for beyond what is enough is smallest at T = 1, δ = β/2, and does not depend on m there."""


def _above(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["printed"]).astype(float)


def _below(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["printed"] / rows["low"]).astype(float)


def _times_as_much_noise(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["low"]) ** 0.5


def _apart(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["high"] / rows["low"]).astype(float)


def _quarter() -> Iterator[Number]:
    """k_tight over k with 12 for 34√2, at the corners of a range that no setting exceeds (`theory.least.answered`)."""
    queries = of_labels("BTT18", "c_k")
    for x in WIDE.corners((2.0,)):
        where = f"m = {x.m:.3g}, T = {x.T:.3g}, ε = {x.eps:g}, δ = {x.delta:.3g}, β = {x.beta:.3g}"
        yield Number(f"k_tight over 12 λ ln(4mT/min(δ, β/2)), {where}", 1 / queries.over(12, x), 1)


def _nearly_needed() -> Iterator[Number]:
    """β over the chance that any of m queries fails on 0.95 k_tight votes, two thirds of which agree."""
    queries = of_labels("k_tight", "c_k")
    for x in (*STANDARD.corners(), *STANDARD.drawn(np.random.default_rng(20181123), 100)):
        k = constants()["k_tight"].changed({"c_k": 2.85}).whole_k(x.task, x.T)
        where = f"k = {k}, m = {x.m:.3g}, T = {x.T:.3g}, ε = {x.eps:.3g}, δ = {x.delta:.3g}, β = {x.beta:.3g}"
        yield Number(f"β over P(any fails), {where}", x.beta / queries.failing(2.85, x), 1)


def _noise() -> Iterator[Number]:
    extreme = least_lam(BINARY, Range(eps=(0.01, 5.0)))
    worst = extreme.setting
    assert worst is not None
    yield Number(f"c of λ, T = {worst.T:g}, ε = {worst.eps:g}, δ = {worst.delta:.3g}", extreme.value, 28)


def _at(symbols: str, **values: float) -> Condition:
    return Condition(symbols, tuple(values), lambda first: all(first[name] == value for name, value in values.items()))


CLAIMS = (
    Claim(
        "least:k",
        "not in the papers: BTT18 Theorem 3.2, with k as small as it can be",
        "At m = 1000, T = 10, ε = 1, δ = 10⁻⁶ and β = 0.25, where on m − T queries exactly two thirds of the votes agree, the "
        "least k at which these are all answered with that label, but for β, is k_tight = 3(a* + 1) to within two per cent: at "
        "least 0.98 of it, and no more than it.",
        where=(
            among("constant", "c_k"),
            among("event", "answered"),
            among("constants", "k_tight"),
            _at("m = 1000, T = 10, ε = 1, δ = 10⁻⁶, β = 0.25", m=1000, T_target=10, eps=1, delta=1e-6, beta=0.25),
        ),
        decider=Certain(
            (
                Limit("least k over k_tight", 1.0, of=_above, reads=("high", "printed")),
                Limit("k_tight over least k", 1 / 0.98, of=_below, reads=("printed", "low")),
            ),
            "least_constant",
        ),
        nature="ours",
    ),
    Claim(
        "least:k-range",
        "not in the papers: BTT18 Theorem 3.2, with k as small as it can be",
        "At every corner of the range m from 1 to 10⁹, T from 1 to m, ε from 0.01 to 1, δ and β from 10⁻¹⁰ to 0.2, and at a "
        "hundred settings drawn from it, 0.95 of k_tight is too small: on m queries with just two thirds of the votes more "
        "than β fail.",
        decider=Computed(_nearly_needed),
        nature="ours",
    ),
    Claim(
        "least:k-quarter",
        "not in the papers: BTT18 Theorem 3.2, with k as small as it can be",
        "With 12 in place of 34√2 the printed k is at least k_tight, for all m and T ≥ 1 up to 10³⁰, δ and β from 10⁻³⁰ to 0.2 "
        "and ε up to 29.",
        decider=Computed(_quarter),
        nature="ours",
    ),
    Claim(
        "least:w",
        "not in the papers: exact accounting of BTT18 Algorithm 2",
        "At m = 10⁵, T = 100, ε = 1 and δ = 10⁻⁶ the least w at which (ε, δ) is certified is, to within 0.1 per cent, the "
        "largest at which a label that one of two neighbouring tables never gives shows that it is not kept.",
        where=(
            among("constant", "c_w"),
            among("event", "private"),
            _at("m = 10⁵, T = 100, ε = 1, δ = 10⁻⁶", m=10**5, T_target=100, eps=1, delta=1e-6),
        ),
        decider=Certain((Limit("certified over refuted", 1.001, of=_apart, reads=("high", "low")),), "least_constant"),
        nature="ours",
    ),
    Claim(
        "least:lambda",
        "not in the papers: exact accounting of BTT18 Algorithm 2",
        "At T = 1000 and 10⁴, m = 10⁵, ε = 1 and δ = 10⁻⁶ the least λ at which (ε, δ) is certified is at most 1.5 times the "
        "largest at which an event on neighbouring tables shows that it is not kept.",
        where=(
            among("constant", "c_lam"),
            among("event", "private"),
            Condition("T = 1000 or 10⁴", ("T_target",), lambda first: first["T_target"] in (1000, 10**4)),
            _at("m = 10⁵, ε = 1, δ = 10⁻⁶", m=10**5, eps=1, delta=1e-6),
        ),
        decider=Certain(
            (Limit("certified λ over refuted λ", 1.5, of=_times_as_much_noise, reads=("high", "low")),), "least_constant"
        ),
        nature="ours",
    ),
    Claim(
        "least:lambda-range",
        "not in the papers: exact accounting of BTT18 Algorithm 2",
        "With 28 in place of 32 under the root of λ, A_binClas is (ε, δ)-DP for all m from 1 to 10⁹, T from 1 to m, ε from "
        "0.01 to 5 and δ from 10⁻¹⁰ to 0.2: certified by the smaller of two accountants, at every one of them.",
        decider=Computed(_noise),
        nature="ours",
    ),
)
