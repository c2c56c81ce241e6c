"""BTT18a Section 5, the stability of SGD: Theorem 2, and the rate that is cited for it.

*Theorem 2*: uniform stability over permutations gives on-average stability. Where permutations leave the mean over data sets as
it is, on-average stability is the mean of what uniform stability takes the largest of. What is measured of the latter is the
change of a label at the point that is asked about, which is at most the largest; where it is known to be the largest, the
theorem can be refuted, elsewhere only be seen to hold.

*The rate*: "SGD is O(1/n') on-average stable (implication from (HRS, 15, Theorem 3.9))", by rule of steps. As we read it, that
theorem is about constant steps on a strongly convex, smooth and Lipschitz loss.

The text takes the rate from bounds on E|w − w'|, and Definition 5.7 is about the root of E|h − h'|². With steps of constant
size η the example that came last moves a score by about η, whatever n' is: with probability 1/n' that is the one replaced, so
the root-mean-square change is Θ(1/√n'). With steps η_t = t^(−a) on a strongly convex loss it is Θ(n'^(−(1 + a)/2)): 1/√t gives
n'^(−3/4), and 1/(γt) gives 1/n'.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import ClassVar

import numpy as np
import pandas as pd

from harness.claims.engine import (
    Claim,
    ComputedExponents,
    Condition,
    Decider,
    Form,
    NoLogarithms,
    Quote,
    Sweep,
    Verdict,
    among,
    parameters,
)
from harness.claims.engine.averages import average_interval
from harness.claims.engine.claim import Kind
from harness.claims.engine.exponents import LEAST_POINTS
from harness.claims.engine.verdict import NEAR, Outcome
from harness.scores.atoms import ScoreAtoms
from harness.scores.sgd import Sgd


@dataclass(frozen=True)
class NoMoreThanUniform(Decider):
    """Decides whether α of on-average stability is at most `factor` times that of uniform stability over permutations."""

    kind: ClassVar[Kind] = "rate"
    trials = "stability"
    lacking: ClassVar[str] = "no cell has both on_average and uniform"

    factor: float = 1.0

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, cell in rows.groupby("cell", sort=False):
            if cell["mechanism"].nunique() == 2:
                yield cell

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first = rows.iloc[0]
        squares = {name: own["mean_square"].to_numpy(float) for name, own in rows.groupby("mechanism")}
        mean, low, high = average_interval(squares["on_average"], error / 2)
        most, least_most, most_most = (self.factor**2 * each for each in average_interval(squares["uniform"], error / 2))
        outcome: Outcome = "holds" if high <= least_most else "undecided"
        if low > most_most and first["hardest"]:
            outcome = "refuted"
        return Verdict(
            claim=claim,
            outcome=outcome,
            cell=str(first["cell"]),
            mechanism="on_average",
            where=f"{first['learner']} on {first['distribution']}, n′ = {first['s']:,}",
            trials=len(squares["on_average"]),
            measured=sqrt(mean),
            bound=sqrt(most),
            stands=sqrt(high),
            error=error,
            challenged=low * NEAR**2 > most_most,
        )


POWERS = {"constant": -0.5, "sqrt": -0.75, "inverse": -1.0}
"""Of n', by rule of steps."""

RIVALS = {steps: {"s": power} for steps, power in POWERS.items()}


def form(power: float, upper: bool = False) -> Form:
    """The form Θ(n'^power) of a rate along n', or O(n'^power) with `upper`."""
    return Form({"s": power}, NoLogarithms(), RIVALS, upper)


