"""What the hard instance of a class of VC dimension V forces: V atoms of mass c/s, each missed by about e^−c of the chunks."""

import json
from math import isclose, log, sqrt

import pandas as pd

from harness.claims.claim import ProbabilityClaim


class Bottoms(ProbabilityClaim):
    """At c = ln 2 the votes are split in half on every atom, with a gap of about √k, far below the threshold w."""

    id = "BTT18:A2-bottoms"
    source = "not in the papers: the ⊥ that a realizable instance forces on BTT18 Algorithm 2"
    statement = (
        "Where a class has V rare atoms of mass ln 2/s each, A_binClas answers ⊥ on those of its queries, μ = mV ln 2/s in the "
        "mean: with probability at least 1 − β their number is within √(2μL) + L/3 of that, L = ln(2/β) (Bernstein)."
    )

    def applies(self, first: pd.Series) -> bool:
        return bool(
            first["concept"] in ("thresholds", "cube_stumps", "halfspaces")  # V of the atoms are rare, not V − 1
            and first["distribution"] == "hard"
            and isclose(json.loads(first["distribution_parameters"]).get("c", 0), log(2), rel_tol=1e-6)
            and first["gamma"] == 0
            and first["mechanism"] == "A_binClas"
        )

    def claimed(self, first: pd.Series) -> float:
        return float(first["beta"])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        first = rows.iloc[0]
        return ((rows["bottoms"] - self._mean(first)).abs() > self.bound(first)).astype(bool)

    def bound(self, first: pd.Series) -> float:
        L = log(2 / float(first["beta"]))
        return sqrt(2 * self._mean(first) * L) + L / 3

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1−β)-quantile of how far the number is from its mean."""
        first = rows.iloc[0]
        away = (rows["bottoms"] - self._mean(first)).abs().astype(float)
        return float(away.quantile(1 - self.claimed(first), interpolation="higher"))

    def _mean(self, first: pd.Series) -> float:
        return float(first["m"] * first["V"] * log(2) / first["s"])


CLAIMS = (Bottoms(),)
