"""What is said for a whole range holds at 200 settings drawn from it, by exact laws; and a number for one setting does not."""

from collections.abc import Callable
from math import log

import numpy as np
import pytest
import scipy

from harness.theory.least import STANDARD, ConstantSetting
from harness.theory.least.families import Family, families
from harness.theory.least.private import BINARY, CORRECTED, SCORES_REPAIRED, SPARSE, SpendingRule
from harness.theory.privacy.spent import certified

DRAWN = list(STANDARD.drawn(np.random.default_rng(28), 200))
BY_KEY = {(each.of, each.set, each.constant): each for each in families() if each.within == STANDARD}

AT_ONE_SETTING = {
    ("answering", "BTT18", "c_k"): 7.297,
    ("answering", "BTT18a", "c_k"): 41.2,
    ("answering", "BTT18a", "c_oqr"): 9.637,
    ("answering", "BTT18a", "c_sv"): 66.09,
    ("answering", "BTT18", "c_w"): 1.386,
    ("answering", "BTT18", "c_loop"): 0.9987,
    ("answering", "k_tight", "c_k"): 2.949,
    ("scores", "repaired", "c_k"): 40.96,
    ("scores", "repaired", "c_d"): 9.676,
    ("scores", "repaired", "c_w"): 1.236,
    ("scores", "repaired", "c_m"): 1.0,
    ("scores", "BTT18a", "c_w"): 1.19,
    ("scores", "BTT18a", "c_loop"): 1.998,
}
"""What was found to be enough, or the larger end of what is too small, at m = 1000 or 10⁵, T = 10 or 100, β = 0.25 or 0.05."""

BROKEN = [each for each in BY_KEY.values() if each.broken is not None]


@pytest.mark.parametrize("family", BROKEN, ids=lambda each: f"{each.set}-{each.constant}")
def test_none_of_200_settings_breaks_what_is_enough_everywhere(family: Family) -> None:
    enough = family.enough()
    assert enough is not None and family.broken is not None
    assert [each for each in DRAWN if family.broken(enough.value, each)] == []


@pytest.mark.parametrize("key", AT_ONE_SETTING, ids=lambda key: f"{key[1]}-{key[2]}")
def test_what_was_found_at_one_setting_is_broken_by_some_of_them(key: tuple[str, str, str]) -> None:
    broken = BY_KEY[key].broken
    assert broken is not None and any(broken(AT_ONE_SETTING[key], each) for each in DRAWN)


@pytest.mark.parametrize(
    "family", [each for each in families() if each.broken is not None], ids=lambda each: f"{each.set}-{each.constant}"
)
def test_what_is_said_to_be_too_small_is_broken_where_it_is_said(family: Family) -> None:
    shown = family.too_small()
    assert family.broken is not None
    if shown is not None:
        value, at = shown
        assert isinstance(at, ConstantSetting) and at in family.within and family.broken(value, at)


def lam(run: SpendingRule) -> Callable[[float, ConstantSetting], bool]:
    """Whether an accountant certifies (ε, δ) with a value of the constant of λ at a setting's own m, by its own T."""

    def kept(c: float, x: ConstantSetting) -> bool:
        scale = run.lam(c, x.T, x.eps, x.delta)
        w = run.threshold * scale * log(run.inner * x.m / x.delta)
        n = min(run.tests * x.m, int(run.loop * x.T) + run.tests)
        return certified(run.distance, scale, w, n, x.delta, sharp=True) <= x.eps * (1 + 1e-9)

    return kept


NOISES = {
    ("answering", "BTT18", "c_lam"): (BINARY, 7.382),
    ("answering", "corrected", "c_lam"): (CORRECTED, 1.678),
    ("answering", "BTT18a", "c_sv_lam"): (SPARSE, 1.938),
    ("scores", "repaired", "c_lam"): (SCORES_REPAIRED, 17.64),
}
"""With what was certified at the worst of five cutoffs, ε = 1 and δ = 10⁻⁶."""


