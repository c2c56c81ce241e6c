"""The lowest versions that pyproject.toml allows are those that CI installs and tests."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES = [Requirement(text) for text in PROJECT["dependencies"]]


def pinned(name: str) -> dict[str, Version]:
    """The versions in a file of requirements, each of which names one."""
    lines = [line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pairs = [line.split("==") for line in lines]
    return {canonicalize_name(package): Version(version) for package, version in pairs}


@pytest.mark.parametrize("dependency", DEPENDENCIES, ids=lambda dependency: dependency.name)
def test_a_floor_is_what_is_tested(dependency: Requirement) -> None:
    """After a change of a floor, the command at the head of .ci/requirements.lowest makes that file anew."""
    (floor,) = dependency.specifier
    assert floor.operator == ">="
    assert pinned(".ci/requirements.lowest")[canonicalize_name(dependency.name)] == Version(floor.version)
    assert pinned("requirements.lock")[canonicalize_name(dependency.name)] >= Version(floor.version)


def test_the_lowest_python_is_the_one_that_the_lowest_versions_are_for() -> None:
    made_by = (ROOT / ".ci/requirements.lowest").read_text(encoding="utf-8").splitlines()[1].split()
    assert "lowest-direct" in made_by and "pyproject.toml" in made_by
    assert f">={made_by[made_by.index('--python-version') + 1]}" == PROJECT["requires-python"]


def test_ci_installs_the_lowest_versions() -> None:
    script = (ROOT / ".ci" / "lowest").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1:5] for line in script if line.startswith(".ci/quick -e")] == [
        ["-e", ".", "-c", ".ci/requirements.lowest"]
    ]
