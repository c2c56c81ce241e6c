"""Small parts of reports at their edges: headings, tables of every width, plugins' words, order and links."""

from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from rich.text import Text

from harness.claims.engine import Certain, Claim, Limit, Verdict
from harness.report import lines, progress
from harness.report.console import Terminal, _plugins_first, broken
from harness.report.cost import Forecast
from harness.report.defaults import RUNS
from harness.report.figures import exponents
from harness.report.figures.lettering import fitted
from harness.report.figures.public_points import SIZES
from harness.report.grids import Sheet
from harness.report.html import _claim, _flat, _link, _order
from harness.report.papers import by_paper
from harness.report.show import by_nature
from harness.report.stored import as_run
from harness.report.style import scale, shade
from harness.report.terminal import prices_grid
from harness.report.verdicts import Finding
from harness.sweep.files.object_store import ObjectPath
from tests.report.test_siblings import finding

if TYPE_CHECKING:
    from tests.support.project import Project

WORDS = {"claim", "setting", "verdict", "kind", "challenged", "construction"}
"""Headings of columns that are read and not compared."""


def test_all_columns_but_those_of_words_are_set_right() -> None:
    every = {*lines.CELL_HEADINGS, *lines.CLAIM_HEADINGS, *lines.price_headings("n"), *lines.price_headings("m")}
    assert every - WORDS == lines.NUMBERS


def shown(sheet: Sheet, width: int) -> list[str]:
    out = StringIO()
    Terminal(file=out, width=width, soft_wrap=False).print(sheet)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def table(headed: bool = True) -> Sheet:
    sheet = Sheet("A title", ("name", "n", "why", "at"), ("why", "at"), ("n",), headed)
    sheet.add_row("first one", "1,000", "as it is", "a=1")
    sheet.add_row(Text("between them"))
    sheet.add_row("second", "20", "since it was so before", "b=2")
    return sheet


def test_a_table_has_its_headings_once_and_a_line_between_its_rows() -> None:
    assert shown(table(), 60) == [
        "A title",
        "name           n  why                     at",
        "first one  1,000  as it is                a=1",
        "between them",
        "second        20  since it was so before  b=2",
    ]
    assert shown(table(headed=False), 60) == [
        "A title",
        "first one  1,000  as it is                a=1",
        "between them",
        "second        20  since it was so before  b=2",
    ]


NARROW = {
    44: [
        "name           n  at",
        "first one  1,000  a=1",
        "between them",
        "second        20  b=2",
        "not shown at this width: why",
    ],
    18: ["name           n", "first one  1,000", "between them", "second        20", "not shown at this", "width: why, at"],
    12: [
        *("first one", "  n 1,000", "  why as it", "    is", "  at a=1", "between them", "second", "  n 20"),
        *("  why since", "    it was", "    so", "    before", "  at b=2"),
    ],
}
"""What is said of the table above in so little room."""


@pytest.mark.parametrize("width", NARROW)
def test_where_there_is_less_room_columns_go_that_matter_least_and_then_each_row_is_a_block(width: int) -> None:
    assert shown(table(), width) == ["A title", *NARROW[width]]


def test_words_of_a_column_that_may_not_go_are_set_below_one_another_and_numbers_are_not() -> None:
    sheet = Sheet("", ("name", "n", "why"), (), ("n",))
    sheet.add_row("first", "1,000,000 to 2,000,000", "as it has been since the beginning of all that is")
    assert shown(sheet, 60) == [
        "name                        n  why",
        "first  1,000,000 to 2,000,000  as it has been since the",
        "                               beginning of all that is",
    ]


def test_a_table_of_no_rows_has_its_headings_alone_and_columns_of_nothing_go() -> None:
    assert shown(Sheet("", ("a", "bc")), 40) == ["a  bc"]
    empty = Sheet("", ("a", "bc", "d"), ("bc",))
    empty.add_row("1", "", "2")
    assert shown(empty, 40) == ["a  d", "1  2"] and shown(empty, 3)[-1] != "not shown at this width: bc"


@pytest.mark.parametrize("width", range(1, 14))
def test_lines_are_broken_between_words_as_late_as_they_fit(width: int) -> None:
    words, expected = ["to", "be", "or", "not", "that", "is", "it"], list[str]()
    for word in words:
        if expected and len(expected[-1]) + 1 + len(word) <= width:
            expected[-1] += f" {word}"
        else:
            expected.append(word)
    assert [each.plain for each in broken(Text(" ".join(words)), width)] == expected


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["check", "a.yaml", "--plugin", "x.py"], ["--plugin", "x.py", "check", "a.yaml"]),
        (["check", "--plugin=x.py", "--json"], ["--plugin=x.py", "check", "--json"]),
        (["check", "--plugin", "x.py", "--", "--plugin", "y.py"], ["--plugin", "x.py", "check", "--", "--plugin", "y.py"]),
        (["check", "--plugin", "x.py", "--plugin", "y.py"], ["--plugin", "x.py", "--plugin", "y.py", "check"]),
        (["check", "--plugin"], ["check", "--plugin"]),
        (["check", "other", "--json"], ["check", "other", "--json"]),
    ],
)
def test_plugins_are_brought_before_all_else_up_to_a_double_dash(words: list[str], first: list[str]) -> None:
    assert _plugins_first(words) == first


