"""The kind of trial of queries that are asked one after another: what is shared, what is counted, and what is refused."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness.analysts import Poll, analysts
from harness.claims.registry import claims
from harness.mechanisms.online import onlines
from harness.sweep.errors import InputError
from harness.trials import kinds
from harness.trials.stable_cell import StableCell
from harness.trials.stable_queries import Tally

if TYPE_CHECKING:
    from tests.support.project import Project

KIND = kinds()["stable_queries"]
TIGHT: dict[str, Any] = {"constants": "tight", "m": 40, "T": 2}


def rows(names: list[str], seed: int = 1, trial: int = 0, **given: Any) -> list[dict[str, Any]]:
    """A trial without how long it took."""
    found = KIND.rows(StableCell(**(TIGHT | given)), names, seed, trial)
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found]


def test_a_row_is_a_function_of_its_identity_and_not_of_its_company() -> None:
    given: dict[str, Any] = {"analyst": {"name": "features", "d": 30}, "n": 50_000}
    alone = [rows([name], **given)[0] for name in onlines()]
    together = rows(list(onlines()), **given)
    assert alone == together == rows(list(onlines()), **given)
    assert together != rows(list(onlines()), trial=1, **given)


def test_what_was_said_is_counted() -> None:
    """A label that is right, one that is not, a ⊥ at the distance that is promised and one nearer."""
    tally = Tally(promised=5.0)
    for distance, said, truth in ((9, 0, 0), (7, 0, 1), (5, None, 0), (4, None, 0)):
        tally.count(Poll(np.array([0]), np.array([9]), truth), distance, said)
    assert (tally.asked, tally.answered, tally.bottoms, tally.wrong) == (4, 2, 2, 1)
    assert (tally.unstable, tally.stable_failed, tally.lost) == (1, 1, 3)


@pytest.mark.parametrize("values", [2, 50, None])
def test_planted_queries_are_answered_but_for_those_that_are_split(values: int | None) -> None:
    """At the k of the constants: T ⊥s, whatever the range is, from chunks and from records alike."""
    for row in rows(["A_subSamp", "A_OQR"], analyst={"name": "planted", "values": values}, beta=1e-9):
        assert (row["bottoms"], row["unstable"], row["wrong"], row["missed"]) == (2, 2, 0, 2)
        assert row["stable_failed"] == 0 and row["halted_at"] is None and row["spent"] <= 1 + 1e-6
        assert row["values"] == values


def test_a_search_halts_the_run_and_is_counted_as_missed() -> None:
    (row,) = rows(["A_subSamp"], analyst="search", n=10**7, m=400)
    assert row["halted_at"] < 400 and row["bottoms"] == 3
    assert row["missed"] == 400 - row["answered"] + row["wrong"] and row["adaptive"]


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("gaussian_argmax", {"analyst": "modes"}, "those of modes are countable; allowed: A_OQR, A_subSamp, plurality"),
        ("A_OQR", {"analyst": "search"}, "A_OQR needs a distance to instability, and search has none"),
        ("A_OQR", {"analyst": "modes", "sampling": "full"}, "by their counts; allowed: sampling: sufficient"),
        ("A_OQR", {"n": 10**13}, "asks all n = 1e[+]13 at once; allowed: n ≤ 1e[+]12"),
        ("A_subSamp", {"n": 10}, "needs k = [0-9]+ chunks, of one example at least"),
        ("A_subSamp", {"analyst": "lasso", "n": 10**5}, "allowed: sampling: full"),
        ("A_subSamp", {"analyst": {"name": "modes", "values": 3}, "sampling": "full", "n": 10**9}, "allowed: n ≤ 1e[+]07"),
        ("A_subSamp", {"analyst": {"name": "descent", "heavy": 0.2}}, "no child is heavy"),
    ],
)
def test_what_cannot_be_asked_is_refused(name: str, given: dict[str, Any], message: str) -> None:
    refusal = StableCell(**(TIGHT | given)).refuse(name)
    assert refusal is not None
    assert re.search(message, refusal.message), refusal.message


def test_a_spec_with_an_unknown_analyst_is_told_those_there_are(project: "Project") -> None:
    with pytest.raises(InputError, match="no analyst 'mode'; did you mean 'modes'"):
        project.sweep(**SPEC | {"analyst": "mode"})


SPEC: dict[str, str | None] = dict.fromkeys(("concept", "distribution", "learner", "n")) | {
    "kind": "stable_queries",
    "constants": "tight",
    "analyst": "planted",
    "m": "40",
    "T": "1",
    "beta": "0.5",
    "claims": "[]",
    "mechanisms": "[A_subSamp]",
    "figure": "{x: m, y: missed}",
}


@pytest.mark.parametrize(
    ("k_scale", "name", "outcome"), [("1", "C3.9-least", "holds"), ("0.9", "probe:BTT18a:C3.9-least-nine-tenths", "refuted")]
)
def test_a_star_is_enough_and_nine_tenths_of_it_are_not(k_scale: str, name: str, outcome: str, project: "Project") -> None:
    """2,000 trials at β = 0.4; a false outcome has probability 1e-6."""
    claim = claims()[name if ":" in name else f"BTT18a:{name}"]
    sweep = project.sweep(**SPEC | {"constants": "k_tight", "k_scale": k_scale, "trials": "2000", "beta": "0.4"})
    (question,) = claim.questions(project.run(sweep).table.frame())
    assert claim.decide(question, 1e-6).outcome == outcome


def test_an_analyst_whose_answers_are_any_of_countably_many_is_called_so() -> None:
    names = {name: StableCell.model_validate({"m": 20, "n": 50_000, "analyst": name}).analyst_name for name in analysts()}
    countable = {name for name, of in analysts().items() if of().range_size is None}
    assert names == {name: f"{name}, countable range" if name in countable else name for name in names}
    assert "modes" in countable and "planted" not in countable
