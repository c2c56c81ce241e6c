"""Edges of what commands do: what is refused, what is drawn and run, and what is told of options, costs and samples."""

from io import StringIO
from math import nan
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel

from harness.report import calculators, drawing, regression, running, score_plan, seen, spending
from harness.report.advice import releases
from harness.report.advice.releases import ReleaseQuestion
from harness.report.console import Terminal
from harness.report.cost import _cells_grid
from harness.report.settings import _named
from harness.report.two_sample import two_sample
from harness.sweep.errors import InputError
from tests.report.test_regression import KIND, table
from tests.report.test_told_in_words import printed

if TYPE_CHECKING:
    from tests.support.project import Harness

NOTHING: Any = None


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (("constants", "c_k"), "--with c_k"),
        (("constants", "from"), "--constants"),
        (("constants",), "--constants"),
        (("pac_bound",), "--pac-bound"),
        (("concept", "d"), "--concept"),
        ((), "--n"),
    ],
)
def test_a_part_of_a_setting_is_told_by_the_option_that_gave_it(place: Any, said: str) -> None:
    assert calculators.option(place) == said


def test_what_was_typed_is_told_as_text_in_a_complaint(harness: "Harness") -> None:
    said = harness("plan", "--bo\x07gus")
    assert said.code == 2 and "\\x07" in said.err and "\x07" not in said.err


@pytest.mark.parametrize(("m", "over"), [(0, "the queries of the grid"), (50, "the class")])
def test_notes_of_a_release_say_over_what_an_error_is_and_how_sure_it_is(m: int, over: str) -> None:
    first, *others = releases._notes(ReleaseQuestion(n=100, m=m, beta=0.1), [])
    assert others == [] and first == (
        f"error: the largest over {over}, of averages of ±1, as a mean with its margin, where the mechanism errs most; 90%: "
        "not exceeded in so many runs; promised: proved with probability 0.9."
    )


