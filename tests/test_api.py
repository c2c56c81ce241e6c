"""The harness from Python: what it says is what the command line says, and a notebook's own settings stay as they were."""

import doctest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import pandas as pd
import pytest

import harness as package
from harness import api
from harness.report import calculators
from harness.report.stored import figure_paths
from harness.sweep.plugins import unload
from harness.trials import kinds

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC: dict[str, Any] = {
    "name": "noted",
    "title": "From a notebook",
    "question": "Does Theorem 3.2 hold?",
    "seed": 7,
    "trials": 4,
    "n": 1e9,
    "m": [20, 50],
    "mechanisms": ["A_binClas", "majority"],
    "claims": ["BTT18:T3.2"],
    "figure": {"x": "m"},
}


EXAMPLES = {
    each.name.rpartition(".")[2]: each for module in (api, calculators) for each in doctest.DocTestFinder().find(module)
}
LONG = ("advise", "advise_release", "crossovers", "run")
"""Their examples are tried every night. What they say of these functions others say too, as test_advice.py."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.law if name in LONG else ()) for name, each in EXAMPLES.items() if each.examples],
)
def test_the_examples_in_its_docstrings_are_true(project: "Project", name: str) -> None:
    tried = doctest.DocTestRunner().run(EXAMPLES[name])
    assert tried.failed == 0 < tried.attempted


def test_there_are_examples_of_each_of_its_functions() -> None:
    assert {*LONG} < {name for name, each in EXAMPLES.items() if each.examples} and len(EXAMPLES) > 10


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_mapping_is_a_spec(project: "Project", harness: "Harness") -> None:
    """Its table is that of the same spec in a file."""
    measured = package.run(SPEC, serial=True)
    text = "".join(f"{key}: {value}\n" for key, value in SPEC.items() if key != "name")
    project.text(text, "noted")
    assert harness("run", "experiments/noted.yaml", "--serial", "--out", "other").code == 0
    pd.testing.assert_frame_equal(measured.frame.drop(columns="seconds"), project.rows("noted", Path("other")))
    assert all(path.exists() for path in figure_paths(Path("results/runs/noted")))
    assert "title: From a notebook" in measured.provenance["spec"]


@pytest.mark.usefixtures("quick_figures")
def test_what_was_measured_says_what_its_columns_and_verdicts_are(project: "Project") -> None:
    measured = package.run(SPEC, serial=True)
    assert list(measured.columns.index) == list(measured.frame.columns) == list(kinds()["answers"].table)
    assert measured.columns.loc["bottoms", "unit"] == "queries"
    found = measured.verdicts()
    assert list(found["claim"]) == ["BTT18:T3.2"] * 2 and set(found["expected"]) == {"holds"}
    assert (found["trials"] == 4).all()


@pytest.mark.usefixtures("quick_figures")
def test_a_table_is_read_with_nothing_beside_it(project: "Project", tmp_path: Path) -> None:
    """It says itself which spec asked for it; by name it is found as the command line finds it."""
    frame = package.run(SPEC, serial=True, out="there").frame
    moved = tmp_path / "elsewhere" / "noted.parquet"
    moved.parent.mkdir()
    Path("there/noted.parquet").rename(moved)
    pd.testing.assert_frame_equal(package.read(moved).frame, frame)
    with pytest.raises(package.InputError, match=r"noted\.yaml"):
        package.read("noted")


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_table_made_with_a_plugin_is_read_with_it(project: "Project") -> None:
    """Nothing is loaded because a table says so; what is missing is named."""
    Path("mine.py").write_text(
        "from harness.mechanisms.answering.majority import Majority\n\n\nclass Mine(Majority):\n    name = 'mine'\n"
        "    source = 'mine'\n\n\nMECHANISM = Mine()\n"
    )
    frame = package.run(SPEC | {"mechanisms": ["mine"]}, serial=True, out="there", plugins=["mine.py"]).frame
    unload("mine")
    with pytest.raises(
        package.InputError, match=r"noted\.parquet: was made with the plugin mine, not loaded; allowed: `plugins`"
    ):
        package.read("there/noted.parquet")
    pd.testing.assert_frame_equal(package.read("there/noted.parquet", plugins=["mine.py"]).frame, frame)
    unload("mine")


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_plan_and_check_take_plugins_too(project: "Project") -> None:
    Path("mine.py").write_text(
        "from harness.mechanisms.answering.majority import Majority\n\n\nclass Mine(Majority):\n    name = 'mine'\n"
        "    source = 'mine'\n\n\nMECHANISM = Mine()\n"
    )
    assert "mine" in package.plan(m=100, n=10**6, plugins=["mine.py"]).plans
    unload("mine")
    assert "mine" not in package.plan(m=100, n=10**6).plans
    package.run(SPEC | {"mechanisms": ["mine"]}, serial=True, out="there", plugins=["mine.py"])
    unload("mine")
    checked = package.check(SPEC | {"mechanisms": ["mine"]}, out="there", reference=False, plugins=["mine.py"])
    assert {str(name) for name in checked.stored[0].frame["mechanism"]} == {"mine"}
    unload("mine")


@pytest.mark.process
def test_what_there_is_is_listed_before_it_is_loaded(project: "Project") -> None:
    alone = "import sys, harness; print(*dir(harness)); assert 'harness.api' not in sys.modules"
    said = project.process("-c", alone, program=())
    names = set(said.out.split())
    assert {name for name in names if not name.startswith("__")} == set(package.__all__) and {"__version__", "__doc__"} <= names
    assert (Path(package.__file__).parent / "py.typed").exists()


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_check_is_the_command(project: "Project") -> None:
    spec = project.spec(trials="300", mechanisms="[A_binClas]", learner="leftmost", beta="0.3", figure="{x: m}")
    package.run(spec, serial=True)
    assert package.check(spec).code == 4  # there is no reference
    checked = package.check(spec, reference=False)
    assert checked.code == 0 and set(checked.frame["outcome"]) == {"holds"}
    other = project.spec("other", k_scale="0.5", trials="2")
    package.run(other, serial=True)
    with pytest.raises(package.CannotRunError, match="nothing was measured"):
        assert package.check(other, reference=False).code


def test_bad_input_is_told_as_on_the_command_line(project: "Project") -> None:
    with pytest.raises(package.InputError, match=r"noted\.yaml:5: n: "):
        package.run(SPEC | {"n": "many"}, serial=True)
    with pytest.raises(package.InputError, match="--m: a number is needed, not 'x'"):
        package.plan(m="x", n=10)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.usefixtures("quick_figures")
def test_a_figure_is_had_without_a_change_of_settings(project: "Project") -> None:
    before = dict(mpl.rcParams)
    figure = package.run(SPEC, serial=True).figure()
    assert dict(mpl.rcParams) == before
    assert [ax.get_xlabel() for ax in figure.axes] == ["queries m"]


def test_plan_says_what_each_mechanism_draws_with() -> None:
    calculation = package.plan(m=1000, n=10**12)
    own = calculation.plans["noisy_majority"]
    assert calculation.frame.loc["noisy_majority", "k"] == own.k and float(own.noise["eps0"]) > 0
    assert calculation.json["k"] == calculation.solved.k
