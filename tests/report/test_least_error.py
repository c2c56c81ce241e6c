"""The map of the least error."""

import numpy as np
import pandas as pd

from harness.report.figures.map import best


def test_it_shows_the_first_of_equals_and_what_is_next() -> None:
    """At n = 1 the second is far less; at n = 2 it is less by chance alone; at n = 3 there are three, at n = 4 one."""
    means = {(1, "a"): 1.0, (1, "b"): 0.5, (2, "a"): 0.5, (2, "b"): 0.49, (4, "b"): 0.1}
    means |= {(3, "a"): 0.3, (3, "b"): 0.1, (3, "c"): 0.25}
    rows = pd.DataFrame([{"n": n, "m": 3, "mechanism": name, "error": mean} for (n, name), mean in means.items()])
    found = best(rows, "n", "m", "error")
    assert found["n"].tolist() == [1, 2, 3, 4]
    assert found["mechanism"].tolist() == ["b", "a", "b", "b"] and found["error"].tolist() == [0.5, 0.5, 0.1, 0.1]
    assert found["next"].tolist() == ["a", "b", "c", ""]
    np.testing.assert_allclose(found["times"], [2, 0.98, 2.5, np.nan])