@dataclass(frozen=True)
class ChangeExponents(Decider):
    """Decides whether the root-mean-square change of a score has a form along n'."""

    kind: ClassVar[Kind] = "rate"
    trials = "stability"
    lacking: ClassVar[str] = f"no sweep along s has {LEAST_POINTS} points"

    form: Form

    def questions(self, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for _, line in rows.groupby(["distribution", "distribution_parameters", "learner", "query"], sort=False):
            if line["s"].nunique() >= LEAST_POINTS:
                yield line

    def decide(self, claim: str, rows: pd.DataFrame, error: float) -> Verdict:
        first, rates = rows.iloc[0], changes(rows, error)
        points, place = rows.groupby("s").first().reset_index(), f"{first['learner']} on {first['distribution']}"
        verdict = self.form.judge(claim, "s", rates, points, place)
        return replace(verdict, mechanism=str(first["mechanism"]), trials=len(rows), error=error)


def changes(rows: pd.DataFrame, error: float) -> pd.DataFrame:
    """For each s a row of a score's root-mean-square change: mean, low, high of an interval that misses w.p. about `error`."""
    intervals = {s: average_interval(of_size["mean_square"].to_numpy(float), error) for s, of_size in rows.groupby("s")}
    return pd.DataFrame(
        [[sqrt(max(0.0, each)) for each in ends] for ends in intervals.values()],
        index=pd.Index(list(intervals), name="s"),
        columns=["mean", "low", "high"],
    )


def steps(*rules: str) -> tuple[Condition, ...]:
    """The conditions for one-pass or permuted SGD with one of these rules of steps, and examples replaced."""
    words = f"steps: {' or '.join(rules)}"

    def meets(first: pd.Series) -> bool:
        return parameters(first, "learner").get("steps") in rules

    return among("mechanism", "on_average"), Condition(words, ("learner_parameters",), meets)


def _in_closed_form() -> Iterator[Sweep]:
    """Constant steps on one atom, far beyond what trials can draw."""
    s = np.array([10**e for e in range(2, 13, 2)])
    for eta, p in ((0.1, 0.5), (0.01, 0.1)):
        squares = [Sgd(eta=eta).changes(ScoreAtoms(chances=(p,)), int(each)) for each in s]
        alpha = [sqrt(float(each[0])) for each in squares if each is not None]
        points = pd.DataFrame({"s": s, "mean": alpha, "low": alpha, "high": alpha})
        yield f"constant steps η = {eta:g}, one atom, p = {p:g}, in closed form", "s", points[points["s"] >= 10 / eta]


PLACE = "BTT18a Section 5"
AFTER_LEMMA = Quote(
    "BTT18a §5 (after Lemma 5.8)",
    "We show in Section 5 that SGD is O(1/n′) on-average stable (implication from (HRS, 15, Theorem 3.9)) under standard "
    "assumptions on the loss function used for training.",
)


CLAIMS = (
    Claim(
        "BTT18a:SGD",
        "BTT18a Section 5, Theorem 2",
        "Where A after a random permutation of its data is α-uniformly stable, A is α-on-average stable.",
        where=(among("mechanism", "on_average", "uniform"),),
        decider=NoMoreThanUniform(),
        quote=Quote(
            "BTT18a §5 (Theorem 2)",
            "If A(σ(·)) is α-uniformly stable, then A is α-on-average stable.",
        ),
    ),
    Claim(
        "BTT18a:SGD-rate",
        f"{PLACE}: SGD is O(1/n')-on-average stable",
        "SGD with constant steps on a strongly convex, smooth and Lipschitz loss, which is the cited theorem's as we read it, "
        "is α-on-average stable with α = O(1/n').",
        where=steps("constant"),
        decider=ChangeExponents(form(-1.0, upper=True)),
        expected="refuted",
        quote=AFTER_LEMMA,
        why=(
            "The rate is taken from bounds on the mean change of a prediction, and Definition 5.7 is about the root of its "
            "mean square. With constant steps that falls as n′^(−1/2)."
        ),
    ),
    Claim(
        "BTT18a:SGD-rate-growth",
        f"{PLACE}: SGD is O(1/n')-on-average stable",
        "The same of constant steps η on the squared loss, in closed form from n' = 100 to 10¹².",
        decider=ComputedExponents(form(-1.0, upper=True), _in_closed_form),
        expected="refuted",
        of="BTT18a:SGD-rate",
        quote=AFTER_LEMMA,
        why="On one atom α = √(2p(1 − p)η/((2 − η)n')), so that αn' grows like √n' without bound.",
    ),
    Claim(
        "BTT18a:SGD-rate-constant",
        f"{PLACE}, repaired for constant steps",
        "SGD with constant steps η ≤ 1/β on a γ-strongly convex, β-smooth and L-Lipschitz loss is α-on-average stable with "
        "α = O(1/√n'); on the losses tried α = Θ(1/√n').",
        where=steps("constant"),
        decider=ChangeExponents(form(POWERS["constant"])),
        nature="repair",
        of="BTT18a:SGD-rate",
        proof=(
            "A step is then a contraction by at least 1 − ηγ/2 and the one with another example adds at most 2Lη. So the "
            "example of step t changes the end by at most 2Lη(1 − ηγ/2)^(n'−t), and the mean of the squares over t is at most "
            "4L²η²/(n'(1 − (1 − ηγ/2)²)) ≤ 8L²η/(γn')."
        ),
    ),
    Claim(
        "BTT18a:SGD-rate-sqrt",
        f"not in the papers: {PLACE}, of steps of 1/√t",
        "SGD with steps of order 1/√t on a strongly convex loss is α-on-average stable with α = Θ(n'^(−3/4)).",
        where=steps("sqrt"),
        decider=ChangeExponents(form(POWERS["sqrt"])),
        nature="ours",
    ),
    Claim(
        "BTT18a:SGD-rate-repaired",
        f"{PLACE}, repaired",
        "SGD with steps 1/(γt) on a γ-strongly convex, β-smooth and L-Lipschitz loss is α-on-average stable with α = O(1/n'), "
        "its constant 2L/γ where β = γ and else one of β/γ.",
        where=steps("inverse"),
        decider=ChangeExponents(form(-1.0, upper=True)),
        nature="repair",
        of="BTT18a:SGD-rate",
        proof=(
            "From step t ≥ β/γ on a step is a contraction by 1 − 1/t: of two points the gradients differ by at least γ and at "
            "most β times their distance, in the mean Hessian. The example of step t adds at most 2L/(γt), of which (t/(t+1)) "
            "⋯ ((n'−1)/n') = t/n' is left: 2L/(γn'), at whatever t. Each of the first β/γ steps may expand by β/γ, which "
            "changes the constant alone."
        ),
    ),
)
