"""The history of verdicts: lines are added where something changed, and only there; the page draws what there is."""

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from harness.claims.engine import Claim, Verdict
from harness.claims.registry import claims
from harness.docs import history as drawn
from harness.report import history
from harness.report.history import GONE, PLACE, HistoryLine, append, changes, latest, read
from harness.report.show import WORDS
from harness.report.verdicts import UNTRIED, Finding
from harness.sweep.errors import CannotRunError
from tests.support.pages import ROOT

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

T32 = claims()["BTT18:T3.2"]


def finding(bound: float, claim: Claim = T32) -> Finding:
    verdict = Verdict(claim.id, "holds", trials=10, measured=0.1, bound=bound, challenged=True)
    return Finding(claim, [("small", verdict)])


def test_a_line_is_added_where_verdict_or_slack_changed_to_three_digits_and_where_a_claim_is_gone() -> None:
    other = claims()["BTT18:T3.1"]
    first = changes([], [finding(0.2), finding(0.3, other)], "a", "2026-01-01")
    assert first == [
        HistoryLine("a", "2026-01-01", other.id, "holds", "3"),
        HistoryLine("a", "2026-01-01", T32.id, "holds", "2"),
    ]
    assert changes(first, [finding(0.20001), finding(0.3, other)], "b", "2026-01-02") == []
    second = changes(first, [finding(0.21)], "b", "2026-01-02")
    assert second == [
        HistoryLine("b", "2026-01-02", other.id, GONE, ""),
        HistoryLine("b", "2026-01-02", T32.id, "holds", "2.1"),
    ]
    assert changes([*first, *second], [finding(0.21)], "c", "2026-01-03") == []


def test_what_is_written_is_read_and_anything_else_is_named(tmp_path: Path, project: "Project", harness: "Harness") -> None:
    path = tmp_path / "new" / "history.csv"
    lines = [
        HistoryLine("a", "2026-01-01", "BTT18:T3.2", "holds, untried", "2"),
        HistoryLine("a", "2026-01-01", "X:1", "refuted", ""),
    ]
    append(path, lines[:1])
    append(path, lines[1:])
    assert read(path) == lines and latest(read(path)) == {line.claim: line for line in lines}
    PLACE.parent.mkdir(exist_ok=True)
    for text, said in (("a,b\n", "history.csv:1: is no history"), (f"{path.read_text()}x,y\n", "history.csv:4: has 2 fields")):
        PLACE.write_text(text, encoding="utf-8")
        ended = harness("history")
        assert ended.code == 2 and said in ended.err
    PLACE.write_text(path.read_text(), encoding="utf-8")
    assert harness("history", "X:1").out == "a  2026-01-01  X:1  refuted\n"
    assert "has no line of X:2" in harness("history", "X:2").err


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures", "blocks_of_one", "theory_untold")
def test_committed_tables_are_judged_once_a_commit(project: "Project", harness: "Harness") -> None:
    spec = project.spec(trials="40")
    assert harness("run", spec, "--serial").code == 0 and harness("accept", spec).code == 0
    assert "no commit is checked out here" in harness("history", "--append").err
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *words], check=True, timeout=60)
    said = [harness("history", "--append").out for _ in range(2)]
    assert said[1] == "results/history.csv: 0 lines added\n" != said[0]
    lines = read(PLACE)
    assert len(lines[0].commit) == 12 and latest(lines).keys() == claims().keys()
    assert f"| `{lines[0].commit}` | {lines[0].date} |" in drawn.page()


def test_bars_are_as_high_as_the_logarithm() -> None:
    assert drawn.bars(["1", "100", "1e7", ""]) == "▁▃█·"
    assert drawn.bars(["3", "3"]) == "▄▄" and drawn.bars(["", ""]) == ""


def test_the_page_says_since_when_a_verdict_is_what_it_is_and_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        HistoryLine("a", "2026-01-01", "X:1", "undecided", ""),
        HistoryLine("a", "2026-01-01", "X:2", "refuted", "0.5"),
        HistoryLine("b", "2026-01-02", "X:1", "holds", "8"),
    ]
    monkeypatch.setattr(drawn, "read", lambda path: lines)
    text = drawn.page()
    assert "| `b` | 2026-01-02 |" in text
    assert "| `X:1` | holds | 8 | 2026-01-02 | ·▄ | undecided |" in text
    assert "| `X:2` | refuted | 0.5 | 2026-01-01 | ▄▄ |  |" in text
    monkeypatch.setattr(drawn, "read", lambda path: [])
    assert drawn.NONE in drawn.page()


def test_the_committed_history_has_a_verdict_of_nearly_every_claim() -> None:
    """A claim that is new, or gone since the last night, may not be told yet."""
    kept = latest(read(ROOT / PLACE))
    assert len(claims().keys() & kept.keys()) > 0.8 * len(claims())
    assert all(line.verdict in (*WORDS, UNTRIED, GONE) and float(line.slack or 0) >= 0 for line in kept.values())


def test_a_history_is_of_all_committed_tables_at_the_commit_that_is_checked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    written = list[Any]()
    judged_of = list[Any]()

    def judge(evidence: Any, names: Any) -> list[Finding]:
        judged_of.append(evidence)
        return [finding(0.2)]

    monkeypatch.setattr(history, "head", lambda: ("0123456789ab", "2026-01-01"))
    monkeypatch.setattr(history, "all_experiments", lambda: ["a", "b"])
    monkeypatch.setattr(
        history, "gather", lambda sweeps, folder: [SimpleNamespace(evidence=(one, str(folder))) for one in sweeps]
    )
    monkeypatch.setattr(history, "judge", judge)
    monkeypatch.setattr(history, "append", lambda path, added: written.append((path, added)))
    added = history.appended([])
    assert added == [HistoryLine("0123456789ab", "2026-01-01", T32.id, "holds", "2")]
    assert written == [(history.PLACE, added)] and judged_of[0] == [("a", "results"), ("b", "results")]


def test_the_commit_of_a_history_is_that_of_git_and_without_one_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(words: Any, **options: Any) -> Any:
        assert words[:2] == ("git", "show") and words[-1] == "HEAD" and options["check"]
        return SimpleNamespace(stdout="0123456789ab 2026-01-01\n")

    def missing(words: Any, **options: Any) -> Any:
        raise OSError

    monkeypatch.setattr("subprocess.run", shown)
    assert history.head() == ("0123456789ab", "2026-01-01")
    monkeypatch.setattr("subprocess.run", missing)
    with pytest.raises(CannotRunError, match="a history is by commit, and no commit is checked out here"):
        history.head()
