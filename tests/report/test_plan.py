"""The calculator, as JSON and as text."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from harness.concepts import concepts
from harness.mechanisms.answering import mechanisms
from harness.report.plan import Calculation
from harness.theory.fixed_point import plan_for_alpha, plan_for_n
from harness.trials.answers import KIND
from harness.trials.cell import Cell, Planned

if TYPE_CHECKING:
    from tests.support.project import Harness

KEYS = ["lambda", "w", "alpha", "T", "k", "s", "n", "bound", "vacuous", "reason", "learner", "pac_bound"]
KEYS += ["baselines", "mechanisms", "wins"]

SETTINGS: dict[str, dict[str, Any]] = {
    "holds": {"m": 1000, "n": 10**12},
    "by alpha": {"m": 1000, "alpha": 0.01},
    "other numbers": {"m": 77, "n": 10**11, "eps": 0.3, "delta": 1e-9, "beta": 0.01, "constants": "BTT18a"},
    "agnostic": {"m": 1000, "n": 10**14, "gamma": 0.01},
    "Blumer": {"m": 1000, "n": 10**13, "V": 12, "pac_bound": "blumer"},
    "n below k": {"m": 100, "n": 10},
    "s below V": {"m": 100, "n": 300_000, "V": 50, "pac_bound": "blumer"},
    "T reaches m": {"m": 100, "n": 10**6},
    "alpha near 1": {"m": 100, "alpha": 0.999},
    "tiny": {"m": 1, "n": 1, "eps": 1e-100, "delta": 1e-100, "beta": 1e-100},
    "huge": {"m": 10**9, "alpha": 1e-100},
}


@pytest.mark.parametrize("given", SETTINGS.values(), ids=SETTINGS)
def test_the_object_has_its_keys_and_is_json(given: dict[str, Any]) -> None:
    found = Calculation(Planned(**given)).json
    assert list(found) == KEYS
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    baselines = {name for name, mechanism in mechanisms().items() if mechanism.pays_for != "bottoms"}
    assert set(found["mechanisms"]) == set(mechanisms())
    assert all(
        list(entry) == ["k", "alpha", "bound", "spent", "noise", "spent_by", "overspent", "measured"]
        for entry in found["mechanisms"].values()
    )
    assert {name: found["mechanisms"][name] for name in baselines} == found["baselines"]
    assert found["vacuous"] == (found["bound"] is None) == (found["reason"] is not None)


@pytest.mark.parametrize("given", SETTINGS.values(), ids=SETTINGS)
def test_the_object_is_the_plan(given: dict[str, Any]) -> None:
    setting = Planned(**given)
    found, alpha = Calculation(setting).json, setting.alpha
    if alpha is None:
        assert setting.n is not None
        plan = plan_for_n(setting.calibration, setting.task, setting.n)
    else:
        plan = plan_for_alpha(setting.calibration, setting.task, alpha)
    assert (found["lambda"], found["w"], found["T"]) == (plan.lam, plan.w, plan.T)
    assert (found["k"], found["s"], found["n"]) == (plan.k, plan.s, plan.n)
    assert (found["bound"], found["vacuous"], found["reason"]) == (plan.bound, plan.vacuous, plan.reason)
    assert found["alpha"] == (None if plan.alpha == inf else plan.alpha)
    for name, entry in found["mechanisms"].items():
        own = setting.plan(name)
        assert (entry["k"], entry["bound"], entry["noise"]) == (own.k, own.bound, own.noise) and own.n == plan.n
        assert entry["spent"] == (own.spent if isfinite(own.spent) else None)


def test_an_infinite_alpha_is_null() -> None:
    found = Calculation(Planned(m=100, n=10)).json
    assert (found["s"], found["alpha"], found["bound"], found["vacuous"]) == (0, None, None, True)
    assert {base["alpha"] for name, base in found["baselines"].items() if name != "single_learner"} == {None}


def text(given: dict[str, Any]) -> str:
    console = Console(width=160, soft_wrap=True)
    with console.capture() as capture:
        console.print(Calculation(Planned(**given)))
    return capture.get()


@pytest.mark.parametrize("given", SETTINGS.values(), ids=SETTINGS)
def test_the_text_says_the_same(given: dict[str, Any]) -> None:
    said, found = text(given), Calculation(Planned(**given)).json
    numbers = {symbol: number.replace(",", "") for symbol, number in re.findall(r"^(\S) +(\S+)  ", said, re.MULTILINE)}
    for symbol, key in {"n": "n", "k": "k", "s": "s", "T": "T", "λ": "lambda", "w": "w"}.items():
        assert float(numbers[symbol]) == pytest.approx(found[key], rel=1e-3, abs=1e-4)
    for name, entry in found["mechanisms"].items():
        (line,) = [line for line in said.splitlines() if line.startswith(f"{name} ")]
        assert float(line.split()[1].replace(",", "")) == pytest.approx(entry["k"], rel=1e-3)
        assert ("not private" in line) == (not mechanisms()[name].private)
        shown = [float(number) for number in re.findall(r" = (\S+?)(?:,|\s|$)", line)]
        drawn = list(entry["noise"].values())
        assert shown == pytest.approx(drawn, rel=1e-3)
    if found["vacuous"]:
        assert f"vacuous: {found['reason']}" in said
        assert "T/m" in said and said.count("vacuous") >= 2
    else:
        assert f"{found['bound']:.4g}" in said and "vacuous:" not in said


def test_the_private_mechanism_of_the_least_bound_wins() -> None:
    found = Calculation(Planned(m=10**5, n=10**10)).json
    private = {name: entry["bound"] for name, entry in found["mechanisms"].items() if entry["spent"] and entry["bound"]}
    assert found["wins"] == min(private, key=lambda name: private[name]) == "exponential_sparse_vector"
    assert found["mechanisms"]["single_learner"]["bound"] < min(private.values())  # it is no competitor
    assert found["mechanisms"]["single_learner"]["spent"] is None
    assert "Of all that are private, exponential_sparse_vector wins" in text({"m": 10**5, "n": 10**10})
    assert Calculation(Planned(m=10**5, n=10**12, constants="tight")).json["wins"] == "A_binClas"
    assert Calculation(Planned(m=100, n=10)).json["wins"] is None
    assert "None wins: every bound is vacuous." in text({"m": 100, "n": 10})


def test_what_spends_more_than_epsilon_is_marked_and_never_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A_OQR's printed distance with noise that is calibrated for the corrected one; and what has no certificate at all."""
    setting = {"m": 10**5, "n": 10**12, "constants": "tight"}
    calculation = Calculation(Planned.model_validate(setting))
    assert calculation.overspent == ["A_OQR"]
    assert calculation.plans["A_OQR"].spent > 2
    found = calculation.json["mechanisms"]
    assert {name for name, entry in found.items() if entry["overspent"]} == {"A_OQR"}
    (line,) = [line for line in text(setting).splitlines() if line.startswith("A_OQR ")]
    assert "> ε = 1" in line
    assert "Not certified to be (ε, δ)-DP, and so out of the race: A_OQR." in text(setting)
    assert "out of the race" not in text({"m": 10**5, "n": 10**10})
    best = calculation.wins
    assert best == "A_binClas"
    for accounting in (lambda: 1.01, None):  # just beyond ε, and not certified
        plan = replace(calculation.plans[best], accounting=accounting)
        monkeypatch.setitem(calculation.plans, best, plan)
        vars(calculation).pop("overspent", None)
        assert best in calculation.overspent and calculation.wins not in (best, None)


