"""A_PAP at its best: noise by exact composition, and a threshold of one's own.

What it keeps to. Let T be the threshold, t and v the scales of the noise on thresholds and on values, and β' a chance, of which
each of three sorts of noise has a third by a union bound: but for it all 2|H̃| on tests are at most 2t ln(6|H̃|/β'), the ⌈c⌉ on
thresholds at most t ln(3⌈c⌉/β'), and the ⌈c⌉ on values at most B = v ln(3⌈c⌉/β'). Let A be the first two together.

A query of which no test exceeds is answered by the weights, and off by less than T + A. One that is released was off by at
least D = T − A, towards the test that exceeded; where D > 0 its other test does not, so that an update is one release. Where
D > B the value is on the points' side of the weights' answer, and the weights move towards the points. By Hoeffding's lemma for
a number in [0, 1] a step η brings them nearer to the points' distribution, in relative entropy, by at least η D − η²/8. At the
start it is at most ln |X̃|, and it is never negative. So where c (η D − η²/8) > ln |X̃| there are fewer than c updates: no run
halts before its last query, and all shares are within T + A. On a smaller cover there are fewer queries, and c is ln |X̃| times
the same number: A is smaller, and what is proved of the largest holds of all.

Of n least is asked near η = 4D and A = T/3, as c ~ ln |X̃|/(2D²) makes A the larger the smaller D is.
"""

from harness.covers import Cover, Size
from harness.mechanisms.release import ReleaseRequest, sampling
from harness.mechanisms.release.numeric_sparse import PmwPlan
from harness.mechanisms.release.pmw import PMW, Weights
from harness.theory.constants.bcmnuw20 import C_LEVEL


class Calibrated(Weights):
    """A_PAP with noise by exact composition of c releases, and a threshold for tests that is α' or a fraction of α'.

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

    def error(self, size: Size, n: int, request: ReleaseRequest) -> float:
        """The sample's with half of β, and the run's with the other half, of averages of ±1."""
        plan = self.resolved(size, request, n)
        return sampling(size, n, request) + 2 * plan.off(size.queries, size.log_cells, request.beta / 2)


MECHANISM = Calibrated()
