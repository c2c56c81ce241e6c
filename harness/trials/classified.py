"""What one classifier says to m queries: given its error, each is answered wrong with that chance, independently."""

from dataclasses import replace
from functools import cache

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms.answering.answers import Answers, winners
from harness.mechanisms.classifying import classifiers
from harness.trials.cell import Cell
from harness.trials.seeds import BlockStreams


def classified(cell: Cell, name: str, streams: BlockStreams) -> tuple[Ballot, Answers]:
    """Runs a classifier in a block of trials: its answers, and a ballot of one voter: how many queries are right and wrong.

    Its error is known, so `fresh_error` is no estimate here.
    """
    classifier = classifiers()[name]

    @cache
    def stream(purpose: str) -> np.random.Generator:
        return streams(f"{purpose}/{classifier.key}")

    sampler, plan, trials = cell.sampler(name), cell.plan(name), cell.block
    error = np.array([classifier.error(sampler, plan, cell.task, stream) for _ in range(trials)])
    wrong = stream("queries").binomial(cell.m, np.minimum(1.0, error))
    ballot = Ballot(
        np.repeat(np.eye(2, dtype=np.int64), trials, axis=1),
        1,
        np.zeros(2 * trials, dtype=np.int8),
        np.append(cell.m - wrong, wrong),
        wrong,
        trial=np.tile(np.arange(trials), 2),
        trials=trials,
    )
    return ballot, replace(winners(ballot), fresh=lambda: error)
