"""What the README and the pages show of the command line and of tables is what these say."""

import json
import re
import shutil
from math import ceil
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from scipy.stats import gmean

from harness.api import crossovers
from harness.claims.btt18.t3_2 import FAILS
from harness.claims.engine.capacity import answered, common_targets
from harness.claims.registry import claims
from harness.report.errata import assembled
from harness.report.prices import priced
from harness.sweep.table.table import Table
from harness.theory.least import Range
from harness.theory.least.answered import of_labels
from harness.trials.sample_complexity import KIND
from tests.support.committed import trials_of
from tests.support.pages import ROOT, all_of_it, section
from tests.test_newcomer import is_part, pieces

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


def told(text: str | None = None) -> str:
    """A text, by default all of it, however its lines are broken."""
    return " ".join((text or all_of_it()).split())


def answer(question: str) -> list[float]:
    """The numbers of an answer among those that were found, in their order."""
    (said,) = re.findall(rf"^\| {re.escape(question)}[^|]*\| ([^|]*) \|", section("What was found"), re.MULTILINE)
    return numbers(said)


def numbers(said: str) -> list[float]:
    """Those of a text, in their order; a power of ten alone is one."""
    return [
        number(each)
        for each in re.findall(
            r"\d[\d,.]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?<![,.])", re.sub(r"(?<![·\d])10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])", "1·10", said)
        )
    ]


def number(said: str) -> float:
    digits, _, power = said.replace(",", "").partition("·10")
    return float(digits) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)


def rows(experiment: str) -> pd.DataFrame:
    return Table.read(ROOT / f"results/{experiment}.parquet").frame()


@pytest.mark.law
def test_the_table_of_when_it_is_worth_it_is_what_its_command_prints(harness: "Harness") -> None:
    shown = section("When is it worth it?")
    command, table = re.findall(r"`harness (plan --crossover [^`]+)`.*?\n```\n(.*?)\n```", shown, re.DOTALL)[0]
    said = harness(*command.split())
    assert (said.code, said.err) == (0, "")
    lines = [line.rstrip() for line in said.out.splitlines()]
    assert all(is_part(piece, lines) for piece in pieces(table))


def test_the_prices_of_privacy_are_those_of_the_committed_tables() -> None:
    """A line for each construction: its price to reach each error α on thresholds, to two digits."""
    assert KIND.price
    found = [priced(rows(each), KIND.price) for each in ("sample_complexity_vs_alpha", "sample_complexity_free")]
    of = [frame[(frame["concept"] == "thresholds") & (frame["target"] == "alpha")] for frame in found]
    by_setting = pd.concat(of).groupby(["mechanism", "alpha"])
    prices = by_setting["price"]
    least, most = prices.min().to_dict(), prices.max().to_dict()
    shown = prices_shown()
    assert len(shown) >= 8 and all(len(at) >= 3 for at in shown.values())
    for name, at in shown.items():
        for alpha, price in at.items():
            assert [least[name, alpha], most[name, alpha]] == pytest.approx([price, price], rel=0.05), (name, alpha)
    wide = by_setting["price_high"].max() / by_setting["price_low"].min()
    of_shown = wide[[(name, alpha) for name, at in shown.items() for alpha in at]]
    (known,) = re.findall(r"known up to a factor of (\S+) on average, and of (\S+) at most", " ".join(told().split()))
    assert [*map(float, known)] == pytest.approx([gmean(of_shown), of_shown.max()], abs=0.05)


def prices_shown() -> dict[str, dict[float, float]]:
    """Of each construction the price at each α."""
    table = [
        each.strip("| ").split(" | ") for each in section("What does a private classifier cost?").splitlines() if "|" in each
    ]
    alphas = [float(each.removeprefix("α = ")) for each in table[0][2:]]
    return {name.strip("`"): dict(zip(alphas, map(number, said), strict=True)) for name, _, *said in table[2:]}


