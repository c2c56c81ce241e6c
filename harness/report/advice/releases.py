"""Advice on the release of statistical queries: which mechanism, at which settings, with how many of the public points.

Each mechanism is measured at every accuracy, set of constants, grid and number of public points that it could be given, on each
distribution of the class, and counts by the distribution on which it errs most. What has a say is found by trying: nothing here
knows a mechanism by its name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import exp, inf, log
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, Field, SerializeAsAny, field_validator

from harness.arrays import Reals
from harness.concepts.covers import MOST_QUERIES, QueryClass, query_classes
from harness.concepts.covers.thresholds import ThresholdQueries
from harness.mechanisms.accounts import spent_by
from harness.mechanisms.release import Release, releases
from harness.report.advice.changes import changes
from harness.report.advice.means import MeanOfRuns, mean
from harness.report.advice.race import NOTHING, Contender, Race, ranked, small
from harness.report.advice.search import GridSearch, Setting
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
WORK, RUNS = (2e6, 1e8), ((4, 12), (24, 200))
"""Of one setting in all, and the least and the most runs: while settings are sought, and of what is told."""

EXACT = 1e-12  # an error
STEPS = 40  # halvings of the range of ln α


class ReleaseQuestion(BaseModel, frozen=True, extra="forbid"):
    """What one has and asks for.

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
        """Those that count, by name, as a cell takes them. Raises pydantic's ValidationError where there is none of a name."""
        cell = self.cell("" if self.distribution is None else self.distribution)
        if self.distribution is not None:
            return {cell.distribution_name: self.distribution}
        return {name: name for name in self.concept.distributions}

    def cell(self, distribution: Any, **more: Any) -> ReleaseCell:
        """As trials have it."""
        return ReleaseCell.model_validate({"alpha": 0.1, **self.budget, **more, "distribution": distribution})

    @cached_property
    def trivial(self) -> bool:
        """Whether each distribution that counts is uniform on the cells, so that weights which see no data are right."""
        grids = [self.cell(each, m=0, grid=self.grid).grid_cover for each in self.distributions.values()]
        return all(cover.cover_error(cover.answers(cover.uniform())) < EXACT for cover in grids)

    # What is moved to see what would change the winner.

    def value(self, axis: str) -> int:
        """n or m."""
        return int(getattr(self, axis))

    def moved(self, axis: str, value: int) -> "ReleaseQuestion":
        """The same with another n or m."""
        return self.model_copy(update={axis: value})

    def least(self, name: str, below: float = inf) -> float:
        """The error of a mechanism at its best; infinite where it cannot be run."""
        found = TriedRelease(self, name, coarse=True).best()
        return found[1].mean if found else inf


