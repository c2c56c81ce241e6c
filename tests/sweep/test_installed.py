"""A paper that pip installed: a package whose modules are as users' files are, by entry points, with its specs beside them."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.registry import parts
from harness.sweep import plugins
from harness.sweep.run.provenance import makes
from tests.support.one_plugin import forgotten
from tests.support.project import SMALL

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

THEOREMS = """
from importlib.metadata import entry_points

from harness.claims.engine import Certain, Claim, Limit, among

from my_paper.voting import NAME

entry_points()  # as libraries ask for them when they are imported: what pip knows is no data

CLAIMS = Claim(
    "MINE:T1",
    "Mine, Theorem 1",
    "All m queries are answered.",
    where=(among("mechanism", NAME),),
    decider=Certain((Limit("bottoms", 0),)),
)
"""
VOTING = """
from pathlib import Path

from harness.mechanisms.answering.majority import Majority

NAME = Path(__file__).with_name("name.txt").read_text()


class Mine(Majority):
    name, source, legend = NAME, "Mine, Algorithm 1", "mine"


MECHANISM = Mine()
"""
LATE = 'import importlib\n\nimportlib.import_module(".late", "my_paper")\n'
FILES = {
    "my_paper/__init__.py": "",
    "my_paper/theorems.py": THEOREMS,
    "my_paper/voting.py": VOTING,
    "my_paper/name.txt": "mine",
    "my_paper/experiments/theirs.yaml": "".join(
        f"{key}: {value}\n" for key, value in ({**SMALL, "mechanisms": "[mine, majority]", "claims": '["MINE:T1"]'}).items()
    ),
    "my_paper-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-paper\nVersion: 1.0\n",
    "my_paper-1.0.dist-info/entry_points.txt": "[harness.plugins]\ntheorems = my_paper.theorems\nvoting = my_paper.voting\n",
}


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """As pip leaves the paper, with some of its files changed, where Python looks."""

    def installed(**changed: str) -> Path:
        site = tmp_path_factory.mktemp("environment") / "site-packages"
        names = {name: changed.get(Path(name).stem, text) for name, text in FILES.items()}
        record = "my_paper-1.0.dist-info/RECORD"
        for name, text in {**names, record: "".join(f"{each},,\n" for each in [*names, record])}.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(site))
        return site

    yield installed
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_paper"]:
        del sys.modules[name]  # what was imported in a way that is refused


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_a_command_knows_what_is_installed_and_needs_no_option(
    install: Callable[..., Path], project: "Project", harness: "Harness"
) -> None:
    assert harness("claims", "MINE:T1").code == 2  # without it
    install()
    path = list(sys.path)
    told = harness("claims", "MINE:T1")
    assert told.code == 0 and "All m queries are answered." in told.out
    assert sys.path == path
    ran = harness("run", "theirs", "--serial")
    assert ran.code == 0 and "MINE:T1" in ran.out and "--plugin" not in ran.out, ran
    made = project.table("theirs").provenance["makes"]
    assert list(made["plugins"]) == ["my_paper.theorems", "my_paper.voting"]
    assert [name for name in made["data"] if "zoneinfo" not in name] == ["name.txt"]  # pandas may look there
    assert harness("--plugin", "my_paper.voting", "claims", "MINE:T1").code == 0


@pytest.mark.law
@pytest.mark.parametrize(
    ("changed", "what"),
    [({"theorems": THEOREMS.replace("All", "Each of the")}, "plugins"), ({"name": "mine "}, "data")],
    ids=["another text", "other data"],
)
def test_a_table_says_what_it_was_made_with(
    install: Callable[..., Path], project: "Project", changed: dict[str, str], what: str
) -> None:
    def made(site: Path) -> dict[str, object]:
        plugins.bring()
        found = makes(project.sweep())
        forgotten()
        sys.path.remove(str(site))
        return found

    before = made(install())
    after = made(install(**changed))
    assert [key for key in before if before[key] != after[key]] == [what]


@pytest.mark.law
def test_another_process_has_it_without_its_files_and_would_say_the_same_of_its_rows(
    install: Callable[..., Path], project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    """As workers are given plugins, whose environments may have none of it."""
    site = install()
    plugins.bring()
    brought, made = plugins.loaded(), makes(project.sweep())
    forgotten()
    sys.path.remove(str(site))
    monkeypatch.setattr(plugins, "_brought", set())
    assert "mine" not in parts("mechanism")
    plugins.restore(brought)
    assert "mine" in parts("mechanism") and "MINE:T1" in parts("claim")
    assert makes(project.sweep()) == made


def test_its_specs_are_listed_once(
    install: Callable[..., Path], project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install()
    monkeypatch.setattr("harness.report.experiments.PACKAGED", tmp_path)  # the package's own take seconds
    assert harness("list").out.count("theirs") == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"voting": "1 / 0\n"}, "{site}/my_paper/theorems.py:6: ZeroDivisionError: division by zero"),
        (
            {"voting": VOTING + LATE},
            "imports my_paper.late in a way that cannot be followed",
        ),
    ],
)
def test_what_is_wrong_with_it_is_said_with_the_name_of_the_distribution(
    install: Callable[..., Path], project: "Project", harness: "Harness", changed: dict[str, str], said: str
) -> None:
    site = install(**changed)
    (site / "my_paper/late.py").touch()
    with (site / "my_paper-1.0.dist-info/RECORD").open("a") as record:
        record.write("my_paper/late.py,,\n")
    ended = harness("claims", "MINE:T1")
    assert ended.code == 2 and "my-paper, which is installed and brings my_paper.theorems" in ended.err
    assert said.format(site=site) in ended.err
