"""n* and its price: arithmetic, the terminal, the figure and the page of a search."""

import re
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from rich.console import Console

from harness.report import numerals
from harness.report.defaults import RESULTS
from harness.report.experiments import experiment
from harness.report.prices import price_lines, priced
from harness.report.settings import Settings, View
from harness.report.stored import stored_in
from harness.report.terminal import prices_grid
from harness.sweep.spec import Sweep
from harness.trials.sample_complexity import KIND
from tests.support.drawn_files import draw

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said

SEARCHES = {
    "kind": "sample_complexity",
    "trials": "1",
    "distribution": None,
    "learner": None,
    "n": None,
    "m": None,
    "concept": "thresholds",
    "alpha": "[0.1, 0.05, 0.03, 0.02]",
    "target": "alpha",
    "beta": "0.2",
    "error": "0.02",
    "budget": "150",
    "mechanisms": "[A_Priv_erm, non_private]",
    "claims": '["BTT18:R2"]',
    "figure": "{plot: complexity, x: alpha, y: n_star}",
}


def priced_searches(**columns: list[float | None]) -> pd.DataFrame:
    assert KIND.price
    frame = pd.DataFrame({"cell": ["a", "a", "b"], "trial": 0, "mechanism": ["A_Priv", "non_private", "A_Priv"], **columns})
    return priced(frame.astype({"n_low": "Int64", "n_high": "Int64"}), KIND.price)


def test_a_price_is_a_ratio_with_the_ends_that_both_intervals_allow() -> None:
    found = priced_searches(n_star=[200.0, 10.0, 300.0], n_low=[150, 8, 250], n_high=[250, 12, 350])
    assert found["price"].tolist()[:2] == [20.0, 1.0]
    assert found["price_low"].tolist()[0] == pytest.approx(150 / 12)
    assert found["price_high"].tolist()[0] == pytest.approx(250 / 8)
    assert found.loc[2, ["price", "price_low", "price_high"]].isna().all()  # nothing to compare with


def test_no_price_is_made_of_an_n_star_that_was_not_found() -> None:
    found = priced_searches(n_star=[None, 10.0, 300.0], n_low=[150, 0, 250], n_high=[None, 12, 350])
    assert found["price"].isna()[0]
    assert found["price_high"].isna()[0]
    assert found["price_low"][0] == pytest.approx(150 / 12)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that would have been saved. Nothing is rendered."""
    saved: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, file, **_: saved.append(figure))
    monkeypatch.setattr("harness.report.figures.lighten", lambda _: b"")
    monkeypatch.setattr("harness.report.figures.slim", lambda *_: b"")
    return saved


@pytest.fixture(scope="module")
def run(module_project: "Project") -> "Said":
    """A run of the searches, in the module's project."""
    return module_project.process("run", module_project.spec(**SEARCHES), "--serial")


@pytest.fixture
def searched(run: "Said", module_project: "Project", monkeypatch: pytest.MonkeyPatch) -> "Project":
    """That project, as the working directory."""
    assert (run.code, run.err) == (0, "")
    monkeypatch.chdir(module_project.root)
    return module_project


@pytest.mark.law
def test_a_run_ends_with_n_star_its_price_and_the_exponents(run: "Said", searched: "Project") -> None:
    assert "n* and the price of privacy" in run.out
    assert "A_Priv, ERM on Õ(V/α) points" in run.out
    assert "alpha = 0.1 to 0.02: exponent -" in " ".join(run.out.split())
    frame = searched.rows()
    assert len(frame) == 8
    assert {*frame.columns, "seconds"} == set(KIND.table)
    assert (frame["n_low"] < frame["n_high"]).all()
    private = frame[frame["mechanism"] == "A_Priv_erm"].set_index("alpha")["n_star"]
    assert private[0.02] > private[0.1]
    assert (searched.root / "results/runs/small.png").stat().st_size > 10_000


@pytest.mark.parametrize(("name", "star"), [("release_n_vs_alpha", "n*"), ("release_m_vs_alpha", "m*")])
def test_a_table_of_prices_is_headed_by_what_was_searched_for(name: str, star: str) -> None:
    stored, console = stored_in(RESULTS, experiment(name)), Console(file=StringIO(), width=200)
    assert stored.sweep.kind.price
    console.print(prices_grid(stored.frame, stored.sweep.kind.price, stored.settings))
    title, headings, *_ = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert title.strip() == f"{star} and the price of privacy"
    assert re.split(r" {2,}", headings.strip())[2:5] == [star, f"{star} within", f"its theorem's {star[0]}"]


