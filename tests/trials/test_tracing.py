"""Trials of the tracing attack: rows are named as they are when all are written out, and of private mechanisms none is."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.arrays import Bools
from harness.mechanisms.leak import PublishedRows
from harness.mechanisms.release import releases
from harness.theory.tracing import threshold
from harness.trials.seeds import stream
from harness.trials.tracing import KIND, Attack, TracingCell, refuse, resolved
from harness.trials.tracing_reach import KIND as REACH
from harness.trials.tracing_reach import ReachCell
from harness.trials.tracing_reach import refuse as refuse_reach

SMALL: dict[str, Any] = {"p": 2000, "alpha": 0.25, "n": 20}


def attack(cell: TracingCell, trial: int = 0) -> Attack:
    return Attack(cell, cell.n, cell.m, lambda purpose: stream(cell.identity, 7, trial, purpose))


@pytest.mark.parametrize(("biases", "m"), [("narrow", 0), ("narrow", 5), ("wide", 0)])
def test_rows_are_named_as_when_all_are_written_out(biases: str, m: int) -> None:
    cell = TracingCell(**SMALL, m=m, biases=biases)
    own = attack(cell)
    private, public = (
        2 * np.concatenate([np.empty((0, 2000)), *own.marginal.blocks(count, own.rows(purpose))]) - 1
        for count, purpose in ((20, "private"), (m, "public"))
    )
    rows, mu = np.concatenate([private, public]), own.marginal.biases
    q = rows.mean(axis=0)
    weights = q if biases == "narrow" else np.clip(q - mu, -0.5, 0.5)
    named = (rows - mu) @ weights >= threshold(weights, mu, 1 / (20 + m) ** 2)
    (row,) = KIND.rows(cell, ["all_averages"], 7, 0)
    assert (row["named_private"], row["named_public"]) == (named[:20].sum(), named[20:].sum())
    assert row["named"] > 10 and row["error"] == pytest.approx(np.abs(q - mu).max())


def test_mechanisms_share_rows_and_trials_are_pure() -> None:
    cell, names = TracingCell(**SMALL, m=6, outsiders=30), ["A_PAP", "all_averages", "gaussian_averages", "rounded_averages"]
    together = [{**row, "seconds": 0} for row in KIND.rows(cell, names, 7, 3)]
    alone = [{**KIND.rows(cell, [name], 7, 3)[0], "seconds": 0} for name in reversed(names)][::-1]
    assert together == alone
    assert set(together[0]) == set(KIND.table)
    assert KIND.rows(cell, names, 8, 3)[1]["score"] != together[1]["score"]


def test_public_rows_stand_in_for_private_ones() -> None:
    """Answers that are made of public rows name these and no other; those of all rows name all."""
    rows = {
        row["mechanism"]: row
        for row in KIND.rows(TracingCell(p=8000, alpha=0.25, n=20, m=12), ["public_averages", "all_averages"], 7, 0)
    }
    assert (rows["public_averages"]["named_private"], rows["public_averages"]["named_public"]) == (0, 12)
    assert rows["all_averages"]["named_private"] >= 15


def test_coordinates_that_public_rows_do_not_tell_apart_have_one_answer() -> None:
    own = attack(TracingCell(**SMALL, m=3))
    answers, spent = own.answers("gaussian_averages")
    assert len(np.unique(answers)) <= 8 and spent == pytest.approx(1.0)


@pytest.mark.parametrize("name", [name for name, each in releases().items() if each.private and not each.ordered])
def test_no_private_mechanism_lets_a_row_be_named(name: str) -> None:
    """In 20 trials none; (1, 1/4n)-privacy would let it be in about every third."""
    cell = TracingCell(**SMALL, m=25)
    assert sum(KIND.rows(cell, [name], 1, trial)[0]["named_private"] for trial in range(20)) == 0


def test_averages_of_so_few_rows_name_nearly_all_whatever_is_done_within_alpha() -> None:
    made = KIND.rows(TracingCell(p=16384, alpha=0.25, n=30), ["all_averages", "grid_averages", "rounded_averages"], 1, 0)
    assert [row["named"] >= 28 for row in made] == [True] * 3
    assert made[0]["score"] > made[1]["score"] > made[2]["score"] > 4


def test_centred_at_the_averages_of_the_rows_the_attack_is_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Attack, "centre", property(lambda self: self.averages.all))
    (row,) = KIND.rows(TracingCell(p=16384, alpha=0.25, n=30), ["all_averages"], 1, 0)
    assert row["named"] <= 2 and row["score"] < 1e-9


@pytest.mark.parametrize(
    ("changes", "name", "said"),
    [
        ({}, "A_PAP", "A_PAP is made of public points, and m = 0 means none; allowed: m ≥ 1"),
        ({"m": 5}, "gaussian_tree", "gaussian_tree is for cells in an order"),
        ({"p": 10**6, "n": 10**5}, "PMW", "rows of p = 1,000,000 would be drawn one by one; allowed: at most 1e+10"),
    ],
)
def test_what_cannot_be_attacked_is_refused(changes: dict[str, Any], name: str, said: str) -> None:
    refusal = refuse(TracingCell(**SMALL | changes), name)
    assert refusal is not None and said in str(refusal)
    assert refuse(TracingCell(**SMALL), "all_averages") is None
    assert refuse_reach(ReachCell(p=100, alpha=0.2, m=0), "A_PAP") is not None


@pytest.mark.parametrize(
    ("given", "said"), [({"find": "n", "n": 5}, "n is what is searched for"), ({"find": "m"}, "allowed: n")]
)
def test_what_is_searched_for_is_left_out(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ReachCell(p=100, alpha=0.2, **given)


@pytest.mark.law
def test_a_search_finds_where_half_of_the_attacks_succeed() -> None:
    """With one public row: at its lower end two rows are named in most runs, at its upper end in few."""
    cell = ReachCell(p=512, alpha=0.25, error=0.1, budget=60)
    (found,) = REACH.rows(cell, ["all_averages"], 1, 0)
    assert (cell.public, found["m"]) == (1, 1)
    shares = []
    for n in (found["low"], found["high"]):
        rows = [KIND.rows(TracingCell(p=512, alpha=0.25, n=n, m=1), ["all_averages"], 1, trial)[0] for trial in range(60)]
        shares.append(np.mean([row["named"] > 1 for row in rows]))
    assert shares[0] > 0.5 > shares[1]


def test_biases_and_the_chance_of_naming_a_fresh_row_are_those_that_are_asked_for() -> None:
    narrow, wide = (TracingCell(p=10, alpha=0.2, n=5, biases=biases) for biases in ("narrow", "wide"))
    assert (narrow.largest, wide.largest) == (0.8, 1.0)
    assert [narrow.false_positives(rows) for rows in (1, 4, 10)] == [1 / 16, 1 / 16, 1 / 100]
    assert TracingCell(p=10, alpha=0.2, n=5, rate=0.03).false_positives(10) == 0.03


def test_each_row_is_published_with_a_chance_of_a_quarter_of_one_in_n(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is the δ at which the theorem is applied."""
    chances: list[float] = []

    def published(_: PublishedRows, n: int, delta: float, rng: np.random.Generator) -> Bools:
        chances.append(delta)
        return np.zeros(n, np.bool_)

    monkeypatch.setattr(PublishedRows, "published", published)
    answers, spent = attack(TracingCell(**SMALL)).answers("published_rows")
    assert not answers.any() and spent == 0 and chances == [1 / 80]


