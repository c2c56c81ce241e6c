"""What a run of A_SL-Quer spends: two tests a query, each of which may fail, and a threshold drawn anew after every failure.

A failed test ends an epoch, whichever of the two it is. So a run is so many epochs of sparse vector as it has failed tests and
perhaps one more, with an analyst who is bound to ask a second histogram after a first that failed.
"""

from math import expm1, inf, log1p

from harness.theory.constants.btt18a_scores import ScoreConstants, ScoreTask
from harness.theory.privacy.calibration import Calibration
from harness.theory.privacy.laplace import difference_tail
from harness.theory.privacy.spent import certified
from harness.theory.privacy.witness import strongest_witness


def query_leak(constants: ScoreConstants, task: ScoreTask) -> float:
    """P(a test of A_SL-Quer at distance 0 passes) = ⅔e^{−w/2λ} − ⅙e^{−w/λ}, a lower bound on the δ that a query spends.

    On two neighbouring data sets with k odd and two bins that differ by one prediction, the answer is another midpoint: what
    passes is an output that the neighbour never gives, so that this is a δ, at every ε, that one query really spends.
    """
    return float(difference_tail(constants.w(task), constants.lam(task)))


def run_leak(constants: ScoreConstants, task: ScoreTask) -> float:
    """A lower bound on the δ that a run of A_SL-Quer spends at every ε: the chance that any test passes in an attack.

    There every histogram of every query, shifted or not, is at distance 0 and has another top bin on the neighbour.

    Each test that fails has a threshold of its own drawn after it, so they are independent; each query that fails both raises
    c by 2. One prediction that moves by half a bin or more across two edges changes the top bin of both partitions.
    """
    tests = min(2 * task.m, 2 * (constants.cutoff(task) // 2 + 1))
    return -expm1(tests * log1p(-query_leak(constants, task)))


def score_spent_upper(constants: ScoreConstants, task: ScoreTask, sharp: bool = False) -> float:
    """An ε' at which a run of A_SL-Quer is certainly (ε', δ)-DP; infinite where none is certified. sharp: see `certified`."""
    lam, w = constants.lam(task), constants.w(task)
    return certified(constants.distance, lam, w, constants.epochs(task), task.delta, sharp)


def score_spent_lower(constants: ScoreConstants, task: ScoreTask) -> float:
    """An ε' below which a run of A_SL-Quer is certainly not (ε', δ)-DP, by an attack; infinite where no ε' is enough.

    The attack is that on sparse vector: queries whose shifted histogram is so stable that it passes on both data sets, and
    whose own histogram is ⊥ once an epoch, for ⌊cutoff⌋ + 1 epochs.
    """
    if run_leak(constants, task) > task.delta:
        return inf
    calibration = Calibration(
        constants.name,
        constants.source,
        constants.distance,
        lam=lambda eps, delta, m, T: constants.lam(task),
        w=lambda eps, delta, m, T: constants.w(task),
    )
    return strongest_witness(calibration, task.eps, task.delta, task.m, constants.cutoff(task)).eps
