"""BTT18a Lemma 2.6: the Laplace mechanism, by its tails to either side."""

from collections.abc import Iterator

import numpy as np

from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import log_tail


def loss(sensitivity: float, scale: float) -> float:
    """The largest ln P(value + noise > x) / P(neighbour's value + noise > x), and of < x, over a grid of x."""
    x = np.linspace(-50, 50, 2001) * scale
    return float(np.abs(log_tail((x - sensitivity) / scale) - log_tail(x / scale)).max())


def _numbers() -> Iterator[Number]:
    for eps, sensitivity in ((0.1, 1.0), (1.0, 1.0), (1.0, 2.0), (5.0, 0.5)):
        yield Number(f"loss at ε = {eps:g}, γ = {sensitivity:g}", loss(sensitivity, sensitivity / eps), eps)


CLAIMS = (
    Claim(
        "BTT18a:L2.6",
        "BTT18a Lemma 2.6",
        "A value of global sensitivity γ with noise Lap(γ/ε) is ε-differentially private.",
        decider=Computed(_numbers),
        quote=Quote(
            "BTT18a §2 (Lemma 2.6)",
            "If a function f : Uⁿ → Rᵖ has global sensitivity γ, then the mechanism M, which on input D ∈ Uⁿ outputs f(D)+b, "
            "where b ∼ Lap(γ/ε)ᵖ, satisfies ε-differential privacy.",
        ),
        check="identity",
    ),
)
