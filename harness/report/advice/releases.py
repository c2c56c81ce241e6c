"""Advice on the release of statistical queries: which mechanism, at which settings, with how many of the public points.

Each mechanism is measured at every accuracy, set of constants, grid and number of public points that it could be given, on each
distribution of the class, and counts by the distribution on which it errs most. What has a say is found by trying: nothing here
knows a mechanism by its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log
from typing import Annotated, Any

import numpy as np
from pydantic import Field, SerializeAsAny, field_validator

from harness.arrays import Reals
from harness.covers import MOST_QUERIES, QueryClass, query_classes
from harness.covers.thresholds import ThresholdQueries
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.release import Release, releases
from harness.report.advice.changes import Blind, changes
from harness.report.advice.means import MeanOfRuns, mean
from harness.report.advice.race import DECLARED, NOTHING, UNCERTIFIED, Contender, Race, ranked, rivals, small
from harness.report.advice.search import GridSearch, Setting, TriedQuestion
from harness.report.calculators import option
from harness.report.release_plan import ALL, LEAST_ALPHA, too_few_public
from harness.report.worksheet import budget, halved
from harness.sweep.errors import InputError
from harness.theory.plan import CERTIFIED
from harness.trials.concept_cell import MAX_N, named_model
from harness.trials.fields import Positive, Probability, Real, Whole
from harness.trials.release import ReleaseCell, errors, refuse
from harness.trials.release_cell import MOST_PUBLIC, ReleaseSetting, pmw_constants
from harness.trials.seeds import BlockStreams

ALPHAS = (0.8, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Accuracies that a mechanism may be asked for."""

GRIDS = tuple(2**power for power in range(2, 15, 2))
"""Cells of a fixed grid, beside public points."""

FEWER = 4  # times fewer public points are tried, and again
MOST_WORK = 4e7  # of a run: what is dearer is not tried
DRAWN = 20  # numbers of a run that a public point counts for: it is drawn and put in order, and has a cell
MOST_COVER = 2**17
"""Public points beyond which a cover is hardly better; with more are run only mechanisms that see no private point."""

WORK, RUNS, FEW_RUNS = (2e6, 1e8), ((4, 12), (24, 200)), (2, 4)
"""Of one setting in all, and the least and the most runs: while settings are sought, and of what is told.

Fewer where runs are long: there fewer settings are tried too, and what would change the advice is not sought.
"""

LONG = 4e6
"""Numbers of a run, whatever is run, from which on it is long."""

EXACT = 1e-12  # an error
STEPS = 40  # halvings of the range of ln α


class ReleaseQuestion(TriedQuestion, frozen=True, extra="forbid"):
    """A question for a release of averages: the class, n, m and the privacy that one has.

    m: public points; without any, the queries are those of a fixed grid of so many cells. distribution: of the class; by
    default all of them count. alpha: an error that is to be kept.
    """

    concept: SerializeAsAny[QueryClass] = ThresholdQueries()
    distribution: Any = None
    n: Annotated[Whole, Field(ge=1, le=MAX_N)]
    m: Annotated[Whole, Field(ge=0, le=MOST_PUBLIC)] = 0
    grid: Annotated[Whole, Field(ge=2, le=10**6)] = 100
    alpha: Annotated[Real, Field(ge=1e-9, lt=1)] | None = None
    eps: Positive = 1.0
    delta: Probability = 1e-6
    beta: Probability = 0.05

    @field_validator("concept", mode="before")
    @classmethod
    def _known_concept(cls, value: Any) -> QueryClass:
        return value if isinstance(value, QueryClass) else named_model("class of queries", value, query_classes())

    @property
    def budget(self) -> dict[str, Any]:
        """What every cell has."""
        named = ("concept", "n", "eps", "delta", "beta")
        return {key: getattr(self, key) for key in named}

    @cached_property
    def distributions(self) -> dict[str, Any]:
        """The distributions that count, by name, as a cell takes them.
        Raises pydantic's ValidationError where there is none of a name.
        """
        cell = self.cell("" if self.distribution is None else self.distribution)
        if self.distribution is not None:
            return {cell.distribution_name: self.distribution}
        return {name: name for name in self.concept.distributions}

    def cell(self, distribution: Any, **more: Any) -> ReleaseCell:
        """The cell of trials for the question, at these settings."""
        return ReleaseCell.model_validate({"alpha": 0.1, **self.budget, **more, "distribution": distribution})

    @cached_property
    def trivial(self) -> bool:
        """Whether each distribution that counts is uniform on the cells, so that weights which see no data are right."""
        grids = [self.cell(each, m=0, grid=self.grid).grid_cover for each in self.distributions.values()]
        return all(cover.cover_error(cover.answers(cover.uniform())) < EXACT for cover in grids)

    @property
    def long(self) -> bool:
        """Whether a run takes long for its public points, or for the numbers of its grid, alone."""
        grid = 0.0 if self.m else self.concept.numbers(self.concept.grid_sizes(self.grid))
        return DRAWN * self.m + grid > LONG

    @property
    def blind(self) -> Blind:
        """Averages of ±1 are off by 1 at most."""
        return Blind("answering every query with 0", 1.0)

    def tried(self, name: str) -> tuple[Setting, MeanOfRuns] | None:
        """A mechanism at its best of half of the settings."""
        return TriedRelease(self, name, coarse=True).best()


