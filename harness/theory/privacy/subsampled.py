"""Gaussian noise on batches that are drawn without replacement, where neighbours replace one example.

Poisson batches are accounted for where an example is added or removed, which is another relation: replacing one is two such
steps. For batches of a fixed size Wang, Balle, Kasiviswanathan 2019 (Theorem 27) bound Rényi's divergence under replacement
itself, and dp-accounting has that. The bound only grows with the share of a batch.
"""

from functools import cache
from math import exp, log, sqrt

import scipy

from harness.theory.privacy.gaussian import gaussian_mu

RELATIVE = 1e-3  # of σ
ORDERS = (2, 3, *range(4, 32, 2), *range(32, 49, 4))
"""Of Rényi's divergence. From about 100 on dp-accounting's sums of alternating signs lose all digits."""


@cache
def noise_multiplier(batches: int, steps: int, eps: float, delta: float) -> float:
    """About the least σ at which `steps` noisy sums over batches are (ε, δ)-DP, in units of how far one example moves a sum.

    batches: how many would make up all examples, so that each has a share of at most 1/batches. Certified by dp-accounting; or,
    where that gains nothing, as at small ε, the exact σ of as many steps on all examples, which is enough on any of them.
    """
    # Loaded only by who trains so: it takes a second.
    from dp_accounting.dp_event import GaussianDpEvent, SampledWithoutReplacementDpEvent, SelfComposedDpEvent
    from dp_accounting.privacy_accountant import NeighboringRelation
    from dp_accounting.rdp import RdpAccountant

    @cache
    def spent(log_sigma: float) -> float:
        step = SampledWithoutReplacementDpEvent(batches, 1, GaussianDpEvent(exp(log_sigma)))
        accountant = RdpAccountant(ORDERS, NeighboringRelation.REPLACE_ONE)
        return float(accountant.compose(SelfComposedDpEvent(step, steps)).get_epsilon(delta))

    low = high = sqrt(steps) / gaussian_mu(eps, delta)
    if spent(log(high)) > eps:
        return high
    while spent(log(low)) < eps:
        low /= 2
    root = float(
        scipy.optimize.brentq(lambda log_sigma: log(max(spent(log_sigma), 1e-9) / eps), log(low), log(high), xtol=RELATIVE / 2)
    )
    sigma, more = exp(root), spent(root)
    while more > eps:
        sigma *= 1 + RELATIVE
        more = spent(log(sigma))
    return min(sigma, high)
