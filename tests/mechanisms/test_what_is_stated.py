"""What every mechanism says of itself: who needs private points, who pays for what, who is for two labels or a finite range."""

import pytest

from harness.mechanisms.answering import mechanisms
from harness.registry import parts

SAID = ("private", "needs_public", "needs_private", "ordered", "on_grid", "promises", "averages", "binary", "whole", "finite")
STATED = {
    "mechanism": {
        "A_binClas": "private binary",
        "A_OQR": "private",
        "A_sparseVec": "private",
        "A_stab_per_query": "private",
        "A_subSamp": "private",
        "Confident_GNMax": "private",
        "gaussian": "private binary",
        "GNMax": "private",
        "majority": "",
        "noisy_majority": "private binary",
        "noisy_majority_t320": "private binary",
        "report_noisy_max": "private",
        "noisy_max_exponential": "private",
        "gaussian_sparse_vector": "private",
        "exponential_sparse_vector": "private",
        "single_learner": "",
        "exponential_on_m": "private",
        "published_rows": "private",
        "public_averages": "private needs_public",
        "exact_averages": "needs_private promises",
        "mwem_public": "private needs_public needs_private",
        "gaussian_averages": "private needs_private promises",
        "laplace_averages": "private needs_private promises",
        "PMW": "private needs_private promises",
        "A_PAP": "private needs_public needs_private promises",
        "gaussian_sums": "private needs_private ordered promises",
        "gaussian_tree": "private needs_private ordered promises",
        "square_root_sums": "private needs_private ordered promises",
        "gaussian_histogram": "private needs_private promises",
        "factorised_averages": "private needs_private promises",
        "PMW_calibrated": "private needs_private promises",
        "mwem": "private needs_private promises",
        "private_grid": "private needs_private on_grid",
        "all_averages": "",
        "grid_averages": "",
        "rounded_averages": "",
        "A_SL_Quer": "private",
        "gaussian_mean": "private averages",
        "mean": "averages",
        "median_exponential": "private",
    },
    "online mechanism": {
        "A_OQR": "private whole",
        "A_subSamp": "private",
        "exponential_mechanism": "private finite",
        "gaussian_argmax": "private finite",
        "plurality": "",
    },
}


@pytest.mark.parametrize("what", STATED)
def test_what_is_stated(what: str) -> None:
    found = {name: " ".join(said for said in SAID if getattr(part, said, False) is True) for name, part in parts(what).items()}
    assert {name: found[name] for name in STATED[what]} == STATED[what]


def test_what_answers_pays_for_and_takes() -> None:
    bottoms = {name for name, each in mechanisms().items() if (each.pays_for, each.takes) == ("bottoms", "constants")}
    papers = {"A_binClas", "A_OQR", "A_sparseVec", "A_subSamp"}
    assert bottoms == papers | {"gaussian_sparse_vector", "exponential_sparse_vector"}
    others = {name: (each.pays_for, each.takes) for name, each in mechanisms().items() if name not in bottoms}
    assert others.pop("majority") == ("nothing", "constants") and others.pop("single_learner") == ("nothing", "nothing")
    assert set(others.values()) == {("queries", "k_scale")}
