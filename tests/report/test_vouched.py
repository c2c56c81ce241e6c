"""What only its author vouches for is nowhere shown as what an accountant certifies."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from harness.ballots import Ballot
from harness.mechanisms import Mechanism
from harness.mechanisms.accounts import basis, spent_by
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.laplace_counts import LaplaceCounts
from harness.mechanisms.answering.noisy_majority import NoisyMajority
from harness.mechanisms.answering.per_query import SharePlan
from harness.mechanisms.answering.report_noisy_max import ReportNoisyMax
from harness.registry import parts
from harness.report.plan import Calculation
from harness.report.seen import measured_of
from harness.report.spending import declared, marks, privacy_told
from harness.sweep import plugins
from harness.theory.parameters import Constants, Task
from harness.theory.privacy.composition import compose_laplace
from harness.trials.cell import Planned
from tests.support.guests import guest

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

PLUGIN = """
from harness.mechanisms.answering.noisy_majority import NoisyMajority


class Quiet(NoisyMajority):
    name = "quiet"
    source = "mine"

    def loses(self, gap, plan):
        return super().loses(gap, plan) * 0


MECHANISM = Quiet()
"""


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    """Plugins are of a process, and other tests are of this one."""
    yield
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)


class Renamed(NoisyMajority):
    """As a user names a mechanism that there is, at another share of ε."""

    name, source = "renamed", "mine"
    share = staticmethod(lambda eps, m, delta: eps / m)


class Louder(LaplaceCounts):
    """With an ε₀ and a k of one's own, and the noise and the accounting of the package."""

    name, source = "louder", "mine"

    def share(self, constants: Constants, task: Task) -> float:
        return task.eps / task.m

    def chunks(self, constants: Constants, task: Task, eps0: float) -> float:
        return 10 / eps0


class Silent(ReportNoisyMax):
    """It draws less noise than its plan says."""

    name, source = "silent", "mine"

    def answer(self, ballot: Ballot, plan: SharePlan, task: Task, rng: np.random.Generator) -> Answers:
        return super().answer(ballot, replace(plan, eps0=1e9), task, rng)


class Boasting(ReportNoisyMax):
    """Its noise is as it says, and its ε′ is made up, though an accountant's function is called."""

    name, source = "boasting", "mine"

    def plan(self, constants: Constants, task: Task, n: int) -> SharePlan:
        return replace(super().plan(constants, task, n), accounting=lambda: compose_laplace(1e-9, 1, task.delta))


class Silence:
    """What a class takes from beside its base."""

    def loses(self, gap: Any, plan: SharePlan) -> Any:
        return np.zeros(np.shape(gap))


class Mixed(Silence, NoisyMajority):
    name, source = "mixed", "mine"


class Forgiving(Renamed):
    """It calls what it changes allowed."""

    name, source = "forgiving", "mine"
    may_change = frozenset({"loses"})

    def loses(self, gap: Any, plan: SharePlan) -> Any:
        return np.zeros(np.shape(gap))


class Patched(Renamed):
    """It is changed as it is made."""

    name, source = "patched", "mine"

    def __init__(self) -> None:
        setattr(self, "loses", lambda gap, plan: np.zeros(np.shape(gap)))  # noqa: B010  a method


def patched_later() -> Mechanism:
    """One of the package's own classes, changed on one object."""
    made = NoisyMajority()
    setattr(made, "loses", lambda gap, plan: np.zeros(np.shape(gap)))  # noqa: B010  a method
    return made


def test_all_private_mechanisms_of_the_package_are_certified() -> None:
    known = {**parts("mechanism"), **parts("online mechanism")}
    private = [name for name, mechanism in known.items() if mechanism.private]
    assert len(private) > 20 and {spent_by(name) for name in private} == {"certified"}
    assert spent_by("majority") is None and spent_by("nobody's") is None


@pytest.mark.parametrize("mechanism", [Renamed(), Louder()], ids=lambda mechanism: mechanism.name)
def test_what_leaves_noise_and_accounting_alone_is_certified(mechanism: Mechanism) -> None:
    assert basis(mechanism) == "certified"


@pytest.mark.parametrize("made", [Silent, Boasting, Mixed, Forgiving, Patched, patched_later], ids=lambda made: made.__name__)
def test_what_does_not_is_declared(made: Any) -> None:
    assert basis(made()) == "declared"