@pytest.mark.parametrize("fresh", [False, True])
def test_rows_that_changed_are_refused_unless_a_run_starts_over(fresh: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[Any]()
    monkeypatch.setattr(running, "_refuse_changed_rows", lambda sweep, store: seen.append(sweep.name))
    monkeypatch.setattr(running, "Forecast", lambda *given: SimpleNamespace(of=lambda *given, **more: []))
    sweep: Any = SimpleNamespace()
    sweep.name = "mine"
    running.run_all([sweep], Path("nowhere"), NOTHING, fresh=fresh, draw=False)
    assert seen == ([] if fresh else ["mine"])


def test_a_figure_that_was_drawn_is_used_where_both_of_its_files_are_there(tmp_path: Path) -> None:
    """The picture and its caption."""
    table = tmp_path / "mine.parquet"
    table.touch()
    sweep: Any = SimpleNamespace()
    sweep.name = "mine"
    stored: Any = SimpleNamespace(sweep=sweep, path=table, far="", view=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "is_drawn", lambda stored: True)
        patch.setattr("harness.report.figures.caption.caption_of", lambda described, view: described)
        found = [drawing.drawn_before(stored, "said")]
        for name, text in (("mine.svg", "<svg/>"), ("mine.tex", "said"), ("mine.tex", "another")):
            (tmp_path / name).write_text(text, encoding="utf-8")
            found.append(drawing.drawn_before(stored, "said"))
        (tmp_path / "mine.svg").unlink()
        found.append(drawing.drawn_before(stored, "another"))
    assert found == [None, None, tmp_path / "mine.svg", None, None]


def test_anothers_file_in_the_place_of_any_figure_is_refused_before_one_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = list[Any]()
    monkeypatch.setattr(drawing, "drawn", drawn.append)
    stored = [SimpleNamespace(sweep=SimpleNamespace(), view=None, table=None) for _ in range(2)]
    for each, name in zip(stored, ("first", "second"), strict=True):
        each.sweep.name = name
    (tmp_path / "second.svg").write_text("somebody's own", encoding="utf-8")
    with pytest.raises(InputError, match=r"second\.svg"):
        drawing.show_drawn(Terminal(file=StringIO()), stored, tmp_path)  # type: ignore[arg-type]
    assert drawn == []


def test_of_a_place_of_which_either_table_has_no_row_nothing_is_asked() -> None:
    rows = table()
    of_rows: Any = SimpleNamespace(kind=KIND, firsts=lambda: iter([("c", "A", rows[:0], rows), ("c", "A", rows, rows[:0])]))
    asked = regression._asked(of_rows)
    assert (list(asked.computed), list(asked.drawn)) == ([], [])


@pytest.mark.parametrize(("shift", "larger"), [(0.3, True), (-0.3, False)])
def test_a_sample_is_the_larger_one_however_little_it_is_larger(shift: float, larger: bool) -> None:
    rng = np.random.default_rng(3)
    p, is_larger = two_sample(rng.normal(shift, 1, 300), rng.normal(0, 1, 300))
    assert is_larger is larger and 0 < p < 1


def test_a_name_is_told_as_it_is_where_it_has_no_parameters_of_its_own() -> None:
    class Model(BaseModel):
        d: int = 3

    cell: Any = SimpleNamespace(learner_name="any", gamma=0.0)
    assert _named(cell, "learner", "leftmost") == "leftmost" and _named(cell, "learner", Model()) == "any (d = 3)"
    assert _named(cell, "concept", Model()) == "d=3"


@pytest.mark.parametrize("word", ["certified", "declared"])
def test_scores_whose_spending_is_an_authors_word_say_so_where_anything_is_spent(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(score_plan, "spent_by", lambda name: word)
    lines = printed(lambda console: console.print(calculators.plan_scores(n=10**9))).splitlines()
    told = {line.split()[0]: " ".join(line.split()[4:]) for line in lines if line.strip()}
    assert (told["gaussian_mean"], told["mean"]) == ("1, declared" if word == "declared" else "1", "–")


def test_what_each_cell_costs_is_a_trial_and_all_of_them() -> None:
    cells = [SimpleNamespace(identity=name) for name in "ab"]
    settings = SimpleNamespace(varying=lambda: ["m"], symbol=lambda axis: axis, value=lambda cell, axis: cell.identity)
    estimate: Any = SimpleNamespace(sweep=SimpleNamespace(), tasks=[(cells[0], 10, 3.0), (cells[1], 2, 40.0)])
    estimate.sweep.name = "mine"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.report.cost.Settings.of", lambda sweep: settings)
        lines = printed(lambda console: console.print(_cells_grid(estimate))).splitlines()
    assert [line.split()[1:] for line in lines[-2:]] == [["10", "3", "s", "30", "s"], ["2", "40", "s", "80", "s"]]


def test_who_spends_more_or_is_vouched_for_by_an_author_is_told_in_the_order_of_the_rows() -> None:
    """With how many of the cells in which it is, and where most is spent."""
    columns = ["mechanism", "cell", "eps", "spent"]
    rows = [("noisy_majority", "a", 1.0, 2.0), ("gaussian", "a", 2.0, 1.0), ("noisy_majority", "b", 1.0, 0.5)]
    rows += [
        ("gaussian", "b", 2.0, 5.0),
        ("gaussian", "c", 1.0, 3.0),
        ("noisy_majority", "c", 1.0, 1.0),
        ("majority", "c", 1.0, nan),
    ]
    table = pd.DataFrame(rows, columns=columns)
    assert list(spending.overspent(table).items()) == [
        ("noisy_majority", "noisy_majority spends more than ε in 1 of 3 cells: ε′ = 2 at ε = 1"),
        ("gaussian", "gaussian spends more than ε in 2 of 3 cells: ε′ = 3 at ε = 1"),
    ]
    made = spending.declared(table, ["gaussian", "noisy_majority"])
    assert list(made) == ["noisy_majority", "gaussian"]
    assert made["gaussian"] == "gaussian: ε′ = 1 to 5 is declared by its author; no accountant has certified it"
    assert spending.spending(table) == ["gaussian", "noisy_majority"] and spending.spending(table[["mechanism"]]) == []


def test_a_file_is_as_new_as_its_last_change_and_a_spec_of_audits_says_so(tmp_path: Path) -> None:
    spec = tmp_path / "any.yaml"
    assert seen._changed(spec) == 0 and not seen._is_of_audits(spec) and not seen._is_of_audits(tmp_path)
    for text, of_audits in (("kind: audit\n", True), ("a: 1\nkind:  'audit'\n", True), ("kind: answers\n", False), ("", False)):
        spec.write_text(text, encoding="utf-8")
        assert seen._is_of_audits(spec) == of_audits and seen._changed(spec) == spec.stat().st_mtime_ns


@pytest.mark.parametrize(
    ("made", "loaded", "same"),
    [({}, {}, True), ({}, {"a": "1"}, True), ({"a": "1"}, {"a": "1", "b": "2"}, True), ({"a": "1"}, {"a": "2"}, False)],
)
def test_audits_of_plugins_count_where_these_are_loaded_as_they_were(
    made: dict[str, str], loaded: dict[str, str], same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.sweep.run.provenance.of_plugins", lambda: loaded)
    assert seen._of_these_plugins(made) == same


@pytest.mark.parametrize(
    ("share", "said", "words"),
    [
        (0.004, "0%", ""),
        (0.005, "0%", "audits see 0% of it"),
        (0.25, "25%", "audits see 25% of it"),
        (1.0, "100%", "audits see 100% of it"),
        (1.26, "1.3 times", "audits see 1.3 times as much"),
        (None, "", ""),
    ],
)
def test_a_share_is_told_in_per_cent_and_above_all_of_it_as_a_multiple(
    share: float | None, said: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "share_of", lambda name: share)
    assert share is None or seen.told_share(share) == said
    assert seen.beside("any") == words
