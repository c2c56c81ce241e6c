"""Queries that depend on no answer are drawn and answered for many trials at once, by the law of trials that are drawn alone.

Each of fewer than 100 comparisons may fail falsely with probability 1e-9.
"""

from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from harness.analysts import Poll, QuerySite, of_records
from harness.analysts.planted import PlantedVotes
from harness.arrays import Reals
from harness.mechanisms.online import BOTTOM, onlines
from harness.mechanisms.online.a_subsamp import OnlineASubSamp
from harness.mechanisms.online.stable_loop import StableLoop
from harness.trials.stable_cell import MOST_TRIALS, StableCell
from harness.trials.stable_queries import KIND, Tally

ERROR = 1e-9
COLUMNS = ("answered", "bottoms", "wrong", "missed", "unstable", "stable_failed", "halted_at")
CELLS = {
    "halting": StableCell(analyst=PlantedVotes(values=2), constants="k_tight", k_scale=0.7, T=3, m=40, beta=0.4),
    "many labels": StableCell(analyst=PlantedVotes(values=50), constants="k_tight", k_scale=0.8, T=4, m=30, beta=0.4, n=20_000),
}


def measured(cell: StableCell, names: list[str], trials: int, seed: int) -> dict[tuple[str, str], Reals]:
    """So many trials, by mechanism and column; of what is null, −1."""
    blocks = [KIND.run(cell, names, seed, block) for block in range(-(-trials // cell.block))]

    def drawn(place: int, column: str) -> Reals:
        values = [block[place][column] for block in blocks]
        return np.concatenate(
            [np.broadcast_to(-1.0 if each is None else np.asarray(each, float), cell.block) for each in values]
        )

    return {(name, column): drawn(place, column) for place, name in enumerate(names) for column in COLUMNS}


@pytest.mark.law
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_blocks_follow_the_law_of_single_trials(cell: StableCell, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(onlines())
    assert cell.block == MOST_TRIALS
    many = measured(cell, names, 256, 1)
    monkeypatch.setattr(PlantedVotes, "at_once", False)
    alone = cast(StableCell, cell.bare())
    monkeypatch.setattr(StableCell, "block", 1)
    one = measured(alone, names, 256, 2)
    assert alone.block == 1
    spread = [place for place in many if np.ptp(np.append(many[place], one[place])) > 0]
    assert len(spread) > 8
    for place in spread:
        assert stats.ks_2samp(many[place], one[place], method="asymp").pvalue > ERROR, place


@pytest.mark.parametrize("values", [2, 3, 40])
@pytest.mark.parametrize("share", [0.6, 1.0])
def test_polls_that_are_known_are_those_that_are_asked(values: int, share: float) -> None:
    """Winner, gap and distance of each against the same poll by itself; T of them split, at any places."""
    analyst, site = PlantedVotes(values=values, share=share), QuerySite(m=50, k=7, s=1, unstable=5)
    for n in (None, 6, 7):
        known = analyst.known(site, 20, np.random.default_rng(1), n)
        assert (known.stable.sum(axis=1) == 45).all() and known.stable[:, :5].any() and not known.stable.all()
        assert (known.counts.sum(axis=-1) == (n or 7)).all() and len(np.unique(known.truth)) > 1
        for at in np.ndindex(known.truth.shape):
            poll = known.poll(*at)
            alone = of_records(poll.labels, poll.counts, poll.truth) if n else Poll(poll.labels, poll.counts, poll.truth)
            assert int(known.winner[at]) == alone.winner and int(known.gap[at]) == alone.gap and poll.distance == alone.distance


@pytest.mark.parametrize("promised", [20.0, None])
def test_what_was_said_to_known_polls_is_counted_as_one_by_one(promised: float | None) -> None:
    cell = CELLS["many labels"]
    known, rng = PlantedVotes(values=50).known(cell.site("A_subSamp"), 30, np.random.default_rng(1)), np.random.default_rng(2)
    said = np.where(rng.random(known.truth.shape) < 0.5, known.winner, rng.integers(BOTTOM, 50, known.truth.shape))
    asked, distances = rng.integers(1, 31, 30), known.gap
    many = Tally.of(promised, known, distances, said, asked)
    for trial in range(30):
        one = Tally(promised)
        for place in range(asked[trial]):
            answer = int(said[trial, place])
            one.count(known.poll(trial, place), float(distances[trial, place]), None if answer == BOTTOM else answer)
        for column in ("answered", "bottoms", "wrong", "unstable", "stable_failed", "lost", "asked"):
            assert np.broadcast_to(getattr(many, column), 30)[trial] == getattr(one, column)


class Alone(OnlineASubSamp):
    """Answers one poll after the other."""

    def begin(self, *given: Any) -> StableLoop:
        return super().begin(*given)

    def distance(self, plan: Any, poll: Any) -> int:
        assert isinstance(poll, Poll)
        return int(super().distance(plan, poll))


def test_what_answers_one_poll_is_given_one_after_the_other() -> None:
    cell = CELLS["halting"]
    plan: Any = cell.plan("A_subSamp")
    known = PlantedVotes().known(cell.site("A_subSamp"), 40, np.random.default_rng(1))
    for mechanism in (Alone(), OnlineASubSamp()):
        said, asked = mechanism.answer_known(plan, known, 2, np.random.default_rng(2))
        assert said.shape == (40, 40) and asked.min() < 40
        for trial in range(40):
            assert (said[trial, : asked[trial]] == BOTTOM).sum() <= 4
            assert asked[trial] == 40 or said[trial, asked[trial] - 1] == BOTTOM
    loop = Alone().begin(plan, 40, 2, np.random.default_rng(3))
    first = [loop.answer(known.poll(0, place)) for place in range(40) if not loop.halted]
    said, asked = Alone().answer_known(plan, known, 2, np.random.default_rng(3))
    assert [BOTTOM if each is None else each for each in first] == said[0, : asked[0]].tolist()


def test_an_analyst_whose_queries_are_not_known_has_blocks_of_one() -> None:
    given: dict[str, Any] = {"m": 20, "n": 50_000}
    for name in ("modes", "features", "descent", "points", "search"):
        assert StableCell(analyst=name, **given).block == 1


@pytest.mark.parametrize(
    ("m", "trials"), [(1, 256), (256, 256), (257, 255), (1000, 65), (2**15, 2), (2**15 + 1, 1), (2**16, 1), (10**6, 1)]
)
def test_trials_of_known_queries_are_drawn_together_up_to_so_many_queries(m: int, trials: int) -> None:
    """At most 256 trials, and of all of them 2¹⁶ queries, but for one trial that has more."""
    assert StableCell(m=m, n=50_000).block == trials
