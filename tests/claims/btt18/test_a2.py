"""How many ⊥s are let out, on rows made by hand."""

import pandas as pd
import pytest

from harness.claims.registry import claims


@pytest.mark.parametrize(
    ("bottoms", "printed", "repaired"),
    [(0, "holds", "holds"), (4, "holds", "holds"), (5, "refuted", "holds"), (6, "refuted", "refuted")],
)
@pytest.mark.parametrize("T", [4.0, 4.9])
def test_one_more_than_T_refutes_the_print_and_two_more_the_repair(T: float, bottoms: int, printed: str, repaired: str) -> None:
    frame = pd.DataFrame(
        {"cell": "c0ffee", "mechanism": "A_binClas", "vacuous": True, "trial": [0, 1], "T": T, "bottoms": [0, bottoms]}
    )
    for name, outcome in (("BTT18:A2-cutoff", printed), ("BTT18:A2-cutoff-repaired", repaired)):
        verdict = claims()[name].decide(frame, 0.0)
        assert verdict.outcome == outcome
        assert verdict.failed_trial == (1 if outcome == "refuted" else None)
        assert verdict.measured == bottoms
