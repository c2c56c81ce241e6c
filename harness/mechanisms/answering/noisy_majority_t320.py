"""Noisy majority with the noise of the composition theorem itself (DR14 Theorem 3.20), not of its corollary."""

from harness.mechanisms.answering.noisy_majority import NoisyMajority, majority_chunks
from harness.theory.privacy.composition import sharper_share


class SharperNoisyMajority(NoisyMajority):
    """A noisy majority with ε₀ from DR14 Theorem 3.20 itself: about half the noise of Corollary 3.21."""

    name = "noisy_majority_t320"
    source = "DR14 Theorem 3.20"
    legend = "noisy majority (Theorem 3.20)"
    share = staticmethod(sharper_share)
    formulas = (majority_chunks,)


MECHANISM = SharperNoisyMajority()
