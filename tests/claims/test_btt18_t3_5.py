"""The explicit agnostic rate: what is refuted, and the fixed point that repairs it, against sums and searches by hand."""

import pytest
from harness.claims.btt18_t3_5 import SmallM, _most_at_one, _solved

from harness.claims import claims


def test_one_flipped_label_among_few_queries_refutes_part_one() -> None:
    """What is allowed is below one error in m, so the chance is that of any flip at all."""
    for number, (m, gamma) in zip(SmallM().numbers(), ((1, 0.01), (10, 1e-3), (50, 1e-3)), strict=True):
        assert number.measured == pytest.approx(1 - (1 - gamma) ** m)
        assert number.bound < number.measured / 9


@pytest.mark.parametrize(("n", "gamma"), [(10**18, 1e-15), (10**26, 1e-4), (10**14, 0.4)])
def test_most_queries_at_cutoff_one_are_where_the_cutoff_starts_to_rise(n: int, gamma: float) -> None:
    most = _most_at_one(n, gamma)
    assert (_solved(most + 1, n, gamma).T or 0) > 1
    assert most == 0 or _solved(most, n, gamma).T == 1


def test_the_agnostic_rate_is_about_noisy_labels_and_the_realizable_one_about_clean() -> None:
    rates = {name: claim for name, claim in claims().items() if (claim.kind, claim.trials) == ("rate", "answers")}
    agnostic = {name: getattr(claim, "agnostic", None) for name, claim in rates.items()}
    assert [name for name, value in agnostic.items() if value] == ["BTT18:T3.5-repaired"]
    assert agnostic["BTT18:T3.4-repaired"] is False
