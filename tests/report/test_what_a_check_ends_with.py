"""How a check ends, by its findings, what was compared and what is still to come; and where tables and their numbers go."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from harness.report import show, tables
from harness.report.show import exit_code, far, refuse_unmeasured, uncompared, vouched
from harness.sweep.errors import CannotRunError


def finding(outcome: str, expected: str | None = "holds", name: str = "A:1", why: str = "") -> Any:
    as_expected = expected in (None, outcome)
    return SimpleNamespace(outcome=outcome, expected=expected, as_expected=as_expected, why=why, claim=SimpleNamespace(id=name))


def stored(lacks: str = "", *claims: str) -> Any:
    """A table, with what it lacks, of a spec that names claims."""
    return SimpleNamespace(far=lacks, sweep=SimpleNamespace(spec=SimpleNamespace(claims=claims)))


def compared(*codes: int) -> list[Any]:
    return [SimpleNamespace(code=code, experiment=f"e{code}", nothing="no reference", advice="accept one") for code in codes]


HOLDS, PART = finding("holds"), stored("stopped at 3 of 9 trials", "A:1")


@pytest.mark.parametrize(
    ("findings", "codes", "of", "code"),
    [
        ([HOLDS], (), [], 0),
        ([finding("refuted", "refuted")], (), [], 0),
        ([finding("holds", None), finding("refuted", None)], (), [], 0),
        ([finding("refuted")], (), [], 1),
        ([HOLDS, finding("holds", "refuted")], (), [], 1),
        ([HOLDS, finding("undecided")], (), [], 3),
        ([HOLDS, finding("undecided", None)], (), [], 3),
        ([finding("undecided", "undecided")], (), [], 0),
        ([HOLDS, finding("vacuous")], (), [], 0),
        ([HOLDS, finding("untested")], (), [], 1),
        ([HOLDS], (0,), [], 0),
        ([HOLDS], (0, 1), [], 1),
        ([HOLDS], (0, 3), [], 3),
        ([HOLDS], (3, 4), [], 4),
        ([HOLDS], (4, 3, 1), [], 1),
        ([finding("undecided")], (4,), [], 4),
        ([finding("refuted")], (4,), [], 1),
        ([], (0,), [], 0),
        ([finding("vacuous")], (0,), [], 0),
        ([HOLDS], (), [PART], 3),
        ([finding("vacuous")], (), [PART], 3),
        ([finding("holds", "refuted")], (), [PART], 3),
        ([finding("untested")], (), [PART], 3),
        ([finding("refuted")], (), [PART], 1),
        ([finding("holds", "refuted", "B:1")], (), [PART], 1),
        ([HOLDS], (1,), [PART], 1),
        ([HOLDS], (), [stored("", "A:1")], 0),
    ],
)
def test_the_exit_code_is_0_where_all_is_as_expected_1_where_not_and_3_or_4_where_it_is_open(
    findings: list[Any], codes: tuple[int, ...], of: list[Any], code: int
) -> None:
    assert exit_code(findings, compared(*codes), of) == code


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ([], "these specs name no claim, and nothing was compared"),
        ([finding("vacuous"), finding("untested")], "every bound is vacuous"),
    ],
)
def test_a_check_of_nothing_is_no_success(findings: list[Any], said: str) -> None:
    with pytest.raises(CannotRunError, match=said):
        exit_code(findings, [])


def test_a_claim_of_which_no_row_speaks_is_told_by_its_reason_unless_rows_are_to_come() -> None:
    silent = [finding("untested", name=name, why=why) for name, why in (("A:1", "one"), ("B:1", "two"), ("C:1", "one"))]
    one, two = "nothing was measured for A:1, C:1: one", "nothing was measured for B:1: two"
    with pytest.raises(CannotRunError, match=f"^{one}; {two}$"):
        refuse_unmeasured(silent, [])
    with pytest.raises(CannotRunError, match=f"^{two}; nothing was measured for C:1: one$"):
        refuse_unmeasured(silent, [PART])
    refuse_unmeasured(silent[:1], [PART])
    refuse_unmeasured([finding("untested", "untested"), finding("untested", None), HOLDS], [])


def test_tables_that_lack_trials_and_what_was_not_compared_are_told_a_line_each() -> None:
    assert far([PART, stored()]) == ["stopped at 3 of 9 trials; judged on what is there"]
    assert far([PART], "shown is") == ["stopped at 3 of 9 trials; shown is what is there"]
    assert uncompared(compared(0, 4, 1)) == "nothing was compared of e4: no reference; accept one"
    assert uncompared(compared(4, 4)).count("; nothing was compared of e4") == 1 and uncompared(compared(0)) == ""


def test_lines_on_privacy_are_told_once_and_then_what_audits_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[list[str]]()

    def told(names: list[str]) -> str:
        asked.append(names)
        return "audits saw 3%" if "b" in names else ""

    monkeypatch.setattr(show, "told_measured", told)
    one, other = (SimpleNamespace(spending=names, privacy_told=["a spends more"]) for names in (["b", "a"], ["c", "a"]))
    of: list[Any] = [one, other]
    assert vouched(of) == ["a spends more", "audits saw 3%"] and vouched(of[1:]) == ["a spends more"]
    assert asked == [["a", "b", "c"], ["a", "c"]]


@pytest.mark.parametrize("as_csv", [True, False])
def test_rows_of_a_table_are_data_as_csv_and_else_shown(as_csv: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a table lacks is told beside the data, never among them."""
    console, table, aside = Mock(), Mock(), list[bool]()
    monkeypatch.setattr(tables, "show_far", lambda console, stored, what: aside.append(console.stderr))
    monkeypatch.setattr(tables, "rows_grid", lambda stored: "a sheet")
    tables.show_table(console, table, as_csv)
    assert aside == [as_csv] and console.stderr is False
    assert console.data.call_args_list == ([((table.table.csv(),),)] if as_csv else [])
    assert console.print.call_args_list == ([] if as_csv else [(("a sheet",),)])


