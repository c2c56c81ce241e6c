"""The ε that a whole run spends at the δ that is claimed, from above and from below."""

from math import inf

from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_pure, epochs
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.sparse_vector import epoch_eps
from harness.theory.privacy.witness import strongest_witness


def label_leak(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> float:
    """A bound on the probability that a run answers a query whose winner differs between the two tables.

    Such a query is answered and tells the tables apart, or is ⊥ and ends its epoch. So there is at most one chance an epoch,
    under a threshold drawn afresh, which may be answered only if its noise beats the threshold's: at most the tail of
    Lap(2λ) − Lap(λ) at w less the greatest such distance. The ⊤s before it in the epoch, though they speak for a low
    threshold, are events that must happen as well. Hence the number of epochs, not m, times the tail.
    """
    if calibration.unsettled is None:
        return 0.0
    lam, w = calibration.lam(eps, delta, m, T), calibration.w(eps, delta, m, T)
    return epochs(m, T) * float(difference_tail(w - calibration.unsettled, lam))


def spent_upper(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> float:
    """An ε' at which the run is certainly (ε', δ)-DP, for any learner and adaptive queries; infinite if none is certified.

    Where no query of differing winners is answered the run says no more than ⊤ and ⊥, and its epochs compose as pure 2Δ/λ-DP
    mechanisms at what the leak leaves of δ. Relative error 1e-7. The bound is not the best possible: see spent_lower.
    """
    left = delta - label_leak(calibration, eps, delta, m, T)
    if left <= 0:
        return inf
    share = epoch_eps(calibration.sensitivity, calibration.lam(eps, delta, m, T))
    return compose_pure(share, epochs(m, T), left)


def spent_lower(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> float:
    """An ε' below which the run is certainly not (ε', δ)-DP, shown by a pair of tables and an event. Relative error 1e-6."""
    return strongest_witness(calibration, eps, delta, m, T).eps
