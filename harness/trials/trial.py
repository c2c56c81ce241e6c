"""A trial: draw queries and votes, let each mechanism answer, count."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from harness.concepts import Source
from harness.concepts.votes import Queries, Votes
from harness.mechanisms import mechanisms
from harness.mechanisms.answers import BOTTOM, UNANSWERED, Answers
from harness.trials.cell import Cell
from harness.trials.seeds import stream

Row = dict[str, Any]


def run_trial(cell: Cell, names: Sequence[str], seed: int, trial: int) -> list[Row]:
    """One row for each named mechanism, a pure function of the arguments but for `seconds`.

    The mechanisms share the queries, and the votes where they share k. Hard distributions size their atoms by each mechanism's
    own s: the queries' random numbers are then shared, and the queries as far as the atoms are.
    """
    queries: dict[Source, Queries] = {}
    votes: dict[tuple[Source, int], Votes] = {}
    rows = []
    for name in names:
        start = perf_counter()
        plan = cell.plan(name)
        source = cell.distribution.at(plan.s, cell.learner)
        if source not in queries:
            queries[source] = source.queries(cell.m, stream(cell.identity, seed, trial, "queries"))
        if (source, plan.k) not in votes:
            draw = source.full if cell.sampling == "full" else source.sufficient
            rng = stream(cell.identity, seed, trial, f"votes/{plan.k}")
            votes[source, plan.k] = draw(queries[source], plan.k, plan.s, rng)
        ballot = votes[source, plan.k]
        rng = stream(cell.identity, seed, trial, f"noise/{name}")
        answers = mechanisms()[name].answer(ballot, plan, cell.task, rng)
        rows.append(parameters(cell, name) | {"trial": trial} | counts(ballot, answers) | {"seconds": perf_counter() - start})
    return rows


def parameters(cell: Cell, name: str) -> Row:
    """The cell's parameters and what they resolve to for a mechanism; the same for every trial."""
    plan = cell.plan(name)
    return {
        "cell": cell.identity,
        "concept": cell.concept,
        "distribution": cell.distribution_name,
        "distribution_parameters": cell.distribution.model_dump_json(exclude_none=True),
        "learner": cell.learner,
        "sampling": cell.sampling,
        "constants": cell.constants,
        "pac_bound": cell.pac_bound,
        "V": cell.V,
        "m": cell.m,
        "eps": cell.eps,
        "delta": cell.delta,
        "beta": cell.beta,
        "gamma": cell.gamma,
        "alpha_target": cell.alpha,
        "mechanism": name,
        "n": plan.n,
        "k": plan.k,
        "s": plan.s,
        "alpha": plan.alpha,
        "T": plan.T,
        "lam": plan.lam,
        "w": plan.w,
        "bound": plan.bound,
        "vacuous": plan.vacuous,
    }


def counts(votes: Votes, answers: Answers) -> Row:
    """What the answers amount to. ⊥ and unanswered queries count as errors; `wrong` are labels given and wrong.

    `unstable`, on the learner's side, is the number of queries with more than k/3 wrong votes (BTT18 Lemma 3.3, ξ = 1/3).
    """
    m = len(answers.labels)
    bottoms = int(np.count_nonzero(answers.labels == BOTTOM))
    unanswered = int(np.count_nonzero(answers.labels == UNANSWERED))
    misclassified = int(np.count_nonzero(answers.labels != votes.truth))
    return {
        "answered": m - unanswered,
        "bottoms": bottoms,
        "wrong": misclassified - bottoms - unanswered,
        "misclassified": misclassified,
        "misclassification_rate": misclassified / m,
        "halted_at": answers.halted_at,
        "unstable": int(np.count_nonzero(3 * votes.wrong > votes.k)),
    }
