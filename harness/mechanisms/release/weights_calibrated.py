"""A_PAP at its best: noise by exact composition, and a threshold of one's own."""

from harness.covers import Cover, Size
from harness.mechanisms.release import ReleaseRequest
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.mechanisms.release.pmw import PMW, Weights
from harness.theory.constants.bcmnuw20 import C_LEVEL


class Calibrated(Weights):
    """A_PAP with just as much noise as exact composition of c releases asks for, and a threshold that is α' or a part of it.

    DR14's threshold is a multiple of the noise, which is α' at the n that is asked for; here it does not fall as n grows, so
    that it does not halt where points are many. Whatever α', c, η, the threshold and the parts of ε are, it is (ε, δ)-DP.
    """

    name = "A_PAP_calibrated"
    source = "BCMNUW20 Algorithm 3, with noise by Kairouz, Oh, Viswanath 2015 Theorem 3.3"
    legend = "A_PAP, calibrated"
    needs_public = True

    @staticmethod
    def resolved(size: Size | Cover, request: ReleaseRequest, n: int) -> PmwPlan:
        constants = request.constants
        threshold = constants.values[C_LEVEL] * request.alpha / constants.share
        return PMW.resolved(size, request, n).calibrated(n, request.eps, request.delta, threshold)


MECHANISM = Calibrated()
