"""Figures of release and tracing: what is claimed has a name and one line, and what nothing claims is hollow."""

import numpy as np
import pytest

from harness.report.figures.marks import SHARED
from tests.report.pictured import dashed, legend, pictured


@pytest.mark.law
def test_a_search_for_m_says_so_with_one_line_for_the_cover_of_all() -> None:
    frame, figure = pictured("release_m_vs_alpha")
    above, below = figure.axes[0], figure.axes[2]
    assert above.get_ylabel() == "public points needed, m*" and below.get_ylabel().startswith("price: m* over")
    assert "m* is within them but for a chance of 10⁻⁸" in " ".join(text.get_text() for text in figure.texts)
    assert {line.get_color() for line in dashed(above)} == {SHARED}
    asked = np.sort(frame["asked"].astype(float).unique())
    np.testing.assert_allclose(np.sort(dashed(above)[0].get_ydata()), asked)
    assert legend(figure)[-1] == "the m of a cover, the same for all"
    assert figure.axes[1].get_title() == "atoms (count = 1, total = 0.3, first = 0.05)"  # not broken within its brackets


@pytest.mark.law
@pytest.mark.parametrize(
    ("name", "said", "share"),
    [("release_stumps_public", "claimed: α", 1), ("release_covers_third", "claimed: α/4", 1 / 4)],
)
def test_what_only_a_claim_of_the_spec_is_about_is_filled_beside_its_bound(name: str, said: str, share: float) -> None:
    frame, figure = pictured(name)
    assert legend(figure) == ["public points alone", said]
    for ax in figure.axes:
        (line,) = dashed(ax)
        np.testing.assert_allclose(sorted(set(line.get_ydata())), np.sort(frame["alpha"].unique() * share))
        low, high = ax.get_ylim()
        assert low < min(line.get_ydata()) and max(line.get_ydata()) < high


def test_what_privacy_allows_is_drawn_once_and_every_line_has_its_name_beside_it() -> None:
    _, figure = pictured("tracing_release")
    (ax,) = figure.axes
    assert len(dashed(ax)) == 1 and len(ax.texts) == 5
    assert legend(figure) == ["what privacy allows", "none seen in any trial"]


def test_where_the_theorem_on_the_reach_says_nothing_points_are_hollow() -> None:
    frame, figure = pictured("tracing_threshold")
    (ax,) = figure.axes
    white = {float(x) for line in ax.get_lines() if line.get_markerfacecolor() == "white" for x in line.get_xdata()}
    beyond = frame["p"] ** 0.5 * frame["alpha"] < 20 * frame["c"]
    assert white == set(frame.loc[beyond, "root"]) and len(white) == 1
    assert len({line.get_color() for line in dashed(ax)}) == 2 and "hollow: nothing is claimed" in legend(figure)
