"""The audit: attacks on the real mechanisms, with their exact probabilities from elsewhere."""

from math import log

import numpy as np
import pytest
from scipy.stats import binom

from harness.arrays import Bools, Ints
from harness.audits.measure import lower_end
from harness.mechanisms.noise import laplace
from harness.theory.constants import calibrations
from harness.theory.privacy.witness import strongest_witness
from harness.trials import kinds
from harness.trials.audit import AuditCell, resolved
from harness.trials.audited import known_events
from harness.trials.audited.known_events import ATTACKS
from harness.trials.audited.scores import SORT

CELL = AuditCell(eps=4, runs=3000)


@pytest.mark.at_once("A_stab_corrected", "A_stab_printed")
@pytest.mark.parametrize("name", ATTACKS)
def test_the_code_shows_the_event_as_often_as_the_theory_computes(name: str) -> None:
    """False-failure probability: 4e-9 a case, two exact binomial tails at 1e-9 each way."""
    row = kinds()["audit"].rows(CELL, [name], 1, 0)[0]
    for hits, chance in ((row["hits"], row["p"]), (row["hits_neighbour"], row["q"])):
        assert binom.cdf(hits, CELL.runs, chance) > 1e-9
        assert binom.sf(hits - 1, CELL.runs, chance) > 1e-9


def test_the_printed_distance_shows_twice_the_privacy_loss_of_the_corrected_one() -> None:
    printed, corrected = (ATTACKS[name](CELL) for name in ("A_stab_printed", "A_stab_corrected"))
    assert log(printed.p / printed.q) == pytest.approx(2 * CELL.eps, rel=0.02)
    assert log(corrected.p / corrected.q) == pytest.approx(CELL.eps, rel=0.02)


@pytest.mark.at_once("A_stab_corrected", "A_stab_printed")
@pytest.mark.parametrize("name", ATTACKS)
def test_a_trial_is_a_function_of_seed_and_index(name: str) -> None:
    run = kinds()["audit"].run
    counts = [
        (row["hits"], row["hits_neighbour"])
        for seed, trial in ((1, 0), (1, 0), (1, 1), (2, 0))
        for row in run(AuditCell(eps=5, runs=2000), [name], seed, trial)
    ]
    assert counts[0] == counts[1]
    assert len(set(counts)) > 1


def test_an_audit_of_less_noisy_code_shows_more_than_the_theory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """With half of the noise the event's odds square: far outside what 3000 runs leave in doubt."""
    monkeypatch.setattr("harness.mechanisms.a_stab.laplace", lambda scale, size, rng: laplace(scale / 2, size, rng))
    row = kinds()["audit"].rows(CELL, ["A_stab_corrected"], 1, 0)[0]
    assert binom.cdf(row["hits"], CELL.runs, row["p"]) < 1e-9
    assert isinstance(row["hits"], int | np.integer)


def test_the_event_of_an_epoch_is_counted_on_a_table_and_on_its_neighbour() -> None:
    """Of a program that has its first ⊥ where the witness says on the one, and none on the other."""
    printed = calibrations()["printed"]
    witness = strongest_witness(printed, CELL.eps, CELL.delta, 1000, 1.0)
    assert witness.distances != witness.moved and len(witness.distances) not in witness.bottoms

    def event(values: Ints, run: Ints, *_: object) -> tuple[Bools, Bools]:
        tables = values.reshape(run[-1] + 1, len(witness.distances))
        bottom = np.zeros(tables.shape, np.bool_)
        bottom[(tables == witness.distances).all(axis=1), min(witness.bottoms)] = True
        return bottom.ravel(), np.zeros(bottom.size, np.bool_)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_events, "in_order_by_run", event)
        patch.setattr(known_events, "AT_ONCE", 2 * len(witness.distances))  # the last of seven is alone
        assert ATTACKS["A_binClas_epoch"](CELL).counts(7, np.random.default_rng(1)) == (7, 0)


