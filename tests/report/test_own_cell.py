"""`harness plan` of a spec, of a learner of one's own, and of a class with its dimensions."""

import json
from typing import TYPE_CHECKING

import pytest

from harness.report.calculators import plan
from harness.report.experiments import experiment, spec_path
from harness.report.spec_plan import SpecPlan

if TYPE_CHECKING:
    from tests.support.project import Harness

TREE = "{sklearn: tree.DecisionTreeClassifier, max_depth: 3}"


def test_the_plans_of_a_spec_are_those_of_its_rows(harness: "Harness") -> None:
    """What a row has before its trial, whatever kind of trial it is of."""
    for name in ("quickstart", "release_covers", "audited"):
        sweep = experiment(name)
        found = SpecPlan(sweep).json
        assert len(found) == len(sweep.cells) * len(sweep.spec.mechanisms)
        row = sweep.kind.parameters(sweep.cells[-1], sweep.spec.mechanisms[-1])
        assert {key: found[-1][key] for key in row} == row


def test_options_stand_in_place_of_the_keys_of_a_spec(harness: "Harness") -> None:
    said = harness("plan", str(spec_path("quickstart")), "--n", "1e10", "--m", "1000", "--json")
    rows = json.loads(said.out)
    assert said.code == 0 and {row["n"] for row in rows} == {10**10} and {row["m"] for row in rows} == {1000}
    alone = json.loads(harness("plan", "--n", "1e10", "--m", "1000", "--json").out)
    assert {row["k"] for row in rows if row["mechanism"] == "A_binClas"} == {alone["k"]}


def test_what_is_wrong_with_them_is_told(harness: "Harness") -> None:
    for given, said in (
        (["plan", str(spec_path("quickstart")), "--n", "x"], "--set n: a number is needed"),
        (["plan", "nowhere.yaml"], "nowhere.yaml: no such file"),
        (["plan", str(spec_path("quickstart")), "--nu", "0.1"], "unknown key"),
    ):
        ended = harness(*given)
        assert ended.code == 2 and said in ended.err, ended.err


def test_a_class_may_have_its_dimensions_on_the_command_line(harness: "Harness") -> None:
    given = ("--n", "1e9", "--m", "1000", "--json")
    by_name = json.loads(harness("plan", "--concept", "{name: stumps, d: 3}", *given).out)
    assert by_name == json.loads(harness("plan", "--concept", "stumps", "--V", "4", *given).out)
    released = json.loads(harness("plan", "--release", "--concept", "{name: stumps, d: 3}", "--alpha", "0.1", "--json").out)
    assert released["n"] > 0
    said = harness("plan", "--concept", "{name: stumps, d: x}", *given)
    assert said.code == 2 and "--concept" in said.err and "a number is needed" in said.err


def test_a_learner_of_ones_own_has_chunks_and_no_bound(harness: "Harness") -> None:
    found = json.loads(harness("plan", "--learner", TREE, "--n", "1e6", "--m", "100", "--json").out)
    assert found["learner"].startswith("DecisionTreeClassifier") and found["wins"] is None
    known = plan(n=10**6, m=100).json["mechanisms"]
    assert {own["bound"] for own in found["mechanisms"].values()} == {None}
    assert found["mechanisms"]["gaussian"]["k"] == known["gaussian"]["k"]


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        ("{sklearn: tree.Foo}", "no classifier 'Foo' in sklearn.tree"),
        ("{max_depth: 3}", "names nothing"),
        ("leftmots", "no learner 'leftmots'; did you mean 'leftmost'?"),
    ],
)
def test_a_learner_that_there_is_not_is_told(harness: "Harness", learner: str, said: str) -> None:
    ended = harness("plan", "--learner", learner, "--n", "1e6", "--m", "100")
    assert ended.code == 2 and said in ended.err


def test_a_learner_without_a_bound_cannot_be_sized_by_alpha(harness: "Harness") -> None:
    ended = harness("plan", "--learner", TREE, "--alpha", "0.1", "--m", "100")
    assert ended.code == 2 and "no PAC bound is known" in ended.err and "allowed: n" in ended.err
