"""What one classifier says to m queries: given its error, each is answered wrong with that chance, independently."""

from dataclasses import replace

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms.answering.answers import Answers, winners
from harness.mechanisms.classifying import classifiers
from harness.trials.cell import Cell
from harness.trials.seeds import stream


def classified(cell: Cell, name: str, seed: int, trial: int) -> tuple[Ballot, Answers]:
    """Its answers, as a ballot with one voter: queries that are answered right, and queries that are not.

    Its error is known, so `fresh_error` is no estimate here.
    """
    classifier = classifiers()[name]

    def streams(purpose: str) -> np.random.Generator:
        return stream(cell.identity, seed, trial, f"{purpose}/{classifier.key}")

    error = classifier.error(cell.sampler(name), cell.plan(name), cell.task, streams)
    wrong = int(streams("queries").binomial(cell.m, min(1.0, error)))
    ballot = Ballot(np.eye(2, dtype=np.int64), 1, np.zeros(2, dtype=np.int8), np.array([cell.m - wrong, wrong]), wrong)
    return ballot, replace(winners(ballot), fresh=lambda: error)
