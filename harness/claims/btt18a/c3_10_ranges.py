"""BTT18a Corollary 3.10 over ranges of more than two labels: what one changed example does to the gap; what a run spends."""

from collections.abc import Callable, Iterator
from functools import partial

from harness.claims.btt18a.t3_6 import certified_runs
from harness.claims.engine import Claim, Computed, Number
from harness.theory.privacy.distance import Distance
from harness.theory.privacy.tables import Table, corrected, printed, sensitivity, unsettled

WHERE = "all tables of votes of 2 to 4 labels and up to 8 chunks"


def _moves(distance: Callable[[Table], int]) -> Iterator[Number]:
    yield Number(f"the most that one changed vote moves it, {WHERE}", sensitivity(distance), 1)


def ranges_spent(distance: Callable[[Table], int], most_eps: float) -> Iterator[Number]:
    """What is certified of runs with a distance, by what all tables of votes say of it."""
    return certified_runs(Distance("found", lambda gap: gap, sensitivity(distance), unsettled(distance)), most_eps)


CLAIMS = (
    Claim(
        "BTT18a:C3.10-dist",
        "BTT18a Corollary 3.10, proof: Theorem 3.6 asks it of the distance",
        "max{0, ct(top) − ct(second) − 1} has sensitivity 1 over any range.",
        decider=Computed(partial(_moves, printed)),
        expected="refuted",
        why=(
            "One changed example moves one vote from the leading answer to the second, which moves the gap by 2. More answers"
            " to choose from change nothing in that."
        ),
        nature="step",
        of="BTT18a:C3.10",
    ),
    Claim(
        "BTT18a:C3.10-dist-repaired",
        "BTT18a Corollary 3.10, proof, repaired",
        "max{0, ⌈(ct(top) − ct(second))/2⌉ − 1} has sensitivity 1 over any range.",
        decider=Computed(partial(_moves, corrected)),
        nature="repair",
        of="BTT18a:C3.10-dist",
    ),
    Claim(
        "BTT18a:C3.10-ranges",
        "BTT18a Corollary 3.10",
        "A_subSamp is (ε, δ)-DP over any finite or countable range. Certified for ε up to 5, as BTT18:T3.1, with the printed "
        "distance, whose sensitivity is 2: a vote touches at most two labels beside the two that lead, so more labels add "
        "nothing.",
        decider=Computed(partial(ranges_spent, printed, 5.0)),
    ),
)