@pytest.mark.parametrize("rows", [[4], [0, 7, 19], list(range(20))])
def test_published_rows_are_answered_with_by_their_averages(rows: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As ±1, whatever blocks they come in."""
    chosen = np.isin(np.arange(20), rows)
    monkeypatch.setattr(PublishedRows, "published", lambda *given: chosen)
    own = attack(TracingCell(**SMALL))
    private = np.concatenate([*own.blocks(20, "private")])
    answers, spent = own.answers("published_rows")
    assert answers == pytest.approx((2.0 * private - 1)[rows].mean(axis=0)) and spent == 0
    for size in (1, 7):
        blocks = [private[start : start + size] for start in range(0, 20, size)]
        monkeypatch.setattr(Attack, "blocks", lambda self, count, purpose, blocks=blocks: blocks)
        assert np.array_equal(own.answers("published_rows")[0], answers)


@pytest.mark.parametrize("answer", [-1.0, 0.0, 1.0])
def test_wide_biases_weigh_an_answer_by_how_far_it_is_off_up_to_twice_alpha(answer: float) -> None:
    """Narrow ones by the answer itself."""
    own, narrow = (attack(TracingCell(**SMALL | {"alpha": 0.2}, biases=biases)) for biases in ("wide", "narrow"))
    answers = np.full(2000, answer)
    off = [min(0.4, max(-0.4, answer - mu)) for mu in own.marginal.biases]
    assert own.weights(answers) == pytest.approx(off) and narrow.weights(answers) == pytest.approx(answers)


@pytest.mark.parametrize(("rate", "m"), [(None, 0), (None, 30), (0.01, 30)])
def test_privacy_lets_an_attack_name_a_quarter_of_a_row_and_a_fresh_ones_share(rate: float | None, m: int) -> None:
    """n(e^ε rate + 1/4n), by default at a rate of one in the square of all rows."""
    row = resolved(TracingCell(**SMALL | {"m": m, "rate": rate, "eps": 0.5}), "all_averages")
    fresh = rate or 1 / (20 + m) ** 2
    assert (row["rate"], row["rows"], row["delta"]) == (pytest.approx(fresh), 20 + m, 1 / 80)
    assert row["bound"] == pytest.approx(20 * (np.exp(0.5) * fresh + 1 / 80))