@pytest.mark.parametrize("as_latex", [True, False])
def test_numbers_of_a_figure_are_data_in_latex_or_markdown(as_latex: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    console, aside = Mock(), list[bool]()
    monkeypatch.setattr(tables, "show_far", lambda console, stored, what: aside.append(console.stderr))
    monkeypatch.setattr(tables, "printed", lambda stored: Mock(latex=lambda: "\\ε", markdown=lambda: "|ε|"))
    tables.show_values(console, Mock(), as_latex)
    assert aside == [True] and console.stderr is False
    assert console.data.call_args_list == [(([("\\ε" if as_latex else "|ε|").encode()],),)]


def test_the_first_rows_of_a_table_are_shown_a_line_a_column() -> None:
    column = SimpleNamespace(unit="queries", meaning="how many")
    of: Any = Mock(path="results/mine.parquet")
    of.sweep.kind.name, of.sweep.kind.table = "answers", {"m": column, "eps": SimpleNamespace(unit="", meaning="privacy")}
    of.table.size, of.table.fingerprint = 1234, "0a1b"
    of.table.pieces = lambda rows: iter([Mock(to_pylist=lambda: [{"m": 1000 * rows, "eps": None}, {"m": 7, "eps": 0.5}])])
    sheet = tables.rows_grid(of)
    assert sheet._title == "results/mine.parquet: 1,234 rows of trials of kind answers, fingerprint 0a1b"
    assert sheet._headings == ("name", "row 1", "row 2", "unit", "meaning") and sheet._least == ("unit", "row 2")
    assert [[str(cell) for cell in row] for row in sheet._rows] == [
        ["m", "3,000", "7", "queries", "how many"],
        ["eps", "", "0.5", "", "privacy"],
    ]
