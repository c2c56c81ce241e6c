"""What spends more than ε is marked wherever it is shown."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from harness.report.settings import View
from harness.report.spending import over, overspent
from tests.support.drawn_files import draw
from tests.support.picture import stand_in

if TYPE_CHECKING:
    from tests.support.project import Harness, Project

TIGHT = {
    "constants": "tight",
    "mechanisms": "[A_binClas, A_OQR]",
    "claims": '["BTT18:L3.3"]',
    "trials": "2",
    "learner": "leftmost",
}


def rows(**changes: object) -> pd.DataFrame:
    row = {"cell": "c", "mechanism": "gaussian", "trial": 0, "eps": 1.0, "spent": 1.0}
    return pd.DataFrame([row | changes])


@pytest.mark.parametrize(
    ("changes", "marked"),
    [
        ({}, False),
        ({"spent": 1 + 1e-8}, False),  # to what a calibration is accurate
        ({"spent": 1.01}, True),
        ({"spent": None}, True),
        ({"spent": None, "mechanism": "A_SL_Quer"}, True),
        ({"spent": 1.01, "mechanism": "A_subSamp"}, True),
        ({"spent": 1.01, "mechanism": "PMW"}, True),
        ({"spent": None, "mechanism": "mean"}, False),
        ({"spent": None, "mechanism": "majority"}, False),  # it is not to be private
        ({"spent": 1.01, "eps": 2.0}, False),
    ],
)
def test_a_row_is_marked_where_more_than_epsilon_is_certified_or_nothing(changes: dict[str, object], marked: bool) -> None:
    assert over(rows(**changes)).tolist() == [marked]
    assert bool(overspent(rows(**changes))) == marked


def test_tables_that_know_no_privacy_have_nothing_marked() -> None:
    assert not over(rows().drop(columns="spent")).any()
    assert overspent(rows().drop(columns="spent")) == {}


def test_what_is_said_has_the_worst_cell() -> None:
    frame = pd.concat([rows(cell="a"), rows(cell="b", spent=1.5), rows(cell="c", eps=0.1, spent=0.3)])
    assert overspent(frame) == {"gaussian": "gaussian spends more than ε in 2 of 3 cells: ε′ = 0.3 at ε = 0.1"}


@pytest.mark.law
def test_check_the_page_and_the_figure_mark_it(project: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[Figure] = []
    save = Figure.savefig

    def keep(figure: Figure, path: Path, **given: Any) -> None:
        saved.append(figure)
        save(figure, path, **given)

    sweep = project.sweep(**TIGHT)
    frame = project.run(sweep).table.frame()
    with monkeypatch.context() as patch:
        patch.setattr(Figure, "savefig", keep)
        draw(frame, View.of(sweep), Path("figure"))
    entries = [text.get_text().replace("\n", " ") for text in saved[0].legends[0].get_texts()]
    assert [entry for entry in entries if "spends more than ε" in entry] == ["A_OQR (spends more than ε)"]
    told = overspent(frame)["A_OQR"]
    assert told.startswith("A_OQR spends more than ε in 2 of 2 cells: ε′ = 2") and list(overspent(frame)) == ["A_OQR"]
    monkeypatch.setattr("harness.report.figures.rendered", stand_in)
    assert told in harness("check", "experiments/small.yaml").out
    harness("report", "experiments/small.yaml")
    (page,) = Path().rglob("*.html")
    assert told in page.read_text(encoding="utf-8")
