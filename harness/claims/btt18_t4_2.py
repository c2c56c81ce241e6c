"""BTT18 Theorems 4.2 and 4.3, with BTT18a Theorems 4.6 and 4.7: the error of the classifier that A_Priv outputs.

The proofs take the m labels to be i.i.d. from one classifier h_priv. They are not: they carry the state of the run. What holds
for a learner that minimises the empirical risk, whatever the labels' law, is the form with 2T/m (`-erm`): at most T of the m
labels are wrong, so on the points as they should be labelled ĥ makes at most 2T mistakes more than the best hypothesis.
"""

import pandas as pd

from harness.claims.claim import ProbabilityClaim


class ErrorOf(ProbabilityClaim):
    """The error of a construction's output at n of at least what its guarantee needs.

    failures: the claimed chance in units of β. agnostic: whether it is about γ > 0, or about γ = 0.
    """

    trials = "learner"
    quantity = "error"
    mechanism = "A_Priv"
    constants = "BTT18"
    agnostic = False
    failures = 3

    def applies(self, first: pd.Series) -> bool:
        printed = first["mechanism"] == self.mechanism and first["constants"] == self.constants and first["k_scale"] == 1
        return bool(printed and (first["gamma"] > 0) == self.agnostic and first["n"] >= first["needed"])

    def vacuous(self, first: pd.Series) -> bool:
        return self.bound(first) >= 1 or self.claimed(first) >= 1

    def claimed(self, first: pd.Series) -> float:
        return self.failures * float(first["beta"])

    def failed(self, rows: pd.DataFrame) -> pd.Series:
        return (rows["error"] > self.bound(rows.iloc[0])).astype(bool)

    def bound(self, first: pd.Series) -> float:
        return float(7 * first["gamma"] + 15 * first["alpha"])

    def measured(self, rows: pd.DataFrame) -> float:
        """The (1 − 3β)-quantile of the errors."""
        share = max(0.0, 1 - self.claimed(rows.iloc[0]))
        return float(rows["error"].astype(float).quantile(share, interpolation="higher"))


class Realizable(ErrorOf):
    """γ = 0, as in the proof."""

    id = "BTT18:T4.2"
    source = "BTT18 Theorem 4.2"
    statement = (
        "Realizable, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-PAC "
        "learner, n = Õ(V^(3/2)/(εα^(3/2))). Then with probability at least 1 − 3β A_Priv outputs ĥ with err(ĥ) ≤ 15α."
    )

    def applies(self, first: pd.Series) -> bool:
        return super().applies(first) and bool(first["beta"] <= first["alpha"])


class RealizableByMarkov(ErrorOf):
    """err(h_priv) ≤ 3α by Markov's inequality (C4.1-repaired) in the place of 7α: 3α + α + 3α."""

    id = "BTT18:T4.2-repaired"
    source = "BTT18 Theorem 4.2, with Claim 4.1 repaired"
    statement = "Realizable, any β: as T4.2, with err(ĥ) ≤ 7α, as err(h_priv) ≤ 3α by Markov's inequality."

    def bound(self, first: pd.Series) -> float:
        return float(7 * (first["gamma"] + first["alpha"]))


class RealizableERM(ErrorOf):
    """For labels with a state."""

    id = "BTT18:T4.2-erm"
    source = "BTT18 Theorem 4.2, for an ERM and labels that are not i.i.d."
    statement = (
        "If Θ minimises the empirical risk, then with probability at least 1 − 3β err(ĥ) ≤ γ + 2T/m + α, for labels that carry "
        "the state of the run: at most T of them are wrong by T3.2."
    )

    def bound(self, first: pd.Series) -> float:
        return float(first["gamma"] + 2 * first["T"] / first["m"] + first["alpha"])