def test_that_no_query_is_bottom_is_in_the_event_of_an_epoch_where_the_witness_says_so() -> None:
    calm = lambda values, *_: (np.zeros(len(values), np.bool_),) * 2  # noqa: E731
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_events, "in_order_by_run", calm)
        for cell, hits in ((CELL, 0), (AuditCell(eps=10, delta=0.1, runs=3000), 7)):
            assert ATTACKS["A_binClas_epoch"](cell).counts(7, np.random.default_rng(1)) == (hits, hits)


@pytest.mark.law
def test_a_trial_is_an_audit_of_any_mechanism_with_what_is_said_of_it() -> None:
    """Of two sorts, one of which promises nothing; a trial is a function of seed and index."""
    cell, names = AuditCell(eps=5, m=1, runs=800), ["online/A_OQR", "exponential", "majority"]
    first, again, other = (kinds()["audit"].rows(cell, names, 1, trial) for trial in (0, 0, 1))
    for row, same, another in zip(first, again, other, strict=True):
        assert {**row, "seconds": 0} == {**same, "seconds": 0}
        assert row["judged"] == another["judged"] == 400 and row["p"] is row["q"] is None
        assert row["pair"] and row["event"] and row["constants"] == "printed"
        assert row["lower"] == pytest.approx(lower_end(row["hits"], 400, row["hits_neighbour"], 400, 1e-6, 1e-3))
    said = {row["mechanism"]: (row["claimed"], row["said"]) for row in first}
    assert said["exponential"] == (5.0, "certified") and said["majority"] == (None, "nothing")
    assert 0 < said["online/A_OQR"][0] < 5
    assert first[1]["lower"] > 1 and first[2]["lower"] > 3  # it is far from private at all
    assert [row["hits"] for row in first] != [row["hits"] for row in other]


@pytest.mark.parametrize(
    ("changed", "name", "at", "said"),
    [
        ({"runs": 399}, "gaussian", "runs", "allowed: at least 400"),
        ({"m": 60}, "A_Priv", "mechanisms", "allowed: m ≤ 50"),
        (
            {"constants": "BTT18"},
            "gaussian_mean",
            "mechanisms",
            "no constants 'BTT18' for this mechanism; did you mean 'BTT18a'?",
        ),
        ({"eps": 20}, "A_stab_printed", "eps", "for eps from 0.1 to 10 alone"),
        ({"delta": 0.3}, "A_binClas_epoch", "delta", "for delta from 1e-09 to 0.1 alone"),
    ],
)
def test_what_cannot_be_audited_is_refused_before_it_runs(changed: dict[str, object], name: str, at: str, said: str) -> None:
    refused = kinds()["audit"].refuse(AuditCell.model_validate({"eps": 1, "runs": 1000} | changed), name)
    assert refused is not None and refused.parameter == at and said in refused.message


@pytest.mark.parametrize("m", [1, 3])
def test_an_outcome_of_scores_has_a_number_for_each_of_its_names(m: int) -> None:
    """Of several queries what they add up to, too."""
    rng = np.random.default_rng(5)
    for pair in SORT.subject("A_SL_Quer", AuditCell(m=m, runs=3000)).pairs(rng):
        assert pair.run(0, 2, rng).shape == (2, len(pair.outputs)) == (2, 3 * m + 3 * (m > 1))


def test_the_set_of_constants_of_an_audit_is_told_as_it_is_named_or_as_the_printed_one() -> None:
    for given in (None, "tight"):
        row = resolved(AuditCell(constants=given, runs=1000), "A_binClas")
        assert row["constants"] == (given or "printed") and row["p"] is row["q"] is None


@pytest.mark.parametrize("eps", [0.5, 2.0])
def test_an_audit_is_against_what_is_spent_by_what_is_private(eps: float) -> None:
    """Of a mechanism without privacy nothing is claimed."""
    private, plain = (resolved(AuditCell(eps=eps, runs=1000), name) for name in ("noisy_majority", "majority"))
    assert 0 < private["claimed"] <= eps and private["said"] != "nothing"
    assert plain["claimed"] is None and plain["said"] == "nothing"
