"""The ten findings of the report: each has the numbers of its committed table, computed here in another way."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from harness.claims.btt18.t3_2_beta import FAILS
from harness.report.findings import ANSWERS, ERRATA, found
from harness.sweep.table import Table
from harness.transfer import private_learners

RESULTS = Path(__file__).parents[2] / "results"
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def rows(experiment: str) -> pd.DataFrame:
    return Table.read(RESULTS / f"{experiment}.parquet").frame()


def numbers(said: str) -> list[float]:
    """Those of a sentence, in their order."""
    parts = re.findall(r"(?<![\w/])(\d+(?:\.\d+)?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(?![⁻⁰¹²³⁴⁵⁶⁷⁸⁹\d])|10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", said)
    return [
        10.0 ** int(alone.translate(DIGITS)) if alone else float(digits) * 10.0 ** int(power.translate(DIGITS) or 0)
        for digits, power, alone in parts
    ]


def answer(experiment: str) -> list[float]:
    return numbers(ANSWERS[experiment][1](rows(experiment)))


def test_a_sentence_is_said_of_each_table_that_is_there_and_of_the_errata() -> None:
    assert len(ANSWERS) == 9
    assert all((RESULTS / f"{experiment}.parquet").exists() for experiment in ANSWERS)
    (said,) = found({}, "3 conclusion false, 1 slip of the pen")
    assert said.place == ERRATA and numbers(said.answer) == [3, 1]
    assert list(found({}, "")) == []


def test_of_a_table_with_other_settings_nothing_is_said() -> None:
    """A user's own experiment may have such a name."""
    for frame in (pd.DataFrame({"a": [1]}), rows("privacy_grid").head(0), rows("crossover").head(3)):
        stored = {experiment: SimpleNamespace(frame=frame) for experiment in ANSWERS if experiment != "privacy_grid"}
        assert list(found(stored, "")) == []  # type: ignore[arg-type]


def test_the_main_theorems_error_and_bound() -> None:
    table = rows("misclassification_vs_n").query("mechanism == 'A_binClas' and distribution == 'hard'")
    beta, n, m, wrong, allowed, *fails = answer("misclassification_vs_n")
    at = table[table["n"] == n]
    assert set(at["m"]) == {m} and set(at["beta"]) == {beta}
    assert [each for each in fails if each < 1] == pytest.approx(list(FAILS.values()))
    assert [n] == [each for each, own in table.groupby("n") if np.median(own["misclassified"]) > 0][-1:]
    assert wrong == pytest.approx(at["misclassified"].sum() / at["m"].sum(), rel=0.05) and wrong > 0
    assert allowed == pytest.approx(at["bound"].max(), rel=0.05)


def test_the_share_of_privacy_that_is_spent() -> None:
    table = rows("privacy_grid").query("mechanism == 'printed' and eps <= 5")
    assert answer("privacy_grid")[1] == pytest.approx(max(table["spent_upper"].to_numpy() / table["eps"].to_numpy()), rel=0.05)


def test_the_least_k_is_enough_and_nine_tenths_of_it_is_not() -> None:
    m, enough, beta, less = answer("utility_transition")
    table = rows("utility_transition")
    assert set(table["m"]) == {m}
    shares = {
        scale: [np.mean(own["stable_failed"] > 0) for _, own in of.groupby("T")] for scale, of in table.groupby("k_scale")
    }
    assert [enough, less] == pytest.approx([max(shares[1.0]), min(shares[0.9])], rel=0.05)
    assert enough <= beta == 0.25 < less


def test_where_gaussian_noise_is_overtaken() -> None:
    m, first, last = answer("crossover")
    table = rows("crossover").query("m == 1e6")
    assert (m, last) == (table["m"].max(), table["n"].max())

    def wrong(constants: str, n: float, mechanism: str) -> int:
        at = table[(table["constants"] == constants) & (table["n"] == n) & (table["mechanism"] == mechanism)]
        return int(at["misclassified"].sum())

    ns = sorted(table["n"].unique())
    better = {name: [n for n in ns if wrong(name, n, "A_binClas") < wrong(name, n, "gaussian")] for name in ("BTT18", "tight")}
    assert (better["tight"][0], better["BTT18"]) == (first, [])


