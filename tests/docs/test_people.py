"""What newcomers, authors and reviewers are given beside the pages: forms, a paper and its sources, a container."""

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from harness.claims.registry import claims
from tests.support.pages import ROOT

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

FORMS = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
PAPER = ROOT / "harness" / "docs" / "paper.md"


def test_forms_for_issues_have_all_that_a_form_needs() -> None:
    assert len(FORMS) >= 2
    for path in FORMS:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert form["name"] and form["description"] and all(each["id"] and each["attributes"]["label"] for each in form["body"])


def test_every_source_of_the_paper_is_in_its_bibliography_and_every_paper_with_claims_is_cited() -> None:
    text, known = PAPER.read_text(encoding="utf-8"), PAPER.with_suffix(".bib").read_text(encoding="utf-8")
    keys = set(re.findall(r"^@\w+\{(\w+),", known, re.MULTILINE))
    assert set(re.findall(r"\[@(\w+)\]", text)) == keys
    papers = {claim.paper for claim in claims().values() if claim.in_a_paper}
    assert papers <= keys
    for title in re.findall(r"^@\w+\{(?:BTT|BCM|ABM)\w+, title=\{([^}]*)\}", known, re.MULTILINE):
        assert title in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_the_action_runs_what_a_guard_runs(project: "Project", harness: "Harness") -> None:
    """Its lines, with the plugin left out, after a first run was accepted: exit code 0, and a page for the job."""
    action = yaml.safe_load((ROOT / ".github/actions/guard/action.yml").read_text(encoding="utf-8"))
    (step,) = action["runs"]["steps"]
    assert step["env"] == {name.upper(): f"${{{{ inputs.{name} }}}}" for name in action["inputs"]} and "${{" not in step["run"]
    spec = project.spec(trials="60")
    assert harness("run", spec, "--serial").code == 0 and harness("accept", spec).code == 0
    install, *lines = step["run"].replace('${PLUGIN:+--plugin "$PLUGIN"} ', "").replace("$SPECS", str(spec)).splitlines()
    assert install.startswith("pip install ") and len(lines) == 2
    for line in lines:
        words = shlex.split(line.replace("$GITHUB_STEP_SUMMARY", "page.md"))[1:]
        said = harness(*words, *(["--serial"] if words[0] == "run" else []))
        assert said.code in (0, 3), said  # sixty trials need not decide its claim
    assert "| small |" in Path("page.md").read_text(encoding="utf-8")


def test_the_container_installs_what_the_readme_says() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert container["postCreateCommand"] in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).is_file()
