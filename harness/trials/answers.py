"""Answers to classification queries: draw queries and votes, let each mechanism answer, count."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from harness.concepts import Source
from harness.concepts.votes import Queries, Votes
from harness.mechanisms import mechanisms
from harness.mechanisms.answers import BOTTOM, UNANSWERED, Answers
from harness.trials.cell import Cell
from harness.trials.kind import Kind, Row
from harness.trials.problem import MAX_N
from harness.trials.seeds import stream


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
        source = cell.source(name)
        if source not in queries:
            queries[source] = source.queries(cell.m, stream(cell.identity, seed, trial, "queries"))
        if (source, plan.k) not in votes:
            rng = stream(cell.identity, seed, trial, f"votes/{plan.k}")
            votes[source, plan.k] = getattr(source, cell.sampling)(queries[source], plan.k, plan.s, rng)
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
        "concept": cell.concept_class.name,
        "concept_parameters": cell.concept_class.model_dump_json(),
        "distribution": cell.distribution_name,
        "distribution_parameters": cell.distribution.model_dump_json(exclude_none=True),
        "learner": str(cell.learner),
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
        "T_target": cell.T,
        "k_scale": cell.k_scale,
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

    On the learner's side, `unstable` is the number of queries with more than k/3 wrong votes (BTT18 Lemma 3.3, ξ = 1/3), and
    `max_mistakes` the largest number B of queries that any one of the k classifiers gets wrong, where the sampler knows it.
    `share_of_3B` is the former over 3B, below 1 by the lemma, where B > 0.
    `stable_failed` counts the other, stable queries that were not answered right. `fresh_error`, `eps_data_dependent`: see
    `Answers`; `tv_budget`: see `Votes`.
    """
    m = len(answers.labels)
    right = answers.labels == votes.truth
    unstable = 3 * votes.wrong > votes.k
    unstable_count, most = int(np.count_nonzero(unstable)), votes.max_mistakes
    bottoms = int(np.count_nonzero(answers.labels == BOTTOM))
    unanswered = int(np.count_nonzero(answers.labels == UNANSWERED))
    misclassified = m - int(np.count_nonzero(right))
    return {
        "answered": m - unanswered,
        "bottoms": bottoms,
        "wrong": misclassified - bottoms - unanswered,
        "misclassified": misclassified,
        "misclassification_rate": misclassified / m,
        "halted_at": answers.halted_at,
        "unstable": unstable_count,
        "stable_failed": int(np.count_nonzero(~(right | unstable))),
        "max_mistakes": most,
        "share_of_3B": unstable_count / (3 * most) if most else None,
        "tv_budget": votes.tv_budget,
        "fresh_error": answers.fresh_error,
        "eps_data_dependent": answers.eps_data_dependent,
    }


def refuse(cell: Cell, name: str) -> tuple[str, str] | None:
    """Why a mechanism cannot run on a cell: too many labels, too few examples for its chunks, or what the cell refuses."""
    concept = cell.concept_class
    if concept.label_count > 2 and getattr(mechanisms()[name], "binary", False):
        allowed = ", ".join(other for other, each in mechanisms().items() if not getattr(each, "binary", False))
        return f"{name} is for two labels, {concept.name} has {concept.label_count} here; allowed: {allowed}", "mechanisms"
    plan = cell.plan(name)
    size = "n" if cell.n is not None else "alpha" if cell.alpha is not None else "T"
    if cell.solved.n > MAX_N:
        return f"this needs n = {float(cell.solved.n):.3g}; allowed: n ≤ {MAX_N:g}", size
    if plan.s < 1:
        what = f"n = {plan.n} is less than the k = {plan.k} chunks of {name} at m = {cell.m}, eps = {cell.eps:g}"
        return f"{what}; allowed: n ≥ {plan.k}", size
    return cell.refuse(name)


COLUMNS = {
    "text": "concept concept_parameters distribution distribution_parameters learner sampling constants pac_bound",
    "whole": "V m n k s answered bottoms wrong misclassified unstable stable_failed",
    "whole?": "halted_at max_mistakes",
    "real": "eps delta beta gamma k_scale alpha misclassification_rate tv_budget",
    "real?": "alpha_target T_target T lam w bound share_of_3B fresh_error eps_data_dependent",
    "truth": "vacuous",
}

KIND = Kind(
    name="answers",
    cell=Cell,
    subjects=lambda: list(mechanisms()),
    columns={name: what for what, names in COLUMNS.items() for name in names.split()},
    refuse=refuse,
    run=run_trial,
    measured=(
        "misclassification_rate",
        "wrong",
        "bottoms",
        "unstable",
        "stable_failed",
        "max_mistakes",
        "share_of_3B",
        "fresh_error",
        "eps_data_dependent",
    ),
    parameters=parameters,
)
