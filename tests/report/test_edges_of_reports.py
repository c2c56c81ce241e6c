"""Edges of what commands say: a width at which a column just fits, a number just too long, a first counterexample."""

import ast
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest
from matplotlib.artist import Artist
from matplotlib.lines import Line2D

from harness.claims.engine import Claim, Limit, Outcome, Probability, Verdict
from harness.report import evaluation, guard, one_claim, plan, progress, reference, release_plan, replay, show
from harness.report.console import Terminal
from harness.report.defaults import RUNS
from harness.report.drawing import show_drawn
from harness.report.figures import rendered
from harness.report.figures.plot import plots
from harness.report.figures.seen import Reading
from harness.report.grids import Sheet
from harness.report.release_plan import ReleaseCalculation, release_setting
from harness.report.settings import Settings, View
from harness.report.stored import measured
from harness.report.verdicts import Finding
from harness.sweep.errors import InputError
from tests.support.committed import rows_of, sweep_of


def at(width: int, *things: object) -> list[str]:
    """Lines on a terminal of a width."""
    terminal = Terminal(file=StringIO(), width=width, soft_wrap=False)
    with terminal.capture() as captured:
        for thing in things:
            terminal.print(thing)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_column_goes_where_there_is_a_letter_less_than_it_needs() -> None:
    """A name of ten letters, a gap of two, and a number of five."""
    sheet = Sheet("", ("name", "bound"), ("bound",), numbers=("bound",))
    sheet.add_row("a" * 10, "12345")
    assert at(17, sheet) == [f"{'name':<12}bound", f"{'a' * 10}  12345"]
    assert at(16, sheet) == ["name", "a" * 10, "not shown at", "this width:", "bound"]


def test_what_is_left_of_the_width_goes_to_columns_of_words_in_equal_parts() -> None:
    sheet = Sheet("", ("one", "two"))
    sheet.add_row("word " * 8, "word " * 8)
    lines = at(64, sheet)  # of 62 letters besides the gap each has 31: six words of a line
    assert [line.count("word") for line in lines] == [0, 12, 4]
    assert lines[1].index("word", 30) == lines[2].index("word", 30) == 33


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1234, "1,234"),
        (10**17, f"{10**17:,}"),
        (10**18 - 1, f"{10**18 - 1:,}"),
        (10**18, "1e+18"),
        (123456 * 10**15, "1.235e+20"),
    ],
)
def test_whole_numbers_are_told_in_full_below_a_trillion_millions(value: int, said: str) -> None:
    assert plan._whole(value) == said


@pytest.mark.parametrize(("value", "said"), [(1234.5, "1,234.5000"), (1e-3, "0.001"), (1e15, "1e+15"), (0.5, "0.5000")])
def test_reals_are_told_with_four_decimals_or_four_digits(value: float, said: str) -> None:
    assert plan._real(value) == said


def finding(outcomes: list[tuple[str | None, Outcome, Any]]) -> Finding:
    """Of a claim about a probability, with a verdict in each of these experiments; the last of each: the trial that failed."""
    claim = Claim("MINE:T1", "MINE 1", "All is well.", Probability((Limit("wrong", 0),), may_fail="beta"))
    verdicts = [
        (name, Verdict("MINE:T1", outcome, cell=f"{place}abcdef01234567", mechanism="one", failed_trial=trial))
        for place, (name, outcome, trial) in enumerate(outcomes)
    ]
    return Finding(claim, verdicts)


def test_the_first_counterexample_that_a_trial_shows_is_replayed() -> None:
    """Not one by the theory alone, nor one of which no trial is told."""
    stored = Mock(sweep=Mock(spec=["name", "path"]))
    stored.sweep.name, stored.sweep.path = "mine", "experiments/mine.yaml"
    cells = [f"{place}abcdef01234567" for place in range(5)]
    stored.table.rows = {"cell": Mock(unique=lambda: Mock(to_pylist=lambda: cells))}
    before: list[tuple[str | None, Outcome, Any]] = [("mine", "holds", 1), (None, "refuted", 2), ("mine", "refuted", None)]
    seen = finding([*before, ("mine", "refuted", 4), ("mine", "refuted", 5)])
    told = replay.commands([seen], [stored], RUNS)
    assert list(told) == ["MINE:T1"] and "/3abcdef0/4/one" in told["MINE:T1"]
    assert replay.commands([finding([("mine", "undecided", 3)])], [stored], RUNS) == {}


