"""What the figures of classifiers, and of the price of privacy, draw."""

from typing import Any

import numpy as np
import pytest

from harness.report.prices import priced
from harness.report.style import style
from harness.trials.sample_complexity import KIND
from tests.report.pictured import legend, pictured


@pytest.mark.law
def test_an_error_on_a_fresh_query_is_that_of_the_table_or_of_all_queries() -> None:
    """In the first panel: what is not told of a fresh query is the share of all that are wrong; what is alike is one line."""
    frame, figure = pictured("private_classifier")
    rows = frame[(frame["constants"] == "BTT18") & (frame["distribution"] == "uniform") & (frame["learner"] == "leftmost")]
    mean = rows.groupby(["mechanism", "alpha_target"])[["fresh_error", "misclassification_rate"]].mean()
    shown = [container.lines[0].get_ydata() for container in figure.axes[0].containers]
    expected = [
        mean.loc["A_binClas", "fresh_error"],
        mean.loc["noisy_majority", "misclassification_rate"],
        mean.loc["exponential_on_m", "fresh_error"],
    ]
    seen = [int(np.isfinite(np.asarray(each, float)).sum()) for each in shown]
    assert seen == [5, 5, 5, 0]  # one learner on all n made no mistake
    for ours, own in zip(shown, expected, strict=False):
        np.testing.assert_allclose(np.asarray(ours, float), own.to_numpy(float), rtol=1e-9)
    entries = legend(figure)
    assert entries[0] == "A_binClas; subsample and aggregate (any labels)"
    assert len(entries) == 8
    arrows = [line.get_ydata() for line in figure.axes[0].lines if "downarrow" in str(line.get_marker())]
    assert np.concatenate(arrows).tolist() == [1 / (10**4 * 256)] * 5


def test_prices_are_those_of_the_table_each_with_its_name() -> None:
    """In the second panel, beside whose lines the names stand."""
    frame, figure = pictured("sample_complexity_vs_alpha")
    assert KIND.price is not None
    own: Any = priced(frame, KIND.price)
    own = own[(own["target"] == "alpha") & (own["concept"] == "cube_stumps")].set_index(["mechanism", "alpha"])["price"]
    axes = figure.axes[1]
    assert "cube_stumps" in axes.get_title()
    shown = {style(name).legend: name for name in {*frame["mechanism"]} - {"non_private", "public_alone"}}
    names = [text.get_text().replace("\n", " ") for text in axes.texts]
    assert sorted(names) == sorted(shown) and legend(figure) == ["1: not private"]
    lines = {container.lines[0].get_color(): container.lines[0].get_ydata() for container in axes.containers}
    for text, name in zip(axes.texts, names, strict=True):
        expected = own.loc[shown[name]].sort_index().to_numpy(float)
        np.testing.assert_allclose(np.asarray(lines[text.get_color()], float), expected, rtol=1e-9)