@pytest.mark.at_once("repaired-c_lam")
@pytest.mark.parametrize("key", NOISES, ids=lambda key: f"{key[1]}-{key[2]}")
def test_the_noise_is_certified_at_all_of_them_and_that_of_a_few_cutoffs_is_not(key: tuple[str, str, str]) -> None:
    run, at_few = NOISES[key]
    enough = BY_KEY[key].enough()
    assert enough is not None
    assert all(lam(run)(enough.value, each) for each in DRAWN)
    assert not all(lam(run)(at_few, each) for each in DRAWN)


def splits(c_T: float, c_B: float, additive: bool) -> list[bool]:
    """Whether split votes break T = c_T B, with an excess error at which the ⊥s expected are 0.05 to 20 or a share of m."""
    rng, found = np.random.default_rng(29), []
    for x in DRAWN:
        alpha = min(0.5, rng.choice([np.exp(rng.uniform(log(0.05), log(20))) / x.m, rng.uniform(0, 0.5)])) / 2
        mean = x.m * alpha
        B = mean + (c_B * (x.m if additive else mean) * log(x.m / x.beta)) ** 0.5
        broken = scipy.stats.binom.sf(np.floor(max(1.0, c_T * B)), x.m, 2 * alpha) - x.delta / 3 > 2 * x.beta
        found.append(bool(broken))
    return found


def test_the_cutoff_has_no_constant_over_the_range_and_that_of_one_error_is_broken() -> None:
    """Of c_T and c_B of BTT18 nothing is said to be enough; 1.361 is not, nor is 3; the additive B of BTT18a is."""
    for constant in ("c_T", "c_B"):
        assert BY_KEY["answering", "BTT18", constant].enough() is None
    assert any(splits(1.361, 0.5, additive=False)) and any(splits(3, 0.0491, additive=False))
    proved = BY_KEY["answering", "BTT18a", "c_B"].enough()
    assert proved is not None and not any(splits(3, proved.value, additive=True))
    (value, _) = BY_KEY["answering", "BTT18", "c_T"].too_small() or (0.0, None)
    assert value > 3


TOLD = {
    ("answering", "answered"): {
        "BTT18": "c_k c_log c_beta c_loop",
        "BTT18a": "c_k c_log c_oqr c_oqr_log c_sv c_sv_log",
        "k_tight": "c_k",
        "k_tight with c_gap = 2": "c_k",
    },
    ("answering", "private"): {"BTT18": "c_lam c_w c_m c_delta c_gap", "corrected": "c_lam", "BTT18a": "c_sv_lam c_sv_delta"},
    ("answering", "theorem"): {"BTT18": "c_T c_B", "BTT18a": "c_B"},
    ("scores", "agreed"): {"repaired": "c_k c_log", "k_tight": "c_k", "BTT18a": "c_loop"},
    ("scores", "stable"): {"repaired": "c_d"},
    ("scores", "private"): {"repaired": "c_lam c_w c_m", "BTT18a": "c_w"},
}


def test_of_every_constant_it_is_said_what_it_is_needed_for() -> None:
    assert {(each.of, each.event, each.set, each.constant) for each in families()} == {
        (*key, name, constant)
        for key, sets in TOLD.items()
        for name, constants in sets.items()
        for constant in constants.split()
    }
    of_cutoffs = [each.within.beta[0] for each in families() if each.event == "theorem"]
    assert of_cutoffs == [1e-10, 0.05, 1e-10, 0.05, 1e-10]  # what is proved needs no ordinary β


@pytest.mark.parametrize(("name", "constant"), [("BTT18", "c_delta"), ("BTT18a", "c_sv_delta"), ("BTT18", "c_gap")])
def test_one_is_enough_where_the_printed_constant_of_the_noise_stays_above_the_least(name: str, constant: str) -> None:
    """At the largest δ, where ln(1/δ) in place of ln(2/δ) makes most of it."""
    family = BY_KEY["answering", name, constant]
    least = BY_KEY["answering", name, "c_sv_lam" if constant == "c_sv_delta" else "c_lam"].enough()
    run = SPARSE if constant == "c_sv_delta" else BINARY
    enough = family.enough()
    assert enough is not None and least is not None and (enough.value, enough.setting) == (1.0, None)
    assert least.value <= run.c * log(1 / 0.2) / log(run.g / 0.2)
