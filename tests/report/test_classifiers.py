"""What the figures of classifiers, and of the price of privacy, draw."""

from typing import Any

import numpy as np
import pytest

from harness.report.figures.privacy_price import APART, spread
from harness.report.prices import priced
from harness.trials.sample_complexity import KIND
from tests.report.pictured import legend, pictured


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
    assert [len(each) for each in shown] == [5, 5, 5, 0]  # one learner on all n made no mistake
    for ours, own in zip(shown, expected, strict=False):
        np.testing.assert_allclose(np.asarray(ours, float), own.to_numpy(float), rtol=1e-9)
    entries = legend(figure)
    assert entries[0] == "A_binClas; subsample and aggregate (any labels)"
    assert len(entries) == 7
    arrows = [line.get_ydata() for line in figure.axes[0].lines if "downarrow" in str(line.get_marker())]
    assert np.concatenate(arrows).tolist() == [1 / (10**4 * 256)] * 5


def test_prices_are_those_of_the_table_each_with_its_name() -> None:
    frame, figure = pictured("sample_complexity_vs_alpha")
    assert KIND.price is not None
    own: Any = priced(frame, KIND.price)
    own = own[(own["target"] == "alpha") & (own["concept"] == "thresholds")].set_index(["mechanism", "alpha"])["price"]
    axes = figure.axes[0]
    assert "thresholds" in axes.get_title()
    names = [text.get_text() for text in axes.texts]
    assert sorted(names) == sorted({*frame["mechanism"]} - {"non_private", "public_alone"})
    lines = {container.lines[0].get_color(): container.lines[0].get_ydata() for container in axes.containers}
    for text in axes.texts:
        expected = own.loc[text.get_text()].sort_index().to_numpy(float)
        np.testing.assert_allclose(np.asarray(lines[text.get_color()], float), expected, rtol=1e-9)


@pytest.mark.parametrize("heights", [[0.1, 0.1, 0.1], [0.0, 0.02, 0.5], [0.3]])
def test_names_are_moved_as_little_as_keeps_them_apart(heights: list[float]) -> None:
    found = spread(heights, APART)
    assert (np.diff(found) >= APART - 1e-12).all()
    assert np.mean(found) == pytest.approx(np.mean(heights))
    far = np.append(heights, heights[-1] + 5)  # what is far from the others stays where it is
    assert spread(list(far), APART)[-1] == pytest.approx(far[-1])
