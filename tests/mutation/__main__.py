"""Mutants of rooms at random, and whether their tests see them: `python -m tests.mutation theory --mutants 60 --seed 1`.

What was found is kept, a line each, in .mutation/: a run that was stopped goes on where it was. Exit code 1 says that a room's
whole interval is below what is wanted.
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import islice

from tests.mutation import judge
from tests.mutation.coverage_map import Covered, made
from tests.mutation.mutants import Mutant, changes, drawn
from tests.mutation.rooms import ROOMS, ROOT
from tests.mutation.scores import TABLE, Judged, Score, table

KEPT = ROOT / ".mutation"


def asked(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=list(ROOMS), help=f"of {', '.join(ROOMS)}; all")
    parser.add_argument("--mutants", type=int, default=200, help="how many of a room")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn")
    parser.add_argument("--minutes", type=float, default=600, help="stop after so many, a room")
    parser.add_argument("--again", action="store_true", help="ask once more of those that were not killed")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.relative_to(ROOT)} of what was found")
    return parser.parse_args(arguments)


def killer(mutant: Mutant, covered: Covered) -> str | None:
    """What kills a mutant."""
    for tests in covered.of(mutant):
        if tests:
            seconds = 20 + 5 * sum(map(covered.seconds.__getitem__, tests))
            if by := judge.killed({mutant.file: mutant.text}, tests, seconds):
                return by
    return None


def known(name: str, given: Namespace) -> dict[Mutant, str | None]:
    """What earlier runs found."""
    path = KEPT / f"{name}-{given.seed}.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {Mutant(*line["mutant"]): line["by"] for line in lines if line["by"] or not given.again}


def coverage(name: str) -> Covered:
    """Which tests come to which lines: made once, until it is deleted."""
    path = KEPT / f"{name}.json"
    if not path.exists():
        made(ROOMS[name], path)
    return Covered(path)


def judged(name: str, given: Namespace) -> Iterator[tuple[Mutant, str | None]]:
    """The drawn mutants of a room, each with what killed it, as long as there is time."""
    KEPT.mkdir(exist_ok=True)
    before = known(name, given)
    covered = None if given.table else coverage(name)
    until = time.monotonic() + 60 * given.minutes
    for mutant in islice(drawn(ROOMS[name].files(), given.seed), given.mutants):
        if mutant not in before and covered is not None:
            if time.monotonic() > until:
                return
            since = time.monotonic()
            before[mutant] = by = killer(mutant, covered)
            with (KEPT / f"{name}-{given.seed}.jsonl").open("a") as file:
                file.write(json.dumps({"mutant": mutant, "by": by}) + "\n")
            told = f"{mutant.file}:{mutant.line} {mutant.operator}: {by or 'not killed'}"
            print(f"{told} ({time.monotonic() - since:.1f} s)", flush=True)
        if mutant in before:
            yield mutant, before[mutant]


def scored(name: str, given: Namespace, found: list[tuple[Mutant, str | None]]) -> Score:
    room = ROOMS[name]
    mutants = [Judged(mutant.file, mutant.line, mutant.was, mutant.becomes, by) for mutant, by in found]
    return Score(name, sum(len(changes(file)) for file in room.files()), given.seed, room.wanted, mutants)


def main() -> int:
    given = asked(sys.argv[1:])
    if not given.table:
        judge.prepare()
    found = {name: list(judged(name, given)) for name in given.rooms}
    scores = [scored(name, given, mutants) for name, mutants in found.items() if mutants]
    if given.table:
        TABLE.write_text(table(scores), encoding="utf-8")
    print(table(scores))
    return int(any(score.interval[1] < score.wanted for score in scores))


if __name__ == "__main__":
    sys.exit(main())
