"""What sees a planted fault, claims, the comparison with the reference, the rules of rows or a test; and how that is told."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from harness.report.pair import Pair
from harness.report.regression import compare
from harness.report.verdicts import Evidence
from harness.trials import kinds

TESTS = Path(__file__).parents[1]
PROPERTY = "a planted fault"  # of a test's report, which travels from xdist's workers to where the summary is told
ERROR = 1e-8

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Its:
    """An argument of a test: what its own module calls so."""

    name: str


@dataclass(frozen=True)
class Failing:
    """A test of another file: its path below tests/, the function, and its arguments; one that needs no fixture."""

    file: str
    function: str
    arguments: tuple[Any, ...] = ()

    def run(self) -> None:
        """In this process, with its module read anew: under what is planted now. No simpler example is looked for."""
        location = spec_from_file_location(Path(self.file).stem, TESTS / self.file)
        assert location is not None and location.loader is not None
        module, profile = module_from_spec(location), settings.get_current_profile_name()
        settings.load_profile("first_failure")  # for the properties that are defined by the next line
        try:
            location.loader.exec_module(module)
        finally:
            settings.load_profile(profile)
        its = (getattr(module, each.name) if isinstance(each, Its) else each for each in self.arguments)
        getattr(module, self.function)(*its)

    def fails(self) -> bool:
        """Whether it does, by an assertion."""
        try:
            self.run()
        except AssertionError:
            return True
        except BaseExceptionGroup as several:  # hypothesis has found more than one
            return several.subgroup(AssertionError) is not None
        return False


def compared(clean: Sequence[Evidence], fresh: Sequence[Evidence]) -> set[str]:
    """What the comparison finds between tables with a fault and without, whose code is not the same."""
    pairs = [
        Pair(one.experiment, kinds()[one.kind], other.cells, one.cells, same=False, decided=True)
        for one, other in zip(clean, fresh, strict=True)
    ]
    found = compare(pairs, ERROR)
    return {change.result for each in found for change in each.changes} | {
        "lost rows" for each in found for line in each.lacking if line.startswith("fewer trials")
    }


def told(what: str, claims: Iterable[str], comparison: Iterable[str], rows: bool, test: bool) -> tuple[str, str]:
    """A line of the table of faults, as a property of a test's report."""
    layers = (", ".join(sorted(claims)), ", ".join(sorted(comparison)), "refused" * rows, "fails" * test)
    return PROPERTY, "\t".join((what, *(layer or "–" for layer in layers)))


def summary(lines: Iterable[str]) -> list[str]:
    """The table of faults: which layer saw which."""
    table = [("planted fault", "claims that turn", "comparison", "rows", "its test"), *(line.split("\t") for line in lines)]
    widths = [max(len(row[i]) for row in table) for i in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
