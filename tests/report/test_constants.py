"""`harness constants`: every constant with its value, formula and place."""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.mechanisms.answering import mechanisms
from harness.report.constants import known_sets, listed
from harness.report.measured import PAPERS, said_range
from harness.theory.factors import factors_in
from harness.theory.least import STANDARD

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ROOT = Path(__file__).parents[2]


def test_every_set_and_every_mechanism_is_listed(harness: "Harness") -> None:
    found = json.loads(harness("constants", "--json").out)
    there = {(each["of"], each["set"], each["name"]) for each in found}
    sets = [(of, one) for of, known in known_sets().items() for one in known.values()]
    assert there == {(of, one.name, each.name) for of, one in sets for each in one.factors} | {
        ("answering", name, each.name) for name, one in mechanisms().items() for each in factors_in(one.formulas)
    }
    assert len(there) == len(found)
    values = {(each["set"], each["name"]): each["value"] for each in reversed(found)}
    assert values["BTT18", "c_k"] == pytest.approx(48.0833) and values["BTT18a", "c_k"] == 136
    assert values["BTT18", "c_lam"] == 32 and values["BCMNUW20", "c_n"] == 200 and values["noisy_majority", "c_majority"] == 6
    scores = {each["name"]: each["value"] for each in found if (each["of"], each["set"]) == ("scores", "BTT18a")}
    assert scores == {"c_lam": 64, "c_w": 1, "c_m": 4, "c_loop": 1, "c_k": 136, "c_log": 8, "c_bins": 16, "c_d": 32}


def test_a_name_that_several_sets_have_is_listed_for_each_and_changed_where_it_can_be(harness: "Harness") -> None:
    assert [each.value for each in listed("BTT18a with c_k = 10").constants if each.factor.name == "c_k"] == [10, 10]
    assert {each.of for each in listed("BTT18a with c_bins = 10").constants} == {"scores"}
    assert "\nBTT18a, for scores\n" in harness("constants", "BTT18a").out


def test_a_changed_set_says_what_is_printed_beside_it(harness: "Harness") -> None:
    said = harness("constants", "BTT18 with c_k=10, c_majority=3").out
    assert "BTT18 with c_k = 10, c_majority = 3" in said
    assert "10 (printed 34√2)  k = c_k λ ln(c_log m T / min(δ, β/c_beta))" in said and "3 (printed 6)" in said
    assert [each.factor.name for each in listed("tight").constants][:2] == ["c_gap", "c_loop"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("BTT19", "constants: no constants 'BTT19'; did you mean 'BTT18'?"),
        ("BTT18 with c_q = 1", "constants: no constant 'c_q' of BTT18; did you mean"),
        ("BTT18 with c_k = 0", "constants: a number > 0, or printed, is needed, not '0'"),
        ("BTT18 with c_k", "constants: a set of constants is named such as 'BTT18 with c_k = 10, c_lam = 8'"),
    ],
)
def test_a_set_that_there_is_not_is_bad_input(harness: "Harness", name: str, said: str) -> None:
    found = harness("constants", name)
    assert found.code == 2 and said in found.err


def test_the_calculator_takes_changes(harness: "Harness") -> None:
    asked = ("plan", "--m", "1000", "--n", "1e12", "--json")
    plans = [
        json.loads(harness(*asked, *more).out) for more in ((), ("--with", "c_k=10"), ("--constants", "BTT18 with c_k = 10"))
    ]
    assert plans[1] == plans[2] and plans[1]["k"] < plans[0]["k"] / 4
    assert harness("plan", "--m", "10", "--n", "1e9", "--with", "c_k=0").err.startswith("error: --with c_k: a number > 0")
    assert harness("plan", "--m", "10", "--n", "1e9", "--with", "c_k").err.startswith("error: --with: constant=value is needed")
    released = json.loads(harness("plan", "--release", "--alpha", "0.1", "--with", "c_n=400", "--json").out)
    scores = [json.loads(harness("plan", "--scores", "--n", "1e9", "--json", *more).out) for more in ((), ("--with", "c_k=68"))]
    assert scores[1]["k"] == pytest.approx(scores[0]["k"] / 2, abs=1)
    assert released["n"] == pytest.approx(2 * 21_005_705, rel=1e-6)


@pytest.mark.law
def test_every_constant_of_the_papers_is_measured_or_says_why_not(shown: "Harness") -> None:
    found = json.loads(shown("constants", "--measured", "--json").out)
    by = {(each["of"], each["set"], each["constant"], each["within"]): each for each in found}
    assert len(by) == len(found)
    for of, names in PAPERS.items():
        for name in names:
            for each in known_sets()[of][name].factors:
                same = [key for key in by if key[0] == of and key[2] == each.name]
                assert same, f"{each.name} of {name} has no line"
    assert [key for key, each in by.items() if each["low"] is None and not each["why"]] == []
    assert all(each["within"] for each in found if each["low"] is not None)
    release = {(each["set"], each["constant"]): each for each in found if each["of"] == "release"}
    assert (
        release["BCMNUW20", "c_n"]["within"] == "these 3 instances"
        and "ε = 1, δ = 10⁻⁶" in release["BCMNUW20", "c_n"]["instance"]
    )


