"""What samplers draw from fixed seeds, as a few numbers each: `python -m tests.support.drawn` keeps them in drawn.json.

That they have the right law is shown by the tests marked `law`. That nothing else is drawn than what these were run on is seen
on every change, in a second or two: see tests/concepts/test_drawn.py.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from harness.analysts import Analyst, Poll, QuerySite, Session, analysts
from harness.ballots import Ballot, Queries
from harness.concepts import Calm, Trainable, concepts
from harness.covers import Cover, QueryClass, query_classes
from harness.scores import Scorer, instances
from harness.scores import learners as score_learners
from harness.scores.estimate import estimated_alpha
from tests.support.cases import EVERY, Case
from tests.support.drawn_others import OTHER_ANALYSTS, OTHER_CASES, OTHER_QUERIES, OTHER_SCORES

KEPT = Path(__file__).with_suffix(".json")
MOST = 3000
"""Queries that are told apart, where there are many: all of them would take seconds."""

Numbers = dict[str, Any]


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng([20, *seed])


def told(value: Any) -> Any:
    """Of an array its shape, its sum and one in which every place counts differently; of anything else what it is."""
    if isinstance(value, np.ndarray):
        flat = np.nan_to_num(value.astype(np.float64).ravel(), nan=-7.0, posinf=1e300, neginf=-1e300)
        return [list(value.shape), float(flat.sum()), float(flat @ np.cos(np.arange(len(flat))))]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    return value if isinstance(value, int | str | list | None) else str(value)


def of_queries(queries: Queries) -> list[Any]:
    found = [queries.points, queries.truth, queries.target, queries.sizes, queries.widths, queries.exposure]
    return [*map(told, found), queries.dissent, queries.tv_budget]


def of_ballot(ballot: Ballot) -> list[Any]:
    return [
        told(ballot.counts),
        ballot.k,
        told(ballot.sizes),
        told(ballot.max_mistakes),
        ballot.tv_budget,
        told(ballot.exposure),
    ]


def of_trials(case: Case) -> Numbers:
    """How many trials are drawn at once, and three of them together: of few votes and queries, and of many chunks."""
    found = Numbers()
    settings = (300, 40, 600), (10**5, 300, 20_000), (10**5, 70_001, 50_000), (10**7, 2000, 10**7), (10**7, 40, 10**6)
    for name, sampling in case.samplings().items():
        for s, k, m in settings:
            if case.distribution.refuse(case.situation(s)) is not None:
                continue
            sampler = case.sampler(s)
            at_once = sampling.at_once(sampler, m, k, s)
            found[f"{name} s = {s}, k = {k} at once"] = at_once
            for trials in (3, 130):
                if at_once >= trials and sampling.singles(sampler, m, k, s) * trials <= 3 * MOST:
                    queries = sampling.queries(sampler, m, k, s, trials, rng(s, k))
                    ballot = sampling.votes(sampler, queries, k, s, rng(s, k, 1))
                    found[f"{name} s = {s}, k = {k} of {trials}"] = [
                        of_queries(queries),
                        of_ballot(ballot)[:3],
                        told(ballot.max_mistakes),
                    ]
    return found


def of_relabelled(sampler: Trainable) -> Numbers:
    """Votes of chunks of relabelled examples: where all are drawn, and where those far from the target are not."""
    by, found, queries = sampler.relabelling(), Numbers(), sampler.queries(40, rng(9))
    settings = ((4, 5, 0.5), (300, 40, 2.0), (2, 1, 0.1), (5, 3, 0.2), (7, 2, 1.0), (300, 3, 0.3))
    for k, s, tilt in settings if by is not None else ():
        for place, draw in enumerate((by.sufficient, by.full) if by is not None else ()):
            ballot = draw(queries, k, s, tilt, rng(k, place))
            found[f"relabelled {place}, k = {k}, s = {s}"] = [of_ballot(ballot)[0], told(ballot.max_mistakes)]
    return found


def of_case(case: Case) -> Numbers:
    """A class with a distribution and a learner: what it says of itself, and ballots of few and of many votes and queries."""
    concept, found = case.concept, Numbers()
    found["dimensions"] = [concept.vc, concept.dual_vc, concept.rare_atoms, concept.label_count]
    bound = concept.pac_bound(case.learner, case.gamma)
    found["pac"] = [told(float(bound(s, q))) for s in (50, 1000, 10**7) for q in (0.2, 1e-6)]
    found["refused"] = [str(case.distribution.refuse(case.situation(s))) for s in (1, 2, 7)]
    few = concept.vc <= 2 or case.sampler(case.small).singles(9, 9, case.small) == 0
    for name, sampling in case.samplings().items():
        sizes = [(case.small, 9, 40), (4 * case.small + (300 if concept.vc <= 2 else 20), 12, 300)]
        sizes += [(10**5, 70_001, 10**7)] if name == "sufficient" else []
        sizes += [(90, 1500, 20)] if name == "full" and case.learner != "svm" and few else []  # more than a block
        for s, k, m in sizes:
            if case.distribution.refuse(case.situation(s)) is not None:
                continue
            sampler = case.sampler(s)
            if sampling.singles(sampler, m, k, s) > MOST:
                continue
            queries = sampling.queries(sampler, m, k, s, 1, rng(s, k))
            ballot = sampling.votes(sampler, queries, k, s, rng(s, k, 1))
            found[f"{name} s = {s}, k = {k}"] = [
                of_queries(queries),
                of_ballot(ballot),
                told(sampling.singles(sampler, m, k, s)),
            ]
    found |= of_trials(case)
    sampler = case.sampler(case.small)
    found["examples"] = [told(each) for each in sampler.examples(30, rng(2))]
    if isinstance(sampler, Trainable):
        found |= of_trainable(sampler, case.small, concept.label_count, 4000 if concept.vc <= 2 else 150)
    return found


def of_trainable(sampler: Trainable, s: int, count: int, many: int) -> Numbers:
    found: Numbers = {"most points": sampler.most_points}
    for m, k, calm in ((60, 1, Calm()), (many, 31, Calm(0.3, 0.01)), (10**6, 101, Calm(0.2))):
        if m > min(sampler.most_points, many if sampler.singles(m, k, s) > MOST else m):
            continue
        public = sampler.public(m, k, s, rng(m))
        exposed = sampler.public(m, k, s, rng(m), calm)
        given = public.labelled(public.truth, count)
        points, labels = sampler.placed(public, given, rng(m, 1))
        learned = sampler.learn(points, labels)
        found[f"public m = {m}"] = [of_queries(public), of_queries(exposed), told(points.points), told(labels)]
        found[f"learned m = {m}"] = [told(float(learned.error)), told(learned.predict(points.points))]
        at_once = sampler.points_at_once(m, k, s, calm)
        if at_once > 2:
            of_three = sampler.public(m, k, s, rng(m, 2), calm, 3)
            ballot = sampler.sufficient(of_three, k, s, rng(m, 3)) if k > 1 else None
            errors = sampler.errors(of_three, of_three.labelled(of_three.truth, count), rng(m, 4))
            found[f"three m = {m}"] = [at_once, of_queries(of_three), ballot and of_ballot(ballot), told(errors)]
        else:
            found[f"three m = {m}"] = at_once
    found["least mistakes"] = [list(map(told, sampler.least_mistakes(n, rng(n)))) for n in (5, many // 5)]
    found["few public"] = of_queries(sampler.public(60, 31, 10**6, rng(8)))
    return found | of_relabelled(sampler)


def of_cover(concept: QueryClass, cover: Cover) -> list[Any]:
    found: list[Any] = [told(each) for each in (cover.masses, cover.public, cover.low, cover.high, cover.expected)]
    found += [cover.queries, cover.radius, cover.distinct, cover.log_cells]
    weights = cover.tilted(cover.uniform(), cover.queries // 2, 0.7)
    shares = cover.private(10_000, rng(4))
    answers = cover.answers(shares)
    found += [told(each) for each in (weights, shares, answers, cover.answers(weights, slice(1, 4)), cover.table())]
    return [*found, cover.error(answers), cover.cover_error(answers)]


def of_queries_class(concept: QueryClass, marginal: Any) -> Numbers:
    """A class of queries: covers of public points and of a grid, their sizes, and how likely they miss."""
    points = concept.draw(marginal, 25, rng(5))
    found: Numbers = {"dimensions": [concept.vc, concept.dual_vc, concept.ordered], "points": told(np.asarray(points))}
    for name, cover in (("of points", concept.cover(marginal, points)), ("of a grid", concept.grid(marginal, 6))):
        found[name] = of_cover(concept, cover)
    found["of one"] = of_cover(concept, concept.cover(marginal, concept.draw(marginal, 1, rng(6))))
    found["sizes"] = [told(float(each)) for m in (1, 5, 1000) for each in (*concept.sizes(m), *concept.grid_sizes(m + 1))]
    cases = [(m, at) for m in (1, 40, 10**4, 10**6) for at in (0.005, 0.1, 0.4)]
    found["missed"] = [[told(concept.missed(m, at)), told(concept.deviation(m, at))] for m, at in cases]
    found["bits"] = [told(concept.most_bits(m)) for m in (1, 1000)]
    return found


def of_scorer(scorer: Scorer) -> Numbers:
    if scorer.refuse(40) is not None:
        return {"refused": str(scorer.refuse(40))}
    found: Numbers = {"means": [told(scorer.means(s)) for s in (3, 40)], "said": str(scorer.learner)}
    edges = np.tile(np.array([0.2, 0.5, 0.75]), (scorer.types, 1))
    for s, k in (
        (3, 50),
        (40, 9),
        *([(10**6, 10**9)] if scorer.sampling == "poisson" and scorer.learner.name != "sgd" else [(3000, 60)]),
    ):
        if scorer.refuse(s) is None and not (scorer.sampling == "full" and s > 100):
            found[f"counts s = {s}"] = told(scorer.counts(rng(s), s, k, edges))
            if scorer.sampling != "poisson":
                found[f"predictions s = {s}"] = told(scorer.predictions(rng(s, 1), s, k))
    found["stability"] = [told(scorer.stability(s)) for s in (2, 30, 10**5)]
    found["estimated"] = told(estimated_alpha(scorer.instance, scorer.learner, 12))
    if scorer.sampling == "full" and getattr(scorer.learner, "passes", 1) == 1:
        for s, k in ((70, 1900), (3, 140_000)):  # more examples than are held at once
            found[f"counts of many, s = {s}"] = told(scorer.counts(rng(7), s, k, edges))
    found["truth"] = [told(scorer.instance.truth), told(scorer.instance.shares), told(scorer.instance.half)]
    return found


def of_session(session: Session, queries: int) -> list[Any]:
    found, last = [], None
    for at in range(queries):
        poll: Poll = session.ask(last)
        found.append(
            [told(poll.labels), told(poll.counts), poll.truth, bool(poll.stable), poll.distance, poll.winner, poll.gap]
        )
        last = poll.winner if at % 3 else None
    return found


def of_analyst(analyst: Analyst) -> Numbers:
    """What it asks chunks, by their law and by drawing all examples, and of all examples at once."""
    found: Numbers = {"said": [analyst.adaptive, analyst.whole_known, analyst.range_size]}
    found["right"] = [told(analyst.right(s)) for s in (1, 50, 10**5)]
    for site in (
        QuerySite(12, 30, 40, 3),
        QuerySite(12, 30, 40, 3, full=True),
        QuerySite(8, 100_000, 5000, 2),
        QuerySite(5, 1, 1, 0),
    ):
        if analyst.refuse(site) is not None:
            found[f"refused {site.k} {site.full}"] = str(analyst.refuse(site))
            continue
        found[f"chunks {site.k} {site.full}"] = of_session(analyst.chunks(site, rng(site.k)), site.m)
        if analyst.whole_known:
            found[f"whole {site.k} {site.full}"] = of_session(analyst.whole(site, site.k * site.s, rng(site.k, 1)), site.m)
    return found


def everything() -> Iterator[tuple[str, Callable[[], Numbers]]]:
    """By a name that says what it is."""
    for name, case in EVERY.items():
        yield f"case {name}", partial(of_case, case)
    for name, kind in query_classes().items():
        for other, marginal in kind.distributions.items():
            yield f"queries {name} {other}", partial(of_queries_class, kind(), marginal())
    for name, instance in instances().items():
        for other, learner in score_learners().items():
            if not any(field.is_required() for field in learner.model_fields.values()) and (
                other != "means" or name == "atoms"
            ):
                for sampling in learner().samplings(instance()):
                    yield f"scores {name} {other} {sampling}", partial(of_scorer, Scorer(instance(), learner(), sampling))
    for name, analyst in analysts().items():
        yield f"analyst {name}", partial(of_analyst, analyst())
    for name, concept in concepts().items():
        yield f"class {name}", partial(of_dimensions, concept)
    yield from with_parameters()


def with_parameters() -> Iterator[tuple[str, Callable[[], Numbers]]]:
    """Of other parameters than the default ones, by what they are."""
    for case in OTHER_CASES:
        yield f"case of {case.concept!r} {case.distribution!r} {case.learner} {case.gamma}", partial(of_case, case)
    for queries, marginal in OTHER_QUERIES:
        yield f"queries of {queries!r} {marginal!r}", partial(of_queries_class, queries, marginal)
    for instance, learner in OTHER_SCORES:
        for sampling in learner.samplings(instance):
            yield f"scores of {instance!r} {learner!r} {sampling}", partial(of_scorer, Scorer(instance, learner, sampling))
    for analyst in OTHER_ANALYSTS:
        yield f"analyst {analyst!r}", partial(of_analyst, analyst)


def of_dimensions(concept: Any) -> Numbers:
    """The class of each VC dimension, or why there is none."""
    found = Numbers()
    for V in (1, 2, 3, 5, 8, 100):
        try:
            found[str(V)] = str(concept.of_vc(V))
        except ValueError as error:
            found[str(V)] = str(error)
    return found


if __name__ == "__main__":
    made = {name: of() for name, of in everything()}
    KEPT.write_text("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(of)}" for name, of in made.items()) + "\n}\n")
