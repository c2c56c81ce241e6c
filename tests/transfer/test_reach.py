"""How far private training reaches, written out once more, with quadratures and quantiles of scipy's."""

from math import exp, log, log1p, pi, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import gamma as gamma_law
from scipy.stats import norm

from harness.theory.privacy.subsampled import noise_multiplier
from harness.transfer import LearningProblem
from harness.transfer.dp_sgd import DPSGD
from harness.transfer.noisy_descent import NoisyDescent
from harness.transfer.objective_perturbation import ObjectivePerturbation
from harness.transfer.output_perturbation import OutputPerturbation
from harness.transfer.training import Axis
from harness.trials.learner import LearnerCell

SETTINGS: list[dict[str, Any]] = [
    {"eps": 2.0, "delta": 1e-5, "beta": 0.03, "alpha": 0.017},
    {"eps": 0.3, "delta": 1e-9, "beta": 0.2, "alpha": 0.006, "gamma": 0.1},
]
AXES = [(2, 0.0), (4, 0.2)]
NUMBERS = [3, 1234, 10**7, 10**19]
"""Of the least a regulariser is larger than by its rule; of the most what lies between two minimisers counts."""

each_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
each_axis = pytest.mark.parametrize(("d", "wrong"), AXES)


def problem_of(setting: dict[str, Any]) -> LearningProblem:
    return LearnerCell.model_validate({"concept": "halfspaces", "V": 2, "learner": "erm", **setting}).problem


def pull(d: int, wrong: float, length: float) -> float:
    """Minus the derivative of the expected loss at a length along the target, for x on the unit sphere of ℝ^d."""

    def density(angle: float) -> float:
        return float(np.cos(angle) ** (d - 2))

    def pulled(angle: float) -> float:
        x = np.sin(angle)
        return float(density(angle) * x * ((1 - wrong) * expit(-length * x) - wrong * expit(length * x)))

    return float(quad(pulled, 0, pi / 2)[0] / quad(density, 0, pi / 2)[0])


def least(d: int, wrong: float, regular: float) -> float:
    return float(brentq(lambda length: pull(d, wrong, length) - regular * length, 0, 1 / regular, xtol=1e-12))


def off(wrong: float, n: int, chance: float) -> float:
    return (1 if wrong else 0.5) * (1 + sqrt(2 * log(1 / chance))) / sqrt(n)


@each_setting
@each_axis
@pytest.mark.parametrize("n", NUMBERS)
def test_of_objective_perturbation(setting: dict[str, Any], d: int, wrong: float, n: int) -> None:
    """Minimised to a gradient of 10⁻¹², for which a thousandth of ε is kept."""
    eps, beta = setting["eps"], setting["beta"]
    regular = max(d * setting["alpha"] / (4 * eps), 0.25 / n / (exp(0.999 * eps / 4) - 1))
    longest = gamma_law(d).isf(beta / 2)
    noise = 2 * longest / (0.999 * eps - 2 * log1p(0.25 / (n * regular)))
    between = 1e-12 / regular + 2e-12 / regular * longest / (0.001 * eps)
    end, farthest = ObjectivePerturbation().reach(Axis(d, wrong), problem_of(setting), n)
    assert end == pytest.approx(least(d, wrong, regular), rel=1e-6)
    assert farthest == pytest.approx(off(wrong, n, beta) / regular + noise / (n * regular) + between, rel=1e-9)


@each_setting
@each_axis
@pytest.mark.parametrize("n", NUMBERS)
def test_of_output_perturbation(setting: dict[str, Any], d: int, wrong: float, n: int) -> None:
    """A minimiser moves by 2/(nΛ), and by as much again as it is off."""
    regular, beta = 4 * d * setting["alpha"] / setting["eps"], setting["beta"]
    moved = 2 / (n * regular) + 2e-12 / regular
    end, farthest = OutputPerturbation().reach(Axis(d, wrong), problem_of(setting), n)
    assert end == pytest.approx(least(d, wrong, regular), rel=1e-6)
    assert farthest == pytest.approx(off(wrong, n, beta) / regular + moved / setting["eps"] * gamma_law(d).isf(beta), rel=1e-9)


def spent(shift: float, eps: float) -> float:
    """The δ of a Gaussian mechanism whose mean moves by so many standard deviations (Balle, Wang 2018)."""
    return float(norm.cdf(shift / 2 - eps / shift) - exp(eps) * norm.cdf(-shift / 2 - eps / shift))


@each_setting
@each_axis
@pytest.mark.parametrize("n", NUMBERS[1:])
@pytest.mark.parametrize("batches", [1, 4])
def test_of_descent(setting: dict[str, Any], d: int, wrong: float, n: int, batches: int) -> None:
    """Steps of length 4 from 0, each off by what its batch and its noise are, but for its share of β."""
    eps, delta, beta = setting["eps"], setting["delta"], setting["beta"]
    steps = {0.017: 4, 0.006: 11}[setting["alpha"]]
    if batches == 1:
        shift = brentq(lambda mu: spent(mu, eps) - delta, 1e-3, 10, xtol=1e-14)
        noise = 2 / n * sqrt(steps) / shift
    else:
        noise = 2 / (n // 4) * noise_multiplier(4, steps, eps, delta)
    longest = noise * (sqrt(d) + sqrt(2 * log(steps / beta)))
    w = 0.0
    for _ in range(steps):
        w += 4 * pull(d, wrong, w)
    learner = DPSGD() if batches == 4 else NoisyDescent()
    end, farthest = learner.reach(Axis(d, wrong), problem_of(setting), n)
    assert end == pytest.approx(w, rel=1e-6)
    assert farthest == pytest.approx(4 * steps * (off(wrong, n // batches, beta / steps) + longest), rel=1e-6)


def test_a_batch_has_different_examples_and_each_as_often() -> None:
    """Of 4,000 batches of 25 of 100 each example is in a quarter, but for 6 standard deviations: 2e-9 each."""
    rng, z, seen = np.random.default_rng(1), np.arange(100.0)[:, np.newaxis], np.zeros(100)
    for _ in range(4000):
        batch = DPSGD().batch(z, rng)[:, 0].astype(int)
        assert len(set(batch.tolist())) == len(batch) == 25
        seen[batch] += 1
    assert np.abs(seen - 1000).max() < 6 * sqrt(4000 * 0.25 * 0.75)
    assert len(DPSGD().batch(z[:3], rng)) == 1
