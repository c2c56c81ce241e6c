"""Section 5: SGD's bounds are on the mean change, and Definition 5.7 is about the root mean square."""

from harness.claims.btt18a.d5_7 import REMARK
from harness.claims.btt18a.sgd import AFTER_LEMMA
from harness.claims.engine import Erratum, Quote

ERRATA = (
    Erratum(
        id="a-mean-is-no-root-mean-square",
        title="Bounds on the mean change of SGD are taken for bounds on its root mean square",
        severity="conclusion false",
        quotes=(
            AFTER_LEMMA,
            REMARK,
            Quote(
                "BTT18a §5 (after Lemma 5.8, interlude)",
                "We recover the same bounds obtained in HRS (15), but for on-average stability.",
            ),
            Quote(
                "BTT18a §5 (before Theorem 2)",
                "Note that the bounds on uniform stability in HRS (15) are derived by first obtaining a bound on ‖w_D − "
                "w_D′‖, which is then used to bound the difference in the loss function evaluated on D and D′ in a "
                "straightforward manner (using standard properties like Lipschitz boundedness, and smoothness). Hence, the "
                "final bounds are constant factors away from the original bound on the parameters.",
            ),
        ),
        why=(
            "The cited theorem, which as we read it is about constant steps on a strongly convex, smooth and Lipschitz loss, "
            "bounds the mean of ‖w − w'‖ by O(1/n'). Definition 5.7, and uniform stability as defined before Theorem 2, ask "
            "for the mean of its square. With constant steps the example that comes last moves w by about η, and it is the "
            "one replaced with probability 1/n': the mean square is Θ(1/n'), not O(1/n'²). Theorem 2 itself holds."
        ),
        counterexample=(
            "One pass of w ← w − ½(w − y) over labels 0 and 1 that are equally likely: the loss (w − y)²/2 on [0, 1] is "
            "1-strongly convex, 1-smooth and 1-Lipschitz, and ½ is an allowed step. By exact sums the mean change is (1 − "
            "2⁻ⁿ)/2n and the mean square (1 − 4⁻ⁿ)/6n, so that αn is at least √(n/7). The remark fails with it: the absolute "
            "loss changes by as much as the score, the squared one by at least half of that for one of the two labels."
        ),
        holds=(
            "Constant steps η ≤ 1/β on a γ-strongly convex, β-smooth, L-Lipschitz loss: α = O(1/√n'), and in the example "
            "Θ(1/√n'). Steps 1/(γt) on such a loss: α = O(1/n'). Of the remark: the root mean square is at most √α where the "
            "mean change is at most α."
        ),
        answer=(
            "The corollaries ask for o(1/√n'), and decreasing steps give it: with 1/(γt) in mind the sentence is right. With "
            "constant steps that is lost: α√(2n') does not fall, and Theorem 5.14 says nothing at any n'."
        ),
        claims=("BTT18a:SGD-rate", "BTT18a:SGD-rate-growth", "BTT18a:D5.7-remark"),
        repairs=("BTT18a:SGD-rate-repaired", "BTT18a:SGD-rate-constant", "BTT18a:D5.7-remark-repaired"),
        script="sgd_mean_square",
    ),
)