def test_the_factor_over_advanced_composition() -> None:
    """The m of each mechanism at rates that both reach, a straight line in logarithms between its points."""
    factors = []
    for _, own in rows("queries_answered_vs_alpha").groupby("constants"):
        rates = own.groupby(["m", "mechanism"])["misclassification_rate"].mean().unstack()
        logs = rates[["A_binClas", "noisy_majority"]].cummax().apply(np.log)
        for target in np.linspace(logs.iloc[0].max(), logs.max().min(), 15)[1:-1]:
            many, few = (np.interp(target, logs[name], np.log(rates.index)) for name in logs)
            factors.append(np.exp(many - few))
    assert answer("queries_answered_vs_alpha")[:2] == pytest.approx([min(factors), max(factors)], rel=0.05)


def test_the_price_of_a_classifier() -> None:
    low, high = answer("sample_complexity_vs_alpha")[1:]
    table = rows("sample_complexity_vs_alpha").query("concept == 'thresholds' and target == 'alpha' and alpha == 0.01")
    n_star = table[table["n_high"].notna()].set_index("mechanism")["n_star"]
    prices = (
        n_star[[name for name, each in private_learners().items() if each.private and name in n_star]] / n_star["non_private"]
    )
    assert [low, high] == pytest.approx([prices.min(), prices.max()], rel=0.05)


def test_from_how_many_examples_on_a_classifier_is_learned() -> None:
    table = rows("public_learner")
    for name, said in zip(("exponential", "A_Priv"), answer("public_learner"), strict=True):
        own = table[table["mechanism"] == name]
        runs = [(n, np.mean(at["error"] > at["alpha"]) <= 3 * at["beta"].iloc[0]) for n, at in own.groupby("n")]
        assert said == next(n for n, learned in runs if learned)


def test_what_multiplicative_weights_need() -> None:
    table = rows("release_n_vs_alpha").query("alpha == 0.1 and constants == 'BCMNUW20'")
    least = [table.loc[table["mechanism"] == name, "least"].item() for name in ("A_PAP", "gaussian_tree")]
    assert answer("release_n_vs_alpha") == pytest.approx(least, rel=0.05)


def test_how_much_smaller_the_error_of_an_average_is() -> None:
    (times,) = answer("soft_label_error_vs_n")
    table = rows("soft_label_error_vs_n")
    errors = {name: own.groupby(["constants", "n"])["error"].mean() for name, own in table.groupby("mechanism")}
    assert times == pytest.approx(min(errors["A_SL_Quer"].array / errors["gaussian_mean"].array), rel=0.05)


WORSE: dict[str, tuple[str, dict[str, float]]] = {
    "misclassification_vs_n": ("it fails here", {"bound": 1e-9}),
    "privacy_grid": ("not shown", {"spent_upper": 10.0}),
    "utility_transition": ("does not give", {"stable_failed": 0}),
    "release_n_vs_alpha": ("Yes", {"least": 7}),
    "soft_label_error_vs_n": ("Histograms", {"error": 0.5}),
}
"""What a sentence says of other numbers: of all rows, and of scores those of the average alone."""


@pytest.mark.parametrize("experiment", WORSE)
def test_a_sentence_says_what_its_numbers_say(experiment: str) -> None:
    words, changes = WORSE[experiment]
    frame, answered = rows(experiment), ANSWERS[experiment][1]
    where = frame["mechanism"] == "gaussian_mean" if "error" in changes else np.ones(len(frame), bool)
    other = frame.assign(**{name: frame[name].where(~where, value) for name, value in changes.items()})
    assert words in answered(other) and words not in answered(frame)


def test_the_learner_that_needs_fewer_is_named() -> None:
    frame, answered = rows("public_learner"), ANSWERS["public_learner"][1]
    swapped = frame.assign(mechanism=frame["mechanism"].replace({"A_Priv": "exponential", "exponential": "A_Priv"}))
    assert answered(frame).startswith("Exponential mechanism") and answered(swapped).startswith("A_Priv:")
