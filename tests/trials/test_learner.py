"""Learning from labels that were given: which cells are refused since too many points would have to be drawn, and which run."""

from math import ceil
from typing import Any

import pytest

from harness.transfer import private_learners
from harness.trials.learner import KIND, LearnerCell, refuse

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