@pytest.mark.law
def test_the_figure_has_n_star_above_and_its_price_below(searched: "Project", tmp_path: Path) -> None:
    """Also where the interval of one n* has no end."""
    frame = searched.table().frame().copy()
    frame["n_high"] = frame["n_high"].astype("Float64")
    frame.loc[(frame["mechanism"] == "A_Priv_erm") & (frame["alpha"] == 0.05), "n_high"] = pd.NA
    paths = draw(frame, View.of(Sweep(Path("experiments/small.yaml"))), tmp_path / "figure")
    least = {".png": 10_000, ".pdf": 10_000, ".svg": 3_000, ".tex": 100}  # bytes
    assert [path.suffix for path in paths] == list(least)
    assert all(path.stat().st_size > least[path.suffix] for path in paths)


def nearest(at: float, places: "pd.Series[float]") -> float:
    """The place that a bar is of, which stands beside it for the bars of others to be seen."""
    (found,) = {float(place) for place in places if 0.95 < at / place < 1.05}
    return found


@pytest.mark.law
def test_the_bars_of_the_figure_end_where_the_intervals_do(searched: "Project", drawn: list[Figure], tmp_path: Path) -> None:
    """Lower ends below, upper ends above, of n* and of its price, whatever is drawn between."""
    frame = searched.table().frame()
    draw(frame, View.of(Sweep(Path("experiments/small.yaml"))), tmp_path / "figure")
    assert KIND.price
    found = priced(frame, KIND.price)
    above, below = drawn[0].get_axes()
    for ax, (low, high), rows in (
        (above, ("n_low", "n_high"), found),
        (below, ("price_low", "price_high"), found[found["mechanism"] != "non_private"]),
    ):
        drawn_ends = {
            tuple(round(float(end), 6) for end in (nearest(segment[0][0], frame["alpha"]), segment[0][1], segment[1][1]))
            for container in ax.containers
            for lines in container.get_children()
            if isinstance(lines, LineCollection)
            for segment in lines.get_segments()
        }
        expected = {tuple(round(float(row[name]), 6) for name in ("alpha", low, high)) for _, row in rows.iterrows()}
        assert drawn_ends == expected
        assert all(end < other for _, end, other in expected)


@pytest.mark.law
def test_the_price_table_has_the_ends_of_the_intervals_in_their_order(searched: "Project") -> None:
    frame = searched.table().frame()
    assert KIND.price
    lines = list(price_lines(frame, KIND.price, Settings.of(Sweep(Path("experiments/small.yaml")))))
    assert len(lines) == len(frame) == 8
    for (_, _, n_star, interval, _, price, prices), row in zip(lines, frame.to_dict("records"), strict=True):
        assert interval == f"({numerals.number(float(row['n_low']))}, {numerals.number(float(row['n_high']))}]"
        assert n_star == numerals.number(row["n_star"])
        assert bool(price) == (row["mechanism"] != "non_private")
        if price:
            low, high = map(float, prices.strip("[]").split(", "))
            assert low < float(price) < high


@pytest.mark.law
def test_a_search_is_replayed_bit_for_bit(harness: "Harness", searched: "Project") -> None:
    frame = searched.rows()
    cell = frame.loc[frame["alpha"] == 0.1, "cell"].iloc[0]
    said = harness("replay", f"small/{cell[:8]}/0/A_Priv_erm")
    assert said.code == 0, said
    assert "identical to" in said.out


@pytest.mark.parametrize("name", ["release_n_at_best", "release_n_vs_accuracy", "sample_complexity_free"])
def test_what_has_no_guarantee_has_nothing_that_its_theorem_asks_for(name: str) -> None:
    stored = stored_in(RESULTS, experiment(name))
    price, frame = stored.sweep.kind.price, stored.table.frame()
    assert price is not None
    asked = {line[:2]: line[4] for line in price_lines(frame, price, stored.settings)}
    assert len(asked) == len(frame.groupby(["cell", "mechanism"]))
    assert sum(not said for said in asked.values()) == frame[price.asked].isna().sum()