def test_the_calculator_says_whose_word_it_is_and_it_never_wins() -> None:
    setting = Planned(m=100, n=10**9)
    with guest(MECHANISM=(Boasting(), Louder())):
        calculation = Calculation(setting)
        found = calculation.json["mechanisms"]
        assert {name for name, entry in found.items() if entry["spent_by"] == "declared"} == {"boasting"}
        assert found["boasting"]["spent"] < 1e-6 and found["louder"]["spent_by"] == "certified"
        assert found["majority"]["spent_by"] is None
        calculation.plans["boasting"] = replace(calculation.plans["boasting"], bound=1e-9)  # it would win
        assert calculation.wins not in ("boasting", None)
        lines = [str(line) for line in _printed(calculation)]
    (line,) = [line for line in lines if line.startswith("boasting ")]
    assert ", declared" in line
    assert [line for line in lines if "certified by no accountant" in line] == [
        "(ε, δ)-DP as their authors declare, certified by no accountant, and so out of the race: boasting."
    ]


def _printed(calculation: Calculation) -> list[str]:
    console = Console(width=200, file=StringIO())
    with console.capture() as said:
        console.print(calculation)
    return said.get().splitlines()


def test_a_table_of_a_plugin_that_is_not_there_is_as_declared() -> None:
    rows = pd.DataFrame([{"cell": "c", "mechanism": "gone", "trial": 0, "eps": 1.0, "spent": 0.08}])
    said = "gone: ε′ = 0.08 is declared by its author; no accountant has certified it"
    assert privacy_told(rows) == [said] and marks(rows) == {"gone": "ε as declared"}
    assert declared(rows.assign(mechanism="gaussian")) == {}
    assert list(declared(rows.assign(mechanism="gaussian"), when_made=["gaussian"])) == ["gaussian"]  # a plugin's name then
    assert declared(rows.assign(spent=None)) == {} and declared(rows.drop(columns="spent")) == {}


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_run_its_table_the_page_and_json_say_it(project: "Project", harness: "Harness") -> None:
    Path("quiet.py").write_text(PLUGIN)
    spec = project.spec(mechanisms="[quiet, noisy_majority]", claims='["MINE:none"]')
    Path("claim.py").write_text(CLAIM)
    ran = harness("run", "--plugin", "quiet.py", "--plugin", "claim.py", spec, "--serial")
    said = "is declared by its author; no accountant has certified it"
    told = [line for line in ran.out.splitlines() if "declared" in line]
    assert ran.code == 0 and len(told) == 1 and told[0].startswith("quiet: ε′ = ") and told[0].endswith(said), ran
    assert "what runs on neighbours show of it: harness --plugin quiet.py --plugin claim.py audit quiet\n" in ran.out
    assert project.table().provenance["declared"] == ["quiet"]
    checked = harness("check", "--plugin", "quiet.py", "--plugin", "claim.py", spec, "--no-reference", "--json")
    verdicts = json.loads(checked.out)["verdicts"]
    by = {verdict["mechanism"]: verdict["spent_by"] for verdict in verdicts}
    seen = {verdict["mechanism"]: verdict["audited"] for verdict in verdicts}
    known = measured_of("noisy_majority")
    assert seen == {"quiet": None, "noisy_majority": known and known.json}
    assert by == {"quiet": "declared", "noisy_majority": "certified"}
    harness("report", "--plugin", "quiet.py", "--plugin", "claim.py", spec)
    (page,) = Path().rglob("*.html")
    assert told[0] in page.read_text()
    cell = project.rows()["cell"].iloc[0]
    for name, word in (("quiet", "declared"), ("noisy_majority", "certified")):
        again = harness("replay", "--plugin", "quiet.py", "--plugin", "claim.py", f"{spec}/{cell}/0/{name}")
        assert again.code == 0 and f"here {word}" in " ".join(again.out.split()), again


CLAIM = """
from harness.claims.engine import Claim, Limit, Probability

CLAIMS = Claim("MINE:none", "not in the papers: a test", "Nothing is.", nature="ours",
               decider=Probability((Limit("misclassified", "m", trivial=10**9),), may_fail="beta"))
"""


class Excused(NoisyMajority):
    """Allows itself what it defines."""

    name = "excused"
    may_change = frozenset({"may_change", "source", "loses"})

    def loses(self, gap: Any, plan: Any) -> Any:
        return super().loses(gap, plan) * 0


def test_what_may_be_defined_anew_is_said_by_a_class_of_the_package_alone() -> None:
    assert basis(Excused()) == "declared"