def test_how_wrong_the_answers_are_and_from_where_on_the_bound_is_the_better_one() -> None:
    found = rows("misclassification_vs_n")
    of_ours = found[found["mechanism"] == "A_binClas"]
    hard = of_ours[(of_ours["distribution"] == "hard") & (of_ours["n"] == 10**10)]
    beta, *_, wrong, allowed = answer("Does the main theorem hold")[:5]
    assert beta == hard["beta"].iloc[0]
    assert wrong == pytest.approx(hard["misclassification_rate"].mean(), rel=0.02)
    assert allowed == pytest.approx(hard["bound"].iloc[0], rel=0.02)
    bounds = found[found["distribution"] == "uniform"].groupby(["n", "mechanism"])["bound"].first().unstack()
    overtaken = bounds.index[(bounds["A_binClas"] < bounds["noisy_majority"]).to_numpy(bool)].min()
    (said,) = re.findall(r"each of the 10⁵ queries is paid for, from n ≈ (\S+) on", told())
    assert number(said) == pytest.approx(overtaken, rel=0.1)


def test_how_near_split_votes_come_to_the_bound() -> None:
    found = rows("nearest_to_the_bound")
    most = found.groupby(["alpha", "bound"])["misclassification_rate"].quantile(0.9, interpolation="higher").reset_index()
    (said,) = re.findall(r"Theorem 3\.2 has a slack of (\S+) at β = 0\.05", told())
    assert float(said) == pytest.approx((most["bound"] / most["misclassification_rate"]).min(), abs=0.05)


def test_from_which_beta_the_main_theorem_fails_and_that_the_answer_says_it() -> None:
    said = answer("Does the main theorem hold")[5:]
    assert [each for each in said if each < 1] == list(FAILS.values())


def test_how_much_of_the_privacy_is_spent() -> None:
    found = rows("privacy_grid")
    printed = found[(found["mechanism"] == "printed") & (found["eps"] <= 5)]
    *proved, eps, spent = answer("Is the algorithm private")
    assert spent == pytest.approx((printed["spent_upper"] / printed["eps"]).max(), abs=0.005) and (printed["eps"] == eps).all()
    assert {*proved} <= {*numbers(claims()["least:lambda-range"].statement)}


def test_how_much_of_the_printed_k_suffices_and_what_does_not() -> None:
    """12 up to ε = 29, however many queries; 11.5 at 10⁹ of them, at T = 1, by the exact law."""
    _, _, enough, eps, low, high, queries, less, m, cutoff = answer("Must k be so large")
    k = of_labels("BTT18", "c_k")
    assert k.enough(enough, Range(queries=int(queries), eps=(0.01, eps), delta=(low, high), beta=(low, high)))
    at = k.extreme().setting
    assert at is not None and (at.m, at.T) == (m, cutoff) and k.broken(less, at)


@pytest.mark.parametrize(
    ("row", "set", "constant"),
    [
        ("k of BTT18", "BTT18", "c_k"),
        ("λ, under the root", "BTT18", "c_lam"),
        ("w", "BTT18", "c_w"),
        ("the 3 of T = max(1, 3B)", "BTT18", "c_T"),
        ("w of `A_SL_Quer`", "BTT18a", "c_w"),
    ],
)
def test_the_constants_are_those_of_the_command(
    harness: "Harness", project: "Project", row: str, set: str, constant: str
) -> None:
    """Each number of the row is a value, or a part of the place where it is needed, to three digits."""
    for part in ("experiments/least_noise.yaml", "results/least_noise.parquet"):
        (project.root / part).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / part, project.root / part)
    found = json.loads(harness("constants", set, "--measured", "--json").out)
    own = [each for each in found if each["constant"] == constant and (each["of"] == "scores") == ("SL" in row)]
    line = rf"^\| {re.escape(row)} \|[^|]*\| ([^|]*) \| ([^|]*) \|$"
    ((provable, needed),) = re.findall(line, all_of_it(), re.MULTILINE)
    assert provable == ("none" if own[0]["provable"] is None else f"{own[0]['provable']:.3g}")
    places = " ".join(each["instance"] for each in own) + " β = 0.05"
    known = [each[end] for each in own for end in ("low", "high") if each[end]] + numbers(places)
    assert numbers(needed) and all(any(value == pytest.approx(each, rel=0.005) for each in known) for value in numbers(needed))


