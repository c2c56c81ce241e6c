"""The score of a room: how many of its mutants are killed, with the exact interval, and which are not, with why.

reasons.toml says of a mutant that passes why: it is equivalent, when no test could see it, or a look, and is left out; or it
is neither.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from scipy.stats import binomtest

HERE = Path(__file__).parent
REASONS, TABLE = HERE / "reasons.toml", HERE / "scores.md"
HEAD = """# How many mutants the tests kill

Made by `.ci/mutation`, which says how. A mutant is a file with one change by an operator of cosmic-ray, at a place drawn at
random among all of a room. It is killed when a test of its room, of the first tier, fails or takes five times as long.
Equivalent ones are left out; [reasons.toml](reasons.toml) says why each is. So are looks: changes of how thick, large, pale or
far from its mark something is drawn, or of dashes, after which it is still seen, told from all others, and in its place; these
are judged by eye. The interval is the exact one of 95 %. The draw of samplers was judged when the first
tier had more cases than `at_once` leaves it now: fewer might be killed today.

| room | places | seed | mutants | equivalent | looks | killed | share | interval | wanted |
|---|---|---|---|---|---|---|---|---|---|
"""
Kind = Literal["equivalent", "look", "open"]
"""Of a mutant that passes: no test could see it, only an eye could judge it, or a test should."""

LEFT_OUT: tuple[Kind, ...] = ("equivalent", "look")


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
        return [mutant for mutant in self.mutants if mutant.by or self.kind(mutant) not in LEFT_OUT]

    def kind(self, mutant: Judged) -> Kind:
        """Of one that passes."""
        return reasons().get(mutant.key, NOT_YET)[1]

    @property
    def killed(self) -> int:
        return sum(mutant.by is not None for mutant in self.mutants)

    @property
    def interval(self) -> tuple[float, float]:
        low, high = binomtest(self.killed, len(self.counted)).proportion_ci(0.95, "exact")
        return float(low), float(high)

    def row(self) -> str:
        low, high = self.interval
        passing = [self.kind(mutant) for mutant in self.mutants if mutant.by is None]
        equivalent, looks = map(passing.count, LEFT_OUT)
        share = f"{self.killed / len(self.counted):.3f} | [{low:.3f}, {high:.3f}] | ≥ {self.wanted}"
        counts = (self.places, self.seed, len(self.mutants), equivalent, looks, self.killed)
        return f"| {self.room} | {' | '.join(map(str, counts))} | {share} |"

    def survivors(self) -> Iterator[str]:
        for mutant in sorted(mutant for mutant in self.counted if mutant.by is None):
            why = reasons().get(mutant.key, NOT_YET)[0]
            yield f"- `{mutant.file}`: `{flat(mutant.was)}` → `{flat(mutant.becomes)}`: {why}"


def flat(text: str) -> str:
    """On one line, with single blanks."""
    return " ".join(text.split())


NOT_YET: tuple[str, Kind] = "not looked at yet", "open"


@cache
def reasons() -> Mapping[tuple[str, str, str], tuple[str, Kind]]:
    """Why a mutant passes, and of what kind it is."""
    listed = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    return {
        (entry["file"], flat(entry["was"]), flat(entry["becomes"])): (entry["why"], kind)
        for kind in get_args(Kind)
        for entry in listed.get(kind, ())
    }


def table(scores: Sequence[Score]) -> str:
    """Rooms, and below them what was not killed."""
    rows = "".join(f"{score.row()}\n" for score in scores)
    lists = "".join("\n".join((f"\n## Not killed in {score.room}\n", *score.survivors(), "")) for score in scores)
    return f"{HEAD}{rows}{lists}"
