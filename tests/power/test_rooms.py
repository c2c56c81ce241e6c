"""The checks have power in every room: faults beyond those of the noise (`test_faults.py`), one at a time.

A fault is seen by the claims whose verdict turns, by the comparison with a table that was made without it, by the rules that
rows keep to, and by a test of its own room. What each is seen by is stated, and told in a table at the end of the suite's
output.

A false verdict or change has probability at most 1e-8 in each test. What is said to turn does so at these sizes but for 1e-7.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from harness.claims.engine import events
from harness.concepts import ensemble, thresholds
from harness.concepts.votes import Queries
from harness.mechanisms import Mechanism
from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.answers import BOTTOM, Answers
from harness.report import prices, regression
from harness.report.verdicts import judge
from harness.sweep import run
from harness.sweep.errors import CannotRunError
from harness.theory import confidence
from harness.theory.constants import btt18, constants, ours
from harness.theory.parameters import Constants, Task
from harness.theory.plan import Plan
from harness.theory.privacy import composition, spent
from harness.transfer import a_priv
from harness.trials import answers, seeds
from harness.trials.search import Search
from tests.support.layers import ERROR, Failing, Plant, compared, told

if TYPE_CHECKING:
    from harness.report.verdicts import Evidence
    from tests.support.experiments import Broken, Measure

CHECKS: dict[str, dict[str, str]] = {
    "spread": {"alpha": "0.1", "trials": "150"},
    "learners_law": {"n": "3e9", "learner": "midpoint", "trials": "150"},
    "baselines_k": {"beta": "0.5", "trials": "512"},
    "privacy_spent": {"eps": "1", "T": "10"},
    "learner_theorems": {
        "concept": "thresholds",
        "V": "1",
        "distribution": "hard",
        "zip": "[]",
        "alpha": "0.05",
        "beta": "0.05",
        "constants": "BTT18",
        "mechanisms": "[A_Priv, A_Priv_erm]",
        "trials": "150",
    },
    "utility_transition": {"T": "1", "beta": "0.5", "k_scale": "[0.9, 1]", "trials": "1024"},
    "quickstart": {"n": "1e9", "m": "1e5", "trials": "60"},
    "agnostic_misclassification_vs_m": {"m": "1e3", "trials": "60"},
}
"""The experiments, each with what makes it small."""

BY_HAND = Failing("theory/constants/test_constants.py", "test_T_worked_by_hand")


@dataclass(frozen=True)
class Fault:
    """on: the experiments that are run under it. claims: those that turn, on these and by the theory alone. comparison: what it
    finds, at least. rows: whether they contradict themselves, so that there is no table. test: one that fails.
    """

    room: str
    what: str
    plant: Plant
    test: Failing
    on: tuple[str, ...] = ()
    claims: set[str] = field(default_factory=set)
    comparison: set[str] = field(default_factory=set)
    rows: bool = False


def cutoff_times(factor: float) -> Plant:
    cutoff = Constants.T
    return lambda patch: patch.setattr(Constants, "T", lambda self, task, alpha: factor * cutoff(self, task, alpha))


def drawn_at(name: str, **factors: float) -> Plant:
    """A mechanism draws its noise at other numbers than those of its plan."""
    answer = type(mechanisms()[name]).answer

    def otherwise(self: Any, votes: Any, plan: Plan, *rest: Any) -> Answers:
        if self.name != name:
            return answer(self, votes, plan, *rest)
        numbers = {key: factor * getattr(plan, key) for key, factor in factors.items()}
        return answer(self, votes, replace(plan, **numbers), *rest)

    return lambda patch: patch.setattr(type(mechanisms()[name]), "answer", otherwise)


def planned_at(name: str, **factors: float) -> Plant:
    """A mechanism is calibrated to other noise, and accounts for what it draws."""
    kind = type(mechanisms()[name])
    plan = kind.plan

    def otherwise(self: Any, given: Constants, task: Task, n: int) -> Plan:
        found = plan(self, given, task, n)
        accounted = replace(found, **{key: factor * getattr(found, key) for key, factor in factors.items()})
        return replace(accounted, accounting=lambda: found.spent / next(iter(factors.values())))

    return lambda patch: patch.setattr(kind, "plan", otherwise)


def delta_is_the_smaller(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(btt18, "min", lambda delta, other: delta, raising=False)


def all_of_delta(patch: pytest.MonkeyPatch) -> None:
    share = ours.pure_share
    patch.setattr(ours, "pure_share", lambda eps, n, delta: share(eps, n, 2 * delta))


def one_epoch_less(patch: pytest.MonkeyPatch) -> None:
    epochs = composition.epochs
    for module in (composition, spent, ours):
        patch.setattr(module, "epochs", lambda m, T: max(1, epochs(m, T) - 1), raising=False)


def midpoint_is_leftmost(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(thresholds.LEARNERS, "midpoint", thresholds.LEARNERS["leftmost"])
    at = thresholds.Uniform.at
    patch.setattr(thresholds.Uniform, "at", lambda self, situation: at(self, replace(situation, learner="leftmost")))


def rarer_atoms(patch: pytest.MonkeyPatch) -> None:
    from harness.concepts import atoms

    sizes = atoms.Hard.sizes
    patch.setattr(atoms.Hard, "sizes", lambda self, rare, at: (sizes(self, rare, at)[0] / 2, sizes(self, rare, at)[1]))


def more_agreement(patch: pytest.MonkeyPatch) -> None:
    at = ensemble.Agreement.at
    patch.setattr(ensemble.Agreement, "at", lambda self, situation: at(self.model_copy(update={"right": 0.72}), situation))


def more_noise_in_labels(patch: pytest.MonkeyPatch) -> None:
    flipped = Queries.flipped
    patch.setattr(Queries, "flipped", lambda self, gamma, rng: flipped(self, 2 * gamma, rng))


def bottoms_are_ones(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(a_priv, "with_coins", lambda answers, labels, rng: np.where(answers.labels < 0, 1, answers.labels))


def half_the_points(patch: pytest.MonkeyPatch) -> None:
    for kind in (a_priv.APriv, a_priv.ERM):
        points = kind.points
        patch.setattr(kind, "points", lambda self, problem, points=points: points(self, problem) // 2)


def half_the_error(patch: pytest.MonkeyPatch) -> None:
    learned = a_priv.APriv.learned
    patch.setattr(a_priv.APriv, "learned", lambda self, *given: learned(self, *given) / 2)


def counted(change: Callable[[dict[str, Any], Answers], dict[str, Any]]) -> Plant:
    counts = answers.counts
    return lambda patch: patch.setattr(answers, "counts", lambda votes, given: change(counts(votes, given), given))


def bottoms_are_right(row: dict[str, Any], given: Answers) -> dict[str, Any]:
    errors = row["misclassified"] - int(np.count_nonzero(given.labels == BOTTOM))
    return row | {"misclassified": errors, "misclassification_rate": errors / len(given.labels)}


def of_the_answered(row: dict[str, Any], given: Answers) -> dict[str, Any]:
    return row | {"misclassification_rate": row["misclassified"] / (2 * row["answered"])}


def one_stream_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Mechanism, "key", property(lambda self: "all"))


def trials_alike(patch: pytest.MonkeyPatch) -> None:
    stream = seeds.stream
    for module in (seeds, answers):
        patch.setattr(module, "stream", lambda cell, seed, trial, purpose: stream(cell, seed, 0, purpose))


def a_trial_is_lost(patch: pytest.MonkeyPatch) -> None:
    ordered = run.in_order

    def without(sweep: Any, rows: pa.Table) -> pa.Table:
        found = ordered(sweep, rows)
        return found.filter(pa.compute.not_equal(found["trial"], 7))

    patch.setattr(run, "in_order", without)


def one_limit_counts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events.Event, "failed", lambda self, rows: self.limits[0].broken(rows))


def too_sure(patch: pytest.MonkeyPatch) -> None:
    sequence = confidence.confidence_sequence
    for module in (confidence, events):
        patch.setattr(
            module,
            "confidence_sequence",
            lambda failures, trials, error, centre=0.5: sequence(failures, trials, min(1.0, 10 * error), centre),
        )


def strict_is_loose(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events.Limit, "strict", False, raising=False)
    patch.setattr(events.Limit, "broken", lambda self, rows: self.values(rows) > events.amount(self.most, rows.iloc[0]))


def price_ends_swapped(patch: pytest.MonkeyPatch) -> None:
    priced = prices.priced
    other = {"price_low": "price_high", "price_high": "price_low"}
    patch.setattr(prices, "priced", lambda frame, of: priced(frame, of).rename(columns=other))


def half_the_p_value(patch: pytest.MonkeyPatch) -> None:
    tested = regression.two_sample
    patch.setattr(regression, "two_sample", lambda one, other: (tested(one, other)[0] / 2, tested(one, other)[1]))


def points_not_shared(patch: pytest.MonkeyPatch) -> None:
    made = Search.__init__

    def unshared(self: Any, fails: Any, allowed: float, most: int, error: float, budget: int) -> None:
        made(self, fails, allowed, most, error, budget)
        self._error = error

    patch.setattr(Search, "__init__", unshared)


def baseline(name: str, part: str) -> set[str]:
    return {f"baselines:{name}-{part}"}


WINS = Failing(
    "mechanisms/answering/test_per_query.py", "test_a_label_wins_with_the_probability_of_the_noise_that_is_accounted_for"
)
BETTER, WORSE, OTHER = {"improvement"}, {"regression"}, {"changed"}
FAULTS = (
    Fault("theory", "T = 2B", cutoff_times(2 / 3), BY_HAND, ("spread",), {"BTT18:T3.2-T", "BTT18:T3.2-spread"}, OTHER),
    Fault("theory", "T = 6B", cutoff_times(2), BY_HAND, ("spread",), {"BTT18:T3.2-T"}, OTHER),
    Fault(
        "theory",
        "ln(1/β) for ln(m/β)",
        lambda patch: patch.setattr(Task, "L", property(lambda self: float(np.log(1 / self.beta)))),
        BY_HAND,
        ("spread",),
        {"BTT18:T3.2-T"},
        OTHER,
    ),
    Fault(
        "theory",
        "k at δ for min(δ, β/2)",
        delta_is_the_smaller,
        Failing("theory/constants/test_constants.py", "test_k_of_BTT18_is_272_and_k_of_BTT18a_136_times_the_same"),
        claims={"BTT18:T3.2-k-any"},
    ),
    Fault(
        "theory",
        "all of δ for the composition",
        all_of_delta,
        Failing(
            "theory/constants/test_calibrations.py", "test_the_tight_calibration_spends_exactly_what_is_claimed", (1.0, 10.0)
        ),
        ("privacy_spent",),
        {"constants:tight-private"},
        OTHER,
    ),
    Fault(
        "theory",
        "T epochs for T + 1",
        one_epoch_less,
        Failing(
            "theory/privacy/test_composition.py", "test_the_printed_loop_has_one_epoch_more_than_its_cutoff", (100, 3.7, 4)
        ),
        ("privacy_spent",),
        comparison=OTHER,
    ),
    Fault(
        "concepts",
        "the midpoint learner is the leftmost",
        midpoint_is_leftmost,
        Failing("concepts/test_thresholds.py", "test_learners_are_the_least_the_greatest_and_the_middle_consistent_threshold"),
        ("learners_law",),
        {"BTT18:T3.2-learners-law"},
        WORSE,
    ),
    Fault(
        "concepts",
        "rare atoms of half the mass",
        rarer_atoms,
        Failing("concepts/test_atoms.py", "test_atoms_are_sized_as_they_are_told"),
        ("quickstart",),
        comparison=BETTER,
    ),
    Fault(
        "concepts",
        "stable queries agree by 0.72 for 2/3",
        more_agreement,
        Failing(
            "concepts/test_ensemble.py", "test_all_but_floor_T_queries_agree_as_asked_and_the_others_are_split", (2 / 3, 3.0)
        ),
        ("utility_transition",),
        {"BTT18:T3.2-k-nine-tenths"},
        BETTER,
    ),
    Fault(
        "concepts",
        "labels flipped twice as often",
        more_noise_in_labels,
        Failing("concepts/test_votes.py", "test_labels_are_flipped_with_their_probability", (0.1,)),
        ("agnostic_misclassification_vs_m",),
        {"BTT18:T3.2-learners"},
        comparison=WORSE,
    ),
    Fault(
        "mechanisms",
        "half of the Gaussian noise is drawn",
        drawn_at("gaussian", sigma=0.5),
        replace(WINS, arguments=("gaussian", 0.5)),
        ("baselines_k",),
        baseline("gaussian", "k-six-tenths"),
        BETTER,
    ),
    Fault(
        "mechanisms",
        "twice the Gaussian noise is drawn",
        drawn_at("gaussian", sigma=2),
        replace(WINS, arguments=("gaussian", 0.5)),
        ("baselines_k",),
        baseline("gaussian", "k"),
        WORSE,
    ),
    Fault(
        "mechanisms",
        "half of the Laplace noise of the baseline is drawn",
        drawn_at("noisy_majority", eps0=2),
        replace(WINS, arguments=("noisy_majority", 0.5)),
        ("baselines_k",),
        baseline("noisy_majority", "k-six-tenths"),
        BETTER,
    ),
    Fault(
        "mechanisms",
        "GNMax with the noise of one count",
        drawn_at("GNMax", sigma=2**-0.5),
        replace(WINS, arguments=("GNMax", 0.5)),
        ("baselines_k",),
        comparison=BETTER,
    ),
    Fault(
        "mechanisms",
        "Gaussian noise calibrated for half the sensitivity",
        planned_at("gaussian", sigma=0.5),
        Failing(
            "mechanisms/answering/test_conformance.py",
            "test_it_spends_what_is_allowed",
            (mechanisms()["gaussian"], constants()["BTT18"], 10**9),
        ),
        ("baselines_k",),
        baseline("gaussian", "k-six-tenths") | baseline("gaussian", "private"),
        OTHER,
    ),
    Fault(
        "transfer",
        "a ⊥ is taken for label 1",
        bottoms_are_ones,
        Failing("transfer/test_learners.py", "test_after_a_halt_every_label_is_a_coin"),
        ("learner_theorems",),
    ),
    Fault(
        "transfer",
        "half of the public points",
        half_the_points,
        Failing("transfer/test_learners.py", "test_a_construction_labels_as_many_points_as_its_theorem_asks_for"),
        ("learner_theorems",),
        comparison=OTHER,
    ),
    Fault(
        "transfer",
        "half of the error is told",
        half_the_error,
        Failing("transfer/test_learners.py", "test_what_leftmost_thresholds_learn_from_private_labels_errs_on_ln_2_over_s"),
        ("learner_theorems",),
        comparison=BETTER,
    ),
    Fault(
        "trials",
        "⊥ counts as right",
        counted(bottoms_are_right),
        Failing("sweep/test_table.py", "test_every_rule_is_kept_by_what_the_trials_count", ()),
        ("quickstart",),
        rows=True,
    ),
    Fault(
        "trials",
        "the rate is of twice the answered queries",
        counted(of_the_answered),
        Failing("sweep/test_table.py", "test_every_rule_is_kept_by_what_the_trials_count", ()),
        ("quickstart",),
        rows=True,
    ),
    Fault(
        "trials",
        "all mechanisms draw one noise",
        one_stream_for_all,
        Failing(
            "mechanisms/answering/test_conformance.py",
            "test_it_says_who_it_is_where_it_comes_from_and_whether_it_is_private",
            (mechanisms()["gaussian"],),
        ),
    ),
    Fault(
        "trials",
        "all trials draw the same",
        trials_alike,
        Failing("trials/test_seeds.py", "test_each_of_cell_seed_trial_and_purpose_names_another_stream"),
    ),
    Fault(
        "sweep",
        "a trial in a hundred is lost",
        a_trial_is_lost,
        Failing("sweep/test_table.py", "test_rows_come_in_the_order_of_the_spec_and_none_is_lost"),
        ("spread",),
        comparison={"lost rows"},
    ),
    Fault(
        "claims",
        "only the first limit of an event counts",
        one_limit_counts,
        Failing("claims/btt18/test_t3_2.py", "test_each_of_the_three_conditions_alone_fails_a_trial", ({"bottoms": 13}, True)),
    ),
    Fault(
        "claims",
        "a claim is judged at ten times its error",
        too_sure,
        Failing(
            "theory/test_confidence.py",
            "test_an_interval_looked_at_after_every_trial_ever_misses_with_probability_at_most_the_error",
            (0.1, 0.1),
        ),
    ),
    Fault(
        "claims",
        "what must stay below may reach it",
        strict_is_loose,
        Failing("claims/engine/test_events.py", "test_a_strict_limit_is_broken_at_its_very_value", (0.5, False, True)),
    ),
    Fault(
        "report",
        "the ends of a price are exchanged",
        price_ends_swapped,
        Failing("report/test_prices.py", "test_a_price_is_a_ratio_with_the_ends_that_both_intervals_allow"),
    ),
    Fault(
        "report",
        "a two-sided test is one-sided",
        half_the_p_value,
        Failing("report/test_regression.py", "test_it_is_the_exact_one_where_the_samples_do_not_overlap", ((3, 3),)),
    ),
    Fault(
        "trials",
        "the points of a search do not share its error",
        points_not_shared,
        Failing("trials/test_search.py", "test_what_is_shown_is_shown_at_the_share_of_one_point_of_the_grid", (3, 1e-8)),
    ),
)


@pytest.fixture(autouse=True)
def sharp_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sweep.run.LOOK_ERROR", 1e-9)


@pytest.fixture(scope="module")
def clean(measure: "Measure") -> Callable[[str], "Evidence"]:
    """An experiment without a fault, measured once."""
    found: dict[str, Evidence] = {}

    def of(experiment: str) -> "Evidence":
        if experiment not in found:
            found[experiment] = measure(experiment, **CHECKS[experiment])
        return found[experiment]

    return of


def alone(fault: Fault) -> list[str]:
    """The claims of a fault that the theory alone decides: no experiment is asked for them."""
    return sorted(name for name in fault.claims if name.endswith(("-k-any", "-private")) and not name.startswith("constants"))


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{fault.room}: {fault.what}" for fault in FAULTS])
def test_a_fault_is_seen_by_what_it_is_said_to_be_seen_by(
    fault: Fault,
    clean: Callable[[str], "Evidence"],
    measure: "Measure",
    broken: "Broken",
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    before = [clean(experiment) for experiment in fault.on]
    names = [*alone(fault), *(name for each in before for name in each.names)]
    assert broken(judge(before, ERROR, names)) == set()
    assert not fault.test.fails()
    fault.plant(monkeypatch)
    try:
        found, refused = [measure(experiment, **CHECKS[experiment]) for experiment in fault.on], False
    except CannotRunError as error:
        found, refused = [], "contradict themselves" in str(error)
    turned = broken(judge(found, ERROR, names)) if not refused else set()
    changed = compared(before, found) if found else set()
    fails = fault.test.fails()
    record_property(*told(f"{fault.room}: {fault.what}", turned, changed, refused, fails))
    assert (turned, refused, fails) == (fault.claims, fault.rows, True)
    assert changed >= fault.comparison


def test_faults_are_planted_in_all_rooms() -> None:
    assert len(FAULTS) >= 17
    assert {fault.room for fault in FAULTS} == {
        "theory",
        "concepts",
        "mechanisms",
        "transfer",
        "trials",
        "sweep",
        "claims",
        "report",
    }
