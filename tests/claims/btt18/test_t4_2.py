"""Theorems 4.2 and 4.3 and what follows them, on rows made by hand: whom each is about, and the error that it allows."""

from typing import Any

import pandas as pd
import pytest

from harness.claims.registry import claims
from tests.support.claims import event

ROW = {
    "cell": "c0ffee",
    "mechanism": "A_Priv",
    "trial": 0,
    "constants": "BTT18",
    "k_scale": 1.0,
    "n": 10**6,
    "needed": 10**6,
    "eps": 1.0,
    "delta": 1e-6,
    "alpha": 0.02,
    "beta": 0.01,
    "gamma": 0.0,
    "T": 30.0,
    "m": 1000,
    "error": 0.1,
}
REALIZABLE = {"BTT18:T4.2": 0.3, "BTT18:T4.2-repaired": 0.14, "BTT18:T4.2-erm": 0.08}
AGNOSTIC = {"BTT18:T4.3": 0.37, "BTT18:T4.3-repaired": 0.21, "BTT18:T4.3-erm": 0.09}
OTHERS = {
    "BTT18:R1": ("A_Priv_estimated", "BTT18", 0.01, 0.37, 0.04),
    "BTT18:R2-error": ("A_Priv_erm", "BTT18", 0.0, 0.3, 0.03),
    "BTT18:R3-error": ("A_Priv_pac", "BTT18", 0.0, 0.02, 0.03),
    "BTT18a:T4.6": ("label_private", "BTT18a", 0.0, 0.3, 0.03),
    "BTT18a:T4.7": ("label_private", "BTT18a", 0.01, 0.37, 0.03),
}
CASES = {name: ("A_Priv", "BTT18", 0.0, bound, 0.03) for name, bound in REALIZABLE.items()}
CASES |= {name: ("A_Priv", "BTT18", 0.01, bound, 0.03) for name, bound in AGNOSTIC.items()}
CASES |= OTHERS


def rows(**changes: Any) -> pd.DataFrame:
    return pd.DataFrame([ROW | changes])


@pytest.mark.parametrize("name", CASES)
def test_each_allows_its_own_error_to_its_own_construction(name: str) -> None:
    mechanism, constants, gamma, bound, allowed = CASES[name]
    fitting = {"mechanism": mechanism, "constants": constants, "gamma": gamma}
    first = rows(**fitting).iloc[0]
    assert event(name).bound(first) == pytest.approx(bound)
    assert event(name).allowed(first) == pytest.approx(allowed)
    assert claims()[name].applies(first)
    for other in (
        {"mechanism": "non_private"},
        {"constants": "tight"},
        {"k_scale": 0.5},
        {"needed": 10**7},
        {"gamma": 0.01 - gamma},
    ):
        assert not claims()[name].applies(rows(**fitting | other).iloc[0])


@pytest.mark.parametrize("name", CASES)
def test_only_where_markov_or_the_erm_does_the_work_may_beta_be_large(name: str) -> None:
    mechanism, constants, gamma, _, _ = CASES[name]
    first = rows(mechanism=mechanism, constants=constants, gamma=gamma, beta=0.05).iloc[0]
    assert claims()[name].applies(first) == name.endswith(("-repaired", "-erm"))


@pytest.mark.parametrize("beyond", [{"beta": 0.005}, {"delta": 0.2}, {"eps": 0.01}, {"eps": 20.0}], ids=str)
def test_what_has_no_proof_speaks_of_the_range_where_it_is_tried(beyond: dict[str, float]) -> None:
    corners = {"beta": 0.01, "delta": 0.1, "eps": 10.0}
    for name, gamma in (("BTT18:T4.2-repaired", 0.0), ("BTT18:T4.3-repaired", 0.01)):
        assert claims()[name].applies(rows(gamma=gamma, **corners).iloc[0])
        assert not claims()[name].applies(rows(gamma=gamma, **corners | beyond).iloc[0])


def test_an_error_of_one_is_no_promise() -> None:
    assert event("BTT18:T4.2").bound(rows(alpha=0.07).iloc[0]) is None
    assert event("BTT18:T4.2").bound(rows(beta=0.34).iloc[0]) is None
