"""The ten findings of the report: each has the numbers of its committed table, computed here in another way."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from harness.report.findings import ERRATA, QUESTIONS, answered
from harness.report.headline import FallenError, finding
from harness.sweep.spec.figure_spec import FindingSpec
from harness.sweep.table.cells import Cells
from tests.support.committed import ROOT, content, rows_of, trials_of

RESULTS = ROOT / "results"
DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def rows(experiment: str) -> pd.DataFrame:
    return rows_of(experiment)


def numbers(said: str) -> list[float]:
    """Those of a sentence, in their order."""
    parts = re.findall(r"(?<![\w/])(\d+(?:\.\d+)?)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(?![⁻⁰¹²³⁴⁵⁶⁷⁸⁹\d])|10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", said)
    return [
        10.0 ** int(alone.translate(DIGITS)) if alone else float(digits) * 10.0 ** int(power.translate(DIGITS) or 0)
        for digits, power, alone in parts
    ]


def finding_of(experiment: str) -> FindingSpec:
    return FindingSpec.model_validate(content(ROOT / f"experiments/{experiment}.yaml")["figure"]["finding"])


def answer(experiment: str) -> list[float]:
    return numbers(finding(rows(experiment), finding_of(experiment)))


def test_a_sentence_is_said_of_each_table_that_is_there_and_of_the_errata() -> None:
    assert len(QUESTIONS) == 9
    assert all((RESULTS / f"{experiment}.parquet").exists() for experiment in QUESTIONS)
    (said,) = answered({}, "3 conclusion false, 1 slip of the pen")
    assert said.place == ERRATA and numbers(said.answer) == [3, 1]
    assert list(answered({}, "")) == []


def test_of_a_table_with_other_settings_nothing_is_said() -> None:
    """A user's own experiment may have such a name."""
    for frame in (pd.DataFrame({"a": [1]}), rows("privacy_grid").head(0), rows("crossover").head(3)):
        table = SimpleNamespace(cells=Cells(frame))
        figures = {name: SimpleNamespace(finding=finding_of(name)) for name in QUESTIONS if name != "privacy_grid"}
        stored = {
            name: SimpleNamespace(table=table, sweep=SimpleNamespace(spec=SimpleNamespace(figure=figure)))
            for name, figure in figures.items()
        }
        assert list(answered(stored, "")) == []  # type: ignore[arg-type]


def test_the_main_theorems_error_and_bound() -> None:
    table = rows("misclassification_vs_n").query("mechanism == 'A_binClas' and distribution == 'hard'")
    wrong, n, theorem, allowed, times = answer("misclassification_vs_n")
    at = table[table["n"] == n]
    assert theorem == 3.2 and [n] == [each for each, own in table.groupby("n") if np.median(own["misclassified"]) > 0][-1:]
    assert wrong == pytest.approx(at["misclassified"].sum() / at["m"].sum(), rel=0.05) and wrong > 0
    assert allowed == pytest.approx(at["bound"].max(), rel=0.05)
    assert times <= at["bound"].mean() / (at["misclassified"].sum() / at["m"].sum()) < times + 1


def test_the_share_of_privacy_that_is_spent() -> None:
    table = rows("privacy_grid").query("mechanism == 'printed'")
    spent, eps, least, most, m = answer("privacy_grid")
    share = max(table["spent_upper"].to_numpy() / table["eps"].to_numpy())
    assert 0 <= spent - share < 0.01 and set(table["eps"]) == {eps}
    assert [least, most, m] == [table["delta"].min(), table["delta"].max(), table["m"].max()]


def test_the_least_k_is_enough_and_nine_tenths_of_it_is_not() -> None:
    enough, beta, scale, less = answer("utility_transition")
    shares = {
        scale: [np.mean(own["stable_failed"] > 0) for _, own in of.groupby("T")]
        for scale, of in rows("utility_transition").groupby("k_scale")
    }
    assert [enough, less] == pytest.approx([max(shares[1.0]), min(shares[scale])], abs=0.01)
    assert max(shares[1.0]) <= enough <= beta == 0.25 < less <= min(shares[scale]) and scale == 0.9


