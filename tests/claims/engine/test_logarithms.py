"""What an Õ hides, against the formulas written out for numbers, a row at a time."""

from math import floor, log, sqrt

import numpy as np
import pandas as pd
import pytest

from harness.claims.engine.logarithms import CHUNKS, Paid, Regime, paid_chunks, printed_chunks, tight_chunks


def row(**numbers: float) -> dict[str, float]:
    return numbers


ROWS = [
    row(n=2e10, m=1e5, V=64, eps=0.5, delta=1e-6, beta=0.05, gamma=0.0, k=3e4, s=6e5, alpha=2e-4, T=60.5),
    row(n=3e9, m=2e4, V=3, eps=1.0, delta=0.09, beta=0.01, gamma=0.02, k=7e3, s=4e5, alpha=3e-3, T=9.0),
    row(n=3e9, m=700.0, V=11, eps=2.0, delta=1e-9, beta=0.2, gamma=0.1, k=900.0, s=5e4, alpha=0.01, T=1.0),
]
AT = pd.DataFrame(ROWS)


def test_the_logarithms_of_k() -> None:
    for row, printed, tight, paid in zip(ROWS, printed_chunks(AT), tight_chunks(AT), paid_chunks(AT), strict=True):
        m, T, delta, beta = row["m"], row["T"], row["delta"], row["beta"]
        assert printed == pytest.approx(log(4 * m * T / min(delta, beta / 2)), rel=1e-12)
        epochs = floor(T) + 1
        inner = log(4 * epochs / (3 * delta)) + log(2 * m / (3 * beta))
        assert tight == pytest.approx(sqrt(epochs / T) * inner, rel=1e-12)
        assert paid == pytest.approx(log(m) - log(2 * beta), rel=1e-12)
    assert {"BTT18": printed_chunks, "tight": tight_chunks} == CHUNKS


@pytest.mark.parametrize("learner", [1.0, 0.5])
@pytest.mark.parametrize(("paid", "constants"), [("T", "BTT18"), ("T", "tight"), ("one", "BTT18"), ("m", "BTT18")])
def test_what_is_hidden_is_a_product_of_three_factors(learner: float, paid: Paid, constants: str) -> None:
    """α = (kV/n)^a L with k = K √Q/ε: while Q = T = mαD that is α^(1 − a/2) ∝ (K √D)^a L, squared and solved for α."""
    regime = Regime(learner, paid, constants)
    chunks = paid_chunks(AT) if paid == "m" else CHUNKS[constants](AT)
    for row, K, typical, surer, told in zip(
        ROWS, chunks, regime.typical(AT), regime.surer(AT), np.transpose(regime.logarithms(AT)), strict=True
    ):
        error = row["gamma"] + row["alpha"]
        L = row["alpha"] * (row["s"] / row["V"]) ** learner
        D = (error + sqrt(error * log(row["m"] / row["beta"]) / (2 * row["m"]))) / row["alpha"]
        assert told == pytest.approx([K, L, D], rel=1e-12)
        hidden = ((K * sqrt(D)) ** learner * L) ** (2 / (2 - learner)) / L if paid == "T" else K**learner
        assert surer == pytest.approx(log(L if paid == "one" else L * D), rel=1e-12)
        assert typical == pytest.approx(log(hidden), rel=1e-12)
