"""Faults beyond those of the noise, a few in every room, each with what sees it."""

from dataclasses import dataclass, field, replace

from harness.mechanisms.answering import mechanisms
from harness.theory.constants import constants
from tests.support import plants
from tests.support.layers import Failing, Its, Plant

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
    "tracing": {"n": "24", "p": "4096", "alpha": "0.25", "zip": "[]", "trials": "100"},
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


def baseline(name: str, part: str) -> set[str]:
    return {f"baselines:{name}-{part}"}


WINS = Failing(
    "mechanisms/answering/test_per_query.py", "test_a_label_wins_with_the_probability_of_the_noise_that_is_accounted_for"
)
BETTER, WORSE, OTHER = {"changed for the better"}, {"changed for the worse"}, {"changed"}
FAULTS = (
    Fault("theory", "T = 2B", plants.cutoff_times(2 / 3), BY_HAND, ("spread",), {"BTT18:T3.2-T", "BTT18:T3.2-spread"}, OTHER),
    Fault("theory", "T = 6B", plants.cutoff_times(2), BY_HAND, ("spread",), {"BTT18:T3.2-T"}, OTHER),
    Fault(
        "theory",
        "ln(1/β) for ln(m/β)",
        plants.beta_alone,
        BY_HAND,
        ("spread",),
        {"BTT18:T3.2-T"},
        OTHER,
    ),
    Fault(
        "theory",
        "k at δ for min(δ, β/2)",
        plants.delta_is_the_smaller,
        Failing("theory/constants/test_constants.py", "test_k_of_BTT18_is_272_and_k_of_BTT18a_136_times_the_same"),
        claims={"BTT18:T3.2-k-any"},
    ),
    Fault(
        "theory",
        "all of δ for the composition",
        plants.all_of_delta,
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
        plants.one_epoch_less,
        Failing(
            "theory/privacy/test_composition.py", "test_the_printed_loop_has_one_epoch_more_than_its_cutoff", (100, 3.7, 4)
        ),
        ("privacy_spent",),
        comparison=OTHER,
    ),
    Fault(
        "concepts",
        "the midpoint learner is the leftmost",
        plants.midpoint_is_leftmost,
        Failing("concepts/test_thresholds.py", "test_learners_are_the_least_the_greatest_and_the_middle_consistent_threshold"),
        ("learners_law",),
        {"BTT18:T3.2-learners-law"},
        WORSE,
    ),
    Fault(
        "concepts",
        "rare atoms of half the mass",
        plants.rarer_atoms,
        Failing("concepts/test_atoms.py", "test_atoms_are_sized_as_they_are_told"),
        ("quickstart",),
        comparison=BETTER,
    ),
    Fault(
        "concepts",
        "stable queries agree by 0.72 for 2/3",
        plants.more_agreement,
        Failing(
            "concepts/test_ensemble.py",
            "test_all_but_floor_T_queries_agree_as_asked_and_the_others_are_split",
            (2 / 3, 7.9, Its("by_types")),
        ),
        ("utility_transition",),
        {"probe:BTT18:T3.2-k-nine-tenths"},
        BETTER,
    ),
    Fault(
        "concepts",
        "labels flipped twice as often",
        plants.more_noise_in_labels,
        Failing("test_ballots.py", "test_labels_are_flipped_with_their_probability", (0.1,)),
        ("agnostic_misclassification_vs_m",),
        {"BTT18:T3.2-learners"},
        comparison=WORSE,
    ),
    Fault(
        "mechanisms",
        "half of the Gaussian noise is drawn",
        plants.drawn_at("gaussian", sigma=0.5),
        replace(WINS, arguments=("gaussian", 0.5, Its("BY_TYPE"))),
        ("baselines_k",),
        {"probe:baselines:gaussian-k-six-tenths"},
        BETTER,
    ),
    Fault(
        "mechanisms",
        "twice the Gaussian noise is drawn",
        plants.drawn_at("gaussian", sigma=2),
        replace(WINS, arguments=("gaussian", 0.5, Its("BY_TYPE"))),
        ("baselines_k",),
        baseline("gaussian", "k"),
        WORSE,
    ),
    Fault(
        "mechanisms",
        "half of the Laplace noise of the baseline is drawn",
        plants.drawn_at("noisy_majority", eps0=2),
        replace(WINS, arguments=("noisy_majority", 0.5, Its("BY_TYPE"))),
        ("baselines_k",),
        {"probe:baselines:noisy_majority-k-six-tenths"},
        BETTER,
    ),
    Fault(
        "mechanisms",
        "GNMax with the noise of one count",
        plants.drawn_at("GNMax", sigma=2**-0.5),
        replace(WINS, arguments=("GNMax", 0.5, Its("BY_TYPE"))),
        ("baselines_k",),
        comparison=BETTER,
    ),
    Fault(
        "mechanisms",
        "Gaussian noise calibrated for half the sensitivity",
        plants.planned_at("gaussian", sigma=0.5),
        Failing(
            "mechanisms/answering/test_conformance.py",
            "test_it_spends_what_is_allowed",
            (mechanisms()["gaussian"], constants()["BTT18"], 10**9),
        ),
        ("baselines_k",),
        {"probe:baselines:gaussian-k-six-tenths"} | baseline("gaussian", "private"),
        OTHER,
    ),
    Fault(
        "transfer",
        "a ⊥ is taken for label 1",
        plants.bottoms_are_ones,
        Failing("transfer/test_learners.py", "test_a_bottom_is_a_fair_coin_and_so_is_a_query_left_unanswered", (40_000,)),
        ("learner_theorems",),
        comparison=WORSE,
    ),
    Fault(
        "transfer",
        "half of the public points",
        plants.half_the_points,
        Failing("transfer/test_learners.py", "test_a_construction_labels_as_many_points_as_its_theorem_asks_for"),
        ("learner_theorems",),
        comparison=OTHER,
    ),
    Fault(
        "transfer",
        "half of the error is told",
        plants.half_the_error,
        Failing("transfer/test_learners.py", "test_what_leftmost_thresholds_learn_from_private_labels_errs_on_ln_2_over_s"),
        ("learner_theorems",),
        comparison=BETTER,
    ),
    Fault(
        "trials",
        "⊥ counts as right",
        plants.counted(plants.bottoms_are_right),
        Failing("sweep/test_table.py", "test_every_rule_is_kept_by_what_the_trials_count", ()),
        ("quickstart",),
        rows=True,
    ),
    Fault(
        "trials",
        "the rate is of twice the answered queries",
        plants.counted(plants.of_the_answered),
        Failing("sweep/test_table.py", "test_every_rule_is_kept_by_what_the_trials_count", ()),
        ("quickstart",),
        rows=True,
    ),
    Fault(
        "trials",
        "all mechanisms draw one noise",
        plants.one_stream_for_all,
        Failing(
            "mechanisms/answering/test_conformance.py",
            "test_it_says_who_it_is_where_it_comes_from_and_whether_it_is_private",
            (mechanisms()["gaussian"],),
        ),
    ),
    Fault(
        "trials",
        "all trials draw the same",
        plants.trials_alike,
        Failing("trials/test_seeds.py", "test_each_of_cell_seed_trial_and_purpose_names_another_stream"),
    ),
    Fault(
        "trials",
        "an attack's scores are centred at the averages of the rows",
        plants.centred_at_the_rows,
        Failing("trials/test_tracing.py", "test_averages_of_so_few_rows_name_nearly_all_whatever_is_done_within_alpha"),
        ("tracing",),
        {"probe:BCMNUW20:T13-release-averages"},
        OTHER,
    ),
    Fault(
        "sweep",
        "a trial in a hundred is lost",
        plants.a_trial_is_lost,
        Failing("sweep/test_table.py", "test_rows_come_in_the_order_of_the_spec_and_none_is_lost"),
        ("spread",),
        comparison={"lost rows"},
    ),
    Fault(
        "claims",
        "only the first limit of an event counts",
        plants.one_limit_counts,
        Failing("claims/btt18/test_t3_2.py", "test_each_of_the_three_conditions_alone_fails_a_trial", ({"bottoms": 13}, True)),
    ),
    Fault(
        "claims",
        "a claim is judged at ten times its error",
        plants.too_sure,
        Failing(
            "theory/test_confidence.py",
            "test_an_interval_looked_at_after_every_trial_ever_misses_with_probability_at_most_the_error",
            (0.1, 0.1),
        ),
    ),
    Fault(
        "claims",
        "what must stay below may reach it",
        plants.strict_is_loose,
        Failing("claims/engine/test_events.py", "test_a_strict_limit_is_broken_at_its_very_value", (0.5, False, True)),
    ),
    Fault(
        "report",
        "the ends of a price are exchanged",
        plants.price_ends_swapped,
        Failing("report/test_prices.py", "test_a_price_is_a_ratio_with_the_ends_that_both_intervals_allow"),
    ),
    Fault(
        "report",
        "a two-sided test is one-sided",
        plants.half_the_p_value,
        Failing("report/test_two_sample.py", "test_it_is_the_exact_one_where_the_samples_do_not_overlap", ((3, 3),)),
    ),
    Fault(
        "trials",
        "the points of a search do not share its error",
        plants.points_not_shared,
        Failing("trials/test_search.py", "test_what_is_shown_is_shown_at_the_share_of_one_point_of_the_grid", (3, 1e-8)),
    ),
)
