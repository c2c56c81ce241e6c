"""BTT18 Theorem 3.2: the cutoff T = 3B, and how much of it hypotheses that err together use up.

With the printed k a query is answered though nearly half of its votes are wrong. At k_tight a query with a share 0.41 of wrong
votes is ⊥. Hypotheses of error exactly α, spread evenly, are wrong by that share on mass 2.44α, and where αm is far above
ln(m/β) that is more than 2B/m and less than 3B/m. Where αm is small and β too, T = 3B is not enough
(`BTT18:T3.2-at-least-one`): so the claim is for β from 0.05 on.
"""

from math import log, sqrt

import pandas as pd

from harness.claims.engine import (
    Claim,
    Condition,
    Exact,
    Limit,
    Probability,
    Quote,
    among,
    printed_cutoff,
    promised,
    rate_within,
    times,
    unset,
)

ORDINARY = Condition("β at least 0.05", ("beta",), lambda first: bool(first["beta"] >= 0.05))
SPREAD = (among("concept", "arcs"), ORDINARY, *printed_cutoff("A_binClas", "k_tight"))


def _three_times(first: pd.Series) -> float:
    """3B, written out: where the theory errs the claim must not follow."""
    mean = float(first["gamma"] + first["alpha"]) * int(first["m"])
    return 3 * (mean + sqrt(mean * log(int(first["m"]) / float(first["beta"])) / 2))


def _off(rows: pd.DataFrame) -> "pd.Series[float]":
    return (rows["T"] / max(1.0, _three_times(rows.iloc[0])) - 1).abs()


CLAIMS = (
    Claim(
        "BTT18:T3.2-T",
        "BTT18 Theorem 3.2: T = 3B",
        "The cutoff that runs keep to is 3((γ+α)m + √((γ+α) m ln(m/β)/2)), at the α of the plan.",
        where=(
            among("constants", "BTT18", "k_tight"),
            among("mechanism", "A_binClas"),
            unset("T_target", "T = 3B"),
            promised(),
        ),
        decider=Exact((Limit("T off 3B", 1e-9, of=_off),)),
        check="self-check",
        quote=Quote(
            "BTT18 §3.1, p. 5 (Theorem 3.2)",
            "we set the cutoff parameter as T = 3((γ + α)m + √((γ + α)m log(m/β)/2)).",
        ),
    ),
    Claim(
        "BTT18:T3.2-spread",
        "not in the papers: BTT18 Theorem 3.2, with k as small as its own argument allows",
        "With k_tight for the printed k, β ≥ 0.05, and hypotheses of error exactly α that are wrong together on as many "
        "queries as can be: with probability at least 1 − 2β no early halt, at most T = 3B answers ⊥, and a misclassification "
        "rate of at most T/m.",
        where=SPREAD,
        decider=rate_within(betas=2),
        nature="ours",
    ),
    Claim(
        "probe:BTT18:T3.2-spread-two-thirds",
        "not in the papers: that 2B is too small for T in BTT18 Theorem 3.2",
        "The same with at most 2B answers ⊥. (False at k_tight where αm is far above ln(m/β).)",
        where=SPREAD,
        decider=Probability((Limit("bottoms", lambda first: _three_times(first) * 2 / 3, unit=1),), may_fail=times(2, "beta")),
        expected="refuted",
        nature="probe",
        of="BTT18:T3.2-spread",
    ),
)
