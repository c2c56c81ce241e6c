"""BTT18a Corollaries 3.9 and 3.10: the utility of A_OQR, and the privacy of A_subSamp.

*Corollary 3.10*: the noise and the distance of A_subSamp are those of A_binClas. Over ranges of more than two labels it is
asked what one changed example does to the gap, and what a run spends.

*Corollary 3.9*: the utility at the distance a, on votes, and on queries of any range that are asked online. The printed a is
far more than enough, so no run can make the claim fail: with a* in its place it still holds, and with nine tenths of that it
does not.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import log, sqrt

from harness.claims.btt18a.t2 import failing
from harness.claims.btt18a.t3 import DELTAS, certified_runs
from harness.claims.btt18a.tables import Table, corrected, printed, sensitivity, unsettled
from harness.claims.engine import (
    ANSWERED,
    Claim,
    Computed,
    Condition,
    Limit,
    Never,
    Number,
    Quote,
    among,
    at_most,
    spends_eps,
    stable_votes,
)
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.laplace import difference_tail

C3_10 = Quote("BTT18a §3.3 (Corollary 3.10)", "Algorithm 4 is (ε, δ)-differentially private.")

WHERE = "all tables of votes of 2 to 4 labels and up to 8 chunks"


def _as_asked(distance: Callable[[Table], int]) -> Iterator[Number]:
    yield Number(f"the most that one changed vote moves it, {WHERE}", sensitivity(distance), 1)
    yield Number(f"the most that it is where one vote changes the answer, {WHERE}", unsettled(distance), 0)


def ranges_spent(distance: Callable[[Table], int], most_eps: float) -> Iterator[Number]:
    """Compares with ε a certified ε' of runs whose tests use this distance, its sensitivity taken over all small tables."""
    return certified_runs(Distance("found", lambda gap: gap, sensitivity(distance), unsettled(distance)), most_eps)


def by_a_bound_on_runs(epochs: str) -> str:
    """The text of a proof that runs are private whose ε' `certified` bounds. epochs: the most that a run has, as text."""
    return (
        "At each of these settings, by a bound on a whole run: but for the chance that a query on which neighbours differ is "
        "answered, at most one an epoch, the run says no more than which tests passed, and its "
        f"{epochs} epochs compose as pure mechanisms, or with their thresholds given away by Rényi divergence, at what is left "
        "of δ."
    )


def told_apart(epsilons: tuple[float, ...]) -> Iterator[Number]:
    """Compares with δ P(a query at the printed distance 1 is answered), m = T = 1.
    That is at a gap of 2, where a neighbour has a tie that breaks the other way and never gives this answer.
    """
    for eps in epsilons:
        for delta in DELTAS:
            lam = sqrt(32 * log(2 / delta)) / eps
            chance = float(difference_tail(2 * lam * log(2 / delta) - 1, lam))
            yield Number(f"P(an answer that a neighbour never gives), m = T = 1, ε = {eps:g}, δ = {delta:g}", chance, delta)


IF_FEW_ARE_UNSTABLE = Never(
    (
        Limit(
            "stable_failed",
            0,
            of=lambda rows: rows["stable_failed"].where(rows["unstable"] <= rows["T"], 0),
            reads=("stable_failed", "unstable", "T"),
        ),
    ),
    "stable_queries",
)
"""Every query at the distance a or more is answered f(D) where at most T of those asked are nearer; but for a chance of β."""

C3_9 = Quote(
    "BTT18a §3.2 (Corollary 3.9)",
    "For any set of m adaptively chosen queries F = {f_1, ⋯, f_m}, let dist_{f_i}(D) = arg max_k [f_i(D) is k-stable] for each "
    "f_i. Also, define L(α) = {i : dist_{f_i}(D) < α} for α = 32 · log(4mT/min(δ, β)) √(2T log(2/δ))/ε. If |L(α)| ≤ T, then we "
    "have the following w.p. at least 1 − β: ∀i ∉ L(α), Algorithm A_OQR (Algorithm 3) outputs f_i(D).",
)
LEAST = Condition("a* in place of a", ("constants",), lambda first: first["constants"] != "BTT18a")


def _above(eps: float, delta: float, beta: float, m: int, T: float) -> tuple[float, float]:
    """How far a of the corollary is above w, and λ, of Algorithm 3."""
    root = sqrt(T * log(2 / delta)) / eps
    lam = sqrt(32) * root
    return 32 * sqrt(2) * log(4 * m * T / min(delta, beta)) * root - 2 * lam * log(2 * m / delta), lam


CLAIMS = (
    Claim(
        "BTT18a:C3.10",
        "BTT18a Corollary 3.10",
        "A_subSamp is (ε, δ)-DP. Certified for ε up to 5, as BTT18:T3.1.",
        where=(among("mechanism", "printed"), at_most("eps", 5)),
        decider=spends_eps(),
        quote=C3_10,
    ),
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
        quote=C3_10,
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
    Claim(
        "BTT18a:C3.9",
        "BTT18a Corollary 3.9",
        "With a = 32 ln(4mT/min(δ,β)) √(2T ln(2/δ)) / ε, if at most T of the m queries have a distance to instability below "
        "a, then with probability at least 1 − β A_OQR answers all the others exactly.",
        where=stable_votes("A_OQR", "BTT18", right=1),
        decider=ANSWERED,
        quote=C3_9,
    ),
    Claim(
        "BTT18a:C3.9-queries",
        "BTT18a Corollary 3.9",
        "The same of queries of any finite or countable range, chosen one after another by the answers so far, by their own "
        "distance to instability on all n examples.",
        where=(
            among("mechanism", "A_OQR"),
            among("constants", "BTT18a"),
            among("k_scale", 1),
        ),
        decider=IF_FEW_ARE_UNSTABLE,
        quote=C3_9,
    ),
    Claim(
        "BTT18a:C3.9-every",
        "BTT18a Corollary 3.9, which has no restriction on ε, δ and β",
        "The same for ε from 0.01 to 100, δ and β from 1e-10 to 0.2, and m and T from 1: by a union over the m queries.",
        decider=Computed(lambda: failing(_above)),
        of="BTT18a:C3.9",
        quote=C3_9,
    ),
    Claim(
        "BTT18a:C3.9-least",
        "not in the papers: Corollary 3.9 with a as small as its argument allows",
        "With a* = w + 2λ ln(2m/(3β)) in place of a: if at most T of the m queries, of any range and chosen online, have a "
        "distance below a*, then with probability at least 1 − β all the others are answered exactly.",
        where=(among("mechanism", "A_OQR", "A_subSamp"), LEAST, among("k_scale", 1)),
        decider=IF_FEW_ARE_UNSTABLE,
        nature="ours",
    ),
    Claim(
        "probe:BTT18a:C3.9-least-nine-tenths",
        "not in the papers: that a* is nearly necessary",
        "The same with 0.9 (a* + 1) − 1 in place of a*, of queries at that distance. (False: a* is tight to within a tenth.)",
        where=(
            among("mechanism", "A_OQR", "A_subSamp"),
            among("analyst", "planted"),
            LEAST,
            among("k_scale", 0.9),
        ),
        decider=IF_FEW_ARE_UNSTABLE,
        expected="refuted",
        nature="probe",
        of="BTT18a:C3.9-least",
    ),
)
