"""Learning from labels that were given: which cells are refused since too many points would have to be drawn, and which run."""

from math import ceil
from typing import Any
from unittest.mock import Mock

import pytest

from harness.transfer import private_learners
from harness.trials.concept_cell import MAX_N
from harness.trials.learner import KIND, LearnerCell, refuse, resolved

SPACE: dict[str, Any] = {
    "concept": {"name": "halfspaces", "d": 3},
    "distribution": "gaussian",
    "learner": "svm",
    "sampling": "deferred",
    "constants": "tight",
}
PLANE = SPACE | {"concept": {"name": "halfspaces", "d": 2}}


def cell(fields: dict[str, Any], **more: Any) -> LearnerCell:
    return LearnerCell.model_validate(fields | more)


@pytest.mark.parametrize(
    ("fields", "learner", "told", "key"),
    [
        ({"alpha": 0.1}, "A_Priv", "A_Priv would draw m = 1.02e+04 public points; allowed: at most 4096", "alpha"),
        ({"alpha": 0.3}, "A_Priv_estimated", "examples that it sets aside; allowed: at most 4096", "mechanisms"),
        ({"alpha": 0.1, "n": 5000}, "non_private", "would draw all n = 5e+03 examples; allowed: at most 4096", "n"),
        ({"alpha": 0.1, "learner": "erm", "sampling": "full"}, "A_Priv_erm", "s ≤ 4096 a chunk, or svm", "learner"),
        ({"alpha": 0.1, "concept": {"name": "halfspaces", "d": 5}}, "A_Priv_erm", "learner of halfspaces", "distribution"),
    ],
)
def test_what_would_take_too_many_points_is_refused(fields: dict[str, Any], learner: str, told: str, key: str) -> None:
    refusal = refuse(cell(SPACE, **fields), learner)
    assert refusal is not None
    assert refusal.message.endswith(told)
    assert refusal.parameter == key


@pytest.mark.at_once("plane")
@pytest.mark.parametrize(("fields", "alpha"), [(SPACE, 0.3), (PLANE, 0.2)], ids=["space", "plane"])
def test_labels_are_transferred_to_hard_margin_halfspaces(fields: dict[str, Any], alpha: float) -> None:
    chosen = cell(fields, alpha=alpha)
    names = ["A_Priv_erm", "A_Priv_pac", "non_private"]
    assert all(refuse(chosen, name) is None for name in names)
    for row in KIND.rows(chosen, names, seed=1, trial=0):
        assert 0 < row["error"] < alpha


def test_what_is_set_aside_is_half_of_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it may be as many as can be drawn, and no more."""
    chosen = LearnerCell.model_validate({"alpha": 0.3})
    most = ceil(private_learners()["A_Priv_estimated"].needed(chosen.problem) / 2)
    for drawn, told in ((most, ""), (most - 1, "examples that it sets aside")):
        monkeypatch.setattr("harness.trials.learner.most_points", lambda _, drawn=drawn: drawn)
        refusal = refuse(chosen, "A_Priv_estimated")
        assert (refusal is None) if not told else (refusal is not None and told in refusal.message)


def test_there_are_examples_from_the_least_chunks_on_that_the_distribution_has_atoms_for() -> None:
    """And none of chunks without an example, whatever the distribution."""

    def at(s: int, **fields: Any) -> bool:
        return LearnerCell.model_validate({"alpha": 0.05} | fields).sampler(s) is not None

    assert [at(s) for s in (0, 1, 2)] == [False, True, True]
    assert [at(s, distribution="hard") for s in (0, 1, 2)] == [False, True, True]
    assert [at(s, concept="stumps", distribution="hard") for s in (0, 1, 2)] == [False, False, True]


@pytest.mark.parametrize(
    ("numbers", "key", "said"),
    [
        ({"points": 5 * 10**7}, None, ""),
        ({"points": 5 * 10**7 + 1}, "alpha", "own would draw m = 5e+07 public points; allowed: at most 5e+07"),
        ({"holds_out": True, "needed": 10**8}, None, ""),
        ({"holds_out": True, "needed": 2 * 10**8}, "mechanisms", "own would draw the n/2 = 1e+08 examples that it sets aside"),
        ({"needed": 2 * 10**8}, None, ""),
        ({"needed": MAX_N}, None, ""),
        ({"needed": 2 * MAX_N}, "alpha", "own needs n = 2e+18; allowed: n ≤ 1e+18"),
    ],
)
def test_what_would_be_drawn_is_refused_beyond_what_can_be(numbers: dict[str, Any], key: str | None, said: str) -> None:
    """Stumps draw all of their public points."""
    of = {"points": None, "needed": 100, "holds_out": False} | numbers
    own = Mock(
        points=lambda problem: of["points"],
        needed=lambda problem: of["needed"],
        holds_out=of["holds_out"],
        realizable_only=True,
    )
    own.name, own.refuse.return_value = "own", None
    refused = LearnerCell(alpha=0.05, concept="stumps").refuse(own)
    assert (refused and refused.parameter) == key and (refused is None or refused.message.startswith(said))


def test_all_examples_of_a_learner_without_public_points_are_drawn_up_to_the_most() -> None:
    within, beyond = (refuse(LearnerCell(alpha=0.05, concept="stumps", n=n), "non_private") for n in (5 * 10**7, 5 * 10**7 + 1))
    assert within is None and beyond is not None and beyond.parameter == "n"


def test_an_error_of_one_is_no_claim() -> None:
    """At α = 1/15 the theorem's 15α is just that."""
    row = resolved(LearnerCell(alpha=1 / 15), "A_Priv")
    assert row["bound"] is None and row["vacuous"] and not resolved(LearnerCell(alpha=0.066), "A_Priv")["vacuous"]
