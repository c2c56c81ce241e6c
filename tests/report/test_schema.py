"""JSON Schema of specs: what `run` accepts it accepts, and a slip of the pen is told before a run."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from harness.report import schema as made
from harness.sweep import plugins
from harness.sweep.spec import ForQueries, Spec, UntilDecided
from harness.sweep.spec.document import Document
from harness.sweep.spec.figure_spec import FigureSpec, FindingSpec
from tests.support.committed import SHORT
from tests.support.pages import ROOT, section

if TYPE_CHECKING:
    from tests.support.project import Harness

EXPERIMENTS = sorted((ROOT / "experiments").glob("*.yaml"))
KEPT = ROOT / "harness" / "docs" / "spec.schema.json"


@pytest.fixture(scope="module")
def validator() -> Any:
    whole = made.schema()
    jsonschema.Draft7Validator.check_schema(whole)
    return jsonschema.Draft7Validator(whole)


@pytest.mark.at_once(*SHORT)
@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_every_experiment_is_valid_and_names_the_schema(validator: Any, path: Path) -> None:
    assert [error.message for error in validator.iter_errors(Document(path).content)] == []
    assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=../harness/docs/spec.schema.json\n")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("epss", 1),
        ("concept", "threshold"),
        ("m", [1, "a"]),
        ("m", 0),
        ("m", 1.5),
        ("eps", -1),
        ("delta", {"geom": [1, 2]}),
        ("delta", 1),
        ("mechanisms", ["A_bin"]),
        ("mechanisms", []),
        ("claims", ["BTT18:T99"]),
        ("figure", {"x": "mm"}),
        ("figure", {"x": "m", "y": "cell"}),
        ("figure", {"x": "m", "plott": "means"}),
        ("learner", "lefmost"),
        ("learner", {"max_depth": 3}),
        ("trials", {"until": "decidd", "max": 3}),
        ("trials", {"until": "decided"}),
        ("constants", {"from": "BTT18", "c_kk": 3}),
        ("constants", "BTT19"),
        ("distribution", {"name": "hard", "cc": 1}),
        ("kind", "answer"),
        ("rows", "all"),
        ("exclude", [{"q": 1}]),
        ("zip", [["m", "q"]]),
        ("p", 3),
    ],
)
def test_a_slip_of_the_pen_is_no_valid_spec(validator: Any, key: str, value: object) -> None:
    content = Document(ROOT / "experiments/quickstart.yaml").content
    assert validator.is_valid(content) and not validator.is_valid({**content, key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("m", {"geom": ["1e3", "1e5", 3]}),
        ("eps", ["0.5", 1, 1e0]),
        ("constants", [{"from": "BTT18", "c_k": [5, "1e1", "printed"]}, "BTT18 with c_k = 10"]),
        ("learner", {"sklearn": "tree.DecisionTreeClassifier", "max_depth": 3}),
        ("trials", {"queries": "1e7", "max": 100}),
        ("distribution", [{"name": "hard", "c": 0.5}, "uniform"]),
        ("alpha", None),
        ("figure", {"x": "m", "by": None, "panels": ["eps"], "groups": {"": ["A_binClas"]}}),
        ("exclude", [{"m": ["1e3"], "eps": 1}]),
    ],
)
def test_all_forms_of_a_value_are_valid(validator: Any, key: str, value: object) -> None:
    content = Document(ROOT / "experiments/quickstart.yaml").content
    assert [error.message for error in validator.iter_errors({**content, key: value})] == []


def test_every_key_has_a_meaning() -> None:
    keys = {key for model in (Spec, FigureSpec, FindingSpec, UntilDecided, ForQueries) for key in model.model_fields}
    assert keys == set(made.MEANINGS)
    described = [*made.schema(shared=False)["properties"].values()]
    assert all(each["description"] for each in described)


@pytest.mark.law
def test_a_user_s_parts_are_in_it(harness: "Harness", tmp_path: Path) -> None:
    """The mechanism that a page shows."""
    (shown,) = re.findall(r"```python\n(# laplace_each.py\n.*?)```", section("What a mechanism must have"), re.DOTALL)
    (tmp_path / "laplace_each.py").write_text(shown, encoding="utf-8")
    said = harness("--plugin", str(tmp_path / "laplace_each.py"), "schema")
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)
    validator = jsonschema.Draft7Validator(json.loads(said.out))
    content = Document(ROOT / "experiments/quickstart.yaml").content | {"mechanisms": ["laplace_each"]}
    assert said.code == 0 and validator.is_valid(content)


def test_the_schema_beside_the_experiments_is_today_s() -> None:
    """`harness schema > harness/docs/spec.schema.json` makes it anew, where a part was added or renamed."""
    assert json.loads(KEPT.read_text(encoding="utf-8")) == made.schema()