@pytest.mark.law
def test_how_many_times_as_many_queries_are_answered() -> None:
    found, said = trials_of("queries_answered_vs_alpha"), answer("How many queries more")
    for constants, shown in (("BTT18", said[:2]), ("tight", said[2:4])):
        of_these = found[found["constants"] == constants]
        rate = of_these.groupby(["mechanism", "m"])["misclassification_rate"].mean()
        ours, theirs = (rate[name].to_numpy(float) for name in ("A_binClas", "noisy_majority"))
        targets, m = common_targets(ours, theirs), rate["A_binClas"].index.to_numpy(float)
        factor = answered(m, ours, targets) / answered(m, theirs, targets)
        assert shown == pytest.approx([factor.min(), factor.max()], rel=0.03)


def test_what_is_promised_of_scores_is_what_the_command_says(harness: "Harness") -> None:
    (command, bins, noise) = re.findall(
        r"`harness (plan --scores [^`]+)`\s+promises an error of (\S+), and Gaussian noise one of (\S+)\. ",
        section("Scores in place of labels"),
    )[0]
    said = json.loads(harness(*command.split(), "--json").out)
    assert number(bins) == pytest.approx(said["bound"], rel=0.02)
    assert number(noise) == pytest.approx(said["alternatives"]["gaussian_mean"]["bound"], rel=0.02)


def test_how_many_times_as_far_off_histograms_are_as_noise_on_averages() -> None:
    means = rows("soft_label_error_vs_n").groupby(["constants", "n", "mechanism"])["error"].mean().unstack()
    factor, *between = answer("Scores in place of labels")
    assert factor == pytest.approx((means["A_SL_Quer"] / means["gaussian_mean"]).min(), rel=0.03)
    n = means.index.get_level_values("n")
    assert between == [n.min(), n.max()]


def test_how_far_the_attack_reaches_and_what_it_names() -> None:
    shown = told(section("How few private rows are too few?"))
    found = rows("tracing_threshold")
    reach = (found["least"] / found["root"])[found["alpha"] == 0.25]
    (low, high) = re.findall(r"α = 1/4 of those of the rows, it works up to (\S+) to (\S+)√p/α rows", shown)[0]
    assert [float(low), float(high)] == pytest.approx([reach.min(), reach.max()], abs=0.005)
    behind = rows("tracing_public")
    (share,) = re.findall(r"about (\S+)/α² public ones", shown)
    assert float(share) == pytest.approx((behind["least"] * behind["alpha"] ** 2).mean(), rel=0.1)
    plain = rows("tracing_release").query("mechanism == 'all_averages' and m == 32")["named_private"]
    (named,) = re.findall(r"behind 32 public rows (\S+) of 24 private ones", shown)
    assert float(named) == pytest.approx(plain.mean(), abs=0.05)
    scores = rows("tracing_scores")
    weak = scores[(scores["mechanism"] == "A_SL_Quer") & (scores["biases"] == "weak")]
    within, named, runs = re.findall(r"within (\S+) of the truth, (\d+) rows were named in (\d+) runs", shown)[0]
    assert float(within) == pytest.approx(weak["error"].max(), abs=0.005)
    assert (int(named), int(runs)) == (int(weak["named_private"].sum()), len(weak))
    assert (weak["unanswered"] == 0).all()
    averages = scores[scores["mechanism"] == "mean"]
    assert (averages["named_private"] == averages["n"]).all()


def test_what_the_attack_names_where_averages_are_accurate_for_the_distribution() -> None:
    shown = told(section("How few private rows are too few?"))
    found = rows("tracing_accurate")
    (said,) = re.findall(r"At p = (\S+) and α = 1/4 averages of (\d+) rows are, and in (\d+) of (\d+) runs", shown)
    good = (found["error"] <= found["alpha"]) & (found["named_private"] > 0)
    assert [number(each) for each in said] == [found["p"].iloc[0], found["n"].iloc[0], good.sum(), len(found)]
    (allowed,) = re.findall(r"allows in (\d+)% of them", shown)
    assert int(allowed) == ceil(100 * found["bound"].iloc[0])
    law = rows("tracing_chance")
    for share, named in ((0.08, True), (0.2, False)):
        assert ((law["few"] <= law["rate"]) == named)[law["share"] == share].all()
    assert (law["error"] <= law["alpha"]).all()