OURS = Finding(
    Claim("OURS:T1", "not in the papers", "So.", Certain((Limit("wrong", 0),)), nature="ours"),
    [(None, Verdict("OURS:T1", "holds"))],
)
"""Of what is in no paper."""


def test_what_is_not_as_it_should_be_comes_first_then_papers_and_numbers_as_numbers() -> None:
    made = [finding("T10", "printed", "", "holds"), finding("T2", "printed", "", "holds"), OURS]
    wrong = Finding(Claim("MINE:T99", "MINE 1", "No.", made[0].claim.decider, expected="refuted"), made[0].verdicts)
    assert [one.claim.id for one in sorted([*made, wrong], key=_order)] == ["MINE:T99", "MINE:T2", "MINE:T10", "OURS:T1"]


def test_papers_are_in_the_order_of_the_alphabet_and_what_is_in_none_is_last() -> None:
    zeta = Finding(Claim("zeta:T1", "zeta 1", "So.", Certain((Limit("wrong", 0),))), [])
    found = by_paper([OURS, zeta, finding("T1", "printed", "", "holds"), finding("T2", "printed", "", "holds")])
    assert list(found) == ["MINE", "zeta", "in no paper"] and [one.claim.id for one in found["MINE"]] == ["MINE:T1", "MINE:T2"]
    assert found["in no paper"] == [OURS] and "in no paper" not in by_paper([zeta])


def test_of_a_claim_with_many_decisions_the_worst_is_on_the_page_and_the_others_are_counted() -> None:
    claim = finding("T1", "printed", "", "refuted").claim
    verdicts: list[tuple[str | None, Verdict]] = [
        ("a", Verdict(claim.id, "holds", measured=0.5, bound=1.0, where="here")),
        (None, Verdict(claim.id, "refuted", measured=2.0, bound=1.0, where="there")),
        ("b", Verdict(claim.id, "holds", measured=0.1, bound=1.0, where="far")),
    ]
    settings: Any = {"a": None, "b": None}
    entry = _claim(Finding(claim, verdicts), [], settings)
    assert [(place.experiment, [line[0] for line in place.lines]) for place in entry.places] == [
        ("a", []),
        (None, ["there"]),
        ("b", []),
    ]
    assert entry.left == 2 and entry.shown == "a"


def test_a_page_links_to_files_beside_it_and_to_none_in_an_object_store() -> None:
    folder, away = Path("out/pages"), ObjectPath("s3", "bucket/results/a b.parquet")
    assert _link(Path("out/results/a b.parquet"), folder) == "../results/a%20b.parquet"
    assert _link(away, folder) == _link(Path("a"), away) == _link(away, away) == ""
    assert list(_flat({"a": 1, "b": {"c": {"d": 2}, "e": None}})) == [("a", "1"), ("b.c.d", "2"), ("b.e", "None")]


def test_of_one_series_the_colour_is_dark_and_of_several_from_dark_to_light() -> None:
    assert scale(["only"])["only"].colour == shade(0.2)
    assert [look.colour for look in scale(["a", "b", "c"]).values()] == [shade(0.0), shade(0.5), shade(1.0)]


def test_later_marks_are_smaller_than_those_that_they_would_hide() -> None:
    first, less, last = SIZES
    sizes = [max(first - less * place, last) for place in range(4)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes[:3])) == 3 and last >= 3


@pytest.mark.parametrize(("power", "said"), [(-1 / 6, "−1/6"), (2 / 3, "2/3"), (-1.0, "−1"), (0.5, "1/2")])
def test_a_printed_power_is_a_fraction(power: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exponents, "_points", lambda own, axis, view: pd.DataFrame({"mean": [1.0, 0.0]}))
    view: Any = SimpleNamespace(settings=SimpleNamespace(column=lambda axis: SimpleNamespace(symbol=axis)))
    form: Any = SimpleNamespace(powers={"n": power})
    rows = pd.DataFrame({"mechanism": ["a", "a"]})
    assert exponents._title(rows, "n", form, view) == f"along n, printed power {said}"
    assert exponents._title(rows, "m", form, view) == "along m"


