"""Classifiers: what chooses from a cover by private examples, what labels public points for a learner, and what is trained.

Of the private learners those are audited that are built in one of these ways, what labels with examples relabelled or not.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import log, sqrt

import numpy as np

from harness.arrays import Reals
from harness.ballots import Ballot, Queries
from harness.concepts import Trainable
from harness.mechanisms import Mechanism, Streams
from harness.mechanisms.answering import Answering
from harness.mechanisms.answering.tables import Tables, lost_at, usual
from harness.mechanisms.classifying import classifiers
from harness.mechanisms.neighbours import AT_ONCE, NeighbourPair, uncertain
from harness.theory.constants import constants
from harness.theory.constants.bcmnuw20 import known_least
from harness.theory.parameters import PacBound, Task
from harness.theory.plan import Plan
from harness.transfer import LearningProblem, PrivateLearner, private_learners
from harness.transfer.a_priv import APriv
from harness.transfer.exponential import Exponential
from harness.transfer.free_cutoff import FreeCutoff
from harness.transfer.relabelled import APrivRelabelled
from harness.transfer.training import Training
from harness.trials.audited.examples import MOST_TOLD, GivenExamples, by_purpose, labels_of
from harness.trials.audited.subject import AuditSetting, NotAuditedError, Subject, SubjectSort, named_constants

Chooses = Callable[[GivenExamples, Streams], float]
"""The error of what is learned from given examples."""

FEW = 1000  # private examples, where nothing says how many
FEW_TRAINED = 20  # the same of what is trained, whose noise is in proportion to 1/n
BACKWARDS = (0.0, 0.5)
RARE = (0.5, 0.1, 0.01)  # about how likely the constant 0 is chosen


def choosing(of: Chooses, m: int, n: int, eps: float) -> list[NeighbourPair]:
    """Pairs of neighbouring data sets to audit a choice among m + 1 cuts on: n examples at one place, one label changed."""
    return [
        NeighbourPair(
            f"{gap} more examples labelled 1 than 0 at one place, and one label changed",
            ("error of the classifier",),
            partial(errors, of, [GivenExamples(m, (n - at) // 2, n - (n - at) // 2) for at in (gap, gap - 2)]),
            AT_ONCE,
        )
        for gap in sorted({round(2 * log(m / share) / eps) for share in RARE} | {1})
        if gap < n
    ]


def errors(of: Chooses, sides: list[GivenExamples], side: int, runs: int, rng: np.random.Generator) -> Reals:
    """The errors of the classifiers that `runs` runs choose on one of two data sets, (runs, 1)."""
    return np.array([[of(sides[side], by_purpose(rng))] for _ in range(runs)])


def classifying(name: str, setting: AuditSetting) -> Subject:
    """The mechanism that makes a classifier of all examples as a subject of audits, with m public points."""
    mechanism, n = classifiers()[name], setting.n or FEW
    task = Task(setting.m, setting.eps, setting.delta, setting.beta, 0.0, lambda s, q: 0.0)
    plan = mechanism.plan(named_constants(setting, constants, "BTT18"), task, n)

    def of(examples: GivenExamples, streams: Streams) -> float:
        return mechanism.error(examples, plan, task, streams)

    return Subject.of(mechanism, setting.eps, plan.spent, lambda rng: choosing(of, setting.m, n, setting.eps))


def problem(setting: AuditSetting, sampler: GivenExamples | None) -> LearningProblem:
    """The problem of learning from the given examples, with m public points."""

    def bound(gamma: float) -> PacBound:
        return lambda s, q: setting.alpha * setting.m / s

    def vote(sampler: Trainable, queries: Queries, k: int, s: int, rng: np.random.Generator) -> Ballot:
        return sampler.full(queries, k, s, rng)

    task = Task(setting.m, setting.eps, setting.delta, setting.beta, setting.gamma, bound(setting.gamma))
    values = named_constants(setting, constants, "BTT18")
    return LearningProblem(setting.alpha, task, bound, values, lambda s: sampler, vote, 2)


def learner(name: str, setting: AuditSetting) -> Subject:
    """The private learner of this name as a subject of audits, on n examples, by default as many as its own guarantee asks for.

    Raises NotAuditedError where its public points are too many to tell, or it is for labels without noise.
    """
    of = private_learners()[name]
    if of.realizable_only and setting.gamma:
        raise NotAuditedError(f"{name} is for labels without noise, and gamma = {setting.gamma:g}; allowed: gamma = 0")
    if isinstance(of, APriv) and setting.m > MOST_TOLD:
        raise NotAuditedError(f"m = {setting.m} public points are too many to be told apart; allowed: m ≤ {MOST_TOLD}")
    return Subject.of(of, setting.eps, None, partial(pairs_of, of, setting))


def pairs_of(of: PrivateLearner, setting: AuditSetting, rng: np.random.Generator) -> list[NeighbourPair]:
    """The neighbouring data sets that a private learner is audited on. Raises NotAuditedError where a chunk has no example."""
    if isinstance(of, Exponential):
        examples = setting.n or FEW

        def chosen(sampler: GivenExamples, streams: Streams) -> float:
            return of.run(problem(setting, sampler), examples, streams).error

        return choosing(chosen, setting.m, examples, setting.eps)
    if isinstance(of, Training):
        return training(of, setting)
    if isinstance(of, APrivRelabelled):
        return relabelling(of, setting)
    assert isinstance(of, APriv)
    to_learn = problem(setting, GivenExamples(setting.m, 0, 0))
    n = setting.n or of.needed(to_learn)
    made = of.run(problem(setting, voted(unanimous(setting.m))), n, by_purpose(rng))
    if made.plan is None or made.plan.s < 1:
        raise NotAuditedError(f"n = {n} is not one example a chunk; allowed: a larger n")
    labeller, plan, task = of.labeller(to_learn), made.plan, to_learn.of(setting.m, 0.0)
    tables = tables_for(labeller, plan, task, setting.m, rng)
    names = (*(f"label of point {place + 1}" for place in range(setting.m)), "labels 1")
    return [NeighbourPair(each.words, names, partial(labels, of, setting, n, each), AT_ONCE) for each in tables]


def relabelling(of: APrivRelabelled, setting: AuditSetting) -> list[NeighbourPair]:
    """Pairs of neighbouring data sets to audit relabelling on: the given n, or as few examples as make chunks of one."""
    to_learn = problem(setting, GivenExamples(setting.m, 0, 0))
    n = setting.n or known_least(lambda n: (plan := of.plan(to_learn, n)) is None or plan.s < 1)

    def relabelled(sampler: GivenExamples, streams: Streams) -> float:
        return of.run(problem(setting, sampler), n, streams).error

    return choosing(relabelled, setting.m, n, setting.eps)


def training(of: Training, setting: AuditSetting) -> list[NeighbourPair]:
    """Pairs of neighbouring data sets to audit training in the plane on: all examples but one are the target's direction.
    That one is across it, to either side on the two data sets.

    That moves a gradient most where w is 0; where w is long, as one that points a little backwards.
    """
    to_learn, n = problem(setting, GivenExamples(setting.m, 0, 0)), setting.n or FEW_TRAINED
    pairs = []
    for back in BACKWARDS:
        sides = [np.tile([1.0, 0.0], (n, 1)) for _ in range(2)]
        for side, turn in zip(sides, (1, -1), strict=True):
            side[0] = -back, turn * sqrt(1 - back**2)
        words = f"{n - 1} examples of one direction, and one that is turned {back:g} backwards from across it to either side"
        pairs.append(NeighbourPair(words, ("w along", "w across"), partial(directions, of, to_learn, sides), AT_ONCE))
    return pairs


def directions(
    of: Training, to_learn: LearningProblem, sides: list[Reals], side: int, runs: int, rng: np.random.Generator
) -> Reals:
    """The directions w that `runs` runs train on one of two data sets, (runs, 2)."""
    return np.array([of.trained(sides[side], to_learn, by_purpose(rng)) for _ in range(runs)])


def unanimous(m: int) -> tuple[tuple[int, ...], ...]:
    """The votes (for 0, for 1) of one chunk that says 0 of all m points."""
    return (1,) * m, (0,) * m


def voted(votes: tuple[tuple[int, ...], ...]) -> GivenExamples:
    """A `GivenExamples` with given votes on its m public points, (2, m), and with no private examples on cells."""
    return GivenExamples(len(votes[0]), 0, 0, votes)


def tables_for(labeller: Answering[Plan], plan: Plan, task: Task, m: int, rng: np.random.Generator) -> Iterator[Tables]:
    """Neighbouring tables of votes on m public points, each point a query of its own, for what labels these points."""
    gaps = uncertain(lambda gap: lost_at(labeller, plan, task, 2, gap, rng), plan.k)
    for tables in usual(plan.k, m, gaps):
        before, after = (np.repeat(side, tables.sizes, axis=1) for side in (tables.before, tables.after))
        yield Tables(tables.words, before, after, np.ones(m, np.int64))


def labels(
    of: PrivateLearner, setting: AuditSetting, n: int, tables: Tables, side: int, runs: int, rng: np.random.Generator
) -> Reals:
    """The labels that a learner's runs on one side learn from, and how many of these are 1, (runs, m + 1)."""
    votes = (tables.before, tables.after)[side].tolist()
    to_learn = problem(setting, voted((tuple(votes[0]), tuple(votes[1]))))
    by_run = np.array([labels_of(of.run(to_learn, n, by_purpose(rng)).error, setting.m) for _ in range(runs)])
    return np.concatenate([by_run, by_run.sum(axis=1, keepdims=True)], axis=1)


def learners() -> Mapping[str, PrivateLearner]:
    """The private learners that can be audited; not those whose T is searched for on examples that are charged nothing."""
    built = private_learners().items()
    return {
        name: each
        for name, each in built
        if isinstance(each, APriv | APrivRelabelled | Exponential | Training) and not isinstance(each, FreeCutoff)
    }


def both_sorts() -> Mapping[str, Mechanism]:
    """All that make classifiers, by name: the mechanisms that choose one, and the private learners."""
    return {**classifiers(), **learners()}


def subject(name: str, setting: AuditSetting) -> Subject:
    """The mechanism or learner of this name that makes classifiers, as a subject of audits."""
    return classifying(name, setting) if name in classifiers() else learner(name, setting)


SORT = SubjectSort("classifier", both_sorts, subject)