def test_the_command_prints_one_or_the_other(harness: "Harness") -> None:
    words = ("plan", "--m", "1e3", "--n", "1e12", "--eps", "0.5", "--delta", "1e-7", "--beta", "0.01", "--constants", "BTT18a")
    setting = Planned(m=1000, n=10**12, eps=0.5, delta=1e-7, beta=0.01, constants="BTT18a")
    said = harness(*words, "--json")
    assert (said.code, said.err) == (0, "") and json.loads(said.out) == Calculation(setting).json
    said = harness(*words)
    assert (said.code, said.err) == (0, "")
    assert (
        said.out.split()
        == text({"m": 1000, "n": 10**12, "eps": 0.5, "delta": 1e-7, "beta": 0.01, "constants": "BTT18a"}).split()
    )
    said = harness("plan", "--m", "100", "--alpha", "0.05", "--V", "7", "--pac-bound", "blumer", "--gamma", "0.01", "--json")
    assert json.loads(said.out) == Calculation(Planned(m=100, alpha=0.05, V=7, pac_bound="blumer", gamma=0.01)).json


def test_a_vacuous_plan_is_an_answer_and_no_error(harness: "Harness") -> None:
    said = harness("plan", "--m", "100", "--n", "10", "--json")
    assert (said.code, said.err, json.loads(said.out)["vacuous"]) == (0, "", True)
    said = harness("plan", "--m", "100", "--n", "10")
    assert said.code == 0 and "vacuous: n = 10 is less than k = " in said.out


def of_every_learner() -> Iterator[dict[str, Any]]:
    for name, concept in concepts().items():
        for learner in concept.learners:
            for gamma in (0.0,) if concept.synthetic else (0.0, 0.01):
                yield {"concept": name, "learner": learner, "gamma": gamma}
    yield {"concept": "halfspaces", "V": 2, "learner": "svm"}


