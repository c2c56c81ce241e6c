"""Each subject's rows are the same whoever is run beside it, and whatever ran before; and nobody can write to what is shared.

Parametrised from the registry, over committed tables: a new kind is in it with its first.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import nan
from typing import Any

import numpy as np
import pytest

from harness.arrays import Shared
from harness.ballots import Ballot
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import Answers
from harness.mechanisms.answering.majority import Majority
from harness.sweep.spec import Sweep
from harness.trials import kinds
from harness.trials.answers import KIND
from harness.trials.beside import alike, company_counts, unlike
from harness.trials.cell import Cell
from tests.support.tabled import ROOT, samples

SLOW = 0.5
"""Seconds of a row beyond which a cell is run here only where its kind has none that is quicker."""


def setting(kind: str) -> tuple[Any, list[str], int]:
    """The cell with most subjects, of those that are quick; its subjects; and the seed of its table."""
    found: list[tuple[tuple[int, float], Any, list[str], int]] = []
    for stored in samples(kind):
        frame = stored.table.frame()
        for cell in stored.sweep.cells:
            own = frame[frame["cell"] == cell.identity]
            names = [name for name in stored.sweep.spec.mechanisms if name in set(own["mechanism"])]
            seconds = float(own["seconds"].max())
            if names:
                found.append(((len(names) if seconds < SLOW else 0, -seconds), cell, names, stored.sweep.spec.seed))
    return max(found, key=lambda each: each[0])[1:]


LONG = ("audit", "release_complexity", "tracing_reach", "least_release", "tracing_law", "sample_complexity", "least_scores")
"""Kinds whose trials take seconds each."""
QUICK = ("soft_label_privacy", "tracing_scores", "learner", "stability", "tracing", "answers", "stable_queries", "release")
"""Those whose trials take less than one, together."""


@pytest.mark.at_once(*QUICK)
@pytest.mark.parametrize("kind", kinds())
def test_rows_do_not_depend_on_who_is_beside_or_was_before(kind: str) -> None:
    cell, names, seed = setting(kind)
    assert company_counts(kinds()[kind], cell, names, seed, block=3) == []


@cache
def cells() -> Mapping[str, list[Any]]:
    """Of each kind the cells of all committed experiments."""
    found: dict[str, list[Any]] = {}
    for path in sorted((ROOT / "experiments").glob("*.yaml")):
        sweep = Sweep(path)
        found.setdefault(sweep.kind.name, []).extend(sweep.cells)
    return found


def companies(kind: str) -> list[tuple[Any, list[str], int]]:
    """Cells and all who can run on each, so few that all who meet on any cell do in one of them; how many pairs each adds."""
    by_company: dict[tuple[str, ...], Any] = {}
    for cell in cells()[kind]:
        names = tuple(name for name in kinds()[kind].subjects() if kinds()[kind].refuse(cell, name) is None)
        by_company.setdefault(names, cell)
    left, found = {pair for names in by_company for pair in combinations(names, 2)}, list[tuple[Any, list[str], int]]()
    while left:
        names = max(by_company, key=lambda company: len(left.intersection(combinations(company, 2))))
        found.append((by_company[names], [*names], len(left.intersection(combinations(names, 2)))))
        left -= {*combinations(names, 2)}
    return found


@pytest.mark.law
@pytest.mark.parametrize("kind", [name for name in kinds() if name not in LONG])
def test_every_subject_runs_beside_every_other_that_its_cells_allow(kind: str, record_property: Callable[..., None]) -> None:
    """Each is before each in one of two runs, and alone in a third: 628 pairs, of kinds whose trials take no seconds each."""
    pairs = 0
    for cell, names, more in companies(kind):
        assert company_counts(kinds()[kind], cell, names) == []
        pairs += more
    record_property("pairs", pairs)


COARSE: Mapping[str, dict[str, Any]] = {
    "sample_complexity": {"budget": 40, "error": 0.05, "alpha": 0.2, "eps": 5.0},
    "tracing_reach": {"budget": 60, "error": 0.01, "p": 16, "n": 4, "eps": 5.0},
    "least_release": {"budget": 60, "error": 0.01, "alpha": 0.4, "eps": 20.0},
    "release_complexity": {"budget": 10, "error": 0.1, "alpha": 0.8, "eps": 50.0, "beta": 0.3},
}
"""By kinds of searches: what makes them quick."""


@pytest.mark.law
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", COARSE)
def test_every_search_runs_beside_every_other_where_searches_are_coarse(kind: str) -> None:
    """Of cells that none has committed, as theirs take hours: 206 pairs of learners, 295 of releases."""
    for cell, names, _ in companies(kind):
        coarse = type(cell).model_construct(**{field: getattr(cell, field) for field in type(cell).model_fields} | COARSE[kind])
        assert (
            company_counts(kinds()[kind], coarse, [name for name in names if kinds()[kind].refuse(coarse, name) is None]) == []
        )


def labelled(ballot: Ballot, label: int) -> Answers:
    """One label for all queries."""
    given = np.zeros(ballot.counts.shape, dtype=np.int64)
    given[label] = ballot.sizes
    return Answers(given)


class Counting(Majority):
    """Answers its first trial otherwise than all others."""

    name, calls = "counting", 0

    def answer(self, ballot: Ballot, plan: Any, task: Any, rng: np.random.Generator) -> Answers:
        self.calls += 1
        return labelled(ballot, int(self.calls == 1))


class Greedy(Majority):
    """Draws from a generator of its own, which goes on from trial to trial."""

    name, rng = "greedy", np.random.default_rng(1)

    def answer(self, ballot: Ballot, plan: Any, task: Any, rng: np.random.Generator) -> Answers:
        return labelled(ballot, int(self.rng.integers(2)))


@pytest.mark.parametrize("theirs", [Counting(), Greedy()], ids=lambda each: each.name)
def test_what_a_mechanism_keeps_from_trial_to_trial_is_seen(theirs: Majority, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**mechanisms(), theirs.name: theirs}
    for module in ("harness.trials.answers", "harness.trials.cell"):
        monkeypatch.setattr(f"{module}.mechanisms", lambda: known)
    told = company_counts(KIND, Cell(n=10**9, m=50), ["A_binClas", theirs.name, "majority"])
    assert told and all(line.startswith(f"{theirs.name} ") for line in told)
    assert any(line.startswith(f"{theirs.name} alone: wrong is ") for line in told)


class Vandal(Majority):
    """Swaps the votes in place, for whoever comes after."""

    name = "vandal"

    def answer(self, ballot: Ballot, plan: Any, task: Any, rng: np.random.Generator) -> Answers:
        ballot.counts[:] = ballot.counts[::-1].copy()
        return super().answer(ballot, plan, task, rng)


def test_what_mechanisms_share_cannot_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**mechanisms(), "vandal": Vandal()}
    for module in ("harness.trials.answers", "harness.trials.cell"):
        monkeypatch.setattr(f"{module}.mechanisms", lambda: known)
    with pytest.raises(ValueError, match="read-only"):
        KIND.rows(Cell(n=10**9, m=50), ["vandal", "A_binClas"], 1, 0)


def test_a_ballot_and_what_it_derives_are_shared() -> None:
    ballot = Ballot(np.array([[3, 1], [2, 4]]), 5, np.array([0, 1], dtype=np.int8))
    for array in (ballot.counts, ballot.truth, ballot.sizes, ballot.winner, ballot.gap, ballot.wrong):
        assert not array.flags.writeable
    of_three = replace(ballot, counts=np.array([[3, 1], [2, 4], [0, 0]]))
    assert not of_three.gap.flags.writeable and not of_three.wrong.flags.writeable
    assert isinstance(ballot, Shared)


def test_a_column_that_only_one_of_two_runs_has_is_told() -> None:
    assert [*unlike({"wrong": 1}, {"wrong": 1, "kept": 2, "seconds": 3}, "theirs alone")] == [
        "theirs alone: kept is 2, and was None"
    ]
    assert [*unlike({"wrong": 1, "seconds": 3}, {}, "theirs alone")] == ["theirs alone: wrong is None, and was 1"]


def test_two_values_are_alike_if_they_are_equal_or_neither_is_a_number() -> None:
    assert alike(nan, nan) and alike(1.0, 1.0) and alike(None, None)
    assert not any(alike(*pair) for pair in ((1.0, nan), (nan, 1.0), (1.0, 2.0), (1, 1.0), (None, nan), (np.ones(2), 1.0)))


def test_arrays_of_other_sizes_are_unlike_whichever_is_longer() -> None:
    long, short = {"wrong": np.arange(3)}, {"wrong": np.arange(2)}
    assert list(unlike(long, short, "own alone")) == ["own alone: wrong is [0 1], and was [0 1 2]"]
    assert list(unlike(short, long, "own alone")) == ["own alone: wrong is [0 1 2], and was [0 1]"]
