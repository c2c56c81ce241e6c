"""The loop of A_SL-Quer against a literal transcription: decision by decision on the same noise, and in law."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi2_contingency
from scipy.stats import laplace as laplace_law

from harness.arrays import Ints
from harness.mechanisms.noise import laplace
from harness.mechanisms.scoring.two_tests import Passed, TwoTestNoise, in_order, two_tests, until_halted

LAM, W = 2.0, 9.0
FIRST, SECOND = np.array([60, 4, 0, 14]), np.array([0, 50, 2, 9])
SIZES = np.array([30, 3, 2, 5])
ERROR = 1e-7  # chance that a test here fails though the code is right


def literal(first: Ints, second: Ints, noise: TwoTestNoise, cutoff: int) -> list[str]:
    """Algorithms 6 and 8 word for word, with ŵ initialised. What each query gets; 'none' behind the halt."""
    c, w_hat, said = 0, noise.threshold, []
    for i in range(len(first)):
        if c > cutoff:
            said.append("none")
            continue
        flag = 0
        if first[i] + noise.first_dist[i] > w_hat:
            score = "plain"
        else:
            w_hat, flag = noise.again[i], 1
            score = "shifted" if second[i] + noise.second_dist[i] > w_hat else "bottom"
        if flag == 1:
            if score == "bottom":
                c, w_hat = c + 2, noise.after[i]
            else:
                c += 1
        said.append(score)
    return said


def noise_of(m: int, rng: np.random.Generator) -> TwoTestNoise:
    return TwoTestNoise(
        W + float(laplace(LAM, 1, rng)[0]),
        laplace(2 * LAM, m, rng),
        laplace(2 * LAM, m, rng),
        W + laplace(LAM, m, rng),
        W + laplace(LAM, m, rng),
    )


def shuffled(rng: np.random.Generator) -> Ints:
    return rng.permutation(np.repeat(np.arange(len(SIZES)), SIZES))


def test_decision_by_decision_on_the_same_noise() -> None:
    rng = np.random.default_rng(1)
    seen = set()
    for cutoff in [0, 1, 2, 5, 9, 100] * 60:
        types = shuffled(rng)
        first, second, noise = FIRST[types], SECOND[types], noise_of(len(types), rng)
        said = literal(first, second, noise, cutoff)
        failed, bottoms = in_order(first, second, noise, cutoff)
        halted = len(failed) > 0 and len(failed) + len(bottoms) > cutoff
        ours = ["plain"] * len(types)
        for i in failed:
            ours[i] = "shifted"
        for i in bottoms:
            ours[i] = "bottom"
        if halted:
            ours[failed[-1] + 1 :] = ["none"] * (len(types) - failed[-1] - 1)
        assert ours == said
        seen.update(said)
    assert seen == {"plain", "shifted", "bottom", "none"}


def test_a_threshold_that_is_not_kept_after_a_second_pass_is_seen() -> None:
    """The wrong reading that redraws ŵ after every query that failed a first test decides otherwise, on some noise."""
    rng, differ = np.random.default_rng(2), 0
    for _ in range(200):
        types = shuffled(rng)
        noise = noise_of(len(types), rng)
        kept = in_order(FIRST[types], SECOND[types], noise, 100)
        redrawn = in_order(FIRST[types], SECOND[types], replace(noise, again=noise.after), 100)
        differ += not np.array_equal(kept[0], redrawn[0])
    assert differ > 20


def _one_by_one(cutoff: int, rng: np.random.Generator) -> Passed:
    types = shuffled(rng)
    said = np.array(literal(FIRST[types], SECOND[types], noise_of(len(types), rng), cutoff))
    counts = [np.bincount(types[said == each], minlength=len(SIZES)) for each in ("plain", "shifted", "bottom", "none")]
    return Passed(*counts)


def _told(passed: Passed) -> tuple[int, ...]:
    """What is compared, jointly: coarse enough for a chi-square test."""
    return (
        int(passed.bottoms.sum()),
        int(passed.second[1]),
        int(passed.second[3] > 0),
        int(passed.unanswered.sum() // 8),
    )


def p_value(ours: list[tuple[int, ...]], literal_: list[tuple[int, ...]]) -> float:
    """Of the two samples having one law, by a chi-square test on the joint table, rare outcomes pooled."""
    values, inverse = np.unique(np.array(ours + literal_), axis=0, return_inverse=True)
    inverse = inverse.ravel()
    table = np.array([np.bincount(part, minlength=len(values)) for part in np.split(inverse, [len(ours)])])
    common = table.sum(axis=0) >= 40
    pooled = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    pooled = pooled[:, pooled.sum(axis=0) > 0]
    return float(chi2_contingency(pooled).pvalue)


@pytest.mark.law
@pytest.mark.parametrize("cutoff", [4])
def test_the_law_of_types_is_that_of_queries_one_by_one(cutoff: int) -> None:
    rng, trials = np.random.default_rng(cutoff), 1200
    ours = [two_tests(FIRST, SECOND, SIZES, LAM, W, cutoff, rng) for _ in range(trials)]
    for each in ours[:100]:
        assert np.array_equal(each.first + each.second + each.bottoms + each.unanswered, SIZES)
    told = [_told(each) for each in ours]
    theirs = [_told(_one_by_one(cutoff, rng)) for _ in range(trials)]
    assert p_value(told, theirs) > ERROR
    off_by_one = [_told(two_tests(FIRST, SECOND, SIZES, LAM, W, cutoff - 1, rng)) for _ in range(trials)]
    assert p_value(off_by_one, theirs) < ERROR  # a cutoff that is one less shows


def test_a_million_million_queries_take_no_longer() -> None:
    """They all pass but for some: c stops the run."""
    sizes = np.array([10**12, 3])
    passed = two_tests(np.array([400, 0]), np.array([0, 400]), sizes, LAM, W, 10, np.random.default_rng(0))
    assert passed.first[0] == 10**12 and passed.second[1] == 3
    halting = two_tests(np.array([20, 0]), np.array([0, 0]), sizes, LAM, W, 10, np.random.default_rng(0))
    assert 11 <= halting.second.sum() + 2 * halting.bottoms.sum() <= 12 and halting.unanswered[0] > 10**11


@pytest.mark.parametrize("below", [-6.0, 2.0, 7.0])
def test_a_second_test_has_noise_of_twice_the_scale_of_its_threshold(below: float) -> None:
    """Where no first test passes, the queries are i.i.d.: the ⊥s of 40,000 within 7 deviations of P(Lap(2λ) ≤ d + Lap(λ))."""
    m, second = 40_000, np.array([int(W - below)])
    passed = two_tests(np.array([-(10**6)]), second, np.array([m]), LAM, W, 10**9, np.random.default_rng(7))
    gap = W - second[0]
    chance = quad(lambda t: laplace_law.pdf(t, scale=LAM) * laplace_law.cdf(gap + t, scale=2 * LAM), -60, 60, points=[-gap, 0])[
        0
    ]
    assert passed.first.tolist() == passed.unanswered.tolist() == [0]
    assert abs(int(passed.bottoms[0]) - m * chance) < 7 * (m * chance * (1 - chance)) ** 0.5
    assert passed.second.tolist() == [m - int(passed.bottoms[0])]


def test_each_trial_goes_on_until_what_its_failed_tests_cost_is_above_the_cutoff() -> None:
    """One after the other, in 300 drawn runs of one to four trials, some of which have spent something before."""
    rng = np.random.default_rng(11)
    for _ in range(300):
        c, cutoff = rng.integers(0, 4, size=rng.integers(1, 5)), int(rng.integers(0, 7))
        run = np.sort(rng.integers(len(c), size=rng.integers(0, 15)))
        cost, spent, kept = rng.integers(1, 3, size=len(run)), c.tolist(), []
        for number, (of, each) in enumerate(zip(run.tolist(), cost.tolist(), strict=True)):
            if spent[of] <= cutoff:
                spent[of] += each
                kept.append((number + 100, spent[of]))
        found, after = until_halted(np.arange(len(run)) + 100, run, cost, c, cutoff)
        assert list(zip(found.tolist(), after.tolist(), strict=True)) == kept
