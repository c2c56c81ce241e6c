"""How a table stands to a spec, counted again by hand. About two seconds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.sweep.run import run as run_module
from harness.sweep.run.batches import Serial
from harness.sweep.run.provenance import provenance
from harness.sweep.run.run import enough, run_sweep, wanted
from harness.sweep.run.spec_match import spec_match
from harness.sweep.run.store import Store
from harness.sweep.spec import Sweep
from harness.sweep.table.cells import Cells
from harness.sweep.table.table import Table
from tests.support.project import Project, Quiet

MECHANISMS = ("A_binClas", "noisy_majority", "majority")
MS = (20, 30, 50)
ROWS = 5 * len(MS) * len(MECHANISMS)


@pytest.fixture(scope="module")
def whole(module_project: Project) -> Iterator[tuple[Project, Table]]:
    """Of three cells five trials of three mechanisms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(module_project.root)
        sweep = module_project.sweep(m=str(list(MS)), trials="5", mechanisms=f"[{', '.join(MECHANISMS)}]", learner="leftmost")
        store = Store(Path("runs"), sweep.name, provenance(sweep))
        yield module_project, run_sweep(sweep, store, Serial(), Quiet(), False, 1.0).table


@pytest.mark.law
@given(
    ms=st.sets(st.sampled_from(MS), min_size=1),
    mechanisms=st.sets(st.sampled_from(MECHANISMS), min_size=1),
    trials=st.integers(1, 7),
    kept=st.lists(st.booleans(), min_size=ROWS, max_size=ROWS),
)
def test_any_rows_stand_to_any_spec_as_counting_says(
    whole: tuple[Project, Table], ms: set[int], mechanisms: set[str], trials: int, kept: list[bool]
) -> None:
    project, table = whole
    sweep = project.sweep(
        m=str(sorted(ms)), trials=str(trials), mechanisms=f"[{', '.join(sorted(mechanisms))}]", learner="leftmost"
    )
    part = Table(table.rows.filter(pa.array(kept)), table.provenance)
    rows: list[dict[str, Any]] = part.rows.to_pylist()

    found = spec_match(sweep, part)

    there = {(row["m"], row["mechanism"], row["trial"]) for row in rows if row["trial"] < trials}
    counts = {m: min(sum((m, name, trial) in there for trial in range(trials)) for name in mechanisms) for m in ms}
    assert (found.there, found.wanted) == (sum(counts.values()), trials * len(ms))
    assert found.whole == all((m, name, t) in there for m in ms for name in mechanisms for t in range(trials))
    strange = {row["m"] for row in rows} - ms or {row["mechanism"] for row in rows} - mechanisms
    assert bool(found.strange) == bool(strange)
    lacking = sum((m, name) not in {place[:2] for place in there} for m in ms for name in mechanisms)
    assert bool(found.lacking) == bool(lacking)
    assert bool(found.differences) == bool(found.strange or found.lacking or not found.whole)


def test_what_a_table_says_of_its_making_is_told_in_visible_characters(project: Project) -> None:
    table = project.run(project.sweep()).table
    said = {"experiment": "\x1b]0;you are owned\x07", "set": {"title": "a\nb\u202e", "trials": "\x1b[2J"}}
    found = spec_match(project.sweep(trials="9"), Table(table.rows, table.provenance | said))
    assert found.differences.startswith("it has 16 of 36 trials (made by ") and found.differences.isprintable()
    assert found.made.isprintable() and "--set" in found.made and "--trials" in found.made


def test_the_spec_as_it_was_read_says_what_a_table_has_to_be(project: Project) -> None:
    """Not as it is on disk by now."""
    sweep = project.sweep()
    table = project.run(sweep).table
    project.spec(m="[30, 40]")
    assert not spec_match(sweep, table).differences
    assert spec_match(Sweep(sweep.path), table).strange


@pytest.mark.parametrize(("decided_at", "there"), [(4, True), (8, True), (32, False), (100, True)])
def test_one_look_tells_a_whole_table_and_no_other(
    project: Project, monkeypatch: pytest.MonkeyPatch, decided_at: int, there: bool
) -> None:
    """Of a cell of 16 trials, decided at so many: as whole as all looks say it is; or of 50, the most that there may be."""
    looks: list[int] = []

    def decided(sweep: Sweep, cells: Cells) -> bool:
        looks.append(len(cells.frame))
        return len(cells.frame) >= decided_at

    monkeypatch.setattr("harness.sweep.spec.FIRST_LOOK", 4)
    monkeypatch.setattr(run_module, "decided", decided)
    trials = 16 if decided_at < 50 else 50
    table = project.run(project.sweep(m="20", trials=str(trials), mechanisms="[A_binClas]", learner="leftmost")).table
    sweep = project.sweep(m="20", trials="{until: decided, max: 50}", mechanisms="[A_binClas]", learner="leftmost")
    asked = sum(wanted(sweep, table).values())
    looks.clear()
    found = enough(sweep, table.cells)
    assert (found is not None) == there == (asked <= trials)
    assert found is None or asked <= sum(found.values()) <= trials
    assert looks == ([16] if trials == 16 else [])