@dataclass(frozen=True)
class TriedRelease:
    """A search for a release mechanism's best settings for a question, by trial runs. coarse: on a thinner grid."""

    question: ReleaseQuestion
    name: str
    coarse: bool = False

    @property
    def release(self) -> Release:
        """The mechanism."""
        return releases()[self.name]

    @cached_property
    def proved(self) -> tuple[float, dict[str, str]] | None:
        """The error that is promised of the release, and at which constants."""
        return promised(self.question, self.release)

    @cached_property
    def search(self) -> GridSearch:
        """Over all that it could be given, with the accuracy at which something is promised among it."""
        m = min(self.question.m, MOST_COVER if self.release.needs_private else MOST_PUBLIC)
        fewer, alphas = FEWER ** (1 + self.question.long), ALPHAS[:: 1 + (self.coarse or self.question.long)]
        points = [max(4, m // fewer**power) for power in range(10)] if m > 4 else [m]
        grids = list(GRIDS) if self.release.on_grid and m else [self.question.grid]
        axes: dict[str, list[Any]] = {
            "m": list(dict.fromkeys(points)),
            "grid": grids,
            "alpha": [*alphas, *([self.proved[0]] if self.proved and not self.coarse else [])],
            "constants": list(pmw_constants()),
        }
        return GridSearch(axes, self.sought)

    def best(self) -> tuple[Setting, MeanOfRuns] | None:
        """The settings at which it errs least, and how much; None where it cannot be run."""
        axes = self.search.axes
        starts = [{"m": m, "grid": axes["grid"][0], "alpha": ALPHAS[0], "constants": axes["constants"][0]} for m in axes["m"]]
        runnable = [start for start in starts if self.search.error(start) is not None]
        return self.search.best(runnable, "constants") if runnable else None

    def sought(self, setting: Setting) -> MeanOfRuns | None:
        """The error where it is largest, by a few runs."""
        every = [self.runs(setting, name, 0) for name in self.question.distributions]
        means = [mean(runs) for runs in every if runs is not None]
        return max(means, key=lambda of_runs: of_runs.mean) if len(means) == len(every) else None

    def cell(self, setting: Setting, distribution: str) -> ReleaseCell:
        """The cell of trials at these settings."""
        return self.question.cell(self.question.distributions[distribution], **setting)

    def runs(self, setting: Setting, distribution: str, stage: int) -> Reals | None:
        """The errors of some runs; None where it cannot be run, or takes too long. stage: 0 while one seeks, 1 to tell.

        Over all of the class; without public points over the queries of the grid.
        """
        cell = self.cell(setting, distribution)
        if refuse(cell, self.name) is not None or (work := self.work(cell)) > MOST_WORK:
            return None
        least, most = RUNS[stage]
        which = "error" if cell.public else "error_on_cover"
        count = int(min(most, max(FEW_RUNS[stage] if self.question.long else least, WORK[stage] / work)))
        return errors(cell, self.name, *self.size(cell), range(count), self.streams(distribution, stage), which)

    def size(self, cell: ReleaseCell) -> tuple[int, int]:
        """Private and public points."""
        return self.question.n if self.release.needs_private else 0, cell.public

    def streams(self, distribution: str, stage: int) -> Any:
        """The streams of a run."""
        return lambda start: BlockStreams(f"advise/{distribution}", stage, start)

    def work(self, cell: ReleaseCell) -> float:
        """About how many numbers a run goes through."""
        on_grid = self.release.on_grid or not cell.public
        size = cell.query_class.grid_sizes(cell.cells) if on_grid else cell.sizes
        if size.queries > MOST_QUERIES:
            return inf
        numbers = size._replace(queries=cell.query_class.numbers(size))
        return DRAWN * cell.public + self.release.work(numbers, max(1, self.question.n), cell.on_cover)

    def spent(self, setting: Setting) -> float | None:
        """ε′ of a run; None where it says none."""
        cell = self.cell(setting, next(iter(self.question.distributions)))
        (spent,) = errors(cell, self.name, *self.size(cell), range(1), self.streams(cell.distribution_name, 1), "spent")
        return None if spent is None or np.isnan(float(spent)) else float(spent)

    def reason(self) -> str:
        """Why nothing could be run."""
        axes = self.search.axes
        cells = [
            self.cell({"m": m, "grid": axes["grid"][0], "alpha": ALPHAS[0], "constants": axes["constants"][0]}, name)
            for m in axes["m"][-1:]
            for name in list(self.question.distributions)[:1]
        ]
        refusals = [
            refusal.message.partition("; allowed:")[0] for cell in cells if (refusal := refuse(cell, self.name)) is not None
        ]
        return refusals[0] if refusals else "its runs would take too long at all settings that were tried"


def promised(question: ReleaseQuestion, release: Release) -> tuple[float, dict[str, str]] | None:
    """The least error below 1 proved of a release at n and m, and the constants and inequality it is by; None where none is.

    Constants whose n has nothing for the sample, as the printed ones, prove nothing.
    """
    proved = [name for name, each in pmw_constants().items() if each.noise < 1]
    errors_at = [(least, name) for name in proved if (least := _least(question, release, name)) is not None]
    if not errors_at:
        return None
    best = min(errors_at)
    says, setting = len({least for least, _ in errors_at}) > 1, _setting(question, *best)
    by = release.sample_by(setting.sizes, setting.sharp) if release.needs_private else question.concept.inequality
    return best[0], ({"constants": best[1]} if says else {}) | ({"sample by": by} if by else {})


def _setting(question: ReleaseQuestion, alpha: float, constants: str) -> ReleaseSetting:
    grid = {} if question.m else {"grid": question.grid}
    setting = {**question.budget, "m": question.m, "cover": "spacing", **grid, "alpha": alpha, "constants": constants}
    return ReleaseSetting.model_validate(setting)


def _least(question: ReleaseQuestion, release: Release, constants: str) -> float | None:
    def broken(log_alpha: float) -> bool:
        alpha = exp(log_alpha)
        if not release.needs_private:
            return question.m == 0 or question.concept.deviation(question.m, alpha) > question.beta
        setting = _setting(question, alpha, constants)
        needed = setting.needed(release, sharp=True)
        return too_few_public(setting) or needed is None or needed > question.n

    without_points = release.needs_public and not question.m
    if without_points or (release.ordered and not question.concept.ordered) or broken(log(ALL)):
        return None
    _, high = halved(log(LEAST_ALPHA), log(ALL), STEPS, broken)
    return exp(high)


def entry(question: ReleaseQuestion, name: str) -> Contender:
    """A mechanism of release at its best settings, as an entrant of a race."""
    trying = TriedRelease(question, name)
    proved = trying.proved
    promise: dict[str, Any] = {"promised": proved[0], "promised_at": proved[1]} if proved else {}
    best = trying.best()
    if best is None:
        return Contender(name, why=trying.reason(), **promise)
    setting, _ = best
    by_distribution = {each: trying.runs(setting, each, 1) for each in question.distributions}
    means = {each: mean(runs) for each, runs in by_distribution.items() if runs is not None}
    where = max(means, key=lambda distribution: means[distribution].mean)
    worst = by_distribution[where]
    assert worst is not None
    most = float(np.quantile(worst, 1 - question.beta, method="higher"))
    spent, why = trying.spent(setting), None
    if spent_by(name) != "certified":
        why = DECLARED
    elif spent is None or spent > question.eps * (1 + CERTIFIED):
        why = UNCERTIFIED
    return Contender(name, _words(trying, setting), means[where], most, where, why=why, **promise)


def _words(trying: TriedRelease, setting: Setting) -> dict[str, str]:
    """The settings that have a say, in words."""
    axes = [axis for axis in trying.search.says(setting) if axis != "m" or setting["m"] != trying.question.m]
    symbols = {"alpha": "α", "m": "public points"}
    return {
        symbols.get(axis, axis): value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
        for axis in axes
        for value in (setting[axis],)
    }


def advice(question: ReleaseQuestion) -> Race:
    """The ranked advice on which private release to use, for a question. Raises InputError where the question is trivial.

    It is where uniform weights, which see no data, are right on the distribution that is named.
    """
    if question.trivial:
        what = "uniform weights, which see no data, are right on it; allowed: one with parameters, as a mapping"
        raise InputError(what, option(("distribution",)))
    every = [entry(question, name) for name, each in releases().items() if each.private]
    names = rivals(ranked(every), lambda name: (releases()[name].needs_public, releases()[name].needs_private))
    axes = {"n": MAX_N, **({"m": MOST_PUBLIC} if question.m else {})}
    moved = () if question.long else changes(question, names, axes, NOTHING)
    heading = "error of every private mechanism"
    moves = "" if question.long else f"up to 1,000 times more or fewer private{' or public' * (question.m > 0)} points"
    return Race(_in_words(question), heading, every, moved, question.beta, list(_notes(question, every)), moves, question.blind)


def _in_words(question: ReleaseQuestion) -> str:
    points = (
        f"m = {question.m:,} public points"
        if question.m
        else f"no public ones: the queries of a grid of {question.grid:,} cells"
    )
    dimensions = "".join(f", {key} = {value}" for key, value in question.concept.model_dump().items())
    return (
        f"release of {question.concept.name}{dimensions}: n = {question.n:,} private points, {points}\n{budget(question)}; "
        f"distributions: {', '.join(question.distributions)}"
    )


def _notes(question: ReleaseQuestion, every: list[Contender]) -> Iterator[str]:
    over = "the class" if question.m else "the queries of the grid"
    yield (
        f"error: the largest over {over}, of averages of ±1, as a mean with its margin, where the mechanism errs most; "
        f"{1 - question.beta:.0%}: not exceeded in so many runs; promised: proved with probability {1 - question.beta:g}."
    )
    if question.long:
        cover = f"; a cover is made of {MOST_COVER:,} public points at most" if question.m > MOST_COVER else ""
        yield f"A run takes long here, so that there are few of each, and of fewer settings{cover}."
    if question.alpha is not None:
        kept = [one.name for one in ranked(every) if one.most is not None and one.most <= question.alpha]
        proved = [one.name for one in ranked(every) if one.promised is not None and one.promised <= question.alpha]
        yield (
            f"An error of {small(question.alpha)} is kept in {1 - question.beta:.0%} of the runs by "
            f"{', '.join(kept) or 'none'}; proved of {', '.join(proved) or 'none'}."
        )
