"""The calculator of release, as JSON and as text, and solved the other way."""

import json
from math import e, log
from typing import TYPE_CHECKING, Any

import pytest

import harness
from harness import InputError
from harness.covers import Size
from harness.mechanisms.release import ReleaseRequest, releases
from harness.report.release_plan import ReleaseCalculation, release_setting
from harness.theory.constants.bcmnuw20 import PRINTED, REPAIRED, labellings, least, missed_by_any
from tests.support.pages import section

if TYPE_CHECKING:
    from tests.support.project import Harness


def calculation(options: dict[str, Any]) -> ReleaseCalculation:
    return ReleaseCalculation(release_setting(options))


KEYS = ["alpha", "m", "n", "H", "X", "log_X", "c", "eta", "threshold", "vacuous", "reason", "alternatives"]

SETTINGS: dict[str, dict[str, Any]] = {
    "alpha": {"alpha": 0.1},
    "spacing, repaired": {"alpha": 0.01, "cover": "spacing", "constants": "repaired"},
    "n": {"n": 10**10},
    "m": {"m": 500},
    "both": {"n": 10**9, "m": 10**4},
    "too few": {"alpha": 0.1, "n": 1000},
    "too few public": {"alpha": 0.1, "m": 100, "n": 10**12},
    "nothing": {"n": 10, "m": 3},
    "private alone": {"alpha": 0.1, "m": 0, "concept": "cube_stumps", "p": 6},
    "huge": {"alpha": 1e-6, "concept": "cube_stumps", "p": 10**6},
    "unions": {"alpha": 0.1, "concept": "interval_unions"},
}


@pytest.mark.parametrize("given", SETTINGS.values(), ids=SETTINGS)
def test_the_object_has_its_keys_and_is_json(given: dict[str, Any]) -> None:
    found = calculation(given).json
    assert list(found) == KEYS and json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["vacuous"] == (found["reason"] is not None) == (found["n"] < 10**4 or found["m"] in (3, 100))
    assert {"gaussian_averages", "exact_averages"} <= set(found["alternatives"])


def test_thresholds_at_one_tenth() -> None:
    found = calculation({"alpha": 0.1}).json
    assert (found["m"], found["H"], found["X"], found["n"]) == (2723, 2724, 2724, 21_005_705)
    assert found["n"] - PRINTED.n(2724, found["log_X"], 0.05, 0.025, 1.0, 1e-6) < 1
    assert found["eta"] == 0.1 / 8
    assert found["alternatives"]["public_averages"] == {
        "n": 0,
        "m": 738,
        "private": True,
        "spent_by": "certified",
        "sample_by": "DKW",
    }
    assert calculation({"alpha": 0.1, "cover": "spacing"}).json["m"] == 381


@pytest.mark.parametrize(
    "given", [{"n": 10**10}, {"m": 500}, {"n": 10**9, "m": 10**4}, {"n": 10**9, "cover": "spacing"}], ids=str
)
def test_solving_the_other_way_finds_the_least_alpha(given: dict[str, Any]) -> None:
    alpha = calculation(given).setting.alpha
    assert not calculation({**given, "alpha": alpha * 1.0001}).json["vacuous"]
    assert calculation({**given, "alpha": alpha * 0.999}).json["vacuous"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "--alpha: this key is required"),
        ({"alpha": 0.1, "gamma": 0.1}, "--gamma: it has no say here; allowed: concept, p, V, alpha"),
        ({"alpha": 0.1, "p": 3}, "--p: p = 3 is not attained: thresholds has p = 1"),
        ({"alpha": 0.1, "cover": "some"}, "--cover: "),
        ({"n": 10**9, "concept": "thresholdss"}, "--concept: no class of queries 'thresholdss'; did you mean 'thresholds'?"),
        ({"alpha": 2}, "--alpha: "),
    ],
)
def test_what_is_wrong_is_said_of_the_option(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        harness.plan_release(**given)
    assert str(error.value).startswith(said)


def test_the_table_on_the_page_is_what_the_calculator_says() -> None:
    text = section("Statistical queries with public data")
    table = [line.strip("| ").split(" | ")[1:] for line in text.splitlines() if line.startswith("|")]
    alphas = [float(each.removeprefix("α = ")) for each in table[0]]
    assert len(alphas) == 3
    for place, alpha in enumerate(alphas):
        shown = [line[place] for line in table[2:]]
        found = calculation({"alpha": alpha}).json
        others = found["alternatives"]
        expected = [
            found["m"],
            calculation({"alpha": alpha, "cover": "spacing"}).json["m"],
            others["public_averages"]["m"],
            found["n"],
            *(calculation({"alpha": alpha, "constants": each}).json["n"] for each in ("proved", "repaired")),
            others["gaussian_averages"]["n"],
            others["gaussian_tree"]["n"],
            others["square_root_sums"]["n"],
        ]
        for said, value in zip(shown, expected, strict=True):
            assert plain(said) == pytest.approx(value, rel=0.04 if "·" in said else 0)


def plain(said: str) -> float:
    """A number as the page has it, such as 2.1·10⁷."""
    digits, _, power = said.replace(",", "").partition("·10")
    return float(digits) * 10.0 ** int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")) or 0)


def test_where_pmw_wins_on_paper() -> None:
    """For any class of V = p = 4 at α = 0.1, by Lemma 11 and Sauer's lemma, on half of α and of β."""
    m = least(lambda m: missed_by_any(m, 0.025, 4) > 0.025)
    assert m is not None
    size = Size(labellings(m, 4), 4 * log(e * labellings(m, 4) / 4))
    half = ReleaseRequest(0.05, 0.025, 1.0, 1e-6, REPAIRED)
    pmw, gaussian = (releases()[name].needed(size, half) for name in ("PMW", "gaussian_averages"))
    assert size.queries == pytest.approx(3e14, rel=0.02)
    assert pmw == pytest.approx(6.8e9, rel=0.01)
    assert gaussian == pytest.approx(2.5e10, rel=0.02)
    unions = calculation({"alpha": 0.1, "concept": "interval_unions", "cover": "spacing"})
    tree = unions.alternatives["gaussian_tree"]
    assert (tree["n"], tree["sample_by"]) == (96_943, "Hoeffding")


def test_the_command_says_it_in_words_and_in_json(harness: "Harness") -> None:
    said = harness("plan", "--release", "--concept", "thresholds", "--alpha", "0.01")
    assert said.code == 0 and "3,133,739,135" in said.out and "public_averages" in said.out, said
    spoken = harness("plan", "--release", "--n", "1e9", "--m", "1000", "--json")
    assert spoken.code == 0 and set(KEYS) == set(json.loads(spoken.out))
    few = harness("plan", "--release", "--alpha", "0.1", "--n", "1e5")
    assert "vacuous: n = 100,000 private points are too few: BCMNUW20 asks for 21,005,705" in few.out
    for words in (("--release", "--alpha", "0.1", "--gamma", "0.1"), ("--alpha", "0.1", "--m", "100", "--cover", "any")):
        refused = harness("plan", *words)
        assert refused.code == 2 and "it has no say here" in refused.err