def test_what_a_claim_says_of_an_experiment_is_of_its_cells_alone() -> None:
    """What is vacuous or untested says nothing, nor does what is of another experiment or of a whole sweep."""
    seen = finding([("mine", "holds", None), ("mine", "vacuous", None), ("other", "holds", None), ("mine", "refuted", None)])
    whole = Finding(seen.claim, [("mine", Verdict("MINE:T1", "holds")), (None, Verdict("MINE:T1", "holds"))])
    said = guard._said([seen, whole], "mine")
    assert said == {"MINE:T1": {("0abcdef01234567", "one"): "holds", ("3abcdef01234567", "one"): "refuted"}}


def test_verdicts_are_shown_by_table_and_those_of_the_theory_alone_last(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[Any] = []
    monkeypatch.setattr(show, "show_place", lambda console, table, verdicts, deciders: places.append((table, len(verdicts))))
    monkeypatch.setattr(show, "show_privacy", lambda console, stored: places.append(list(stored)))
    table = Mock()
    table.sweep.name, table.sweep.kind.price = "mine", None
    seen = finding([("mine", "holds", None), (None, "holds", None), ("mine", "refuted", 1), ("other", "holds", None)])
    show.show_cells(Mock(), [table], [seen])
    assert places == [(table, 2), [table], (None, 1), []]


def test_a_claim_is_shown_with_what_mechanisms_of_its_tables_spend(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Mock()
    for name in ("show_place", "show_privacy", "offer_replays"):
        monkeypatch.setattr(one_claim, name, getattr(shown, name))
    table = Mock()
    table.sweep.name = "mine"
    more: list[tuple[str | None, Outcome, Any]] = [("mine", "holds", None)] * 20
    seen = finding([("mine", "holds", None), (None, "holds", None), *more])
    console = Mock()
    one_claim.show_claim(console, [seen], [table], RUNS)
    assert [each.args[1] for each in shown.show_privacy.call_args_list] == [[table], []]
    assert shown.show_place.call_args_list[0].args[1] is table
    assert sum(len(each.args[2]) for each in shown.show_place.call_args_list) == one_claim.SCREEN
    assert call("and 10 others, which are further from another verdict: --all") in console.print.call_args_list
    one_claim.show_claim(console, [seen], [table], RUNS, every=True)
    assert sum(len(each.args[2]) for each in shown.show_place.call_args_list) == one_claim.SCREEN + 22


def test_where_no_number_of_points_is_enough_none_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ReleaseCalculation.needed.fget  # type: ignore[attr-defined]
    assert needed(Mock(setting=Mock(needed=lambda release: None))) == 0
    assert needed(Mock(setting=Mock(needed=lambda release: 7))) == 7
    monkeypatch.setattr(release_plan, "least", lambda enough: None)
    others = ReleaseCalculation(release_setting({"alpha": 0.1})).alternatives
    assert others["public_averages"]["m"] == 0


@pytest.mark.parametrize(("name", "axis"), [("quickstart", "m"), ("sgd_stability_vs_n", "s")])
def test_a_cell_that_is_alone_is_told_by_one_number(name: str, axis: str) -> None:
    """By its queries; or by ε or α, or what comes last."""
    settings = Settings.of(sweep_of(name))
    alone = Settings(settings.kind, settings.cells[:1])
    assert len(alone.varying()) == 1 and alone.column(alone.varying()[0]).symbol
    assert (axis != "m") or alone.varying() == ["m"]


def test_it_is_looked_at_what_is_decided_after_five_seconds_and_then_so_seldom_that_it_takes_a_fiftieth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A look that takes two seconds is followed by the next after a hundred."""
    clock, looks = [1000.0], list[float]()
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])

    def decided(sweep: object, cells: object) -> int:
        looks.append(clock[0])
        clock[0] += 2
        return 1

    monkeypatch.setattr(progress, "decided_so_far", decided)
    console = Mock(is_terminal=False)
    meter = progress.Meter(console, sweep_of("quickstart"), Mock(waiting="", workers=2))
    batches = Mock(trials=1000, cells_done=1, cells=3, seconds_left=200.0, all_ended=True, under_way=None)
    meter.start(batches, Mock())
    for seconds in (1, 4.5, 5, 8, 60, 106, 107, 120):
        clock[0] = 1000.0 + seconds
        meter.advance(Mock(batch=Mock(trials=range(100))))
    assert looks == [1005.0, 1107.0]
    said = [each.args[0].split(", ") for each in console.print.call_args_list]
    assert [words[:2] for words in said] == [
        [f"quickstart: {done}/1000 trials", f"{rate}/s"] for done, rate in ((300, 33), (500, 7), (600, 5), (800, 6))
    ]
    assert all(words[2:] == ["1.7 min left", "1/3 cells", "1/1 claims decided"] for words in said)


def test_what_is_found_of_rows_alone_is_told_from_what_is_found_of_all_of_them() -> None:
    texts = ("n", "log(n) / abs(m)", "n / mean(n)", "most(n)")
    assert [evaluation._by_row(ast.parse(text, mode="eval").body) for text in texts] == [True, True, False, False]


def test_a_folder_for_figures_that_is_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "figures"
    file.write_text("text", encoding="utf-8")
    for out in (file, file / "deeper"):
        with pytest.raises(InputError, match="is no folder, or in none"):
            show_drawn(Mock(), [], out)


def test_a_claimed_line_is_named_by_its_colour_and_dashes() -> None:
    """Of two lines of a colour the one that is dashed alike; of another colour the first that is."""
    handles: list[Artist] = [
        Line2D([], [], color="red", linestyle="--", label="first"),
        Line2D([], [], color="red", linestyle=":", label="second"),
        Line2D([], [], color="blue", linestyle=":", label="bound, its own"),
    ]
    reading = Reading.__new__(Reading)
    reading._handles = handles

    def named(colour: str, dashes: Any) -> str:
        return reading._bound(Line2D([], [], color=colour, linestyle=dashes))

    assert [named(colour, dashes) for colour in ("red", "black") for dashes in ("--", ":")] == ["first", "second"] * 2
    assert named("blue", ":") == named("red", "-.") == "bound"


@pytest.mark.law
def test_the_bound_of_a_mechanism_that_is_alone_is_named_with_it_and_of_several_once() -> None:
    plot, view = plots()["means"], View.of(sweep_of("misclassification_vs_n"))
    rows = rows_of("misclassification_vs_n")
    rows = rows[rows["constants"] == rows["constants"].iloc[0]] if "constants" in rows else rows
    alone = [str(each.get_label()) for each in plot.legend(rows[rows["mechanism"] == "A_binClas"], view)]
    assert alone[:2] == ["A_binClas", "bound, A_binClas"]


@pytest.mark.law
def test_a_caption_is_made_whatever_is_asked_for_before_and_after_it() -> None:
    """Each format once, in the order of asking."""
    made = rendered(rows_of("tracing_accurate"), View.of(sweep_of("tracing_accurate")), ("tex", "pdf"))
    assert list(made) == ["tex", "pdf"] and made["pdf"].startswith(b"%PDF") and b"% drawn as " in made["tex"]


def test_the_place_of_a_verdict_is_told_but_of_a_claim_that_is_alone_not_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(show, "cells_grid", lambda *given, of_one_claim: asked.append(of_one_claim))
    verdicts = [verdict for _, verdict in finding([(None, "holds", None)]).verdicts]
    show.show_place(Mock(), None, verdicts, {})
    show.show_place(Mock(), None, verdicts, {}, of_one_claim=True)
    show.show_place(Mock(), None, [], {}, of_one_claim=True)
    assert asked == [False, True]


def test_rows_that_stand_for_many_trials_are_drawn_by_plots_of_counts_alone() -> None:
    counting = {name for name, plot in plots().items() if plot.counts}
    assert counting >= {"means", "failures", "beyond", "shares", "slack", "series", "map", "capacity", "free", "exponents"}
    assert not counting & {"complexity", "needed", "price", "privacy_price", "least", "reach", "measured", "audit", "spent"}


def test_tables_and_what_has_parts_of_one_are_found_in_a_folder(tmp_path: Path) -> None:
    """Of shards the experiment; not what is hidden and has no part, nor what is no table."""
    for name in (".mine", ".yours@2of3", ".empty", "shown"):
        (tmp_path / name).mkdir()
    for name in (".mine", ".yours@2of3", "shown"):
        (tmp_path / name / "000000001.parquet").touch()
    (tmp_path / "done.parquet").touch()
    (tmp_path / "notes.txt").touch()
    assert measured(tmp_path) == ["done", "mine", "yours"]


@pytest.mark.parametrize(("kind", "rows"), [("aaa", 3), ("zzz", 3), ("answers", 0)])
def test_no_table_of_another_kind_and_none_without_rows_becomes_a_reference(
    kind: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = Mock(path="experiments/mine.yaml")
    sweep.name, sweep.kind.name = "mine", "answers"
    monkeypatch.setattr(reference, "spec_match", lambda sweep, table: Mock(strange="strange" if rows else "", differences=""))
    table = Mock(provenance={"kind": kind}, rows=Mock(num_rows=rows))
    with pytest.raises(
        InputError, match="not the table of experiments/mine.yaml: " + ("strange" if rows else "it has no rows")
    ):
        reference._candidate(sweep, RUNS, table, True, False)
