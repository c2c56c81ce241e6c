"""The ε that a whole run spends at the δ that is claimed, from above and from below."""

from math import inf

from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.composition import compose_pure, epochs
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.revealed import compose_revealed
from harness.theory.privacy.sparse_vector import epoch_eps
from harness.theory.privacy.witness import label_event, strongest_witness


def label_leak(distance: Distance, lam: float, w: float, n: int) -> float:
    """An upper bound on P(n epochs answer a query whose winner differs between two neighbouring tables of votes).

    Such a query is answered and tells the tables apart, or is ⊥ and ends its epoch. So there is at most one chance an epoch,
    under a threshold drawn afresh, which may be answered only if its noise beats the threshold's: at most the tail of
    Lap(2λ) − Lap(λ) at w less the greatest such distance. The ⊤s before it in the epoch, though they speak for a low
    threshold, are events that must happen as well. Hence the number of epochs, not m, times the tail.
    """
    return 0.0 if distance.unsettled is None else n * float(difference_tail(w - distance.unsettled, lam))


def certified(distance: Distance, lam: float, w: float, n: int, delta: float, sharp: bool = False) -> float:
    """An ε' at which n epochs of a sparse vector with λ and w are certainly (ε', δ)-DP, for any learner and adaptive queries.

    Where no query of differing winners is answered the run says no more than ⊤ and ⊥, and its epochs compose as pure 2Δ/λ-DP
    mechanisms at what the leak leaves of δ. Relative error 1e-9; infinite if nothing is left. The bound is not the best
    possible: see spent_lower. sharp: also as coins, with the thresholds given away, and the smaller of the two.
    """
    left = delta - label_leak(distance, lam, w, n)
    pure = compose_pure(epoch_eps(distance.sensitivity, lam), n, left)
    return min(pure, compose_revealed(distance.sensitivity / (2 * lam), n, left)) if sharp else pure


def spent_upper(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> float:
    """An ε' at which a run at a calibration's λ and w for (ε, δ), m and T is certainly (ε', δ)-DP."""
    lam, w = calibration.lam(eps, delta, m, T), calibration.w(eps, delta, m, T)
    return certified(calibration.distance, lam, w, epochs(m, calibration.last(T)), delta, calibration.sharp)


def spent_lower(calibration: Calibration, eps: float, delta: float, m: int, T: float) -> float:
    """An ε' below which a run at a calibration's λ and w is certainly not (ε', δ)-DP, shown by an attack. Relative error 1e-6.

    Infinite where a label that one of two tables never gives has probability above δ.
    """
    lam, w = calibration.lam(eps, delta, m, T), calibration.w(eps, delta, m, T)
    if label_event(calibration.distance, lam, w, epochs(m, calibration.last(T))) > delta:
        return inf
    return strongest_witness(calibration, eps, delta, m, T).eps