@pytest.mark.parametrize("values", [1, 2, 3])
def test_a_power_has_a_panel_where_an_axis_has_two_values_at_least(values: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the cells where all other axes have the value that most have."""
    monkeypatch.setattr(exponents, "printed", lambda view: None)
    monkeypatch.setattr(exponents, "_title", lambda rows, axis, form, view: f"{axis}: {sorted(map(int, rows[axis].unique()))}")
    view: Any = SimpleNamespace(figure=SimpleNamespace(axes=("n", "m")))
    places = [(n, 5) for n in range(values)] + [(0, 7)]
    frame = pd.DataFrame([{"cell": f"{n} {m}", "n": n, "m": m, "gamma": 0.0, "mechanism": "a"} for n, m in places])
    titles = [panel.title for panel in exponents.Powers().panels(frame, view)]
    assert titles == [*([f"n: {[*range(values)]}"] if values > 1 else []), "m: [5, 7]"]


def test_claims_on_trials_of_another_kind_are_not_decided_by_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {
        "own": SimpleNamespace(trials="answers", decisions=lambda cells, error: [True]),
        "before": SimpleNamespace(trials="aardvarks", decisions=lambda cells, error: [True]),
        "after": SimpleNamespace(trials="zebras", decisions=lambda cells, error: [True]),
        "some": SimpleNamespace(trials="answers", decisions=lambda cells, error: [True, False]),
        "none": SimpleNamespace(trials="answers", decisions=lambda cells, error: []),
    }
    monkeypatch.setattr(progress, "claims", lambda: made)
    sweep: Any = SimpleNamespace(spec=SimpleNamespace(claims=list(made)), kind=SimpleNamespace(name="answers"))
    nothing: Any = None
    assert progress.decided_so_far(sweep, nothing) == 1


def test_a_whole_table_is_as_its_run_left_it_and_lacks_nothing(project: "Project") -> None:
    project.run(project.sweep())
    stored = as_run("small", RUNS)
    assert stored.match is None and not stored.stopped and stored.far == "" and stored.size == 32
    assert stored.by_trial.rows.num_rows == 32 and stored.privacy_told is stored.privacy_told
    nothing = as_run("small", Path("results/other"))
    assert nothing.table.rows.num_rows == 0 and not nothing.stopped


@pytest.mark.parametrize(
    ("workers", "said"),
    [(None, "9 s of one worker's time"), (9, "4 s on 9 workers"), (2, "4 s on 2 workers"), (1, "9 s on one worker")],
)
def test_a_run_takes_what_its_workers_share_and_no_less_than_its_longest_trial(workers: int | None, said: str) -> None:
    """Of two sweeps, one after the other: 6 s with a trial of 3 s, and 3 s with one of 1 s."""
    engine: Any = SimpleNamespace(workers=workers)
    nowhere: Any = None
    forecast = Forecast(nowhere, engine, elsewhere=workers is None)
    estimates: Any = [
        SimpleNamespace(seconds=6.0, tasks=[("cell", 2, 3.0)], sure=True, memory=1),
        SimpleNamespace(seconds=3.0, tasks=[("cell", 3, 1.0)], sure=True, memory=1),
    ]
    assert forecast._time(estimates) == said


def test_of_a_table_of_prices_the_interval_of_the_price_goes_first() -> None:
    """Then what its theorem asks for, and the interval of n*."""
    rows = [("a construction", "α = 0.1", "100", "90 to 110", "12,000", "5.0", "4.0 to 6.0")]
    settings: Any = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("harness.report.prices.sought", lambda of: "n")
        patch.setattr("harness.report.prices.price_lines", lambda frame, of, settings: rows)
        grid = prices_grid(pd.DataFrame(), settings, settings)
    gone = [" ".join(shown(grid, width)[3:]).partition("width: ")[2] for width in (80, 60, 50, 45)]
    assert gone == ["", "price within", "price within, its theorem's n", "price within, its theorem's n, n* within"]


def test_findings_are_grouped_by_nature_and_self_checks_stand_apart() -> None:
    made = [
        finding("T1", "printed", "", "holds"),
        finding("T2", "repair", "MINE:T1", "holds"),
        finding("T3", "probe", "", "refuted"),
    ]
    check = Finding(Claim("MINE:C1", "MINE 1", "So.", Certain((Limit("wrong", 0),)), check="identity"), [])
    groups = list(by_nature([*made, check]))
    assert [len(those) for _, those in groups] == [1, 1, 1, 1] and groups[-1][1] == [check]
    assert groups[-1][0].startswith("identities and self-checks")


def test_text_is_measured_letter_by_letter_whatever_formula_it_might_be() -> None:
    for text in (r"costs $\nothing$ at all", "$a_{b}$", "a $ b"):
        assert fitted(text, 9.0, 7.0) == text
    assert fitted("a" * 400, 99.0, 1.0) == "a" * 400 and len(fitted("a" * 401, 99.0, 1.0)) <= 400
    assert "\n" in fitted("$" + "^".join("abcdefgh") + "$ and more words", 1.2, 9.0)
