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
    """Commands, each with what it printed and its exit code."""

    def __init__(self, harness: "Harness") -> None:
        self.harness, self.lines = harness, list[str]()

    def __call__(self, *words: str | Path) -> "Said":
        said = self.harness(*words)
        self.lines += [
            f"$ harness {' '.join(still(' '.join(map(str, words))))}: {said.code}",
            *still(said.out),
            *still(said.err),
        ]
        return said

    def page(self, path: str) -> None:
        self.lines += still(Path(path).read_text(encoding="utf-8"))


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


def changed(project: "Project", harness: "Harness", say: "Transcript") -> None:
    """A fresh table beside references that another code made: of the same law, of another, in part; and specs that changed."""
    spec = project.spec(learner="leftmost", trials="60")
    say("run", spec, "--serial")
    say("accept", spec)
    table, reference = project.table(), Path("results/small.parquet")
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"wrong": 7},
        {"wrong": lambda wrong: 3 - min(wrong, 3)},
        {"eps": 2.0},
        {"keep": 40},
        {"keep": 70, "wrong": 7},
    )
    for change in changes:
        rewrite(table, reference, code="0123456789abcdef", **change)
        say("check", spec)
        say("check", spec, "--json")
    say("accept", spec)
    project.spec(learner="leftmost", trials="60", title="Another title", question="Is it so?")
    say("check", spec)
    project.spec(learner="leftmost", trials="80")
    say("check", spec)
    say("figures", "small", "--out", "drawn")
    project.spec(learner="leftmost", trials="60", m="[20, 60]")
    say("check", spec)
    reference.unlink()
    Path("results/runs/small.parquet").unlink()
    say("check", spec)
    say("table", "small")
    say("replay", "small/0123/0/A_binClas")
    say("claims", spec)
    say("report", spec)


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


@pytest.mark.parametrize("project_of", [calculators, doctored, changed, committed], ids=lambda of: of.__name__)
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
