"""BTT18a Lemmas 2.4 and 2.6: post-processing, and the Laplace mechanism, by its tails to either side.

*Lemma 2.4* by the usual definition, and by the one that is printed, read of outcomes. Its siblings are the two other ways to
read Definition 2.3: as P(S) ≤ e^ε Q(S) + δ, by which it holds, and to the letter, which is δ = 0, by which it holds as well.
Read of outcomes the definition is not closed: an outcome of chance δ that the neighbour never gives is within it, and joined
with one that is just e^ε times as likely it is not.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import exp

import numpy as np

from harness.arrays import Reals
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.laplace import log_tail

CASES = ((0.1, 1e-6), (1.0, 1e-6), (5.0, 1e-3))
JOINED = (1, 1, 2)
"""A post-processing of three outcomes that does not tell the first two apart."""


def excess(p: Reals, q: Reals, eps: float) -> Reals:
    """The least δ at which P(S) ≤ e^ε Q(S) + δ for every S, from the laws p and q; (…, outcomes) each to (…)."""
    return np.asarray(np.maximum(0, p - exp(eps) * q).sum(axis=-1))


def unlikely(p: Reals, q: Reals, eps: float) -> float:
    """P(an outcome that is more than e^ε times as likely under P as under Q), from the laws p and q, (outcomes,) each."""
    return float(p[p > exp(eps) * q * (1 + 1e-9)].sum())


def processed(law: Reals, f: Sequence[Sequence[int]]) -> Reals:
    """The law of f(outcome), for each of several f; (…, outcomes) and (functions, outcomes) to (…, functions, outcomes)."""
    onto = np.array(f)[:, None, :] == np.arange(law.shape[-1])[:, None]  # (functions, outcomes after, outcomes before)
    return np.asarray(np.einsum("fij,...j->...fi", onto, law))


def two_laws(eps: float, delta: float) -> tuple[Reals, Reals]:
    """The laws of three outcomes on two neighbours: one of chance δ that the other never gives, one e^ε times as likely."""
    q = exp(-eps) / 4
    return np.array([delta, 0.25, 0.75 - delta]), np.array([0.0, q, 1 - q])


def _every_f() -> Iterator[Number]:
    """Over all f of four outcomes, of laws drawn at random: the largest δ after it over that before."""
    rng, every = np.random.default_rng(24), list(product(range(4), repeat=4))
    for eps in (0.0, 0.1, 1.0):
        p, q = np.moveaxis(rng.dirichlet(np.full(4, 0.5), size=(40, 2)), 1, 0)
        before, after = excess(p, q, eps), excess(processed(p, every), processed(q, every), eps).max(axis=1)
        worst = np.divide(after, before, out=np.where(after > 0, 2.0, 0.0), where=before > 0)
        yield Number(f"δ after f over δ before, all f, ε = {eps:g}", float(worst.max()), 1.0)


def _of_outcomes() -> Iterator[Number]:
    for eps, delta in CASES:
        p, q = two_laws(eps, delta)
        assert max(unlikely(p, q, eps), unlikely(q, p, eps)) <= delta
        joined = unlikely(processed(p, [JOINED])[0], processed(q, [JOINED])[0], eps)
        yield Number(f"P(unlikely) after two outcomes are joined, ε = {eps:g}, δ = {delta:g}", joined, delta)


QUOTE = Quote(
    "BTT18a §2 (Lemma 2.4)",
    "If a mechanism M : U* → Y is (ε, δ)-differentially private, then for any function f : Y → Y′, we have that f∘M is also "
    "(ε, δ)-differentially private.",
)


def loss(sensitivity: float, scale: float) -> float:
    """The largest privacy loss of Laplace noise: ln P(value + noise > x) / P(neighbour's > x), and of < x, on a grid."""
    x = np.linspace(-50, 50, 2001) * scale
    return float(np.abs(log_tail((x - sensitivity) / scale) - log_tail(x / scale)).max())


def _numbers() -> Iterator[Number]:
    for eps, sensitivity in ((0.1, 1.0), (1.0, 1.0), (1.0, 2.0), (5.0, 0.5)):
        yield Number(f"loss at ε = {eps:g}, γ = {sensitivity:g}", loss(sensitivity, sensitivity / eps), eps)


CLAIMS = (
    Claim(
        "BTT18a:L2.4",
        "BTT18a Lemma 2.4",
        "If M is (ε, δ)-differentially private, P(S) ≤ e^ε Q(S) + δ, so is f(M) for any f. Decided over all f on four "
        "outcomes.",
        decider=Computed(_every_f),
        quote=QUOTE,
    ),
    Claim(
        "BTT18a:L2.4-coins",
        "BTT18a Lemma 2.4, with Definition 2.3 read of outcomes",
        "If with probability at least 1 − δ what M says is at most e^ε times as likely as on a neighbour, then so it is of "
        "f(M).",
        decider=Computed(_of_outcomes),
        expected="refuted",
        nature="reading",
        of="BTT18a:L2.4",
        quote=QUOTE,
        why=(
            "An outcome of chance δ that the neighbour never gives is within the definition. Joined with one that is just e^ε"
            " times as likely, it makes one that is more than e^ε times as likely, and its chance is δ + 1/4."
        ),
    ),
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
