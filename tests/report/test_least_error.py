"""The map of the least error."""

import pandas as pd

from harness.report.figures.least_error import best


def test_it_shows_the_first_of_equals() -> None:
    """At n = 1 the second is far less; at n = 2 it is less by chance alone."""
    means = {(1, "a"): 1.0, (1, "b"): 0.5, (2, "a"): 0.5, (2, "b"): 0.49}
    rows = pd.DataFrame([{"n": n, "m": 3, "mechanism": name, "error": mean} for (n, name), mean in means.items()])
    found = best(rows, "n", "m", "error")
    assert found["mechanism"].tolist() == ["b", "a"] and found["error"].tolist() == [0.5, 0.5]
