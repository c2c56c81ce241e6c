"""Stumps by one kind of points alone: where it is claimed."""

import pandas as pd

from harness.claims.registry import claims

ROW = {"concept": "cube_stumps", "mechanism": "public_averages", "p": 16, "alpha": 0.2, "beta": 0.05, "m": 324, "n": 0}


def test_enough_public_or_enough_private_points() -> None:
    public, private = claims()["BCMNUW20:stumps-public"], claims()["BCMNUW20:stumps-private"]
    assert public.applies(pd.Series(ROW)) and not public.applies(pd.Series(ROW | {"m": 323}))
    own = ROW | {"mechanism": "gaussian_averages", "m": 0, "n": 100, "needed": 100}
    assert private.applies(pd.Series(own)) and not private.applies(pd.Series(own | {"n": 99}))
    assert not private.applies(pd.Series(own | {"m": 5}))
