"""What queries with evenly split votes show of a mechanism's randomness, which decides nothing where votes agree."""

import numpy as np

from harness.ballots import Ballot
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.answers import Answers
from harness.theory.constants import constants
from harness.theory.parameters import Task
from harness.theory.plan import Plan
from harness.trials.seeds import BlockStreams

RUNS, QUERIES = 60, 40


def randomness_told(mechanism: Answering[Plan], task: Task, n: int) -> list[str]:
    """Complaints about a mechanism's randomness, in words: noise that several queries share, and state from run to run.

    QUERIES queries of each of two types have votes that are split evenly between two labels, in RUNS runs. Where each query has
    noise of its own, whatever its law, all of a type get the same label in every run, and another one in some, with probability
    at most 10⁻¹⁰. A mechanism that gives all of them ⊥, or one label always, is not told. A run that is repeated with the same
    stream is the same where nothing but that stream is random and nothing is kept.
    """
    plan = mechanism.plan(constants()["BTT18"], task, n)
    half = plan.k // 2
    counts = np.array([[plan.k - half, half], [half, plan.k - half]])
    ballot = Ballot(counts, plan.k, np.zeros(2, dtype=np.int8), np.full(2, QUERIES))

    def run(number: int) -> Answers:
        return mechanism.answer(ballot, plan, task, BlockStreams("tied", 0, number)("noise"))

    labels = np.array([run(number).given for number in range(RUNS)])
    again = np.array([run(number).given for number in reversed(range(RUNS))])[::-1]
    alike = bool(np.isin(labels, (0, QUERIES)).all() and (labels.sum(axis=1) == QUERIES).all())
    faults = []
    if alike and (labels != labels[0]).any():
        faults.append(
            f"all {QUERIES} queries with the same votes get one label in each of {RUNS} runs, and not always the same"
        )
    if (labels != again).any():
        faults.append(
            "a run that is repeated with the same random stream is another: state is kept, or other randomness is drawn"
        )
    return faults
