"""What was found, in ten sentences: each answers a question that people have, with numbers of a stored table or the registry.

A sentence is about an experiment of experiments/. Where its table is not there, or holds other settings, it is not said.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from harness.arrays import Reals
from harness.claims.btt18.t3_2_beta import FAILS
from harness.claims.engine.capacity import answered, common_targets
from harness.report import style
from harness.report.numerals import number
from harness.report.prices import priced
from harness.report.stored import Stored
from harness.transfer import private_learners
from harness.trials import kinds

ERRATA = "errata"
Answer = Callable[[pd.DataFrame], str]


@dataclass(frozen=True)
class Said:
    """A question with its answer. place: where on the page it is shown; where: what that is called."""

    question: str
    answer: str
    place: str
    where: str


def found(stored: Mapping[str, Stored], errata: str) -> Iterator[Said]:
    """The findings of the tables that are there. stored: by experiment. errata: how many there are, by severity."""
    for experiment, (question, answer) in ANSWERS.items():
        if experiment in stored:
            said = answer_to(stored[experiment], answer)
            if said is not None:
                yield Said(question, said, f"experiment-{experiment}", "figure")
    if errata:
        yield Said("Where do the papers not hold as printed?", f"By severity: {errata}.", ERRATA, "errata")


def answer_to(stored: Stored, answer: Answer) -> str | None:
    """What a table says to a question; None if it holds other settings than those that the question is about."""
    try:
        return answer(stored.frame)
    except (LookupError, ValueError):  # no such column, cell or mechanism
        return None


def _main_theorem(frame: pd.DataFrame) -> str:
    ours = frame[(frame["mechanism"] == "A_binClas") & (frame["distribution"] == "hard")]
    often = ours.groupby("n")["misclassified"].median() > 0  # beyond, most trials see no error
    last = ours[ours["n"] == often.index[often].max()]
    wrong, allowed = last["misclassification_rate"].mean(), last["bound"].iloc[0]
    size = f"{_short(last['n'].iloc[0])} examples and {_short(last['m'].iloc[0])} queries"
    seen = "not seen to fail" if wrong <= allowed else "it fails here"
    here = (
        f"with {size}, on a hard instance, {_short(wrong)} of the answers are wrong on average where {_short(allowed)} may be"
    )
    ceiling, at_least_one, real = (_short(FAILS[reading]) for reading in ("ceiling", "at-least-one", "real"))
    small = f"from {ceiling} down for T = ⌈3B⌉, from {at_least_one} for max(1, 3B), and from {real} for a real T = 3B"
    return f"At β = {_short(last['beta'].iloc[0])} {seen}: {here}. At small β it fails on split votes: {small}."


def _spent(frame: pd.DataFrame) -> str:
    printed = frame[(frame["mechanism"] == "printed") & (frame["eps"] <= 5)]
    share = (printed["spent_upper"] / printed["eps"]).max()
    shown = "yes" if share <= 1 else "that is not shown"
    return f"For ε up to 5 {shown}: at the settings tried at most {_short(share)} of the ε claimed is spent."


def _least_k(frame: pd.DataFrame) -> str:
    failed = (frame["stable_failed"] > 0).groupby([frame["k_scale"], frame["T"]]).mean().unstack()
    shares = {scale: _reals(failed.loc[scale]) for scale in (1.0, 0.9)}
    enough, less, beta = shares[1.0].max(), shares[0.9].min(), frame["beta"].iloc[0]
    gives = "gives the least k to within a tenth" if enough <= beta < less else "does not give the least k"
    return (
        f"A closed form {gives} on {_short(frame['m'].iloc[0])} queries: "
        f"with it {_short(enough)} of the runs fail where {_short(beta)} may, "
        f"and with nine tenths of it at least {_short(less)} do."
    )


def _overtakes(frame: pd.DataFrame) -> str:
    most = frame[frame["m"] == frame["m"].max()]
    means = most.groupby(["constants", "n", "mechanism"])["misclassification_rate"].mean().unstack()
    better = means[(means["A_binClas"] < means["gaussian"]) & (means["gaussian"] > 0)]
    first = better.loc["tight"].index.min()
    printed = "BTT18" in better.index.get_level_values("constants")
    nowhere = "" if printed else f", and with the printed ones nowhere up to n = {_short(most['n'].max())}"
    return f"At {_short(most['m'].iloc[0])} queries it errs less from n = {_short(first)} on with tight constants{nowhere}."


def _times_as_many(frame: pd.DataFrame) -> str:
    factors: list[float] = []
    for _, own in frame.groupby("constants"):
        rates = own.groupby(["mechanism", "m"])["misclassification_rate"].mean()
        ours, theirs = rates["A_binClas"], rates["noisy_majority"]
        targets = common_targets(_reals(ours), _reals(theirs))
        many, few = (answered(_reals(each.index), _reals(each), targets) for each in (ours, theirs))
        factors += list(many / few)
    return f"From {_short(min(factors))} to {_short(max(factors))} times as many, where 1/α times was hoped for."


def _price(frame: pd.DataFrame) -> str:
    of = kinds()["sample_complexity"].price
    if of is None:
        raise LookupError
    table = priced(frame[(frame["concept"] == "thresholds") & (frame["target"] == "alpha")], of)
    private = [name for name, each in private_learners().items() if each.private]
    known = table[(table["alpha"] == 0.01) & table["mechanism"].isin(private)].dropna(subset="price").sort_values("price")
    ends = (known.iloc[place] for place in (0, -1))
    low, high = (f"{_short(end['price'])} ({style.style(end['mechanism']).legend})" for end in ends)
    return f"To learn thresholds to error 0.01, from {low} to {high} times the examples."


def _listed(frame: pd.DataFrame) -> str:
    failed = (frame["error"] > frame["alpha"]).groupby([frame["mechanism"], frame["n"]]).mean().unstack()
    enough = failed.le(3 * frame["beta"].iloc[0])
    names = ("exponential", "A_Priv")
    (few, best), (many, other) = sorted((_reals(enough.columns)[enough.loc[name].to_numpy(bool)].min(), name) for name in names)
    best, other = (style.style(name).legend for name in (best, other))
    return f"{best[0].upper()}{best[1:]}: it learns from {_short(few)} examples what {other} learns from {_short(many)}."


def _multiplicative(frame: pd.DataFrame) -> str:
    at = frame[(frame["alpha"] == 0.1) & (frame["constants"] == "BCMNUW20")].groupby("mechanism")["least"].first()
    worth = "Not here" if at["A_PAP"] > at["gaussian_tree"] else "Yes"
    weights, tree = _short(at["A_PAP"]), _short(at["gaussian_tree"])
    run = "run at half of the error that is asked for"  # Lemma 7's printed n, and the table's
    return f"{worth}, {run}: it needs {weights} private points where a tree of Gaussians needs {tree}."


def _scores(frame: pd.DataFrame) -> str:
    means = frame.groupby(["constants", "n", "mechanism"])["error"].mean().unstack()
    ratio = (means["A_SL_Quer"] / means["gaussian_mean"]).min()
    if ratio < 1:
        return f"Histograms are the better ones at some n: there their error is {_short(1 / ratio)} times smaller."
    return f"Add noise to the average: at every n tried its error is at least {_short(ratio)} times smaller than a histogram's."


def _short(value: float) -> str:
    """A number to two digits."""
    return number(float(f"{value:.1e}"))


def _reals(values: Any) -> Reals:
    return np.asarray(values, np.float64)


ANSWERS: Mapping[str, tuple[str, Answer]] = {
    "misclassification_vs_n": ("Does the main theorem hold, and how loose is it?", _main_theorem),
    "privacy_grid": ("Is the algorithm private?", _spent),
    "utility_transition": ("How small can k, the number of chunks, be?", _least_k),
    "crossover": ("When does it beat Gaussian noise on every vote?", _overtakes),
    "queries_answered_vs_alpha": ("How many queries more than advanced composition?", _times_as_many),
    "sample_complexity_vs_alpha": ("What does privacy cost when a classifier is wanted?", _price),
    "public_learner": ("I can list the class; what then?", _listed),
    "release_n_vs_alpha": ("Is private multiplicative weights worth it for averages?", _multiplicative),
    "soft_label_error_vs_n": ("Scores in place of labels?", _scores),
}
"""By experiment: its question, and what answers it."""
