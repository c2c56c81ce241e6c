"""The summary of a CI job is GitHub's Markdown: parsed as such, its tables say what was found, letter by letter."""

import os
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from harness.claims.engine import Outcome, Verdict
from harness.report.regression import Change, Comparison
from harness.report.summary import PAGE, append, markdown, refuse_other
from harness.report.verdicts import Finding
from harness.sweep.errors import CannotRunError, InputError
from harness.text import one_line

HOSTILE = r"a|b \| `|` <img src=x> *em* _em_ [l](u) ~~s~~ &amp; \\ $x$"


def claim(id: str, expected: Outcome = "holds", nature: str = "printed", check: str = "") -> Any:
    """One of any name, though none that can be made has such a name as some of these."""
    return SimpleNamespace(id=id, expected=expected, nature=nature, check=check, of="", kind="utility")


def finding(id: str, outcome: Outcome, expected: Outcome = "holds") -> Finding:
    """A claim with one verdict: 3 measured where 4 is claimed."""
    return Finding(claim(id, expected), [(None, Verdict(id, outcome, measured=3.0, bound=4.0, stands=3.5, challenged=True))])


def parsed(text: str) -> tuple[list[str], list[list[list[str]]], list[str]]:
    """Headings, tables as rows of cells, and paragraphs, in plain text; anything formatted has no place in them."""
    headings: list[str] = []
    tables: list[list[list[str]]] = []
    paragraphs: list[str] = []
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    for before, token in pairwise(tokens):
        match before.type:
            case "table_open":
                tables.append([])
            case "tr_open":
                tables[-1].append([])
        if token.type == "inline":
            children = token.children or []
            marks = [child for child in children if child.type == "html_inline"]
            assert {mark.content for mark in marks} <= {"<!-- -->"}
            assert {child.type for child in children if child not in marks} <= {"text", "text_special"}
            place = {"th_open": "cell", "td_open": "cell", "heading_open": "heading"}.get(before.type, "text")
            said = "".join(child.content for child in children if child not in marks)
            if place == "cell":
                tables[-1][-1].append(said)
            else:
                (headings if place == "heading" else paragraphs).append(said)
    return headings, tables, paragraphs


def test_the_tally_then_claims_that_are_not_as_expected_then_the_others() -> None:
    found = [finding("a", "holds"), finding("b", "refuted"), finding("c", "refuted", "refuted"), finding("d", "undecided")]
    headings, (table, replays), said = parsed(
        markdown(found, [], {"b": "harness replay x/y/0/z", "c": "harness replay c"}, 1e-3)
    )
    assert headings == ["2 of 4 claims as expected"]
    assert said == ["4 printed: 1 holds, 2 refuted, 1 undecided; any of these verdicts is false with probability at most 0.001"]
    assert replays == [["not as expected", "a counterexample"], ["b", "harness replay x/y/0/z"]]
    assert table == [
        ["claim", "verdict", "as it should be", "measured", "bound", "stands", "slack", "challenged"],
        ["b", "refuted", "no, it should hold", "3", "4", "3.5", "1.33×", "yes"],
        ["d", "undecided", "no, it should hold", "3", "4", "3.5", "1.33×", "yes"],
        ["a", "holds", "yes", "3", "4", "3.5", "1.33×", "yes"],
        ["c", "refuted", "yes", "3", "4", "3.5", "1.33×", "yes"],
    ]


def test_natures_are_counted_apart_and_a_probe_has_no_verdict_word_of_its_own() -> None:
    checks = [Finding(claim(check, check=check), []) for check in ("identity", "self-check")]
    probes = [Finding(claim("p", "refuted", "probe"), [(None, Verdict("p", outcome))]) for outcome in ("refuted", "holds")]
    _, (table, *_), said = parsed(markdown([finding("a", "holds"), *checks, *probes], [], {}, 1e-3))
    assert said == [
        "1 printed: 1 holds; 2 probes: 1 seen, 1 not seen; 2 identities and self-checks: 2 untested; "
        "any of these verdicts is false with probability at most 0.001"
    ]
    assert [row[:3] for row in table if row[0] == "p"] == [
        ["p", "not seen", "no, it should be seen to be false"],
        ["p", "seen", "yes"],
    ]


