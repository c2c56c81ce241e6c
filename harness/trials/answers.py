"""Answers to classification queries: draw queries and votes, let each mechanism answer, count."""

from collections.abc import Iterator, Mapping
from math import isfinite

import numpy as np

from harness.ballots import Ballot, Queries
from harness.concepts import Sampler
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.classifying import classifiers
from harness.refusal import Refusal
from harness.theory.constants import constants
from harness.theory.factors import set_named
from harness.theory.plan import Plan
from harness.trials.cell import Cell
from harness.trials.classified import classified
from harness.trials.columns import (
    ALPHA,
    BETA,
    DELTA,
    EPS,
    GAMMA,
    K_SCALE,
    SPENT,
    TEXTS,
    TV_BUDGET,
    VACUOUS,
    Column,
    K,
    M,
    N,
    S,
    T,
    V,
)
from harness.trials.concept_cell import MAX_N
from harness.trials.kind import NULL, Columns, Kind, Measure, Promise, Row
from harness.trials.rules import Rule, at_most, chunks_of_n, close, no_more, vacuous_without
from harness.trials.seeds import BlockStreams

MOST_DRAWN = 10**9  # queries that are drawn one by one


def measure(cell: Cell, streams: BlockStreams) -> Measure:
    """Draws a block of `cell.block` trials: the mechanisms share the queries, and the votes where they share k.

    Hard distributions size their atoms by each mechanism's own s: the queries' random numbers are then shared, and the queries
    as far as the atoms are.
    """
    ballots: dict[tuple[Sampler, int], Ballot] = {}
    shared_queries: dict[tuple[Sampler, int, int], Queries] = {}

    def answered(name: str) -> Columns:
        if name in classifiers():
            return counts(*classified(cell, name, streams))
        plan, sampler, mechanism = cell.plan(name), cell.sampler(name), mechanisms()[name]
        if (sampler, plan.k) not in ballots:
            ballots[sampler, plan.k] = drawn(cell, sampler, plan, streams, shared_queries)
        ballot = ballots[sampler, plan.k]
        return counts(ballot, mechanism.answer_block(ballot, plan, cell.task, streams(f"noise/{mechanism.key}")))

    return answered


def drawn(
    cell: Cell, sampler: Sampler, plan: Plan, streams: BlockStreams, shared_queries: dict[tuple[Sampler, int, int], Queries]
) -> Ballot:
    """Draws a plan's queries and votes in a block. shared_queries: a cache of queries by (sampler, k, s), to be added to."""
    k, s = plan.k, plan.s
    for_queries, for_votes = streams("queries"), streams(f"votes/{k}")
    if cell.sample.at_once(sampler, cell.m, k, s) < cell.block:
        return Ballot.of_trials(list(ballots(cell, sampler, plan, cell.block, for_queries, for_votes)))
    one_by_one = cell.sample.singles(sampler, cell.m, k, s) >= cell.m
    key = (sampler, 0, 0) if one_by_one else (sampler, k, s)
    if key not in shared_queries:
        shared_queries[key] = cell.sample.queries(sampler, cell.m, k, s, cell.block, for_queries)
    return cell.sample.votes(sampler, shared_queries[key], k, s, for_votes)


def ballots(
    cell: Cell,
    sampler: Sampler,
    plan: Plan,
    trials: int,
    for_queries: np.random.Generator,
    for_votes: np.random.Generator,
) -> Iterator[Ballot]:
    """Draws the votes of a plan's classifiers in `trials` trials, as many of them at once as memory allows."""
    at_once = cell.sample.at_once(sampler, cell.m, plan.k, plan.s)
    for done in range(0, trials, at_once):
        queries = cell.sample.queries(sampler, cell.m, plan.k, plan.s, min(at_once, trials - done), for_queries)
        yield cell.sample.votes(sampler, queries, plan.k, plan.s, for_votes)


def resolved(cell: Cell, name: str) -> Row:
    """The numbers that a cell's parameters come to for a mechanism, by column: n, k, s, α, noise, bound and spent ε."""
    plan, noise = cell.plan(name), cell.plan(name).noise
    return {
        "n": plan.n,
        "k": plan.k,
        "s": plan.s,
        "alpha": plan.alpha,
        "bound": plan.bound,
        "vacuous": plan.vacuous,
        **{name: noise.get(name) for name in ("T", "lam", "w", *(column.name for column in NOISE))},
        "spent": plan.spent if isfinite(plan.spent) else None,
    }


