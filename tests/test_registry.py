"""The names of parts, and what an error message lists of those that are allowed."""

from harness.registry import names, nearest, parts


def test_a_few_names_are_all_listed_led_by_the_one_that_was_probably_meant() -> None:
    assert nearest("Noisy_max", ["alpha", "noisy_max"]) == "did you mean 'noisy_max'? allowed: alpha, noisy_max"
    assert nearest("zzz", ["alpha", "noisy_max"]) == "allowed: alpha, noisy_max"


def test_of_very_many_names_the_ten_closest_are_listed() -> None:
    names = [f"claim-{i}" for i in range(41)]
    said = nearest("claim-40x", names)
    assert said.startswith("did you mean 'claim-40'? allowed: claim-40, ")
    assert said.endswith(" and 31 others")
    assert said.count("claim-") == 11
    assert nearest("zzz", names[:40]) == f"allowed: {', '.join(names[:40])}"


def test_names_that_texts_tell_are_those_of_the_parts() -> None:
    """Several plots of one layout share a file."""
    assert sorted(names("plot")) == sorted(parts("plot"))
