"""`harness constants`: every constant with its value, formula and place."""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.mechanisms.answering import mechanisms
from harness.report.constants import known_sets, listed
from harness.report.measured import PAPERS
from harness.theory.factors import factors_in

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
    assert [each.value for each in listed("BTT18a with c_k = 10").found if each.factor.name == "c_k"] == [10, 10]
    assert {each.of for each in listed("BTT18a with c_bins = 10").found} == {"scores"}
    assert "\nBTT18a, for scores\n" in harness("constants", "BTT18a").out


def test_a_changed_set_says_what_is_printed_beside_it(harness: "Harness") -> None:
    said = harness("constants", "BTT18 with c_k=10, c_majority=3").out
    assert "BTT18 with c_k = 10, c_majority = 3" in said
    assert "10 (printed 34√2)  k = c_k λ ln(c_log m T / min(δ, β/c_beta))" in said and "3 (printed 6)" in said
    assert [each.factor.name for each in listed("tight").found][:2] == ["c_gap", "c_loop"]


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


def test_every_constant_of_the_papers_is_measured_or_says_why_not(shown: "Harness") -> None:
    found = json.loads(shown("constants", "--measured", "--json").out)
    by = {(each["of"], each["set"], each["constant"]): each for each in found}
    assert len(by) == len(found)
    for of, names in PAPERS.items():
        for name in names:
            for each in known_sets()[of][name].factors:
                same = [key for key in by if key[0] == of and key[2] == each.name]
                assert same, f"{each.name} of {name} has no line"
    assert [key for key, each in by.items() if each["low"] is None and not each["why"]] == []
    k = by["answering", "BTT18", "c_k"]
    assert k["low"] < k["provable"] < 1.05 * k["high"] and k["over"] == pytest.approx(
        k["printed"] / (k["low"] * k["high"]) ** 0.5
    )
    assert by["answering", "BTT18", "c_log"]["low"] == 0 and by["answering", "BTT18", "c_log"]["over"] is None
    for name in ("c_oqr", "c_sv"):  # what a union bound over the queries proves is what is needed
        found = by["answering", "BTT18a", name]
        assert found["low"] < found["provable"] < 1.05 * found["high"]
    d = by["scores", "repaired", "c_d"]
    assert d["low"] < d["provable"] < 1.05 * d["high"]
    assert by["release", "BCMNUW20", "c_n"]["low"] > 200 and by["release", "BCMNUW20", "c_n"]["provable"] > 6804
    assert (by["answering", "BTT18", "c_gap"]["low"], by["answering", "BTT18", "c_gap"]["high"]) == (0, 1)


def test_the_instance_that_needs_most_says_what_is_needed(shown: "Harness") -> None:
    """Of c_B only one of two instances asks for anything, and of c_T the one with fewer errors asks for more."""
    by = {each["constant"]: each for each in json.loads(shown("constants", "BTT18", "--measured", "--json").out)}
    for name in ("c_B", "c_T"):
        assert by[name]["low"] > 0 and "α = 0.003" in by[name]["instance"] and by[name]["experiment"] == "least_cutoff"
    assert by["c_T"]["low"] > 1 and by["c_T"]["provable"] == 3


def test_what_is_needed_is_enough_on_all_instances(shown: "Harness") -> None:
    """c_λ at T = 1 is shown to be too small up to 3.98, and is certified at T = 10 from 7.38 on."""
    (lam,) = (
        each for each in json.loads(shown("constants", "BTT18", "--measured", "--json").out) if each["constant"] == "c_lam"
    )
    assert 3.9 < lam["low"] < 4 and 7 < lam["high"] < 8 and lam["provable"] == lam["high"] and "T = 1," in lam["instance"]


def test_the_table_says_what_challenges_nothing_and_what_is_not_enough(shown: "Harness") -> None:
    lines = {tuple(line.split()[:2]): line for line in shown("constants", "BTT18", "--measured").out.splitlines()}
    assert "not challenged" in lines["BTT18", "c_log"] and "0.9987 to 1.001" in lines["BTT18", "c_loop"]
    scores = [line for line in shown("constants", "BTT18a", "--measured").out.splitlines() if "for scores" in line]
    assert any("c_k" in line and "more than 1360" in line for line in scores)


def test_what_no_table_is_about_is_said_to_be_not_measured(shown: "Harness", project: "Project") -> None:
    (project.root / "experiments" / "least_cutoff.yaml").unlink()
    (project.root / "results" / "least_cutoff.parquet").unlink()
    lines = {tuple(line.split()[:2]): line for line in shown("constants", "BTT18", "--measured").out.splitlines()}
    assert "not measured" in lines["BTT18", "c_loop"] and "not measured" not in lines["BTT18", "c_k"]


def test_without_a_table_nothing_was_measured(harness: "Harness") -> None:
    found = harness("constants", "--measured")
    assert found.code == 4 and "no table has trials of kind least_constant, least_release, least_scores" in found.err


@pytest.fixture
def shown(project: "Project", harness: "Harness") -> "Harness":
    """In a project with the committed tables."""
    for folder, ending in (("experiments", "yaml"), ("results", "parquet")):
        (project.root / folder).mkdir(exist_ok=True)
        for path in (ROOT / folder).glob(f"least_*.{ending}"):
            shutil.copy(path, project.root / folder)
    return harness


def test_the_report_has_the_table_where_constants_were_measured(shown: "Harness", project: "Project") -> None:
    assert shown("report", "experiments/least_online.yaml", "--html", "page.html").code == 0
    page = (project.root / "page.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="constants"') : page.index('<section id="experiments"')]
    assert "c_oqr" in section and "not challenged" in section and '<a href="#constants">' in page
