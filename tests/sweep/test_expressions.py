"""Expressions of specs: what each comes to is known before there are rows, and what means nothing is told with what does."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep.spec.expressions import NUMBER, TEXT, TRUTH, Expression, ValueSort

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

KNOWN = {
    "n": ValueSort(NUMBER, True),
    "m": ValueSort(NUMBER, True),
    "of": ValueSort(TEXT, True),
    "vacuous": ValueSort(TRUTH, True),
}
KNOWN |= {"most_wrong": ValueSort(NUMBER, False)}


@pytest.mark.parametrize(
    ("text", "what", "rows"),
    [
        ("n", NUMBER, True),
        ("2 * most_wrong ** 2 - 1", NUMBER, False),
        ("n > 1e6 and of in ('a', 'b') and not vacuous", TRUTH, True),
        ("0 < least(n / m, of == 'a') <= most_wrong", TRUTH, False),
        ("mean(n, m > 2) / mean(n)", NUMBER, False),
        ("quantile(n, m > 2, at=0.9)", NUMBER, False),
        ("count(n > 2)", NUMBER, False),
        ("least(mean(n) / only(m), by=(of, m))", NUMBER, False),
        ("share(n > m)", NUMBER, False),
        ("all(mean(n) > 2, by=of)", TRUTH, False),
        ("only(of) == 'a'", TRUTH, False),
        ("known(of)", TRUTH, True),
        ("abs(log(n) - log(m))", NUMBER, True),
    ],
)
def test_what_an_expression_comes_to(text: str, what: str, rows: bool) -> None:
    Expression(text, KNOWN).wanted(what, rows)
    other = NUMBER if what == TRUTH else TRUTH
    with pytest.raises(ValueError, match=f"is {what} .*; allowed: {other}"):
        Expression(text, KNOWN).wanted(other, rows)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not an expression: ''; allowed: such as"),
        ("mean(n", "not an expression: 'mean(n'; allowed: such as"),
        ("x = 1", "not an expression"),
        ("(" * 300 + "n" + ")" * 300, "not an expression|too many brackets"),
        ("-" * 5000 + "n", "too many brackets|not an expression"),
        ("men(n)", "no function 'men'; did you mean 'mean'? allowed: mean, median, "),
        ("mean(N)", "no column 'N'; did you mean 'n'? allowed: n, m, of"),
        ("mean(of)", "mean of text; allowed: of a number"),
        ("share(n)", "share of a number; allowed: of a truth"),
        ("mean()", "mean of nothing; allowed: such as mean(n)"),
        ("mean(n, m)", "'m' is no condition of mean; allowed: such as mean(n, m > 10)"),
        ("mean(most_wrong)", "'mean(most_wrong)' is of one value; allowed: a column, or by=…"),
        ("mean(n, by='of')", "names no columns; allowed: such as by=n or by=(n, m)"),
        ("mean(n, by=most_wrong)", "most_wrong is no column; allowed: n, m, of"),
        ("mean(n, axis=0)", "no option 'axis' of mean; allowed: by"),
        ("quantile(n)", "quantile of which share? allowed: such as at=0.9"),
        ("quantile(n, at=90)", "quantile of which share? allowed: such as at=0.9"),
        ("mean(n > 'a')", "is text; allowed: a number"),
        ("n + of", "'of' is text; allowed: a number"),
        ("n and m", "'n' is a number; allowed: a truth"),
        ("most(n) == True", "'True' is not allowed; allowed: columns, numbers, texts"),
    ],
)
def test_what_means_nothing_is_told_with_what_is_allowed(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told if "|" in told else re.escape(told)):
        Expression(text, KNOWN).wanted(NUMBER)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "n.__class__",
        "n[0]",
        "[n for n in m]",
        "(lambda: 1)()",
        "mean(n, *m)",
        "mean(n, **m)",
        "f'{n}'",
        "(n := 1)",
        "n if m else n",
        "n @ m",
        "n % 2",
        "n is m",
        "mean(n)(m)",
        "{n: m}",
        "1j",
        "b'a'",
        "...",
    ],
)
def test_of_python_nothing_else_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="allowed: "):
        Expression(text, KNOWN).wanted(NUMBER)


@pytest.mark.parametrize(
    ("finding", "key", "told"),
    [
        ("{says: 'At {x}'}", "says", "no number 'x'; allowed: "),
        ("{says: 'At {n'}", "says", "braces that hold no name in 'At {n'; allowed: such as {n} or {share:3 up}"),
        ("{says: 'At {}'}", "says", "braces that hold no name"),
        ("{says: 'At {n!r}'}", "says", "braces that hold no name"),
        ("{says: 'At {n:.2f}'}", "says", "no form '.2f' of a number; allowed: such as {n:3}, {n:up}, {n:1 down}"),
        ("{says: 'At {n.real}'}", "says", "no number 'n.real'; "),
        ("{says: a, where: 'n'}", "where", "'n' is a number for each row; allowed: a truth for each row"),
        ("{says: a, numbers: {x: mean(nn)}}", "numbers.x", "no column 'nn'; "),
        (
            "{says: a, numbers: {n: mean(n)}}",
            "numbers.n",
            "'n' is no name for a number; allowed: small letters that name no column or function",
        ),
        (
            "{says: a, numbers: {x: n}}",
            "numbers.x",
            "'n' is a number for each row; allowed: a number of all rows, such",
        ),
        ("{says: a, holds: ['mean(n)']}", "holds", "'mean(n)' is a number of all rows; allowed: a truth of all rows"),
        ("{says: a, hold: []}", "hold", "unknown key; did you mean 'holds'? allowed: "),
        ("{where: n > 1}", "says", "this key is required"),
    ],
)
def test_a_finding_that_means_nothing_is_refused_with_its_place(
    harness: "Harness", project: "Project", finding: str, key: str, told: str
) -> None:
    path: Path = project.spec(figure=f"{{x: m, panels: [learner], finding: {finding}}}")
    said = harness("run", str(path), "--dry-run")
    line = next(at for at, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1) if "finding" in text)
    assert said.code == 2 and f"{path}:{line}: figure.finding.{key}: {told}" in " ".join(said.err.split()).replace("- ", "-")
