"""`harness list` and `--version`: what there is, how large it is, how long it takes, and which version says so."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

import harness as package
from harness.report.experiments import packaged_specs
from tests.support.committed import SHORT

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ROOT = Path(__file__).parents[2]


@pytest.mark.usefixtures("quick_figures")
def test_every_experiment_is_listed_with_its_size_and_how_long_its_table_took(project: "Project", harness: "Harness") -> None:
    project.spec()
    project.spec("later", trials="{until: decided, max: 50}", m="20")
    assert harness("run", "experiments/small.yaml", "--serial").code == 0
    later, small = json.loads(harness("list", "--json").out)
    assert [later["experiment"], later["cells"], later["trials"], later["seconds"]] == ["later", 2, 100, None]
    assert [small["experiment"], small["cells"], small["trials"]] == ["small", 4, 16]
    assert small["seconds"] == pytest.approx(project.table().frame()["seconds"].sum())
    said = harness("list")
    assert said.code == 0 and said.out.count("Does Theorem 3.2 hold?") == 2


def test_the_version_is_the_package_s_everywhere(project: "Project", harness: "Harness") -> None:
    assert harness("--version").out == f"harness {package.__version__}\n"
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"] == package.__version__
    assert f"\n**{package.__version__}**: " in (ROOT / "harness/docs/pages/changes.md").read_text()
    project.run(project.sweep())
    assert project.table().provenance["harness"] == package.__version__


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_where_there_are_no_experiments_the_package_brings_its_own(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an empty folder: they are listed, found by name, and what is run lands in the folder."""
    brought = packaged_specs()
    assert {path.stem for path in brought} == {path.stem for path in (ROOT / "experiments").glob("*.yaml")}
    with monkeypatch.context() as few:
        few.setattr("harness.report.experiments.packaged_specs", lambda: [path for path in brought if path.stem in SHORT])
        assert {each["experiment"] for each in json.loads(harness("list", "--json").out)} == set(SHORT)
    said = harness("run", "quickstart", "--trials", "2", "--serial")
    assert said.code == 0 and Path("results/runs/quickstart.parquet").is_file()
    assert harness("columns", "quickstart").code == 0
    assert harness("check", "quickstart", "--no-reference").code == 3  # two trials decide nothing
    wrong = harness("columns", "quickstrt")
    assert wrong.code == 2 and "no experiment 'quickstrt'; did you mean 'quickstart'?" in wrong.err


@pytest.mark.usefixtures("quick_figures")
def test_a_file_of_one_s_own_comes_before_the_package_s(project: "Project", harness: "Harness") -> None:
    project.spec("quickstart")
    said = harness("run", "quickstart", "--serial")
    assert said.code == 0 and "quickstart: 16 trials run" in said.out
    assert harness("check", "quickstart").code in (3, 4) and [path.name for path in Path("experiments").iterdir()] == [
        "quickstart.yaml"
    ]
    Path("small").mkdir()
    assert harness("run", "small", "--serial").code == 2  # a folder is no name
