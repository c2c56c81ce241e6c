"""Anytime-valid confidence for a probability: Robbins' beta–binomial mixture (Robbins 1970)."""

from collections.abc import Callable
from functools import lru_cache
from math import inf, log

import numpy as np
import scipy
from scipy.special import betaln, xlog1py, xlogy


@lru_cache(2**12)  # of many cells none of as many trials failed
def confidence_sequence(failures: int, trials: int, error: float, centre: float = 0.5) -> tuple[float, float]:
    """The ends of an interval for a probability p, from `failures` in i.i.d. trials: valid at all numbers of trials at once.

    Mixing the likelihood over Beta(centre, 1−centre) gives a test martingale, so by Ville's inequality the chance that p ever
    leaves the interval is at most `error`, however often one looks and whenever one stops. `centre`, in (0, 1), must be fixed
    before the trials: it says where the sequence is sharpest, and a claimed probability is a good choice. It carries the
    weight of one observation and never touches validity.

    Returns (lower, upper), both in [0, 1]; (0, 1) when trials is 0, and when no error at all is allowed.
    """
    excess, successes = _excess(failures, trials, error, centre), trials - failures
    estimate = failures / trials if trials else 0.5
    # Where the likelihood is zero the excess is infinite and brentq needs a finite end; tiny is as good as zero there. Only the
    # relative tolerance counts: a root near 0 needs its digits, and one failure in 10⁹ trials puts it near 10⁻²⁰.
    tiny = np.finfo(float).tiny
    lower = scipy.optimize.brentq(excess, tiny, estimate, xtol=tiny, maxiter=2000) if failures and excess(tiny) > 0 else 0.0
    last = 1 - np.finfo(float).epsneg
    upper = scipy.optimize.brentq(excess, estimate, last, xtol=tiny, maxiter=2000) if successes and excess(last) > 0 else 1.0
    return float(lower), float(upper)


def excludes(p: float, failures: int, trials: int, error: float) -> bool:
    """Whether `failures` in `trials` i.i.d. trials exclude a failure rate p, by the confidence sequence sharpest at p."""
    return _excess(failures, trials, error, centre=p)(p) > 0


def _excess(failures: int, trials: int, error: float, centre: float) -> Callable[[float], float]:
    """log of the martingale at p, less its limit −log(error): positive where p is excluded; convex in p."""
    if not 0 <= failures <= trials:
        raise ValueError(f"failures must lie between 0 and trials = {trials}, not {failures}")
    if not 0 <= error <= 1:
        raise ValueError(f"error must lie in [0, 1], not {error}")
    if not 0 < centre < 1:
        raise ValueError(f"centre must lie in (0, 1), not {centre}")
    successes = trials - failures
    limit = -log(error) if error else inf
    mixture = betaln(centre + failures, 1 - centre + successes) - betaln(centre, 1 - centre)
    return lambda p: float(mixture - xlogy(failures, p) - xlog1py(successes, -p) - limit)
