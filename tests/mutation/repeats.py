"""Which experiments see the mutants of what makes rows, and which of them together see most for their time.

`python -m tests.mutation.repeats --mutants 40 --seed 5` runs the few rows that tests/test_committed_rows.py takes of every
experiment under each mutant. A whole experiment sees at least what these see, and takes the seconds that its table says. Every
change repeats those that take under ten seconds (.ci/repeated), and of the others, as long as there is time, those that see
most a second of what is left: .ci/longer.
"""

import json
import runpy
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from tests.mutation import judge
from tests.mutation.__main__ import KEPT, coverage
from tests.mutation.mutants import drawn
from tests.mutation.rooms import ROOMS, ROOT, ROWS

OF = ("theory", "mechanisms", "samplers", "trials")
MADE, LIST = KEPT / "repeats.jsonl", ROOT / ".ci" / "longer"
TABLE = Path(__file__).with_suffix(".md")


RULE = runpy.run_path(str(ROOT / ".ci" / "repeated"))


def asked(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.mutation.repeats", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=list(OF))
    parser.add_argument("--mutants", type=int, default=40, help="how many of a room")
    parser.add_argument("--seed", type=int, default=5, help="which are drawn")
    parser.add_argument("--seconds", type=float, default=80, help="what all that take longer may take together")
    parser.add_argument("--chosen", action="store_true", help="choose by what was found")
    return parser.parse_args(arguments)


def known() -> dict[str, list[str]]:
    """What was found so far."""
    lines = MADE.read_text().splitlines() if MADE.exists() else []
    return {line["mutant"]: line["seen"] for line in map(json.loads, lines)}


def found(given: Namespace) -> Iterator[tuple[str, list[str]]]:
    """Mutants that let rows be made, each with the experiments whose rows it changes."""
    before = known()
    for room in given.rooms:
        covered = coverage(room)
        for mutant in islice(drawn(ROOMS[room].files(), given.seed), given.mutants):
            name = f"{mutant.file}:{mutant.line}: {mutant.becomes.strip()}"
            tests = [test for test in covered.near(mutant) if test.startswith(ROWS)]
            if name in before or not tests:
                continue
            seconds = 30 + 5 * sum(map(covered.seconds.__getitem__, tests))
            failed = judge.failing({mutant.file: mutant.text}, tests, seconds)
            yield name, sorted({test.partition("[")[2].rstrip("]") for test in failed})


def costs() -> dict[str, float]:
    """Seconds of every experiment, by its table."""
    return {path.stem: RULE["seconds"](path) for path in sorted((ROOT / "results").glob("*.parquet"))}


def chosen(seen: Mapping[str, list[str]], already: Sequence[str], seconds: float) -> list[tuple[str, float, int]]:
    """Experiments in the order of what each sees a second that those before it do not: its cost, and how many it adds.

    already: those that are repeated whatever they see.
    """
    cost, taken = {name: each for name, each in costs().items() if name not in already}, list[tuple[str, float, int]]()
    left = {name: set(by) for name, by in seen.items() if by and not set(by) & set(already)}
    while left:
        adds = {name: sum(name in by for by in left.values()) for name, own in cost.items() if own <= seconds}
        best = max(adds, key=lambda name: adds[name] / cost[name], default=None)
        if best is None or not adds[best]:
            break
        taken.append((best, cost[best], adds[best]))
        seconds -= cost.pop(best)
        left = {name: by for name, by in left.items() if best not in by}
    return taken


def main() -> None:
    given = asked(sys.argv[1:])
    if not given.chosen:
        judge.prepare()
        KEPT.mkdir(exist_ok=True)
        for name, seen in found(given):
            with MADE.open("a") as file:
                file.write(json.dumps({"mutant": name, "seen": seen}) + "\n")
            print(f"{name}: {len(seen)}", flush=True)
        return
    mutants = known()
    short = RULE["short"]()
    taken = chosen(mutants, short, given.seconds)
    before = LIST.read_text(encoding="utf-8").split()
    TABLE.write_text(table(mutants, taken, short, before, given), encoding="utf-8")
    LIST.write_text("".join(f"{name}\n" for name, _, _ in taken), encoding="utf-8")
    print(TABLE.read_text(encoding="utf-8"))


def table(
    mutants: Mapping[str, list[str]],
    taken: Sequence[tuple[str, float, int]],
    short: Sequence[str],
    before: Sequence[str],
    given: Namespace,
) -> str:
    """What was measured, and what follows from it."""
    changing, cost = [set(by) for by in mutants.values() if by], costs()
    names = [name for name, _, _ in taken]
    told = (
        ("those under ten seconds", short),
        ("and the longer ones of before", [*short, *before]),
        ("and those that are chosen", [*short, *names]),
        ("all", list(cost)),
    )
    sets = "".join(
        f"| {what} | {len(own)} | {sum(cost[name] for name in own):.0f} | {sum(not by.isdisjoint(own) for by in changing)} |\n"
        for what, own in told
    )
    rows = "".join(f"| {name} | {seconds:.1f} | {adds} |\n" for name, seconds, adds in taken)
    return f"""# What CI repeats, and what that sees

Made by `python -m tests.mutation.repeats --chosen`. Of {len(mutants)} mutants of {", ".join(given.rooms)} (seed {given.seed})
{len(changing)} change a row that tests/test_committed_rows.py makes again. Seconds are those that the tables say, on one core.

| experiments | number | seconds | mutants seen, of {len(changing)} |
|---|---|---|---|
{sets}
Of the longer ones, chosen one after the other by what each sees a second that those before it do not, in {given.seconds:g} s at
most:

| experiment | seconds | mutants more |
|---|---|---|
{rows}"""


if __name__ == "__main__":
    main()