@pytest.mark.law
def test_what_is_said_for_a_range_has_the_place_where_most_is_needed(shown: "Harness") -> None:
    found = json.loads(shown("constants", "--measured", "--json").out)
    by = {(each["set"], each["constant"]): each for each in found if each["within"] == said_range(STANDARD)}
    for key in (
        ("BTT18", "c_k"),
        ("BTT18a", "c_oqr"),
        ("BTT18a", "c_sv"),
        ("k_tight", "c_k"),
    ):  # a union bound is what is needed
        assert 0.99 * by[key]["high"] < by[key]["low"] <= by[key]["high"] == by[key]["provable"]
    k = by["BTT18", "c_k"]
    assert 11.5 < k["low"] and k["high"] < 12 and k["instance"] == "m = 10⁹, T = 1, ε = 1, δ = 10⁻¹⁰, β = 2·10⁻¹⁰"
    assert k["over"] == pytest.approx(k["printed"] / (k["low"] * k["high"]) ** 0.5)
    assert by["BTT18", "c_log"]["low"] == 0 and by["BTT18", "c_log"]["over"] is None
    assert (by["BTT18", "c_gap"]["low"], by["BTT18", "c_gap"]["high"]) == (0, 1)
    assert by["BTT18", "c_w"]["low"] > 1.94 and "T = 10⁹" in by["BTT18", "c_w"]["instance"]


@pytest.mark.law
def test_an_event_in_a_table_counts_where_it_lies_in_the_range(shown: "Harness") -> None:
    """c_λ is shown to be too small at T = 1 and δ = 10⁻⁶ up to 3.98; the least that is certified is needed at another δ."""
    (lam,) = (
        each for each in json.loads(shown("constants", "BTT18", "--measured", "--json").out) if each["constant"] == "c_lam"
    )
    assert 3.9 < lam["low"] < 4 and 12 < lam["high"] < 12.5 and lam["experiment"] == "least_noise"
    assert (
        lam["instance"].startswith("m = 10⁵, T = 1, ε = 1, δ = 10⁻⁶")
        and "; proof: m = 2, T = 1, ε = 1, δ = 0.01" in lam["instance"]
    )


@pytest.mark.law
def test_of_the_cutoff_nothing_is_said_to_be_enough(shown: "Harness") -> None:
    """It is said for all β and for those that are not small."""
    found = json.loads(shown("constants", "BTT18", "--measured", "--json").out)
    for name, few, many in (("c_T", 1.9, 100), ("c_B", 0.1, 1000)):
        all_of_them, ordinary = (each for each in found if each["constant"] == name)
        assert all_of_them["low"] > many and ordinary["low"] > few and "β from 0.05" in ordinary["within"]
        assert all_of_them["provable"] is all_of_them["high"] is ordinary["high"] is None


@pytest.mark.law
def test_the_table_says_what_challenges_nothing_and_what_is_not_enough(shown: "Harness") -> None:
    said = shown("constants", "--measured").out
    lines = {tuple(line.split()[:2]): line for line in said.splitlines()}
    assert "not challenged" in lines["BTT18", "c_log"] and "the range" in lines["BTT18", "c_log"]
    scores = [line for line in said.splitlines() if "for scores" in line]
    assert any("c_k" in line and "more than 1360" in line and "this instance" in line for line in scores)
    assert f"The range: {said_range(STANDARD)}. Provable is enough everywhere in it, by proof." in " ".join(said.split())


def test_without_a_table_there_is_what_is_known_of_the_range(harness: "Harness") -> None:
    found = harness("constants", "BTT18a", "--measured")
    lines = {tuple(line.split()[:2]): line for line in found.out.splitlines()}
    assert found.code == 0 and "15.56" in lines["BTT18a", "c_oqr"]
    assert any("c_bins" in line and "not measured" in line for line in found.out.splitlines())


@pytest.fixture
def shown(project: "Project", harness: "Harness") -> "Harness":
    """In a project with the committed tables."""
    for folder, ending in (("experiments", "yaml"), ("results", "parquet")):
        (project.root / folder).mkdir(exist_ok=True)
        for path in (ROOT / folder).glob(f"least_*.{ending}"):
            shutil.copy(path, project.root / folder)
    return harness


@pytest.mark.law
def test_the_report_has_the_table_where_constants_were_measured(shown: "Harness", project: "Project") -> None:
    assert shown("report", "experiments/least_online.yaml", "--html", "page.html").code == 0
    page = (project.root / "page.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="constants"') : page.index('<section id="experiments"')]
    assert "c_oqr" in section and "not challenged" in section and '<a href="#constants">' in page