def test_a_claim_that_nothing_was_measured_for_has_empty_cells() -> None:
    _, (table,), _ = parsed(markdown([Finding(claim("a"), [])], [], {}, 1e-3))
    assert table[1:] == [["a", "untested", "no, it should hold", "", "", "", "", "no"]]


def test_comparisons_have_a_table_of_their_own_with_what_changed() -> None:
    change = Change("changed for the worse", "0123456789abcdef", "A_binClas", "wrong", 2.5, 1.5, p=1e-9)
    compared = [
        Comparison("quick", 1200, True),
        Comparison("slow_er", 30, False, [change], tests=7, advice="`harness accept slow_er`"),
    ]
    headings, (_, table, changes), _ = parsed(markdown([finding("a", "holds")], compared, {}, 1e-3))
    assert headings == ["1 of 1 claims as expected", "Fresh tables against the reference"]
    assert table == [
        ["experiment", "rows", "tests", "result"],
        ["quick", "1,200", "0", "identical"],
        ["slow_er", "30", "7", "changed for the worse"],
    ]
    assert changes == [
        ["what changed, what was not compared, what to do"],
        ["changed for the worse in slow_er/01234567/*/A_binClas: mean wrong 2.5, reference 1.5"],
        ["`harness accept slow_er`"],
    ]


@given(st.text(min_size=1, max_size=30) | st.just(HOSTILE) | st.text("|\\`*_[]<>~&$ ax\n", min_size=1))
def test_no_text_breaks_out_of_its_cell(text: str) -> None:
    """What is not visible is written as Python writes it; white space is one space."""
    plain = one_line(text)
    found, compared = [finding(text, "refuted"), finding("b", "holds")], [Comparison(text, 1, True, nothing="so")]
    headings, tables, said = parsed(markdown(found, compared, {text: "harness replay"}, 1e-3))
    assert (len(headings), len(said)) == (2, 1)
    assert [[len(row) for row in table] for table in tables] == [[8, 8, 8], [2, 2], [4, 4], [1, 1]]
    assert [table[1][0] for table in tables[:3]] == [plain] * 3


def test_text_is_appended_and_the_steps_of_a_job_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv(PAGE, str(path))
    path.write_text("Another step's last words", encoding="utf-8")
    text = markdown([finding("a", "holds")], [], {}, 1e-3)
    append(path, text)
    append(path, text)
    headings, tables, said = parsed(path.read_text(encoding="utf-8"))
    assert len(headings) == len(tables) == 2 and said[0] == "Another step's last words"


def test_a_file_of_somebody_else_is_not_added_to(tmp_path: Path) -> None:
    """Unlike one that is new, empty, or such a page."""
    path = tmp_path / "summary.md"
    refuse_other(path)
    path.touch()
    refuse_other(path)
    path.write_text(markdown([finding("a", "holds")], [], {}, 1e-3), encoding="utf-8")
    refuse_other(path)
    path.write_text("a diary", encoding="utf-8")
    with pytest.raises(InputError, match="has no verdicts of this program, and is not added to; allowed: a new or empty file"):
        refuse_other(path)
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(InputError, match="is a link to nothing; allowed: a new file, or one that is there"):
        refuse_other(tmp_path / "link")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "folder", Path("/dev/full")):
        with pytest.raises(CannotRunError, match=rf"^--summary {path} cannot be written: [A-Z].*$"):
            append(path, "text")
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_where_somebody_reads_it_and_is_not_waited_for_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(CannotRunError, match=rf"^--summary {path} cannot be written: No such device or address$"):
        append(path, "text")
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    append(path, "text")
    assert os.read(reader, 99) == b"\ntext\n"
    os.close(reader)
