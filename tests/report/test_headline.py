"""The title of a figure is what was found in its table, with the numbers of the rows; it falls where they say otherwise."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from harness.report.evaluation import UnknownError, value
from harness.report.figures import rendered
from harness.report.headline import FallenError, finding, headline, rounded
from harness.report.settings import View
from harness.report.stored import FORMATS
from harness.sweep.spec.figure_spec import FindingSpec
from tests.support.picture import stand_in

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

RNG = np.random.default_rng(20261125)
POINTS = list(product(("a", "b"), (10, 100), range(7)))
FRAME = pd.DataFrame(
    {
        "mechanism": [name for name, _, _ in POINTS],
        "n": [n for _, n, _ in POINTS],
        "error": RNG.random(len(POINTS)),
        "halted": pd.array([None if trial == 0 else trial for _, _, trial in POINTS], "Int64"),
        "vacuous": [n == 10 for _, n, _ in POINTS],
    }
)
RANK = int(FRAME["error"].le(FRAME.query("n > 10")["error"].min()).sum())
COUNTED = FRAME.assign(count=RNG.integers(1, 9, len(FRAME)))
EVERY = COUNTED.loc[COUNTED.index.repeat(COUNTED["count"])].drop(columns="count")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean(error, mechanism == 'a', n > 10)", FRAME.query("mechanism == 'a' and n > 10")["error"].mean()),
        ("median(error)", np.quantile(FRAME["error"], 0.5, method="inverted_cdf")),
        ("quantile(error, n == 10, at=0.9)", np.quantile(FRAME.query("n == 10")["error"], 0.9, method="inverted_cdf")),
        ("sum(n) / count()", FRAME["n"].mean()),
        ("count(mechanism in ('b', 'c'), n < 100)", 7),
        ("share(error > 0.5 or vacuous)", (FRAME["error"].gt(0.5) | FRAME["vacuous"]).mean()),
        ("least(error, error > least(error, n > 10))", sorted(FRAME["error"])[RANK]),
        ("most(mean(error), by=(mechanism, n))", FRAME.groupby(["mechanism", "n"])["error"].mean().max()),
        ("least(mean(error), vacuous, by=mechanism)", FRAME.query("n == 10").groupby("mechanism")["error"].mean().min()),
        ("most(halted, known(halted)) ** 2", 36),
        ("count(not known(halted))", 4),
        ("only(n, not vacuous) + -1", 99),
        ("count(mean(error) > 2, by=n)", 0),
        ("least(abs(log(n)), by=n)", np.log(10)),
    ],
)
def test_an_expression_is_what_pandas_says(text: str, expected: float) -> None:
    assert value(text, FRAME, {}) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "name", ["mean(error)", "median(error)", "quantile(error, at=0.9)", "sum(n)", "count(n > 10)", "share(error > 0.3)"]
)
def test_rows_that_stand_for_many_trials_count_as_many(name: str) -> None:
    assert value(name, COUNTED, {}) == pytest.approx(value(name, EVERY, {}), rel=1e-12)
    assert value(name, COUNTED, {}) != pytest.approx(value(name, FRAME, {}), rel=1e-6)


@pytest.mark.parametrize("text", ["mean(error, n == 7)", "mean(halted)", "only(n)", "most(error, by=n)", "least(lost)"])
def test_what_the_rows_do_not_have_is_not_known(text: str) -> None:
    with pytest.raises(UnknownError):
        value(text, FRAME, {})


@pytest.mark.parametrize("digits", [1, 2, 3])
@pytest.mark.parametrize("way", ["up", "down", None])
def test_a_number_is_rounded_as_it_is_asked(digits: int, way: str | None) -> None:
    for exact in [0.00444, 9.96, 1e10, 0.1, 0.5, 123456789.0, *np.exp(RNG.normal(0, 9, 200))]:
        near = rounded(exact, digits, way)
        unit = 10.0 ** (np.floor(np.log10(exact)) - digits + 1)
        assert float(f"{near:.{digits - 1}e}") == near
        assert abs(near - exact) <= (unit if way else unit / 2) * (1 + 1e-9)
        assert (near >= exact or way != "up") and (near <= exact or way != "down")
    assert rounded(0.0, digits, way) == 0


def test_a_sentence_has_the_numbers_of_its_rows() -> None:
    numbers = {"low": "least(error)", "times": "most(n) / least(n) + 1 / 3"}
    said = FindingSpec(
        says="At n = {n} {mechanism} errs {low:1 down}, {times} and {times:3 up}",
        where="n > 10 and mechanism == 'a'",
        numbers=numbers,
    )
    low = FRAME.query("n > 10 and mechanism == 'a'")["error"].min()
    assert finding(FRAME, said) == f"At n = 100 a errs {rounded(low, 1, 'down'):g}, 1.3 and 1.34"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"holds": ("mean(error) > 1",)}, "mean(error) > 1 does not hold"),
        ({"holds": ("mean(error) < 1", "top > most(n)")}, "top > most(n) does not hold"),
        ({"where": "n == 7"}, "there are no rows for most(error)"),
        ({"says": "At {n}"}, "there are several values"),
        ({"says": "At {top}", "numbers": {"top": "1 / least(n - 10, n == 10)"}}, "top is infinite"),
    ],
)
def test_it_falls_with_its_rows(changes: dict[str, object], why: str) -> None:
    said = FindingSpec.model_validate({"says": "Nothing errs more than {top:up}", "numbers": {"top": "most(error)"}} | changes)
    with pytest.raises(FallenError, match="^" + why.replace("(", r"\(").replace(")", r"\)")):
        finding(FRAME, said)


SAYS = "{says: 'At most {top:up} are wrong', numbers: {top: most(misclassified)}, holds: ['top < %s']}"


def captioned(frame: pd.DataFrame, view: View, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
    """A caption, of figures that are not drawn."""
    return stand_in(frame, view, formats) | rendered(frame, view, ["tex"])


def test_where_it_falls_the_title_is_the_topic_and_every_command_says_so(
    harness: "Harness", project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.report.figures.rendered", captioned)
    figure = "{x: m, panels: [learner], finding: " + SAYS + "}"
    true = project.sweep("true", figure=figure % 50)
    frame = project.run(true).table.frame()
    assert headline(frame, View.of(true)) == f"At most {frame['misclassified'].max():g} are wrong"
    path = project.spec("false", figure=figure % 0)
    why = "false: what its spec says was found is not said, as top < 0 does not hold"
    for command in (
        ["run", str(path), "--serial", "--out", "runs"],
        ["figures", str(path), "--results", "runs", "--out", "drawn"],
        ["check", str(path), "--out", "runs"],
    ):
        said = harness(*command)
        assert why in " ".join(said.out.split()), command
    caption = (project.root / "drawn/false.tex").read_text(encoding="utf-8")
    assert caption.startswith("A small sweep. ")
