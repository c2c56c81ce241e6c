"""What labels by exponential noise cost: as much as by Laplace noise."""

import numpy as np

from harness.mechanisms.noisy_argmax import ExponentialVoteNoise, Laplace, noisy_argmax
from tests.support.ratios import AtMost


def test_exponential_noise_costs_what_laplace_noise_does(takes_at_most: AtMost) -> None:
    """On 20,000 queries over five labels, one by one."""
    rng = np.random.default_rng(1)
    counts, sizes = rng.multinomial(1000, np.full(5, 0.2), 20_000).T, np.ones(20_000, np.int64)
    takes_at_most(
        1.5,
        lambda: noisy_argmax(counts, sizes, ExponentialVoteNoise(9.0), rng),
        lambda: noisy_argmax(counts, sizes, Laplace(9.0), rng),
        10,
    )
