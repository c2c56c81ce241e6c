"""The pages: each is listed and shown, what it names is there, and what a how-to tells to type works to its end."""

import os
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
import yaml

import harness as package
from harness import cli, docs
from harness.claims.registry import claims
from harness.docs import notebook, site
from harness.report.console import Terminal
from harness.sweep import plugins
from harness.sweep.errors import CannotRunError, InputError
from harness.trials import kinds
from tests.support.pages import FOLDER, ROOT, files, section
from tests.test_newcomer import commands, typed

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

ID = re.compile(r"`((?:probe:)?[A-Z]{2,}\w*:[A-Za-z0-9._-]+)`")
HOW_TO = ("own_mechanism", "own_theorem", "paper_figure")
"""Those without a file of tests of their own; tests/sweep/test_plugins.py follows own_class, tests/test_guard.py the guard."""


def test_every_page_is_listed_once_and_every_listed_one_is_there() -> None:
    assert sorted(docs.names()) == sorted(
        [*docs.MADE, *(path.stem for folder in (FOLDER, notebook.FOLDER) for path in folder.iterdir())]
    )
    assert all(docs.title(name) for name in docs.names())


ENTRY = re.compile(r"(?m)^- (.+?): ((?:.|\n  )+)")


def words(text: str) -> dict[str, str]:
    """What is said of each word of a list; emphasis and line breaks aside."""
    return {word: " ".join(meaning.split()) for word, meaning in ENTRY.findall(text.replace("**", ""))}


def test_the_package_and_the_glossary_say_the_same_of_a_word() -> None:
    _, given = package.__doc__.split("The words of the package;") if package.__doc__ else ("", "")
    listed, page = words(given), words(section("Words"))
    assert len(listed) >= 40
    assert listed == {word: page[word] for word in listed}
    for written in (listed, page):
        assert [*written] == sorted(written, key=lambda word: word.replace("⊥ (", "").lower())


def test_the_command_lists_the_pages_and_shows_one(harness: "Harness") -> None:
    listed = harness("docs")
    assert listed.code == 0 and all(f"  {name} " in listed.out for name in docs.names())
    assert harness("docs", "verdicts").out.startswith("# Verdicts\n\n")
    wrong = harness("docs", "verdict")
    assert wrong.code == 2 and "no page 'verdict'; did you mean 'verdicts'?" in wrong.err


def test_on_a_terminal_a_page_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    from harness.docs.command import show

    show(Terminal(force_terminal=True, width=60), docs.page("verdicts", {}))
    out = capsys.readouterr().out
    assert "Verdicts" in out and "# Verdicts" not in out and "**holds**" not in out


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_every_claim_that_a_page_names_is_there(path: Path) -> None:
    named = {each for each in ID.findall(path.read_text(encoding="utf-8")) if not each.startswith(("MINE:", "PAPER:"))}
    assert named <= claims().keys()


@pytest.mark.law
def test_made_pages_have_all_that_they_are_made_of(harness: "Harness") -> None:
    options = harness("docs", "options").out
    assert all(f"\n## {name}\n" in options for name in ("run", "check", "docs", "schema"))
    assert "| `--trials VALUE` | Trials a cell, in place of the spec's. |" in options and "{constants}" not in options
    columns, specs = harness("docs", "columns").out, harness("docs", "specs").out
    for kind in kinds().values():
        shown = columns.split(f"## Kind `{kind.name}`\n")[1].split("\n## ")[0]
        assert re.findall(r"^\| `(\w+)`", shown, re.MULTILINE) == list(kind.table)
        axes = specs.split(f"## Axes of kind `{kind.name}`\n")[1].split("\n## ")[0]
        assert re.findall(r"^\| `(\w+)`", axes, re.MULTILINE) == list(kind.cell.model_fields)
    assert "| `m` | whole number from 1 to 1e+15 |  | queries m |" in specs