def test_a_plan_and_the_rows_of_a_run_have_one_bound() -> None:
    """Of every class and learner; and where none is named, for the learner of a run that names none."""
    size: dict[str, Any] = {"m": 1000, "n": 10**13}
    for given in of_every_learner():
        planned = Planned(**given, **size)
        distribution = next(iter(planned.concept_class.known_distributions().values()))()
        drawn = next(iter(distribution.samplings(planned.concept_class, given["learner"])))
        cell = Cell(**given, **size, sampling=drawn)
        assert planned.bound_told == cell.bound_told != "that of its class"
        for name in ("A_binClas", "gaussian", "majority"):
            own, row = planned.plan(name), KIND.parameters(cell, name)
            assert (own.k, own.bound, own.alpha) == (row["k"], row["bound"], row["alpha"])
        rest = {key: value for key, value in given.items() if key != "learner"}
        assert Planned(**rest, **size).learner == Cell(**rest, **size, sampling=drawn).learner


def test_whose_bound_it_is_is_said_and_any_stands_for_any_consistent_learner(harness: "Harness") -> None:
    words = ("plan", "--m", "1000", "--n", "1e10")
    by_default, any_learner = (harness(*words, *more).out for more in ((), ("--learner", "any")))
    assert "PAC bound ln(1/q)/s: the leftmost or rightmost consistent threshold" in by_default
    assert "; learner: leftmost\n" in by_default
    assert "PAC bound ln(2/q)/s: any consistent threshold" in any_learner and "; learner: any\n" in any_learner
    blumer = json.loads(harness(*words, "--pac-bound", "blumer", "--V", "3", "--json").out)
    assert blumer["pac_bound"].endswith("any consistent learner of a class of VC dimension V (Blumer et al. 1989), with V = 3")


BAD = {
    "learner": (
        "--m 100 --n 1e9 --learner left",
        "--learner: no learner 'left'; did you mean 'leftmost'? allowed: leftmost, rightmost, midpoint, any",
    ),
    "m 0": ("--m 0 --n 1e9", "--m: a number ≥ 1 is needed, not '0'"),
    "m a fraction": ("--m 1.5 --n 1e9", "--m: a whole number is needed, not 1.5"),
    "n no number": ("--m 100 --n many", "--n: a number is needed, not 'many'"),
    "neither": ("--m 100", "--n: exactly one of n, alpha and T must be given, or n and T"),
    "both": ("--m 100 --n 1e9 --alpha 0.1", "--n: exactly one of n, alpha and T must be given, or n and T"),
    "eps 0": ("--m 100 --n 1e9 --eps 0", "--eps: a number ≥ 1e-100 is needed, not '0'"),
    "eps nan": ("--m 100 --n 1e9 --eps nan", "--eps: a finite number is needed, not 'nan'"),
    "eps beyond all": ("--m 100 --n 1e9 --eps 1e1000000000", "--eps: a finite number is needed, not '1e1000000000'"),
    "m beyond all": ("--m 1e1000000000 --n 1e9", "--m: a finite number is needed, not '1e1000000000'"),
    "delta 1": ("--m 100 --n 1e9 --delta 1", "--delta: a number < 1 is needed, not '1'"),
    "beta 2": ("--m 100 --n 1e9 --beta 2", "--beta: a number < 1 is needed, not '2'"),
    "gamma 1": ("--m 100 --n 1e9 --gamma 1", "--gamma: a number < 1 is needed, not '1'"),
    "alpha 0": ("--m 100 --alpha 0", "--alpha: a number ≥ 1e-100 is needed, not '0'"),
    "concept": (
        "--m 100 --n 1e9 --concept treshold",
        "--concept: no concept class 'treshold'; did you mean 'thresholds'? allowed: ",
    ),
    "constants": (
        "--m 100 --n 1e9 --constants btt18",
        "--constants: no constants 'btt18'; did you mean 'BTT18'? allowed: BTT18, ",
    ),
    "bound": ("--m 100 --n 1e9 --pac-bound best", "--pac-bound: 'best' is not allowed; allowed: class, blumer"),
    "V": ("--m 100 --n 1e9 --V 2", "--V: V = 2 is not attained: the class thresholds has VC dimension 1; allowed: 1"),
}


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize(("options", "said"), BAD.values(), ids=BAD)
def test_bad_values_are_told_by_their_option(harness: "Harness", options: str, said: str, form: tuple[str, ...]) -> None:
    ended = harness("plan", *options.split(), *form)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error: {said}") and ended.err.count("\n") == 1
