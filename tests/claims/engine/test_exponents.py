"""Deciding powers on sweeps whose exponent is known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from harness.arrays import Reals
from harness.claims.engine import Claim, Exponents, Form, Outcome, among
from harness.claims.engine.counts import mean_interval
from harness.claims.engine.exponents import LINE, OFF, NoLogarithms, Power, points_along, slope, with_sign
from tests.support.asked import rows_of


class Flat:
    """No logarithms."""

    def typical(self, at: pd.DataFrame) -> Reals:
        return np.zeros(len(at))

    surer = typical


class Squared(Flat):
    """The square of a logarithm of n is there, and once more it may be."""

    def typical(self, at: pd.DataFrame) -> Reals:
        return 2 * self.surer(at)

    def surer(self, at: pd.DataFrame) -> Reals:
        return np.asarray(np.log(10 + np.log(at["n"].to_numpy(float))))


def claim(power: float, upper: bool = False, **rivals: float) -> Claim:
    form = Form({"n": power}, Flat(), {name: {"n": each} for name, each in rivals.items()}, upper)
    return Claim("PAPER:T1", "PAPER Theorem 1", "The error has this form.", Exponents(form), (among("mechanism", "ours"),))


def sweep(
    power: float, trials: int = 200, points: int = 5, seed: int = 0, mean: float = 300.0, gamma: float = 0.0, logs: float = 0.0
) -> pd.DataFrame:
    """Poisson counts of errors around `mean` · n^power (10 + ln n)^logs, of so many queries that n is 1 … 10^(points − 1)."""
    rng, m, frames = np.random.default_rng(seed), 10**7, []
    for n in 10.0 ** np.arange(points):
        count = rng.poisson(gamma * m + mean * n**power * ((10 + np.log(n)) / 10) ** logs, trials)
        fixed = dict.fromkeys(LINE, "any") | {"mechanism": "ours", "gamma": gamma}
        columns = {"cell": f"{n:g}", "n": n, "m": m, "V": 1, "eps": 1.0, "misclassified": count}
        frames.append(pd.DataFrame(fixed | columns))
    return pd.concat(frames, ignore_index=True)


def decided(claimed: Claim, rows: pd.DataFrame, error: float = 1e-6) -> Outcome:
    (line,) = claimed.questions(rows)
    return claimed.decide(line, error).outcome


@pytest.mark.parametrize(
    ("low", "high", "outcome", "upper"),
    [
        (-2.1, -1.9, "holds", "holds"),
        (-2.26, -1.9, "undecided", "holds"),
        (-2.1, -1.7, "undecided", "undecided"),
        (-1.9, -1.8, "refuted", "refuted"),
        (-2.3, -2.1, "refuted", "holds"),
        (-np.inf, np.inf, "undecided", "undecided"),
        (np.nan, np.nan, "undecided", "undecided"),
    ],
)
def test_an_interval_decides_what_it_leaves_room_for(low: float, high: float, outcome: str, upper: str) -> None:
    """Of −2, against −2.25 and −1.75; as an upper bound against −1.75 alone."""
    assert Power(-2, low, high).outcome == outcome
    assert Power(-2, low, high, upper=True).outcome == upper


def test_rivals_are_a_quarter_off_or_named_and_other() -> None:
    assert Power(0.5, 0.0, 1.0, (1 / 3, 0.5, 1.0)).rivals == [0.25, 0.75, 1 / 3, 1.0]
    assert Power(0.5, 0.0, 1.0, (1 / 3, 0.5, 1.0), upper=True).rivals == [0.75, 1.0]


def test_at_the_ends_of_an_interval_nothing_is_refuted_and_a_rival_is_not_excluded() -> None:
    assert Power(0.5, 0.5, 0.6).outcome == Power(0.5, 0.4, 0.5).outcome == Power(0.5, 0.5, 0.5).outcome == "holds"
    assert Power(0.5, 0.25, 0.6).outcome == Power(0.5, 0.4, 0.75).outcome == "undecided"
    assert not Power(0.5, 0.25, 0.6).told_apart and not Power(0.5, 0.4, 0.75).told_apart and Power(0.5, 0.5, 0.5).told_apart
    assert Power(0.5, 0.4, 0.6, (0.5 + 1e-12, 0.5 - 1e-12)).rivals == [0.25, 0.75]
    assert Power(0.5, 0.4, 0.6, (0.5 + 1e-8,)).rivals == [0.25, 0.75, 0.5 + 1e-8]


def test_the_nearest_rival_is_the_one_that_the_interval_comes_nearest_to_for_its_distance() -> None:
    assert Power(0.5, 0.3, 0.6).nearest == pytest.approx((0.2, 0.25))
    assert Power(0.5, 0.4, 0.7).nearest == pytest.approx((0.2, 0.25))
    assert Power(0.5, 0.4, 0.58, (0.6,)).nearest == pytest.approx((0.08, 0.1))
    assert Power(0.5, 0.3, 0.6, upper=True).nearest == pytest.approx((0.1, 0.25))


def test_a_verdict_on_a_power_has_its_reach_and_its_room_and_is_challenged_where_it_is_decided() -> None:
    verdict = Power(0.5, 0.4, 0.7).verdict("PAPER:T1", "here", mechanism="ours", trials=7, error=0.01)
    assert (verdict.claim, verdict.where, verdict.mechanism, verdict.trials, verdict.error) == (
        "PAPER:T1",
        "here",
        "ours",
        7,
        0.01,
    )
    assert (verdict.measured, verdict.bound) == pytest.approx((0.2, 0.25)) and verdict.challenged
    plain, doubtful = (
        Power(0.5, 0.4, 0.7).verdict("PAPER:T1", "here"),
        Power(0.5, 0.4, 0.7).verdict("PAPER:T1", "here", "undecided"),
    )
    assert (plain.outcome, plain.trials, plain.error, plain.mechanism) == ("holds", 0, 0.0, None)
    assert doubtful.outcome == "undecided" and not doubtful.challenged
    assert Power(0.5, -np.inf, np.inf).verdict("PAPER:T1", "here").measured is None


def test_what_is_within_rounding_of_nothing_has_the_sign_of_nothing() -> None:
    said = {0.0: "+0", -1e-12: "+0", 1e-9: "+0", 2e-9: "+2e-09", -0.123: "-0.12", 1.5: "+1.5"}
    assert {share: with_sign(share) for share in said} == said


def test_of_a_line_that_is_known_the_power_is_its_slope_to_rounding() -> None:
    x = np.array([1.0, 3.0, 10.0, 50.0, 200.0])
    rates = pd.DataFrame(dict.fromkeys(("mean", "low", "high"), 7 * x**0.5), index=pd.Index(x, name="n"))
    verdict = Form({"n": 0.5}, NoLogarithms()).judge("PAPER:T1", "n", rates, pd.DataFrame({"n": x}), "here")
    assert verdict.outcome == "holds" and verdict.measured is not None and 0.5e-9 < verdict.measured < 2e-9
    assert verdict.where == (
        "here, along n from 1 to 200: exponent 0.5, of it +0 by logarithms and up to 0 more: power in [0.5, 0.5], printed 0.5"
    )


def test_a_slope_reaches_as_far_as_its_points_do_each_on_its_own_side() -> None:
    """By what each point alone moves a line that numpy fits, added up in squares."""
    rng, x = np.random.default_rng(3), np.array([1.0, 2.0, 5.0, 30.0, 40.0])
    mean = rng.uniform(1, 9, 5)
    table = pd.DataFrame({"mean": mean, "low": mean * rng.uniform(0.3, 0.9, 5), "high": mean * rng.uniform(1.1, 4, 5)}, index=x)

    def fitted(values: Reals) -> float:
        return float(np.polyfit(np.log(x), np.log(values), 1)[0])

    moves = [[fitted(np.where(x == at, table[end], mean)) - fitted(mean) for end in ("low", "high")] for at in x]
    down, up = (np.sqrt(np.sum(np.square(pick(moves, axis=1)))) for pick in (np.min, np.max))
    assert slope(table) == pytest.approx((fitted(mean), fitted(mean) - down, fitted(mean) + up))
    assert slope(table.assign(mean=[0.0, *mean[1:]]))[1:] == (-np.inf, np.inf)


@pytest.mark.parametrize(("trials", "clumps"), [(1, 1.0), (40, 1.0), (40, 25.0)])
def test_the_points_of_a_sweep_are_its_mean_rates_above_gamma_with_their_intervals(trials: int, clumps: float) -> None:
    """Counts of errors, some at a time, by the interval for clumped counts; what would be below 0 is 0."""
    rng = np.random.default_rng(1)
    errors = {n: clumps * rng.poisson(mean / clumps, trials) for n, mean in ((1, 400.0), (10, 90.0))}
    line = pd.concat([pd.DataFrame({"n": n, "m": 1000, "gamma": 0.1, "misclassified": each}) for n, each in errors.items()])
    points = points_along(line, "n", 1e-3)
    for row, each in zip(points.to_numpy(float), errors.values(), strict=True):
        spread = np.var(each, ddof=1) / each.mean() if trials > 1 else 1.0
        expected = [each.mean(), *mean_interval(each.sum(), spread, trials, 1e-3)]
        assert row == pytest.approx([max(0.0, count / 1000 - 0.1) for count in expected])
    assert points["low"].tolist()[1] == 0 and points.index.tolist() == [1, 10]
    rare = np.array([0] * 36 + [5] * 4)
    (row,) = points_along(pd.DataFrame({"n": 1, "m": 1000, "gamma": 0.0, "misclassified": rare}), "n", 1e-3).to_numpy(float)
    expected = [0.5, *mean_interval(20, np.var(rare, ddof=1) / 0.5, 40, 1e-3)]
    assert row == pytest.approx([count / 1000 for count in expected], abs=0)


@pytest.mark.parametrize(("power", "off"), [(0.5, 0.0), (0.5, OFF), (0.5, -OFF), (-0.5, 0.0), (-0.5, OFF), (-0.5, -OFF)])
def test_a_power_that_is_off_by_a_quarter_never_holds(power: float, off: float) -> None:
    """At error 10⁻⁶, with slopes known to 0.005: false with probability below 1e-6 for each of them."""
    assert decided(claim(power + off), sweep(power)) == ("refuted" if off else "holds")


def test_what_few_errors_leave_open_is_undecided_whatever_is_claimed() -> None:
    """Eight errors at a point and fewer: the interval is wider than a half."""
    rows = sweep(-0.1, trials=4, mean=2.0)
    outcomes = [decided(claim(power), rows) for power in (-0.6, -0.35, -0.1, 0.15, 0.4)]
    assert outcomes[2] == "undecided" and "holds" not in outcomes
    assert decided(claim(0.5), sweep(0.5), error=0.0) == "undecided"


def test_a_point_at_which_no_error_was_seen_is_not_left_out() -> None:
    rows = sweep(-0.5)
    rows.loc[rows["n"] == 10**4, "misclassified"] = 0
    assert decided(claim(-0.5), rows) == "undecided"
    assert decided(claim(-0.5), sweep(-0.5, points=4)) == "holds"


@pytest.mark.parametrize(("power", "outcome"), [(0.1, "holds"), (0.5, "holds"), (0.8, "refuted"), (0.7, "refuted")])
def test_an_upper_bound_minds_faster_growth_alone(power: float, outcome: str) -> None:
    assert decided(claim(0.5, upper=True), sweep(power)) == outcome


def test_a_named_rival_within_the_interval_leaves_it_undecided() -> None:
    rows = sweep(0.5, trials=10, mean=20.0)  # to about 0.05
    assert decided(claim(0.5), rows) == "holds"
    assert decided(claim(0.5, neighbour=0.52), rows) == "undecided"


def test_the_rate_is_taken_above_gamma() -> None:
    rows = sweep(-0.25, mean=3000.0, gamma=1e-3)
    assert decided(claim(-0.25), rows) == "holds"
    assert decided(claim(-0.25), rows.assign(gamma=0.0)) == "refuted"  # the slope of γ + n^(−1/4) is flat


def test_a_term_that_gamma_hides_is_not_seen() -> None:
    assert decided(claim(-0.5), sweep(-0.5, trials=10, mean=300.0, gamma=0.1)) == "undecided"


def test_the_share_of_the_logarithms_is_taken_off_and_their_doubt_added() -> None:
    """(10 + ln n)² bends n^(1/2) by 0.14 over four decades: without the logarithms ½ is refuted, with them it holds."""
    rows = sweep(0.5, logs=2)
    bent = replace(claim(0.5), decider=Exponents(Form({"n": 0.5}, Squared())))
    assert decided(claim(0.5), rows) == "refuted"
    assert decided(bent, rows) == "holds"
    assert decided(bent, sweep(0.5, logs=3)) == "holds"  # the one that may be there
    assert decided(bent, sweep(0.5, logs=5)) == "refuted"
    for off in (OFF, -OFF):
        assert decided(replace(bent, decider=Exponents(Form({"n": 0.5 + off}, Squared()))), rows) != "holds"


@pytest.mark.law
def test_the_interval_covers_the_power_at_its_level() -> None:
    """At error 0.1 over 400 sweeps the true power is outside about 40 times: more than 85 has probability below 1e-9 at 0.1,
    and below 1e-6 even at 0.125, which leaves room for the joint interval; and fewer than 5 would be far too wide.
    """
    sweeps = (sweep(-0.25, trials=10, points=4, mean=30.0, seed=seed) for seed in range(400))
    outside = sum(decided(claim(-0.25), rows, 0.1) == "refuted" for rows in sweeps)
    assert 5 <= outside <= 85


@pytest.mark.parametrize(
    "spoilt", [sweep(0.0).assign(mechanism="theirs"), sweep(0.0, points=3)], ids=["another mechanism", "three points"]
)
def test_no_question_is_asked_where_there_is_no_line_to_fit(spoilt: pd.DataFrame) -> None:
    assert not list(claim(0.0).questions(spoilt))


def test_each_setting_is_asked_about_apart() -> None:
    clean = sweep(0.0)
    both = pd.concat([clean, clean.assign(gamma=0.01, cell="noisy " + clean["cell"])])
    assert [set(rows_of(line)["gamma"]) for line in claim(0.0).questions(both)] == [{0.0}, {0.01}]
    (quiet, noisy), reversed_rows = claim(0.0).questions(both), both.iloc[::-1]
    assert [set(rows_of(line)["gamma"]) for line in claim(0.0).questions(reversed_rows)] == [{0.01}, {0.0}]
    said = [claim(0.0).decide(question, 1e-6) for question in (quiet, noisy)]
    assert said[0].where.startswith("any, any, along n") and said[1].where.startswith("any, any, γ = 0.01, along n")
    assert {(verdict.trials, verdict.mechanism, verdict.error) for verdict in said} == {(1000, "ours", 1e-6)}


@pytest.mark.parametrize(
    ("low", "high", "two_sided", "upper"),
    [
        (0.9, 1.1, True, True),
        (0.7, 1.1, False, False),
        (0.9, 1.3, False, True),
        (-0.5, -0.2, True, False),
        (1.4, 1.6, True, True),
        (float("nan"), 1.0, False, False),
    ],
)
def test_a_power_is_challenged_where_its_false_neighbours_are_refuted(
    low: float, high: float, two_sided: bool, upper: bool
) -> None:
    """Of an upper bound of power 1 it is the stronger one, 0.75, that has to be; what is refuted itself is challenged too."""
    assert (Power(1.0, low, high).told_apart, Power(1.0, low, high, upper=True).told_apart) == (two_sided, upper)