def test_where_gaussian_noise_is_overtaken() -> None:
    m, last, first = answer("crossover")
    table = trials_of("crossover").query("m == 1e6 and n <= 1e10 and constants == 'tight'")
    assert [m, last] == [table["m"].max(), table["n"].max()]
    wrong = {
        name: [int(own["misclassified"].sum()) for _, own in table[table["mechanism"] == name].groupby("n")]
        for name in ("A_binClas", "gaussian_sparse_vector", "gaussian")
    }
    every = list(zip(sorted(table["n"].unique()), *wrong.values(), strict=True))
    assert all(ours > theirs for _, ours, theirs, _ in every)
    assert [n for n, _, ours, theirs in every if ours < theirs] == [n for n, *_ in every if n >= first]


@pytest.mark.law
def test_up_to_how_many_queries_it_errs_less_than_advanced_composition() -> None:
    for constants, said in zip(("BTT18", "tight"), answer("queries_answered_vs_alpha"), strict=True):
        wrong = trials_of("queries_answered_vs_alpha").query(f"constants == '{constants}'")
        sums = wrong.groupby(["m", "mechanism"])["misclassified"].mean().unstack()
        assert said == max(m for m in sums.index if sums["A_binClas"][m] < sums["noisy_majority"][m])


def test_the_price_of_a_classifier() -> None:
    table = rows("sample_complexity_vs_alpha").query("target == 'alpha'").dropna(subset="n_high")
    prices: dict[str, list[float]] = {"A_Priv": [], "exponential": []}
    for _, own in table.groupby(["concept", "alpha"]):
        least = dict(zip(own["mechanism"], own["n_star"], strict=True))
        for name, those in prices.items():
            those += [least[name] / least["non_private"]] if {name, "non_private"} <= least.keys() else []
    assert answer("sample_complexity_vs_alpha") == pytest.approx([max(each) for each in prices.values()], rel=0.05)


def test_from_how_many_examples_on_a_classifier_is_learned() -> None:
    table = rows("public_learner")
    for name, said in zip(("exponential", "A_Priv"), answer("public_learner"), strict=True):
        own = table[table["mechanism"] == name]
        runs = [(n, np.mean(at["error"] > at["alpha"]) <= 3 * at["beta"].iloc[0]) for n, at in own.groupby("n")]
        assert said == next(n for n, learned in runs if learned)


def test_what_multiplicative_weights_need() -> None:
    table = rows("release_n_vs_alpha")
    ours, tree = (table[table["mechanism"] == name].sort_values("cell") for name in ("A_PAP", "gaussian_tree"))
    times = ours["least"].to_numpy() / tree["least"].to_numpy()
    low, high, least, most = answer("release_n_vs_alpha")
    assert [low, high] == pytest.approx([times.min(), times.max()], rel=0.05)
    assert [least, most] == [table["alpha"].min(), table["alpha"].max()]


def test_how_much_smaller_the_error_of_an_average_is() -> None:
    times, *between = answer("soft_label_error_vs_n")
    table = rows("soft_label_error_vs_n")
    errors = {name: own.groupby(["constants", "n"])["error"].mean() for name, own in table.groupby("mechanism")}
    least = min(errors["A_SL_Quer"].array / errors["gaussian_mean"].array)
    assert times <= least < times + 10 and between == [table["n"].min(), table["n"].max()]


WORSE: dict[str, dict[str, float]] = {
    "misclassification_vs_n": {"bound": 1e-9},
    "privacy_grid": {"spent_upper": 10.0},
    "utility_transition": {"stable_failed": 0},
    "crossover": {"misclassification_rate": 0.0},
    "queries_answered_vs_alpha": {"misclassification_rate": 0.1},
    "sample_complexity_vs_alpha": {"n_star": 7},
    "public_learner": {"error": 1.0},
    "release_n_vs_alpha": {"least": 7},
    "soft_label_error_vs_n": {"error": 0.5},
}
"""Numbers of all rows with which nothing of a sentence is left."""


@pytest.mark.at_once("privacy_grid", "public_learner", "release_n_vs_alpha", "utility_transition")
@pytest.mark.parametrize("experiment", WORSE)
def test_a_sentence_falls_with_its_numbers(experiment: str) -> None:
    with pytest.raises(FallenError):
        finding(rows(experiment).assign(**WORSE[experiment]), finding_of(experiment))
