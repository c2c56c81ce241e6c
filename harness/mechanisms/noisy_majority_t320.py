"""Noisy majority with the noise of the composition theorem itself (DR14 Theorem 3.20), not of its corollary."""

from harness.mechanisms.noisy_majority import NoisyMajority
from harness.theory.baselines import BASELINES


class SharperNoisyMajority(NoisyMajority):
    """About half the noise of Corollary 3.21."""

    accounting = BASELINES["noisy_majority_t320"]
    label = "advanced composition, Theorem 3.20"


MECHANISM = SharperNoisyMajority()