def counts(ballot: Ballot, answers: Answers) -> Columns:
    """Counts of a block's answers, by column. ⊥ and unanswered queries count as errors; `wrong` are labels given and wrong.

    On the learner's side, `unstable` is the number of queries with more than k/3 wrong votes (BTT18 Lemma 3.3, ξ = 1/3), and
    `max_mistakes` the largest number B of queries that any one of the k classifiers gets wrong, where the sampler knows it.
    `share_of_3B` is the former over 3B, below 1 by the lemma, where B > 0.
    `stable_failed`: stable queries not answered right. `fresh_error`, `eps_data_dependent`: `Answers`; `tv_budget`: `Ballot`.
    """
    answers.refuse_strange(ballot)
    m, nothing = ballot.m, np.zeros(ballot.trials, dtype=np.int64)
    lost = ballot.sizes - ballot.of_truth(answers.given)
    misclassified = ballot.sums(lost)
    bottoms, unanswered = (nothing if each is None else ballot.sums(each) for each in (answers.bottoms, answers.unanswered))
    unstable = 3 * ballot.wrong > ballot.k
    unstable_count, most = ballot.number(unstable), ballot.max_mistakes
    with np.errstate(divide="ignore", invalid="ignore"):
        share_of_3B = None if most is None else np.where(np.equal(most, 0), np.nan, unstable_count / np.multiply(3, most))
    return {
        "answered": m - unanswered,
        "bottoms": bottoms,
        "wrong": misclassified - bottoms - unanswered,
        "misclassified": misclassified,
        "misclassification_rate": misclassified / m,
        "halted_at": np.where(unanswered > 0, m - unanswered, NULL),
        "unstable": unstable_count,
        "stable_failed": misclassified - ballot.sums(lost, unstable),
        "max_mistakes": most,
        "share_of_3B": share_of_3B,
        "tv_budget": ballot.tv_budget,
        "fresh_error": answers.fresh,
        "eps_data_dependent": answers.eps_by_votes,
    }


def refuse(cell: Cell, name: str) -> Refusal | None:
    """Why a mechanism cannot run on a cell: too many labels, too few examples for its chunks, or what the cell refuses."""
    concept = cell.concept_class
    if concept.label_count > 2 and name in mechanisms() and mechanisms()[name].binary:
        what = f"{name} is for two labels, {concept.name} has {concept.label_count} here"
        allowed = ", ".join(other for other, each in mechanisms().items() if not each.binary)
        return Refusal(f"{what}; allowed: {allowed}", "mechanisms")
    plan = cell.plan(name)
    size = "n" if cell.n is not None else "alpha" if cell.alpha is not None else "T"
    if cell.solved.n > MAX_N:
        return Refusal(f"this needs n = {float(cell.solved.n):.3g}; allowed: n ≤ {MAX_N:g}", size)
    if plan.s < 1:
        what = f"n = {plan.n} is less than the k = {plan.k} chunks of {name} at m = {cell.m}, eps = {cell.eps:g}"
        return Refusal(f"{what}; allowed: n ≥ {plan.k}", size)
    refusal = cell.refuse(name)
    if refusal is not None or name in classifiers():
        return refusal or classifiers()[name].refuse(cell.sampler(name), cell.m)
    if singles(cell, name) > MOST_DRAWN:
        drawn = f"{singles(cell, name):.3g} of the m = {cell.m:.3g} queries would be drawn one by one"
        what = f"{drawn}: chunks of s = {plan.s} may differ on them"
        return Refusal(f"{what}; allowed: {MOST_DRAWN:g} of them, with a smaller m or a larger n", "m")
    return None


def singles(cell: Cell, name: str) -> float:
    """About how many queries a trial draws one by one; called where a mechanism can run on the cell."""
    if name in classifiers():
        return 0
    plan = cell.plan(name)
    return cell.sample.singles(cell.sampler(name), cell.m, plan.k, plan.s)


def origins(row: Row) -> Mapping[str, str]:
    """Where the plan's numbers in a row come from, in words, by column."""
    if row["T_target"] is not None:
        n = "as many as there are chunks at the T of the spec" if row["n"] == row["k"] else "set by the spec"
        T = "set by the spec"
    elif row["alpha_target"] is not None:
        n, T = f"ks at the α = {row['alpha_target']:g} of the spec", "3B(α)"
    else:
        n, T = "set by the spec", "3B(α), the least fixed point of α → T → k → α"
    scaled = f", times {row['k_scale']:g}" if row["k_scale"] != 1 else ""
    of_constants = f" at the constants {row['constants']} ({set_named(row['constants'], constants()).source}){scaled}"
    classifier = mechanisms().get(row["mechanism"])
    needs = (
        f"what {classifier.source} needs{of_constants if classifier.takes == 'constants' else ''}"
        if classifier
        else "one classifier, of all examples"
    )
    return {
        "n": n,
        "k": needs,
        "alpha": f"{row['pac_bound']} PAC bound",
        "T": T,
        "bound": "T/m" if row["T"] is not None else "3B(α)/m",
    }


NOISE = (
    Column("eps0", "real", "plan", "ε that a query may spend", "ε₀", null=True),
    Column("sigma", "real", "plan", "noise on a gap or on a count", "σ", unit="votes", null=True),
    Column("sigma_check", "real", "plan", "noise of the test before an answer", "σ₁", unit="votes", null=True),
    Column("threshold", "real", "plan", "what the test before an answer must pass", "Γ", unit="votes", null=True),
)
"""What mechanisms that pay for every query draw their noise with."""

