"""BTT18a Corollary 3.10 over ranges of more than two labels: what one changed example does to the gap; what a run spends."""

from collections.abc import Callable, Iterator
from functools import partial
from math import log, sqrt

from harness.claims.btt18a.c3_10 import QUOTE
from harness.claims.btt18a.t3_6 import DELTAS, certified_runs
from harness.claims.btt18a.tables import Table, corrected, printed, sensitivity, unsettled
from harness.claims.engine import Claim, Computed, Number, Quote
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.laplace import difference_tail

WHERE = "all tables of votes of 2 to 4 labels and up to 8 chunks"


def _as_asked(distance: Callable[[Table], int]) -> Iterator[Number]:
    yield Number(f"the most that one changed vote moves it, {WHERE}", sensitivity(distance), 1)
    yield Number(f"the most that it is where one vote changes the answer, {WHERE}", unsettled(distance), 0)


def ranges_spent(distance: Callable[[Table], int], most_eps: float) -> Iterator[Number]:
    """What is certified of runs with a distance, by what all tables of votes say of it."""
    return certified_runs(Distance("found", lambda gap: gap, sensitivity(distance), unsettled(distance)), most_eps)


def by_a_bound_on_runs(epochs: str) -> str:
    """Why a run is private where `certified` says so, in words. epochs: how many it has at most."""
    return (
        "At each of these settings, by a bound on a whole run: but for the chance that a query on which neighbours differ is "
        "answered, at most one an epoch, the run says no more than which tests passed, and its "
        f"{epochs} epochs compose as pure mechanisms, or with their thresholds given away by Rényi divergence, at what is left "
        "of δ."
    )


def told_apart(epsilons: tuple[float, ...]) -> Iterator[Number]:
    """P(a query at the printed distance 1 is answered), m = T = 1, against δ: at a gap of 2, where a neighbour has a tie that
    breaks the other way and never gives this answer."""
    for eps in epsilons:
        for delta in DELTAS:
            lam = sqrt(32 * log(2 / delta)) / eps
            chance = float(difference_tail(2 * lam * log(2 / delta) - 1, lam))
            yield Number(f"P(an answer that a neighbour never gives), m = T = 1, ε = {eps:g}, δ = {delta:g}", chance, delta)


CLAIMS = (
    Claim(
        "BTT18a:C3.10-dist",
        "BTT18a Corollary 3.10, proof: what Theorem 3.6 asks of the distance",
        "max{0, ct(top) − ct(second) − 1} is a distance to instability over any range: one example changes it by at most 1, "
        "and it is 0 where one example can change the answer.",
        decider=Computed(partial(_as_asked, printed)),
        expected="refuted",
        nature="step",
        of="BTT18a:C3.10",
        quote=Quote(
            "BTT18a §3.3 (Corollary 3.10, proof)",
            "The proof of Corollary 3.10 follows immediately from the privacy guarantee for A_OQR (Algorithm 3).",
        ),
        why=(
            "One changed example moves one vote from the leading answer to the second, which moves the gap by 2. At a gap of "
            "2 it makes a tie, which may break the other way, and the distance there is 1. More answers to choose from change "
            "nothing in that."
        ),
    ),
    Claim(
        "BTT18a:C3.10-dist-repaired",
        "BTT18a Corollary 3.10, proof, repaired",
        "max{0, ⌈(ct(top) − ct(second))/2⌉ − 1} is one over any range: one example changes it by at most 1, and it is 0 where "
        "one example can change the answer, however ties break.",
        decider=Computed(partial(_as_asked, corrected)),
        nature="repair",
        of="BTT18a:C3.10-dist",
        proof=(
            "One moved vote changes the largest count by at most 1 and the second largest by at most 1, so the gap by at most 2"
            " and ⌈gap/2⌉ by at most 1. From a gap of 3 on, the leader is alone in front after one moved vote; so where the"
            " answer can change the gap is at most 2, and ⌈gap/2⌉ − 1 at most 0."
        ),
    ),
    Claim(
        "BTT18a:C3.10-every",
        "BTT18a Corollary 3.10, which has no restriction on ε",
        "A_subSamp is (ε, δ)-DP for every ε, at m = T = 1 and with an even number of chunks: tried at ε from 1 to 100.",
        decider=Computed(partial(told_apart, (1.0, 10.0, 20.0, 50.0, 100.0))),
        expected="refuted",
        of="BTT18a:C3.10",
        quote=QUOTE,
        why=(
            "At a gap of 2 the printed distance is 1, and a neighbour may have a tie that breaks the other way. The answer is"
            " then given with a probability of about ⅓δe^(1/2λ), which is more than δ from ε = 21 on at δ = 0.2 and from ε = 48"
            " on at δ = 10⁻⁶."
        ),
    ),
    Claim(
        "BTT18a:C3.10-ranges",
        "BTT18a Corollary 3.10, repaired",
        "A_subSamp is (ε, δ)-DP over any finite or countable range for ε up to 20. Certified at δ of 1e-10, 1e-6, 0.1 and 0.2 "
        "and four settings of m and T, with the printed distance, whose sensitivity is 2: a vote touches at most two labels "
        "beside the two that lead, so more labels add nothing.",
        decider=Computed(partial(ranges_spent, printed, 20.0)),
        nature="repair",
        of="BTT18a:C3.10-every",
        proof=by_a_bound_on_runs("min(m, T + 1)"),
    ),
)