@pytest.mark.law
def test_where_gaussian_noise_is_overtaken_is_the_range_of_its_column() -> None:
    least, most, first, last, never, low, high, few, alone = answer("When does it beat Gaussian")[:9]
    found = [each for each in crossovers(constants="tight").every if each.baseline == "gaussian"]
    by_m = {each.m: each.alpha for each in found if each.mechanism == "A_binClas"}
    reached = {m: alpha for m, alpha in by_m.items() if alpha is not None}
    assert least == pytest.approx(min(reached.values()), rel=0.03) and most == pytest.approx(max(reached.values()), rel=0.03)
    assert (first, last) == (min(reached), max(reached)) and by_m.keys() - reached.keys() == {never}
    own = [each.alpha for each in found if each.mechanism == "gaussian_sparse_vector" and each.alpha is not None]
    assert [low, high] == pytest.approx([min(own), max(own)], rel=0.03) and few == never
    (other,) = (each.alpha for each in found if (each.mechanism, each.m) == ("exponential_sparse_vector", few))
    assert alone == pytest.approx(other, rel=0.03)


@pytest.mark.law
def test_where_each_set_of_constants_is_worth_it() -> None:
    table = section("What if a constant were another?").split("| against |")[1]
    sets = [name.strip() for name in table.splitlines()[0].strip(" |").split("|")]
    every = {name: crossovers(m=10**6, constants=name).every for name in sets}
    for said, baseline in (("Gaussian noise", "gaussian"), ("advanced composition", "noisy_majority")):
        (shown,) = re.findall(rf"^\| {said} \| (.*) \|$", table, re.MULTILINE)
        for name, value in zip(sets, shown.split(" | "), strict=True):
            found = (each for each in every[name] if each.mechanism == "A_binClas")
            (alpha,) = (each.alpha for each in found if each.baseline == baseline)
            assert number(value) == pytest.approx(alpha, rel=0.05)


def test_what_data_dependent_accounting_would_charge() -> None:
    found = rows("baselines_vs_m")["eps_data_dependent"].max()
    (said,) = re.findall(r"charge its GNMax no more than (\S+) of the ε", told())
    assert found <= float(said) < found + 0.001


def test_the_price_of_a_classifier_is_that_of_its_table() -> None:
    """By the ends of intervals: of what costs most, of what costs least without the class, and of what knows it."""
    assert KIND.price
    eps, alpha, *said = answer("What does a private classifier cost")
    at = {name: prices[alpha] for name, prices in prices_shown().items() if name != "exponential"}
    of = priced(rows("sample_complexity_vs_alpha"), KIND.price).query("concept == 'thresholds' and target == 'alpha'")
    ends = of[(of["eps"] == eps) & (of["alpha"] == alpha)].set_index("mechanism")[["price_low", "price_high"]]
    names = [max(at, key=at.__getitem__), min(at, key=at.__getitem__), "exponential"]
    assert [said[0] * 1e6, said[1] * 1e6, *said[2:]] == pytest.approx(ends.loc[names].to_numpy().ravel(), rel=0.05)


def test_from_how_many_examples_on_each_construction_learns() -> None:
    """The first n at which no more than 3β of the runs err more than α."""
    names = {
        "no privacy": "non_private",
        "exponential mechanism": "exponential",
        "learned from two": "release_learner",
        "A_Priv by noisy": "A_Priv_erm_noisy_majority",
        "A_Priv, on few": "A_Priv_erm",
        "A_Priv (": "A_Priv",
    }
    found = rows("public_learner")
    failed = (found["error"] > found["alpha"]).groupby([found["mechanism"], found["n"]]).mean().unstack()
    lines = re.findall(r"^\| ([^|]*) \| ([\d,]+) \|$", section("Public points and a known class"), re.MULTILINE)
    assert len(lines) == len(names)
    for said, n in lines:
        (name,) = (name for start, name in names.items() if said.startswith(start))
        assert number(n) == failed.columns[(failed.loc[name] <= 3 * found["beta"].iloc[0]).to_numpy(bool)].min()
    alpha, few, many = answer("I can list the class")
    assert (found["alpha"] == alpha).all()
    assert [few, many] == [number(dict(lines)[said]) for said in ("exponential mechanism over H̃", "A_Priv (Theorem 4.2)")]


