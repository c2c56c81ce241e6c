"""The score of a room: how many of its mutants are killed, with the exact interval, and which are not, with why.

reasons.toml says of a mutant that passes why: it is equivalent, when no test could see it, and is left out; or it is not.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from scipy.stats import binomtest

HERE = Path(__file__).parent
REASONS, TABLE = HERE / "reasons.toml", HERE / "scores.md"
HEAD = """# How many mutants the tests kill

Made by `.ci/mutation`, which says how. A mutant is a file with one change by an operator of cosmic-ray, at a place drawn at
random among all of a room. It is killed when a test of its room, of the first tier, fails or takes five times as long.
Equivalent ones are left out; [reasons.toml](reasons.toml) says why each is. The interval is the exact one of 95 %.

| room | places | seed | mutants | equivalent | killed | share | interval | wanted |
|---|---|---|---|---|---|---|---|---|
"""


class Judged(NamedTuple):
    """A mutant and what killed it."""

    file: str
    line: int
    was: str
    becomes: str
    by: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by while lines move."""
        return self.file, flat(self.was), flat(self.becomes)


class Score(NamedTuple):
    """Of a room. The interval is that of the share of all its mutants, but for equivalent ones."""

    room: str
    places: int
    seed: int
    wanted: float
    mutants: Sequence[Judged]

    @property
    def counted(self) -> list[Judged]:
        known = reasons()
        return [mutant for mutant in self.mutants if mutant.by or not known.get(mutant.key, ("", False))[1]]

    @property
    def killed(self) -> int:
        return sum(mutant.by is not None for mutant in self.mutants)

    @property
    def interval(self) -> tuple[float, float]:
        low, high = binomtest(self.killed, len(self.counted)).proportion_ci(0.95, "exact")
        return float(low), float(high)

    def row(self) -> str:
        low, high = self.interval
        left_out = len(self.mutants) - len(self.counted)
        share = f"{self.killed / len(self.counted):.3f} | [{low:.3f}, {high:.3f}] | ≥ {self.wanted}"
        return f"| {self.room} | {self.places} | {self.seed} | {len(self.mutants)} | {left_out} | {self.killed} | {share} |"

    def survivors(self) -> Iterator[str]:
        known = reasons()
        for mutant in sorted(mutant for mutant in self.counted if mutant.by is None):
            why = known.get(mutant.key, ("not looked at yet", False))[0]
            yield f"- `{mutant.file}`: `{flat(mutant.was)}` → `{flat(mutant.becomes)}`: {why}"


def flat(text: str) -> str:
    """On one line, with single blanks."""
    return " ".join(text.split())


def reasons() -> Mapping[tuple[str, str, str], tuple[str, bool]]:
    """Why a mutant passes, and whether it is equivalent."""
    listed = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    return {
        (entry["file"], flat(entry["was"]), flat(entry["becomes"])): (entry["why"], kind == "equivalent")
        for kind in ("equivalent", "open")
        for entry in listed.get(kind, ())
    }


def table(scores: Sequence[Score]) -> str:
    """Rooms, and below them what was not killed."""
    rows = "".join(f"{score.row()}\n" for score in scores)
    lists = "".join("\n".join((f"\n## Not killed in {score.room}\n", *score.survivors(), "")) for score in scores)
    return f"{HEAD}{rows}{lists}"