class Agnostic(ErrorOf):
    """γ > 0."""

    id = "BTT18:T4.3"
    source = "BTT18 Theorem 4.3"
    statement = (
        "Agnostic, β ≤ α: let Θ be an (α, β, m)-agnostic PAC learner, m = O((V + ln(1/β))/α²), and an (α, β/k, n/k)-agnostic "
        "PAC learner. Then with probability at least 1 − 3β err(ĥ) ≤ 7γ + 15α."
    )
    agnostic = True

    def applies(self, first: pd.Series) -> bool:
        return super().applies(first) and bool(first["beta"] <= first["alpha"])


class AgnosticByMarkov(RealizableByMarkov):
    """3(γ+α) + (γ + α) + 3(γ+α)."""

    id = "BTT18:T4.3-repaired"
    source = "BTT18 Theorem 4.3, with Claim 4.1 repaired"
    statement = "Agnostic, any β: as T4.3, with err(ĥ) ≤ 7γ + 7α, as err(h_priv) ≤ 3(γ + α) by Markov's inequality."
    agnostic = True


class AgnosticERM(RealizableERM):
    """The same bound with γ > 0."""

    id = "BTT18:T4.3-erm"
    source = "BTT18 Theorem 4.3, for an ERM and labels that are not i.i.d."
    agnostic = True


class LabelPrivate(Realizable):
    """The full version's theorem, on a training set that labels its own other half."""

    id = "BTT18a:T4.6"
    source = "BTT18a Theorem 4.6"
    statement = (
        "Realizable, β ≤ α: a training set is split in two, one half loses its labels and m = O((V + ln(1/β))/α²) of its "
        "points are labelled by the other. With n = Õ(V^(3/2)/α^(3/2)) the output has err(ĥ) ≤ 15α with probability at "
        "least 1 − 3β."
    )
    mechanism = "label_private"
    constants = "BTT18a"


class LabelPrivateAgnostic(Agnostic):
    """The same with γ > 0."""

    id = "BTT18a:T4.7"
    source = "BTT18a Theorem 4.7"
    statement = "Agnostic: as BTT18a:T4.6, with n = Õ(V^(3/2)/α^(5/2)) and err(ĥ) ≤ 7γ + 15α."
    mechanism = "label_private"
    constants = "BTT18a"


class Estimated(Agnostic):
    """Remark 1, with one more β for the estimate."""

    id = "BTT18:R1"
    source = "BTT18 Remark 1"
    statement = (
        "T can be set from a private estimate of γ + α on half of the examples: A_Priv on the other half then has "
        "err(ĥ) ≤ 7γ + 15α with probability at least 1 − 4β. Here γ is estimated, by the least empirical risk with Lap(1/ε) "
        "noise on its count, and α follows."
    )
    mechanism = "A_Priv_estimated"
    failures = 4


class FewerPoints(Realizable):
    """Remark 2."""

    id = "BTT18:R2-error"
    source = "BTT18 Remark 2"
    statement = (
        "In T4.2, if Θ minimises the empirical risk, m = Õ(V/α) points are enough for err(ĥ) ≤ 15α; here the least m from "
        "which Θ learns consistent labels to α."
    )
    mechanism = "A_Priv_erm"


class PACOnly(Realizable):
    """Remark 3."""

    id = "BTT18:R3-error"
    source = "BTT18 Remark 3"
    statement = (
        "Realizable: with Θ in A_binClas trained to 1/m, m = Õ(V/α), all labels are right, and a learner that needs consistent "
        "labels has err(ĥ) ≤ α with probability at least 1 − 3β."
    )
    mechanism = "A_Priv_pac"

    def bound(self, first: pd.Series) -> float:
        return float(first["alpha"])


CLAIMS = (
    Realizable(),
    RealizableByMarkov(),
    RealizableERM(),
    Agnostic(),
    AgnosticByMarkov(),
    AgnosticERM(),
    LabelPrivate(),
    LabelPrivateAgnostic(),
    Estimated(),
    FewerPoints(),
    PACOnly(),
)