@dataclass(frozen=True)
class TriedRelease:
    """A mechanism that settings are tried of. coarse: at half of them, to see what would change."""

    question: ReleaseQuestion
    name: str
    coarse: bool = False

    @property
    def release(self) -> Release:
        """The mechanism."""
        return releases()[self.name]

    @cached_property
    def proved(self) -> tuple[float, dict[str, str]] | None:
        """What is promised of it, and at which constants."""
        return promised(self.question, self.release)

    @cached_property
    def search(self) -> GridSearch:
        """Over all that it could be given, with the accuracy at which something is promised among it."""
        asked = self.question
        points = [max(4, asked.m // FEWER**power) for power in range(10)] if asked.m > 4 else [asked.m]
        grids = list(GRIDS) if self.release.on_grid and asked.m else [asked.grid]
        axes: dict[str, list[Any]] = {
            "m": list(dict.fromkeys(points)),
            "grid": grids,
            "alpha": [*ALPHAS[:: 1 + self.coarse], *([self.proved[0]] if self.proved and not self.coarse else [])],
            "constants": list(pmw_constants()),
        }
        return GridSearch(axes, self.sought)

    def best(self) -> tuple[Setting, MeanOfRuns] | None:
        """The settings at which it errs least, and how much; None where it cannot be run."""
        axes = self.search.axes
        starts = [{"m": m, "grid": axes["grid"][0], "alpha": ALPHAS[0], "constants": axes["constants"][0]} for m in axes["m"]]
        runnable = [start for start in starts if self.search.at(start) is not None]
        return self.search.best(runnable, "constants") if runnable else None

    def sought(self, setting: Setting) -> MeanOfRuns | None:
        """The error where it is largest, by a few runs."""
        found = [self.runs(setting, name, 0) for name in self.question.distributions]
        means = [mean(each) for each in found if each is not None]
        return max(means, key=lambda each: each.mean) if len(means) == len(found) else None

    def cell(self, setting: Setting, distribution: str) -> ReleaseCell:
        """As trials have it."""
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
        count = int(min(most, max(least, WORK[stage] / work)))
        return errors(cell, self.name, *self.size(cell), range(count), self.streams(distribution, stage), which)

    def size(self, cell: ReleaseCell) -> tuple[int, int]:
        """Private and public points."""
        return self.question.n if self.release.needs_private else 0, cell.public

    def streams(self, distribution: str, stage: int) -> Any:
        """Those of a run."""
        return lambda start: BlockStreams(f"advise/{distribution}", stage, start)

    def work(self, cell: ReleaseCell) -> float:
        """About how many numbers a run goes through."""
        on_grid = self.release.on_grid or not cell.public
        size = cell.query_class.grid_sizes(cell.cells) if on_grid else cell.sizes
        if size.queries > MOST_QUERIES:
            return inf
        return self.release.work(size, max(1, self.question.n), cell.asked)

    def spent(self, setting: Setting) -> float | None:
        """ε′ of a run; None where it says none."""
        cell = self.cell(setting, next(iter(self.question.distributions)))
        (found,) = errors(cell, self.name, *self.size(cell), range(1), self.streams(cell.distribution_name, 1), "spent")
        return None if found is None or np.isnan(float(found)) else float(found)

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
    """The least error that is proved at n and m, at which constants and by whose inequality; None where none below 1 is.

    Constants whose n has nothing for the sample, as the printed ones, prove nothing.
    """
    proved = [name for name, each in pmw_constants().items() if each.noise < 1]
    found = [(least, name) for name in proved if (least := _least(question, release, name)) is not None]
    if not found:
        return None
    best = min(found)
    says, setting = len({least for least, _ in found}) > 1, _setting(question, *best)
    by = release.sample_by(setting.sizes, setting.sharp) if release.needs_private else question.concept.inequality
    return best[0], ({"constants": best[1]} if says else {}) | ({"sample by": by} if by else {})


def _setting(question: ReleaseQuestion, alpha: float, constants: str) -> ReleaseSetting:
    grid = {} if question.m else {"grid": question.grid}
    asked = {**question.budget, "m": question.m, "cover": "spacing", **grid, "alpha": alpha, "constants": constants}
    return ReleaseSetting.model_validate(asked)


def _least(question: ReleaseQuestion, release: Release, constants: str) -> float | None:
    def kept(alpha: float) -> bool:
        if not release.needs_private:
            return question.m > 0 and question.concept.deviation(question.m, alpha) <= question.beta
        setting = _setting(question, alpha, constants)
        if setting.public and (setting.explicit_m is None or setting.public < setting.explicit_m):
            return False
        needed = setting.needed(release, sharp=True)
        return needed is not None and needed <= question.n

    low, high = log(1e-9), log(1 - 1e-6)
    if (release.needs_public and not question.m) or (release.ordered and not question.concept.ordered) or not kept(exp(high)):
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if kept(exp(middle)) else (middle, high)
    return exp(high)


def entry(question: ReleaseQuestion, name: str) -> Contender:
    """A mechanism at its best."""
    trying = TriedRelease(question, name)
    proved = trying.proved
    told: dict[str, Any] = {"promised": proved[0], "promised_at": proved[1]} if proved else {}
    found = trying.best()
    if found is None:
        return Contender(name, why=trying.reason(), **told)
    setting, _ = found
    runs = {each: trying.runs(setting, each, 1) for each in question.distributions}
    means = {each: mean(made) for each, made in runs.items() if made is not None}
    where = max(means, key=lambda each: means[each].mean)
    made = runs[where]
    assert made is not None
    most = float(np.quantile(made, 1 - question.beta, method="higher"))
    spent, why = trying.spent(setting), None
    if spent_by(name) != "certified":
        why = "(ε, δ)-DP as its author declares, certified by no accountant"
    elif spent is None or spent > question.eps * (1 + CERTIFIED):
        why = "not certified to be (ε, δ)-DP"
    return Contender(name, _words(trying, setting), means[where], most, where, why=why, **told)


def _words(trying: TriedRelease, setting: Setting) -> dict[str, str]:
    """The settings that have a say, as they are told."""
    says, symbols = trying.search.says(setting), {"alpha": "α", "m": "public points"}
    told = {symbols.get(axis, axis): setting[axis] for axis in says if not (axis == "m" and setting["m"] == trying.question.m)}
    return {
        name: value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
        for name, value in told.items()
    }


def advice(question: ReleaseQuestion) -> Race:
    """What is advised."""
    every = [entry(question, name) for name, each in releases().items() if each.private]
    race = ranked(every)
    kinds = {(releases()[one.name].needs_public, releases()[one.name].needs_private): one.name for one in reversed(race)}
    names = list(dict.fromkeys([*(one.name for one in race[:2]), *kinds.values()]))
    axes = {"n": MAX_N, **({"m": MOST_PUBLIC} if question.m else {})}
    moved = partial(changes, question, names, axes, NOTHING)
    return Race(
        _asked(question),
        "error of every private mechanism",
        every,
        moved,
        question.beta,
        list(_notes(question, every)),
        _moves(question),
    )


def _moves(question: ReleaseQuestion) -> str:
    return f"up to 1,000 times more or fewer private{' or public' * (question.m > 0)} points"


def _asked(question: ReleaseQuestion) -> str:
    budget = f"ε = {question.eps:g}, δ = {question.delta:g}, β = {question.beta:g}"
    points = (
        f"m = {question.m:,} public points"
        if question.m
        else f"no public ones: the queries of a grid of {question.grid:,} cells"
    )
    dimensions = "".join(f", {key} = {value}" for key, value in question.concept.model_dump().items())
    return (
        f"release of {question.concept.name}{dimensions}: n = {question.n:,} private points, {points}\n{budget}; "
        f"distributions: {', '.join(question.distributions)}"
    )


def _notes(question: ReleaseQuestion, every: list[Contender]) -> Iterator[str]:
    over = "the class" if question.m else "the queries of the grid"
    yield (
        f"error: the largest over {over}, of averages of ±1, as a mean with its margin, where the mechanism errs most; "
        f"{1 - question.beta:.0%}: not exceeded in so many runs; promised: proved with probability {1 - question.beta:g}."
    )
    if question.alpha is not None:
        kept = [one.name for one in ranked(every) if one.most is not None and one.most <= question.alpha]
        proved = [one.name for one in ranked(every) if one.promised is not None and one.promised <= question.alpha]
        yield (
            f"An error of {small(question.alpha)} is kept in {1 - question.beta:.0%} of the runs by "
            f"{', '.join(kept) or 'none'}; proved of {', '.join(proved) or 'none'}."
        )