COLUMNS = (
    *TEXTS,
    *(V, M, N, K, S),
    Column("answered", "whole", "measured", "queries answered, ⊥ included", unit="queries"),
    Column("bottoms", "whole", "measured", "queries answered ⊥", unit="queries", worse=True, bound="T"),
    Column("wrong", "whole", "measured", "labels given and wrong", unit="queries", worse=True),
    Column("misclassified", "whole", "measured", "errors: ⊥, wrong and unanswered", unit="queries"),
    Column(
        "unstable", "whole", "votes", "queries with more than k/3 wrong votes (BTT18 Lemma 3.3)", unit="queries", worse=True
    ),
    Column(
        "stable_failed",
        "whole",
        "measured",
        "stable queries not answered right",
        unit="queries",
        title="stable query not answered right",
        worse=True,
    ),
    Column("halted_at", "whole", "measured", "queries answered before the early halt", unit="queries", null=True),
    Column(
        "max_mistakes",
        "whole",
        "votes",
        "B, most queries that any one of the k classifiers gets wrong",
        unit="queries",
        null=True,
        title="most mistakes of any one hypothesis",
        worse=True,
    ),
    *(EPS, DELTA, BETA, GAMMA, K_SCALE),
    ALPHA.but(role="plan", meaning="what a learner's error passes with probability at most β/k", caption=False),
    Column(
        "misclassification_rate",
        "real",
        "measured",
        "misclassified, as a share of m",
        title="misclassification rate (⊥ counts)",
        worse=True,
        of="m",
        bound="bound",
    ),
    TV_BUDGET,
    ALPHA.but(name="alpha_target", axis="alpha", null=True, caption=False),
    T.but(name="T_target", role="parameter", meaning="cutoff that is given", axis="T", null=True, caption=True),
    T.but(null=True),
    Column("lam", "real", "plan", "noise scale, from T, ε and δ", "λ", unit="votes", null=True),
    Column("w", "real", "plan", "threshold before noise, from λ, m and δ", "w", unit="votes", null=True),
    Column("bound", "real", "claimed", "claimed misclassification rate", null=True),
    Column(
        "share_of_3B",
        "real",
        "votes",
        "unstable as a share of 3B, below 1 by Lemma 3.3",
        null=True,
        title="queries with > k/3 wrong votes / 3B",
        worse=True,
        null_best=True,
    ),
    Column(
        "fresh_error",
        "real",
        "measured",
        "estimate of the error on a fresh query, ⊥ a label at random",
        null=True,
        title="error on a fresh query",
        worse=True,
        of="m",
    ),
    Column(
        "eps_data_dependent",
        "real",
        "measured",
        "ε by an accounting that looks at the votes, and so cannot be released",
        null=True,
        worse=True,
    ),
    VACUOUS,
    *NOISE,
    SPENT,
)

RULES = (
    Rule(
        "misclassified = wrong + bottoms + m − answered",
        ("misclassified", "wrong", "bottoms", "m", "answered"),
        lambda misclassified, wrong, bottoms, m, answered: misclassified == wrong + bottoms + m - answered,
    ),
    Rule(
        "misclassification_rate = misclassified / m",
        ("misclassification_rate", "misclassified", "m"),
        lambda rate, misclassified, m: close(rate, misclassified / m),
    ),
    Rule(
        "wrong + bottoms ≤ answered ≤ m",
        ("wrong", "bottoms", "answered", "m"),
        lambda wrong, bottoms, answered, m: (wrong + bottoms <= answered) & (answered <= m),
    ),
    Rule(
        "halted_at = answered where that is less than m, else null",
        ("halted_at", "answered", "m"),
        lambda halted_at, answered, m: np.where(answered < m, halted_at == answered, np.isnan(halted_at)),
        nulls=True,
    ),
    Rule(
        "stable_failed ≤ misclassified, and ≤ m − unstable",
        ("stable_failed", "misclassified", "m", "unstable"),
        lambda failed, misclassified, m, unstable: (failed <= misclassified) & (failed <= m - unstable),
    ),
    no_more("max_mistakes", "m"),
    Rule(
        "share_of_3B = unstable / (3 max_mistakes), null where that is null or 0",
        ("share_of_3B", "unstable", "max_mistakes"),
        lambda share, unstable, most: np.where(most > 0, close(share, unstable / (3 * np.maximum(most, 1))), np.isnan(share)),
        nulls=True,
    ),
    at_most("fresh_error", 1),
    chunks_of_n(),
    vacuous_without(),
)

KIND = Kind(
    name="answers",
    cell=Cell,
    subjects=lambda: [*mechanisms(), *classifiers()],
    columns=COLUMNS,
    refuse=refuse,
    measure=measure,
    block=lambda cell: cell.block,
    origins=origins,
    resolved=resolved,
    queries=singles,
    rules=RULES,
    countable=True,
    # β for the learners' errors and β for the noise; at a T that a spec gives, T/m is nobody's promise.
    promises=(Promise("misclassification_rate", "bound", betas=2, unset=("T_target",), least={"k_scale": 1.0}),),
)
