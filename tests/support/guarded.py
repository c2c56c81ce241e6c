"""A repository of somebody's own, with a mechanism in a plugin and a claim on that, as it is guarded."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from harness import registry
from harness.sweep import plugins
from harness.sweep.run import work
from tests.support.project import Said

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

SPEC, OUT, REFERENCE = Path("bounds/rate.yaml"), "fresh tables", Path("results/rate.parquet")
PLUGIN = '''
from dataclasses import replace

from harness.ballots import Ballot
from harness.claims.engine import Certain, Claim, Limit, among
from harness.mechanisms import whole_blocks
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.per_query import PerQuery, SharePlan
from harness.mechanisms.noisy_argmax import Laplace, noisy_argmax

NOISE = 0.3


class Rate(PerQuery[SharePlan]):
    """Votes with noise of a share of k."""

    name = "rate"
    source = "mine"
    legend = "mine"

    def plan(self, constants, task, n):
        divided = replace(self.divided(constants, task, n, 100), bound=None, reason="with so much noise it promises nothing")
        return divided.drawing(SharePlan, lambda: task.eps, eps0=1.0)

    @whole_blocks
    def answer(self, ballot, plan, task, rng):
        return Answers(noisy_argmax(ballot.counts, ballot.sizes, Laplace(NOISE * ballot.k), rng))


MECHANISM = Rate()
CLAIMS = Claim(
    "MINE:wrong",
    "not in the papers: mine",
    "At most half of the answers are wrong.",
    where=(among("mechanism", "rate"),),
    decider=Certain((Limit("misclassified", 10),)),
    nature="ours",
)
'''
CHANGES: dict[str, str | None] = {
    "trials": "80",
    "learner": "leftmost",
    "mechanisms": "[rate]",
    "claims": "['MINE:wrong']",
    "m": "[20, 19]",
    "figure": "{x: m}",
}


@dataclass(frozen=True)
class Repository:
    """Somebody's, with a spec in bounds/, a plugin, and the committed table of a run."""

    project: "Project"
    command: "Harness"

    def harness(self, *words: str | Path) -> Said:
        """`harness ...` as a process of its own would run it."""
        forget()
        return self.command("--plugin", "mine.py", *words)

    def run(self, *options: str) -> None:
        said = self.harness("run", SPEC, "--serial", "--out", OUT, *options)
        assert said.code == 0, said

    def check(self, *options: str) -> Said:
        """A job: nothing is there but what is committed, and what the run makes."""
        return self.harness("check", SPEC, "--out", OUT, *options)

    def job(self, *options: str) -> Said:
        rmtree(OUT, ignore_errors=True)
        self.run(*options)
        return self.check()

    def spec(self, **changes: str | None) -> None:
        self.project.spec("rate", **CHANGES | changes).rename(SPEC)

    def noise(self, share: float) -> None:
        Path("mine.py").write_text(PLUGIN.replace("NOISE = 0.3", f"NOISE = {share}"))

    def as_told(self, said: Said, verb: str) -> None:
        """Do what was said, by the one command that is printed, as it is. Then the next check is a success."""
        (hint,) = set(re.findall("`(harness [^`]*)`", said.out + said.err))
        words = shlex.split(hint)
        assert words[:5] == ["harness", "--plugin", "mine.py", verb, str(SPEC)] and words[-2:] == ["--out", OUT], hint
        forget()
        done = self.command(*words[1:])
        assert done.code == 0, done
        assert self.check().code == 0

    def compared(self) -> dict[str, Any]:
        """The comparison as JSON has it; the page of the job has its result too."""
        said = self.check("--json", "--summary", "page.md")
        (found,) = json.loads(said.out)["compared"]
        row = f"| rate | {found['rows']:,} | {found['tests']:,} | "
        assert any(line.startswith(row) for line in Path("page.md").read_text().splitlines())
        assert said.code == found["code"] and found["experiment"] == "rate"
        return dict(found)


def forget() -> None:
    """What a process ends with."""
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)
    for kept in (work._needed, work._stamp, registry._parts, registry._parts_of):
        kept.cache_clear()
