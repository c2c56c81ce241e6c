"""Claims about rates at several cells, which ask of trials no more than samples of columns: of a long table nothing is held."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from harness.claims.engine.claim import Decider, HeldQuestion, Question
from harness.claims.engine.verdict import Verdict
from harness.sweep.table.cells import Cells
from harness.sweep.table.samples import Sample, Sampler


class Sampled(Decider):
    """Decides by all rows of several cells, or the first of each mechanism and cell.
    sampler: finds what all trials of rows have.
    """

    def questions(self, rows: pd.DataFrame, sampler: Sampler = Sample.of) -> Iterable[pd.DataFrame]:
        return ()

    def decide(self, claim: str, rows: pd.DataFrame, error: float, sampler: Sampler = Sample.of) -> Verdict:
        return super().decide(claim, rows, error)

    def questions_to(self, cells: Cells, meeting: Sequence[int]) -> Iterable[Question]:
        if not cells.far:
            return super().questions_to(cells, meeting)
        heads = cells.heads.iloc[[*meeting]]
        return (SampledQuestion(self, rows, cells) for rows in self.questions(heads, cells.sample))


@dataclass(frozen=True)
class SampledQuestion(HeldQuestion):
    """A question to several cells of a long table. rows: the first row of each cell."""

    decider: Sampled
    cells: Cells

    def decide(self, claim: str, error: float) -> Verdict:
        return self.decider.decide(claim, self.rows, error, self.cells.sample)
