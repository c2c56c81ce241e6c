"""What leaks is found, in less than a minute, on plans where it is known by how much ε is exceeded; what does not is not."""

import json
from collections.abc import Callable, Iterator
from math import exp, inf, log
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from harness.theory.privacy.laplace import difference_tail
from harness.trials.audited.outcome import Audited, audited
from harness.trials.audited.subject import AuditSetting
from tests.support.guests import guest
from tests.support.leaks import DELTA, EPS, LEAKS, Leak, M
from tests.support.sparse_vectors import ALGORITHMS, Noise, mechanism

if TYPE_CHECKING:
    from tests.support.project import Harness

SEED = 32
DEFAULT = 10.0  # seconds of an audit
TINY = AuditSetting(m=M, eps=EPS, delta=DELTA)


def found(leak: Leak) -> Audited:
    with guest(**{leak.attribute: leak.part}):
        return audited(leak.part.name, TINY, SEED, runs=leak.runs)


@pytest.mark.at_once("noiseless", "one_query_online")
@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str) -> None:
    leak, begun = LEAKS[name], process_time()
    seen = found(leak)
    assert process_time() - begun < 60
    assert seen.claimed <= EPS < leak.really()
    assert seen.verdict == "refuted", seen


def ends_low(rho: float, v: float, noise: Noise, eps: float) -> float:
    """P(v + ν < ρ): the answer is ⊥."""
    if not noise.query:
        return float(v < rho)
    return float(laplace.cdf(rho - v, scale=noise.query / eps))


def chance(of: Callable[[float], float], noise: Noise, eps: float) -> float:
    """The chance of an event whose chance given the noisy threshold ρ is `of`."""
    scale = noise.threshold / eps
    value, _ = quad(
        lambda rho: float(laplace.pdf(rho, scale=scale)) * of(rho), -40 * scale, 40 * scale, points=[-0.5, 0, 0.5], limit=400
    )
    return value


def in_turn(first: float, eps: float, noise: Noise) -> float:
    """P(⊥, ⊤, ⊥, ⊤, …) of ten queries that are now `first` and now −`first` above the threshold."""

    def given(rho: float) -> float:
        low, high = ends_low(rho, first, noise, eps), 1 - ends_low(rho, -first, noise, eps)
        return (low * high) ** 5

    return chance(given, noise, eps)


def low_value(first: float, eps: float, noise: Noise) -> float:
    """P(five ⊥, and then a value below the threshold is released) of queries that are `first` above it, the last −`first`."""

    def given(rho: float) -> float:
        scale = noise.query / eps
        value = max(0.0, float(laplace.cdf(first, scale=scale) - laplace.cdf(rho + first, scale=scale)))
        return ends_low(rho, first, noise, eps) ** 5 * value

    return chance(given, noise, eps)


SPARSE = {
    3: (AuditSetting(m=6, eps=2, delta=1e-9), low_value, 60_000),
    4: (AuditSetting(m=10, delta=1e-9), in_turn, 60_000),
    5: (AuditSetting(m=10, delta=1e-9), in_turn, 20_000),
    6: (AuditSetting(m=10, delta=1e-9), in_turn, 30_000),
}


@pytest.mark.law
@pytest.mark.parametrize("number", SPARSE)
def test_the_wrong_sparse_vectors_of_lyu_su_li_are_found(number: int) -> None:
    """By the exact law of an event of theirs, by quadrature over the noisy threshold, each spends more than it is said to."""
    setting, event, runs = SPARSE[number]
    p, q = (event(first, setting.eps, ALGORITHMS[number]) for first in (-0.5, 0.5))
    really = log((p - setting.delta) / q) if q else inf
    assert p > setting.delta and really > 1.2 * setting.eps
    part, begun = mechanism(number), process_time()
    with guest(MECHANISM=part):
        seen = audited(part.name, setting, SEED, runs=runs)
    assert process_time() - begun < 60
    assert seen.verdict == "refuted", seen


def as_called() -> Iterator[tuple[str, AuditSetting, dict[str, Any], float]]:
    """Name, setting, the part where it is no built-in one, and the seconds that are given."""
    for leak in LEAKS.values():
        yield leak.part.name, TINY, {leak.attribute: leak.part}, DEFAULT
    for number, (setting, _, _) in SPARSE.items():
        part = mechanism(number)
        yield part.name, setting, {"MECHANISM": part}, 30.0 if number == 3 else DEFAULT
    yield "A_SL_Quer", AuditSetting(m=1, delta=0.01), {}, DEFAULT


@pytest.mark.law
@pytest.mark.timeout(1800)  # a quarter of a minute of a core each
@pytest.mark.parametrize(("name", "setting", "part", "seconds"), [pytest.param(*each, id=each[0]) for each in as_called()])
def test_the_command_finds_it_in_less_than_a_minute(
    harness: "Harness", name: str, setting: AuditSetting, part: dict[str, Any], seconds: float
) -> None:
    """All ten leaks, Algorithms 3 to 6, and A_SL_Quer as printed, in the ten seconds that an audit takes where nothing else is
    said; Algorithm 3, which takes some 60,000 runs, in thirty.
    """
    given = [word for key, value in setting.model_dump(exclude_defaults=True).items() for word in (f"--{key}", str(value))]
    begun = process_time()
    with guest(**part):
        said = harness("audit", name, *given, "--seconds", f"{seconds:g}", "--seed", str(SEED), "--json")
    assert process_time() - begun < 60
    found = json.loads(said.out)
    assert said.code == 1 and found["verdict"] == "refuted" and found["lower"] > found["claimed"], found


@pytest.mark.law
@pytest.mark.parametrize("number", [1, 2])
def test_their_own_and_dwork_and_roths_are_not_refuted(number: int) -> None:
    part = mechanism(number)
    with guest(MECHANISM=part):
        seen = audited(part.name, AuditSetting(m=10, delta=1e-9), SEED, runs=60_000)
    assert seen.claimed == 1 and seen.verdict == "not refuted", seen


@pytest.mark.law
def test_a_sl_quer_as_printed_is_found_without_its_formula() -> None:
    """P(a query at distance 0 is answered) = ⅔√(δ/4m), and its neighbour never gives that answer; repaired it is not found."""
    setting = AuditSetting(m=1, delta=0.01)
    leaked = exp(-log(4 / setting.delta) / 2) * 2 / 3
    assert leaked - float(difference_tail(log(4 / setting.delta), 1.0)) < leaked / 20
    assert leaked > 3 * setting.delta
    assert audited("A_SL_Quer", setting, SEED, runs=8_000).verdict == "refuted"
    assert audited("A_SL_Quer", setting.model_copy(update={"constants": "repaired"}), SEED, runs=8_000).verdict == "not refuted"
