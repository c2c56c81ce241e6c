"""What commands print of small projects, whole, as it was when somebody read it: transcripts/ has a text a project.

Who means a change deletes the text, runs this file, which writes it anew, and reads what is another. What differs from run to
run and from machine to machine is left out: times, sizes of files, digests, versions; and of pages what is said of columns and
errata, which is long. Numbers may differ by a thousandth. A part that has come since may have lines of its own.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.registry import ROOMS, parts
from tests.report.test_stored import rewrite
from tests.report.told import NUMBER, differing
from tests.support.committed import ROOT
from tests.support.doctored import ONE, all_wrong, doctor

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said

TEXTS = Path(__file__).parent / "transcripts"
SPEC = "experiments/small.yaml"
pytestmark = pytest.mark.usefixtures("quick_figures", "theory_untold")

VOLATILE: tuple[tuple[str, str], ...] = (
    (r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{6,64}\b", "…"),  # digests
    (r"(trials in [\d,]+ cells?), .*", r"\1"),  # what it will cost
    (r"(?m)^\w+: (\d+/\d+ trials|measuring what it will cost), .*$", ""),  # how far it is, where that takes long
    (r"\b\d[\d.,]*(e-\d+)? (s|ms|min|h|days|B|kB|MB|GB)\b", "…"),
    (r"<style>.*?</style>|<script.*?</script>|<svg.*?</svg>|<meta [^>]*>", ""),
    (r'<details class="entry" id="erratum.*?</details>|<section id="columns".*?</section>', ""),  # texts of claims and columns
    (r"(?m)^ *\"?(seconds|created|host|machine|platform|processor|commit|clean)s?\"?:? .*$", ""),
    (r"(?m)^(makes|packages)\.(?!seed).*$", ""),
    (r"\d+\.\d+\.\d+[\w.+-]*", "…"),  # versions
)


def still(text: str) -> list[str]:
    """Lines without what differs from run to run, with single blanks; of a page one a tag."""
    for pattern, instead in VOLATILE:
        text = re.sub(pattern, instead, text, flags=re.DOTALL if "<" in pattern else 0)
    text = text.replace("><", ">\n<") if text.startswith("<!DOCTYPE") else text
    return [line for each in text.splitlines() if (line := " ".join(each.split()))]


def of_old_parts(lines: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    """Lines without those that tell of parts that no kept line names: a part is one new file, and no edit of a test."""
    names = {name.partition(":")[0] for room in ROOMS for name in parts(room)}
    new = {name for name in names if not any(name in line for line in kept)}
    once, now = ([NUMBER.sub("#", line) for line in each] for each in (kept, lines))
    for change, _, _, start, stop in SequenceMatcher(None, once, now, autojunk=False).get_opcodes():
        if change != "insert" or not any(name in line for name in new for line in lines[start:stop]):
            yield from lines[start:stop]


class Transcript:
    """Commands, each with its exit code and what it printed: first as its answer, then beside that."""

    def __init__(self, harness: "Harness") -> None:
        self.harness, self.lines = harness, list[str]()

    def __call__(self, *words: str | Path) -> "Said":
        said = self.harness(*words)
        self.lines += [
            f"$ harness {' '.join(still(' '.join(map(str, words))))}: {said.code}",
            *still(said.out),
            *(f"! {line}" for line in still(said.err)),
        ]
        if "--json" in words and said.out:
            assert said.out.strip() == "[]" or re.match(r"[\[{]\n  [^ ]", said.out)
        return said

    def page(self, path: str) -> None:
        text = Path(path).read_text(encoding="utf-8")
        assert not re.search(r"[ \t]$", text, re.MULTILINE)
        self.lines += still(text)


def calculators(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """What is worked out without a table."""
    say("plan", "--n", "1e10", "--m", "1000")
    say("plan", "--alpha", "0.01", "--m", "1e5", "--concept", "halfspaces", "--V", "5", "--constants", "tight")
    say("plan", "--n", "1e4", "--m", "1000", "--gamma", "0.1", "--json")
    say("plan", "--release", "--alpha", "0.1")
    say("plan", "--release", "--alpha", "0.1", "--m", "100", "--constants", "repaired", "--json")
    say("plan", "--scores", "--n", "1e9")
    say("plan", "--scores", "--n", "1e6", "--json")
    say("constants", "BTT18a")
    say("constants", "BCMNUW20", "--json")
    say("history")


def measured(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """What is measured of a mechanism by itself, and where paying for unstable votes is cheaper."""
    say("audit", "noisy_majority", "--runs", "1000", "--seed", "5", "--figure", "curve.png")
    say("audit", "gaussian", "--m", "1", "--runs", "1000", "--json")
    say("audit", "gaussian", "--runs", "3")
    say("plan", "--crossover", "--constants", "tight", "--m", "1000", "--json")


def small(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """A small sweep, from its plan to its page."""
    untold = '"BTT18:S5", "BTT18:T3.2-repaired"'
    spec = project.spec(
        claims=f'["BTT18:T3.2", "BTT18:A2-cutoff", "BTT18:T3.2-real", {untold}]', learner="leftmost", trials="60"
    )
    say("plan", spec)
    say("plan", spec, "--json")
    say("run", spec, "--serial", "--dry-run")
    say("run", spec, "--serial")
    say("run", spec, "--serial")
    say("list")
    say("list", "--json")
    say("table", "small")
    say("table", "small", "--latex")
    cell = project.rows()["cell"].iloc[-1]
    say("replay", f"small/{cell[:8]}/3/noisy_majority")
    say("replay", f"small/{cell[:8]}/3/A_binClas")
    say("check", spec)
    say("claims", spec)
    say("claims", "BTT18:A2-cutoff")
    say("claims", "BTT18:T3.2-repaired", "--json")
    say("claims", "BTT18:T3.2", "BTT18:S5")
    project.spec(claims='["BTT18:T3.2", "BTT18:A2-cutoff", "BTT18:T3.2-real"]', learner="leftmost", trials="60")
    say("check", spec, "--no-reference")
    say("check", spec, "--no-reference", "--latex")
    say("check", spec, "--summary", "summary.md")
    say("claims", "BTT18:T3.2", "--all")
    say("verify", "small", "--sample", "10%", "--seed", "5", "--results", "results/runs")
    say("verify", "small", "--sample", "5%", "--seed", "9", "--results", "results/runs", "--json")
    say("figures", "small", "--results", "results/runs", "--out", "drawn")
    say("report", spec, "--html", "page.html")
    say.page("summary.md")
    say.page("page.html")


def doctored(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """A table that is not as it was accepted: all labels are wrong, and then some of its rows are another's."""
    spec = project.spec(**ONE | {"m": "[20, 50]"})
    say("run", spec, "--serial")
    say("accept", spec)
    say("check", spec)
    doctor(project, lambda row: all_wrong(row) if row["m"] == 20 else row)
    say("check", spec)
    say("check", spec, "--json")
    say("claims", "BTT18:T3.2")
    say("claims", spec, "--outcome", "refuted")
    cell = project.rows()["cell"].iloc[0]
    say("replay", f"small/{cell[:8]}/0/A_binClas")
    say("accept", spec)
    say("run", spec, "--serial")
    say("report", spec, "--html", "page.html")
    say.page("page.html")