@pytest.mark.at_once("own_theorem")
@pytest.mark.usefixtures("quick_figures", "project")
@pytest.mark.parametrize("name", HOW_TO)
def test_a_how_to_is_followed_to_its_end(harness: "Harness", name: str) -> None:
    blocks = re.findall(r"```(\w+)\n(.*?)```", (FOLDER / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
    ran = 0
    for info, text in blocks:
        if text.startswith("# "):
            Path(text.split(maxsplit=2)[1]).write_text(text, encoding="utf-8")
        for words in commands(text) if info == "sh" else ():
            typed(harness, words)
            ran += 1
    assert ran >= 2


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_shards_are_run_as_the_page_has_them(harness: "Harness", project: "Project") -> None:
    (project.root / "experiments").symlink_to(ROOT / "experiments")
    (shell,) = re.findall(r"```sh\n(harness run [^`]*--shard 1/2\n.*?)```", section("Without Ray: shards of a run"), re.DOTALL)
    *shares, whole = commands(shell)
    assert ["shard 1/2 is done" in typed(harness, words) for words in shares] == [True, False]
    assert "quickstart: nothing to do, 4,500 rows were there" in typed(harness, whole)


def test_the_jobs_on_the_page_are_yaml_and_ask_what_the_command_line_takes() -> None:
    job = yaml.safe_load(re.findall(r"```yaml\n(apiVersion: .*?)```", section("Without Ray: shards of a run"), re.DOTALL)[0])
    program, *words = shlex.split(job["spec"]["entrypoint"])
    command = typer.main.get_command(cli.app).commands[words[0]]  # type: ignore[attr-defined]
    assert program == "harness" and command.make_context(words[0], words[1:]).params["address"] == "auto"
    assert job["kind"] == "RayJob" and job["spec"]["backoffLimit"] > 0


@pytest.fixture
def two_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site of two pages is quickly made."""
    need_mkdocs()
    monkeypatch.setattr(site, "ORDER", {"All": ("glossary", "changes")})


def need_mkdocs() -> None:
    """Skips the test where mkdocs is missing, but not in CI, which has to have it."""
    if find_spec("material") is None:
        assert "CI" not in os.environ, "CI needs mkdocs-material"
        pytest.skip("needs mkdocs-material")


@pytest.mark.law
def test_the_site_is_built_without_a_warning(harness: "Harness", project: "Project") -> None:
    """All of it, with the files of this repository: ten seconds, every night. On every change a site of two pages is built."""
    need_mkdocs()
    for name in ("README.md", "CITATION.cff", "experiments", "figures", ".github", "tests"):
        (project.root / name).symlink_to(ROOT / name)
    said = harness("docs", "--html", "site")
    assert (said.code, said.out) == (0, f"site/index.html: {len(docs.names()) + 1} pages\n"), said
    home = Path("site/index.html").read_text(encoding="utf-8")
    assert 'href="tutorial.html"' in home and 'src="files/figures/misclassification_vs_n.png"' in home
    assert Path("site/files/figures/misclassification_vs_n.png").is_file()
    fetched = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', home)
    assert fetched == []


@pytest.mark.law
@pytest.mark.usefixtures("two_pages", "project")
def test_a_site_takes_the_place_of_an_earlier_one_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Path("site")
    site.build(out, Path(), {})
    kept = out / "mine.txt"
    kept.write_text("mine")
    monkeypatch.setattr(site, "ORDER", {"All": ("glossary",)})
    site.build(out, Path(), {})
    assert (out / "glossary.html").exists() and not (out / "changes.html").exists() and kept.read_text() == "mine"
    Path("other").mkdir()
    (Path("other") / "glossary.html").write_text("mine")
    with pytest.raises(InputError, match="is not empty, and no earlier build"):
        site.build(Path("other"), Path(), {})
    assert (Path("other") / "glossary.html").read_text() == "mine"


@pytest.mark.at_once("[nothing](none.md)")
@pytest.mark.usefixtures("two_pages", "project")
@pytest.mark.parametrize("wrong", ["[nowhere](changes.md#no-such-heading)", "[nothing](none.md)", "[outside](../none.md)"])
def test_a_link_that_leads_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setattr(site, "page", lambda name, commands: f"# Page\n\n{wrong}\n")
    with pytest.raises(CannotRunError, match=r"Aborted with [12] warnings? in strict mode"):
        site.build(Path("broken"), Path(), {})
    assert not Path("broken").exists()


@pytest.mark.usefixtures("two_pages", "project")
def test_of_a_file_of_the_repository_that_is_not_here_the_words_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "page", lambda name, commands: "# Page\n\n![a figure](../../../figures/none.png)\n")
    site.build(Path("whole"), Path(), {})
    assert "<em>a figure</em>" in Path("whole/glossary.html").read_text(encoding="utf-8")


def test_the_site_fetches_nothing_from_elsewhere() -> None:
    assert site.SETTINGS["theme"]["font"] is False and "https" not in yaml.safe_dump(site.SETTINGS)


def test_plugins_are_gone_after_a_how_to() -> None:
    assert not plugins.loaded()
