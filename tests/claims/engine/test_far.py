"""Cells whose rows are read piece by piece have the verdicts of those that are held."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.claims.engine import Certain, Claim, Decider, Law, Limit, Never, Probability, among
from harness.claims.engine.claim import FarQuestion
from harness.claims.engine.common import Spends
from harness.claims.engine.event_seen import FarSeen
from harness.claims.registry import claims
from harness.sweep.table.cells import Cells
from harness.sweep.table.samples import Sample
from tests.claims.engine.test_agreement import rows as audits
from tests.claims.engine.test_exponents import claim as powers
from tests.claims.engine.test_exponents import sweep

ABOUT = (among("mechanism", "ours"),)
DECIDERS: dict[str, Decider] = {
    "certain": Certain((Limit("rate", 0.5), Limit("bad", 0))),
    "probability": Probability((Limit("rate", "bound", unit=0.01), Limit("bad", "most")), may_fail="beta"),
    "never": Never((Limit("bad", 0),), may_fail="beta"),
    "law": Law((Limit("twice", 0, of=lambda rows: 2 * rows["bad"], reads=("bad",)),), may_fail="beta"),
    "vacuous": Probability((Limit("rate", 2.0, trivial=1.0),), may_fail="beta"),
    "spends": Spends((Limit("rate", "bound"),), by_event=True),
}


class InPieces(Cells):
    """Rows that are read four at a time, of the columns that are named alone."""

    far = True

    def pieces_of(self, number: int, names: Sequence[str] = ()) -> Iterator[pd.DataFrame]:
        rows = self.rows(number)
        columns = [*names] or [*rows]
        for begin in range(0, len(rows), 4):
            yield rows[columns].iloc[begin : begin + 4]

    def sample(self, rows: pd.DataFrame, column: str) -> Sample:
        return Sample.of(self.frame[self.frame["cell"].isin(rows["cell"])], column)


def trials() -> pd.DataFrame:
    """Of two cells, with some that fail in the second one."""
    rng = np.random.default_rng(5)
    numbers = {"mechanism": "ours", "bad": 0, "bound": 0.5, "most": 0.5, "beta": 0.2, "eps": 0.1}
    rates = {"a": rng.uniform(0, 0.4, 30), "b": rng.uniform(0, 0.6, 30)}
    frames = [pd.DataFrame({"cell": cell, "trial": range(30), "rate": rate} | numbers) for cell, rate in rates.items()]
    frame = pd.concat(frames, ignore_index=True).assign(spent_lower=0.05)
    frame.loc[[37, 52], ["bad", "spent_lower"]] = 1
    return frame


@pytest.mark.parametrize("name", DECIDERS)
def test_an_event_finds_in_pieces_what_it_finds_in_all_rows(name: str) -> None:
    claim, frame = Claim("PAPER:T1", "PAPER Theorem 1", "So it is.", DECIDERS[name], ABOUT), trials()
    near, far = claim.questions(frame), claim.questions(InPieces(frame))
    assert len(near) == len(far) == 2 and all(isinstance(question, FarQuestion) for question in far)
    for held, read in zip(near, far, strict=True):
        assert read.random == held.random == (DECIDERS[name].kind == "probability" and name != "vacuous")
        seen: Any = read.near
        assert isinstance(seen, FarSeen) and seen.pieces is seen.pieces and seen.near is seen and held.near is held
        assert claim.decide(read, 1e-3) == claim.decide(held, 1e-3)


@pytest.mark.parametrize(
    ("claim", "frame"), [(claims()["audit"], audits(0.08, 0.01)), (powers(0.5), sweep(0.5, trials=8))], ids=["audits", "powers"]
)
def test_others_take_the_same_rows_or_samples_of_them(claim: Claim, frame: pd.DataFrame) -> None:
    rows = frame.assign(trial=frame.groupby("cell").cumcount())
    (held,), (read,) = claim.questions(rows), claim.questions(InPieces(rows))
    assert read.random and held.random and claim.decide(read, 1e-3) == claim.decide(held, 1e-3)
