"""The rooms whose files are changed at random, each with the tests that are to see it."""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


ROWS = "tests/test_committed_rows.py"
"""Goes through all that rows are made of."""

VALUES, DECLARED = "tests/test_values.py", "tests/trials/test_declared.py"
OF_REPORTS = "tests/report/test_what_is_declared.py"
LOOK = (VALUES, DECLARED, OF_REPORTS, "tests/claims/engine/test_deciders.py")
"""These look at what modules define when they are imported."""

COMMANDS = ("tests/test_cli.py", "tests/test_cli_check.py", "tests/test_guard.py")
"""These run commands, and read what they print."""


class Room(NamedTuple):
    """Files and folders, those of their tests, and the least that the share of killed mutants is to be: the lower end of its
    interval. Of the tests it is those of the first tier that come to a changed line.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    wanted: float

    def files(self) -> list[str]:
        """The modules, relative to the project."""
        return [
            path.relative_to(ROOT).as_posix()
            for source in self.sources
            for path in sorted((ROOT / source).rglob("*.py") if (ROOT / source).is_dir() else [ROOT / source])
        ]


LAWS = tuple(f"harness/claims/{law}.py" for law in ("btt18/single_query", "btt18a/in_a_run", "btt18a/tables"))
"""What claims work out by themselves: of the rest of a paper's files most is words."""

SAMPLED = ("concepts", "covers", "scores", "analysts")

ROOMS = {
    "theory": Room(("harness/theory",), ("tests/theory", ROWS, VALUES, DECLARED), 0.9),
    "mechanisms": Room(
        ("harness/mechanisms", "harness/ballots.py"),
        ("tests/mechanisms", "tests/audits", "tests/test_ballots.py", ROWS, VALUES, DECLARED),
        0.9,
    ),
    "samplers": Room(
        tuple(f"harness/{room}" for room in SAMPLED), (*(f"tests/{room}" for room in SAMPLED), ROWS, VALUES, DECLARED), 0.9
    ),
    "trials": Room(("harness/trials",), ("tests/trials", "tests/audits", ROWS, VALUES), 0.9),
    "learners": Room(("harness/transfer",), ("tests/transfer", "tests/trials", ROWS, VALUES, DECLARED), 0.9),
    "claims": Room(("harness/claims/engine", *LAWS), ("tests/claims", VALUES), 0.85),
    "report": Room(("harness/report",), ("tests/report", *COMMANDS, "tests/audits/test_command.py", VALUES), 0.85),
}
