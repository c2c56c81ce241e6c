"""What the lean constants are said to save: false variants fall."""

from harness.claims.ours.lean import CLAIMS, SIZES, _fewer_chunks, _saved, examples

BY_ID = {claim.id: claim for claim in CLAIMS}


def test_a_twentieth_of_the_examples_is_enough_and_a_fortieth_is_not() -> None:
    assert all(number.measured <= number.bound for number in _saved("BTT18", 20))
    assert all(number.measured > number.bound for number in _saved("BTT18", 40))
    assert all(2 < examples("tight", *size) / examples("lean", *size) < 3 for size in SIZES)


def test_gaussian_noise_is_overtaken_between_a_hundredth_and_a_thousandth() -> None:
    assert all(number.measured <= number.bound for number in _fewer_chunks(1e-3))
    assert all(number.measured > number.bound for number in _fewer_chunks(1e-2))
    assert {verdict.outcome for verdict in BY_ID["probe:lean:crossover-ten"].decider.computed("x")} == {"refuted"}