def test_what_private_training_takes_is_what_was_found() -> None:
    found = rows("private_training").query("alpha == 0.01").set_index("mechanism")
    trained, chosen, public, voted, labelled, without = answer("And if I train a halfspace")[1:]
    for name, n, m in (
        ("objective_perturbation", trained, None),
        ("exponential", chosen, public),
        ("A_Priv_erm_noisy_majority", voted, labelled),
        ("non_private", without, None),
    ):
        assert n == pytest.approx(found["n_star"][name], rel=0.05)
        assert m is None or m == pytest.approx(found["m"][name], rel=0.05)


def test_the_table_of_private_training_is_that_of_the_committed_one() -> None:
    found = rows("private_training").pivot(index="mechanism", columns="alpha", values="n_star")
    shown = [each.strip("| ").split(" | ") for each in section("Private training").splitlines() if "|" in each]
    alphas = [float(each.removeprefix("α = ")) for each in shown[0][2:]]
    for names, _, *said in shown[2:]:
        for name in re.findall(r"`(\w+)`", names):
            assert [*map(number, said)] == pytest.approx([found[alpha][name] for alpha in alphas], rel=0.05), name
    times = found.loc["A_Priv_erm_noisy_majority"] / found.loc["objective_perturbation"]
    assert "takes 26 to 37 times" in told() and [times.min(), times.max()] == pytest.approx([26, 37], abs=0.5)


@pytest.mark.parametrize(("place", "of"), [(0, "relabelled"), (1, "relabelled_halfplanes")])
def test_the_tables_of_relabelling_are_those_of_the_committed_ones(place: int, of: str) -> None:
    found = rows(of).pivot(index="mechanism", columns="alpha", values=["m", "n_star"]).astype("Float64").astype(float)
    tables = [part for part in section("Noisy labels: relabel first?").split("\n\n") if part.startswith("| ")]
    for name, *said in [each.strip("| ").split(" | ") for each in tables[place].splitlines()][2:]:
        own = found.loc[name.strip("`")]
        told = [float("nan") if each == "–" else number(each) for each in said]
        assert told[::2] == pytest.approx([own["m"][0.1], own["m"][0.06]], nan_ok=True)
        assert told[1::2] == pytest.approx([own["n_star"][0.1], own["n_star"][0.06]], rel=0.05)


def test_what_averages_take_by_multiplicative_weights_and_by_the_best_noise() -> None:
    ordered, many = rows("rivals_ordered"), rows("rivals_unordered")
    cells, alpha, pmw, best, _, *parities = answer("Is private multiplicative weights")
    of_page = (ordered["alpha"] == alpha) & (ordered["concept"] == "thresholds") & (ordered["grid"] == cells)
    at = ordered[of_page].set_index("mechanism")["least"]
    assert [pmw, best] == pytest.approx([at["PMW_calibrated"], at["square_root_sums"]], rel=0.05)
    others = at.drop(["exact_averages", "square_root_sums"])
    assert at["square_root_sums"] < 1.05 * others.min() and pmw > 0.95 * others.max()
    found = many[(many["alpha"] == alpha) & (many["p"] == 10)].set_index(["distribution", "mechanism"])["least"]
    cases = [("planted", "mwem"), ("planted", "gaussian_histogram"), ("spike", "mwem")]
    assert parities == pytest.approx([found[case] for case in cases], rel=0.05)


def test_so_many_causes_of_each_severity_are_on_record() -> None:
    assert answer("Where do the papers not hold") == [len(causes) for causes in assembled([], [], {}).by_severity.values()]
