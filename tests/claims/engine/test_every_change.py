"""`--with`, for every constant and every claim: rows at a changed constant are judged, and what is said of them is shown."""

import io

import pandas as pd
import pytest
from rich.console import Console

from harness.claims.registry import claims
from harness.report.constants import known_sets
from harness.report.show import summarise
from harness.report.verdicts import Evidence, Finding, judge, untold
from harness.sweep.errors import InputError
from harness.sweep.spec import WITH as ASKED
from harness.sweep.spec import Sweep
from harness.sweep.table.cells import Cells
from harness.sweep.table.table import Table
from harness.theory.factors import WITH, Changeable, ConstantValues, with_changes
from harness.trials import kinds
from harness.trials.changes import own_factors
from tests.support import committed
from tests.support.committed import ROOT, content

CELLS, TRIALS = 12, 2
"""So many of a table's are looked at."""

SPECS = {path.stem: content(path) for path in committed.SPECS}
ASKING = [name for name, spec in SPECS.items() if spec.get("claims") and (ROOT / "results" / f"{name}.parquet").exists()]


def test_every_claim_with_a_change_is_another_of_which_nothing_is_expected() -> None:
    """Those that are refuted as printed too, and say why."""
    for name, claim in claims().items():
        changed = claim.with_change(ConstantValues((("c_k", 10.0),)))
        assert (changed.id, changed.expected, changed.why) == (f"{name}{WITH}c_k = 10", None, "")
        assert (changed.nature, changed.of, changed.quote) == (claim.nature, claim.of, claim.quote)


FAMILIES = {"soft_labels": "scores", "tracing_scores": "scores", "release": "release"}
"""What the sets of a kind of trial are for, where it is not labels."""

QUICK = ("release_lemma7", "soft_label_unstable", "utility_printed", "privacy_grid", "small_beta", "least_k", "tracing_scores")


@pytest.mark.at_once("tracing_scores", "small_beta", "least_k")
@pytest.mark.parametrize("name", [each if each in QUICK else pytest.param(each, marks=pytest.mark.law) for each in ASKING])
def test_the_rows_of_every_table_are_judged_at_every_constant(name: str) -> None:
    """Its own claims on a few of its rows, under the name of every set that has one constant changed to twice its value."""
    frame = Table.read(ROOT / "results" / f"{name}.parquet").frame()
    changed = at_every_constant(few(frame))
    listed = SPECS[name]["claims"]
    table = Evidence(name, SPECS[name].get("kind", "answers"), Cells(pd.concat([few(frame), *changed])), listed)
    found = judge([table], theory=untold)
    assert {each.claim.id.partition(WITH)[0] for each in found} <= set(listed)
    assert all(each.as_expected for each in found if WITH in each.claim.id)
    shown(found)


def few(frame: pd.DataFrame) -> pd.DataFrame:
    """The first trials of the first cells."""
    first = frame[frame["cell"].isin(frame["cell"].unique()[:CELLS])]
    return first.groupby(["cell", "mechanism"], sort=False).head(TRIALS).reset_index(drop=True)


def at_every_constant(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """The same rows for every constant that can be changed in any of their sets."""
    found = []
    for column in ("constants", "mechanism"):
        for base in frame[column].unique() if column in frame else ():
            for known in sets(str(base)):
                values = {each.name: 2 * known.values[each] for each in known.factors if not each.only}
                values |= {each.name: 2 * each.printed for each in own_factors()} if column == "constants" else {}
                for constant, value in values.items():
                    own = frame[frame[column] == base]
                    found.append(own.assign(**{column: with_changes(str(base), {constant: value})}))
    return found


def sets(name: str) -> list[Changeable]:
    """Those of that name, whatever they are for."""
    return [known[name] for known in known_sets().values() if name in known]


def shown(found: list[Finding]) -> None:
    """What the command does with them."""
    said = io.StringIO()
    summarise(Console(file=said, width=200), found, 1e-3)
    assert said.getvalue()


@pytest.mark.at_once("privacy_grid", "tracing_scores", "small_beta")
@pytest.mark.parametrize("name", QUICK)
def test_a_spec_can_be_asked_for_at_every_constant(name: str) -> None:
    """As `harness run --with` reads it; a constant that is none of all of its sets is refused, and no other."""
    path, frame = ROOT / "experiments" / f"{name}.yaml", Table.read(ROOT / "results" / f"{name}.parquet").frame()
    kind = SPECS[name].get("kind", "answers")
    column = "mechanism" if kinds()[kind].sets() and "constants" not in frame else "constants"
    if column not in frame:
        with pytest.raises(InputError, match="have no constants"):
            Sweep(path, {f"{ASKED}c_k": "10"})
        return
    known = known_sets()[FAMILIES.get(kind, "answering")]
    tried = [known[str(base).partition(WITH)[0]] for base in frame[column].unique() if str(base).partition(WITH)[0] in known]
    common = [{each.name for each in one.factors if not each.only} for one in tried]
    for constant in sorted(set.intersection(*common)):
        sweep = Sweep(path, {f"{ASKED}{constant}": "123"})
        assert any(f"{constant} = 123" in str(value) for cell in sweep.cells for _, value in dict(cell).items()) or any(
            f"{constant} = 123" in each for each in sweep.spec.mechanisms
        )