CHANGES: tuple[dict[str, Any], ...] = (
    {},
    {"wrong": lambda wrong: 3 - min(wrong, 3)},
    {"keep": 70, "wrong": 7},
    {"wrong": 7},
    {"eps": 2.0},
    {"keep": 40},
)
"""Of rows that another code made: of the same law, of another, in part."""


def beside(project: "Project", say: "Transcript", changes: Sequence[dict[str, Any]] = CHANGES) -> None:
    """A fresh table beside references that another code made."""
    spec = project.spec(learner="leftmost", trials="60")
    say("run", spec, "--serial")
    say("accept", spec)
    for change in changes:
        rewrite(project.table(), Path("results/small.parquet"), code="0123456789abcdef", **change)
        say("check", spec)
        say("check", spec, "--json")


def changed(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """A fresh table beside references that another code made, and specs that changed."""
    beside(project, say)
    spec, reference = Path("experiments/small.yaml"), Path("results/small.parquet")
    say("accept", spec)
    project.spec(learner="leftmost", trials="60", title="Another title", question="Is it so?")
    say("check", spec)
    project.spec(learner="leftmost", trials="80")
    say("check", spec)
    say("accept", spec)
    say("accept", spec, "--anyway")
    say("figures", "small", "--results", "results/runs", "--out", "drawn")
    project.spec(learner="leftmost", trials="60", m="[20, 60]")
    say("check", spec)
    reference.unlink()
    Path("results/runs/small.parquet").unlink()
    say("check", spec)
    say("table", "small")
    say("replay", "small/0123/0/A_binClas")
    say("claims", spec)
    say("report", spec)


def partial(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """Tables that are not whole, or not of what their spec says: shares of a run, other settings and constants."""
    spec = project.spec(learner="leftmost", trials="60")
    say("list")
    say("check", spec)
    say("run", spec, "--serial", "--shard", "1/2")
    say("check", spec)
    say("claims", spec)
    say("figures", "small", "--results", "results/runs", "--out", "drawn")
    say("table", "small")
    say("table", "small", "--markdown")
    say("accept", spec)
    say("run", spec, "--serial", "--shard", "2/2", "--tables-only")
    say("run", spec, "--serial", "--tables-only")
    say("run", spec, "--serial", "--trials", "70", "--dry-run")
    say("run", spec, "--serial", "--trials", "70", "--tables-only")
    say("check", spec)
    say("run", spec, "--serial", "--out", "other", "--set", "eps=2", "--with", "c_k=10")
    say("check", spec, "--out", "other")
    say("table", "small", "--out", "other")
    cell = project.rows(out=Path("other"))["cell"].iloc[0]
    say("replay", f"small/{cell[:8]}/1/A_binClas", "--out", "other")
    say("claims", "BTT18:T3.2", spec, "--out", "other")
    say("report", spec, "--out", "other", "--html", "page.html")
    say("run", spec, "--serial", "--set", "m=30")
    say("run", spec, "--serial", "--set", "q=30")


FEW = ("least_release", "public_learner_n", "tracing_accurate")
"""Committed experiments of few rows: of a constant that was searched for, of prices, of an attack."""


def committed(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """Committed tables of other kinds of trials than answers."""
    for folder, ending in (("experiments", "yaml"), ("results", "parquet")):
        (project.root / folder).mkdir(exist_ok=True)
        for name in FEW:
            shutil.copy(ROOT / folder / f"{name}.{ending}", project.root / folder)
    for name in FEW:
        say("check", f"experiments/{name}.yaml", "--no-reference")
        say("plan", f"experiments/{name}.yaml")
        say("table", name)


@pytest.mark.parametrize(
    "project_of", [calculators, measured, small, doctored, changed, partial, committed], ids=lambda of: of.__name__
)
def test_commands_print_all_that_they_printed_when_it_was_read(
    project_of: Callable[..., None], project: "Project", harness: "Harness"
) -> None:
    transcript = Transcript(harness)
    project_of(project, harness, transcript)
    path = TEXTS / f"{project_of.__name__}.txt"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in transcript.lines), encoding="utf-8")
        pytest.fail(f"{path.name} is written anew: read it")
    kept = path.read_text(encoding="utf-8").splitlines()
    assert differing([*of_old_parts(transcript.lines, kept)], kept) == []


def test_commands_print_the_same_of_tables_of_which_not_all_rows_are_held(
    project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that are alike are one, or a cell's are read at a time."""
    monkeypatch.setattr("harness.sweep.run.store.MANY", 0)
    transcript = Transcript(harness)
    beside(project, transcript, CHANGES[:3])
    kept = (TEXTS / "changed.txt").read_text(encoding="utf-8").splitlines()
    assert differing(transcript.lines, kept[: len(transcript.lines)]) == []
