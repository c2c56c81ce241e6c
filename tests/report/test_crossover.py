"""Where paying only for unstable votes overtakes a baseline."""

import json
from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from rich.console import Console

from harness.mechanisms.answering import mechanisms
from harness.report.crossover import QUERIES, Crossover, CrossoverQuestion, baselines, crossover, crossovers, payers
from harness.theory.constants import constants
from harness.theory.parameters import Task

if TYPE_CHECKING:
    from tests.support.project import Harness

CONSTANTS = constants()


def task(m: int) -> Task:
    return Task(m, 1.0, 1e-6, 0.05, 0.0, lambda s, q: 0.0)


@pytest.mark.at_once("BTT18-10000000", "BTT18a-1000", "k_tight-100000", "corrected-1000", "tight-1000", "lean-1000")
@pytest.mark.parametrize("m", [10**3, 10**5, 10**7])
@pytest.mark.parametrize("constants", CONSTANTS)
def test_at_the_crossover_k_is_no_more_than_the_baselines_and_just_beyond_it_is_more(constants: str, m: int) -> None:
    for baseline in baselines():
        found = crossover(CONSTANTS[constants], baseline, task(m))

        def chunks(alpha: float) -> float:
            T = max(1.0, 3 * CONSTANTS[constants].mistakes(task(m), alpha))
            return CONSTANTS[constants].k(task(m), T) if T < m else inf

        assert found.baseline_k == mechanisms()[baseline].plan(CONSTANTS[constants], task(m), 10**15).k
        if found.alpha is None:
            assert chunks(1e-15) > found.baseline_k and (found.T, found.k) == (None, None)
        else:
            assert found.k is not None and found.T is not None
            assert found.k <= found.baseline_k < chunks(found.alpha * (1 + 1e-9))
            assert found.T < m


def test_a_scan_of_all_errors_finds_the_same_crossover() -> None:
    constants, m = CONSTANTS["BTT18"], 10**6
    k = mechanisms()["noisy_majority"].plan(constants, task(m), 1).k
    grid = np.geomspace(1e-9, 0.3, 4001)
    fits = [alpha for alpha in grid if constants.k(task(m), constants.T(task(m), float(alpha))) <= k]
    found = crossover(constants, "noisy_majority", task(m))
    assert found.alpha == pytest.approx(max(fits), rel=0.01)


@pytest.mark.law
def test_every_pair_of_constants_and_private_baseline_is_there_at_every_m(
    harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """At three of the numbers of queries; all of them take seconds."""
    some = (*QUERIES[:2], QUERIES[-1])
    monkeypatch.setattr("harness.report.crossover.QUERIES", some)
    said = harness("plan", "--crossover", "--eps", "1", "--delta", "1e-6", "--beta", "0.05", "--json")
    assert (said.code, said.err) == (0, "")
    found = json.loads(said.out)
    assert {(one["mechanism"], one["constants"], one["baseline"], one["m"]) for one in found} == {
        (payer, name, baseline, m) for payer in payers() for name in CONSTANTS for baseline in baselines() for m in some
    }
    assert len(found) == len(payers()) * len(CONSTANTS) * len(baselines()) * len(some)
    assert {one["baseline"] for one in found} <= {name for name, mechanism in mechanisms().items() if mechanism.private}
    assert any(one["alpha"] is None for one in found) and any(one["alpha"] is not None for one in found)


def test_the_command_takes_one_m_and_one_set_of_constants_and_shows_the_same_numbers(harness: "Harness") -> None:
    asked = CrossoverQuestion(m=10**6, constants="BTT18")
    console = Console(width=200, soft_wrap=True)
    with console.capture() as capture:
        console.print(crossovers(asked))
    said = harness("plan", "--crossover", "--m", "1e6", "--constants", "BTT18")
    assert (said.code, said.err) == (0, "")
    assert said.out.split() == capture.get().split()
    alphas = {one.baseline: one.alpha for one in crossovers(asked).every if one.mechanism == "A_binClas"}
    assert f"{alphas['noisy_majority']:.2g}" in said.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--constants", "BTT"], "--constants: no constants 'BTT'; did you mean 'BTT18'? allowed: "),
        (["--m", "0"], "--m: a number ≥ 1 is needed, not '0'"),
        (["--eps", "none"], "--eps: a number is needed, not 'none'"),
        (["--n", "1e9"], "--n: it has no say here; allowed: m, eps, "),
        (["--alpha", "0.1"], "--alpha: "),
    ],
    ids=str,
)
def test_bad_input_is_told_in_one_line(harness: "Harness", words: list[str], message: str) -> None:
    said = harness("plan", "--crossover", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"error: {message}") and said.err.count("\n") == 1


def test_where_no_m_is_asked_for_there_are_powers_of_ten_from_a_hundred_to_a_hundred_million(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(constants: Any, baseline: str, task: Task, mechanism: str) -> Crossover:
        return Crossover(mechanism, "any", baseline, task.m, 7, alpha=0.5)

    monkeypatch.setattr("harness.report.crossover.crossover", found)
    every = crossovers(CrossoverQuestion(constants="BTT18")).json
    assert sorted({one["m"] for one in every}) == [10**power for power in range(2, 9)]
    assert len(every) == len(payers()) * len(baselines()) * 7
    assert every[0] == asdict(Crossover(payers()[0], "any", baselines()[0], 100, 7, alpha=0.5))
