"""Faults in the kinds of trial beside answers, each with the one test that must see it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from harness.mechanisms.release import noisy
from harness.mechanisms.release.pmw import PMW
from harness.theory import tracing as tracing_theory
from harness.theory.constants.btt18a_scores import ScoreConstants
from harness.theory.privacy import scores
from harness.transfer import a_priv
from harness.trials import (
    least_release,
    release,
    release_complexity,
    sample_complexity,
    soft_label_privacy,
    soft_labels,
    stability,
    stable_queries,
    tracing,
    tracing_law,
    tracing_reach,
    tracing_scores,
)
from harness.trials.audited import known_events
from harness.trials.kind import Row
from harness.trials.least_constant import LeastCell
from harness.trials.release_cell import ReleaseSetting
from harness.trials.search import Search
from tests.support.layers import Failing, Plant


@dataclass(frozen=True)
class Fault:
    """kind: of trial. test: the one that must see it."""

    kind: str
    what: str
    plant: Plant
    test: Failing


def plans(name: str) -> Failing:
    return Failing("trials/test_rules.py", "test_plans_are_those_that_are_committed", (name,))


def rules(name: str) -> Failing:
    return Failing("trials/test_rules.py", "test_rows_that_are_made_again_keep_to_the_rules", (name,))


def search(case: str) -> Failing:
    what = "test_a_search_is_for_the_chance_that_is_claimed_and_says_what_it_found"
    return Failing("trials/test_searches.py", what, (case,))


def again(name: str) -> Failing:
    return Failing("test_committed_rows.py", "test_rows_that_are_committed_come_out_again", (name,))


def score_threshold_without_m(patch: pytest.MonkeyPatch) -> None:
    w = ScoreConstants.w
    patch.setattr(ScoreConstants, "w", lambda self, task: w(self, replace(task, m=1)))


def a_query_leaks_as_a_run(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(soft_label_privacy, "run_leak", scores.query_leak)


def error_at_all_examples(patch: pytest.MonkeyPatch) -> None:
    measured = soft_labels.measured

    def otherwise(*given: Any) -> Row:
        row = measured(*given)
        return row | {"error": row["excess"]}

    patch.setattr(soft_labels, "measured", otherwise)


def bottoms_are_unanswered_too(patch: pytest.MonkeyPatch) -> None:
    measured = soft_labels.measured

    def otherwise(cell: Any, *given: Any) -> Row:
        row = measured(cell, *given)
        return row | {"unanswered": cell.m - row["bottoms"]}

    patch.setattr(soft_labels, "measured", otherwise)


def promised_from_half_the_distance(patch: pytest.MonkeyPatch) -> None:
    resolved = stable_queries.resolved

    def otherwise(cell: Any, name: str) -> Row:
        row = resolved(cell, name)
        return row | {"promised": row["promised"] and row["promised"] / 2}

    patch.setitem(vars(stable_queries.KIND), "resolved", otherwise)


def a_halt_is_not_counted(patch: pytest.MonkeyPatch) -> None:
    outcome = stable_queries.outcome
    patch.setattr(stable_queries, "outcome", lambda *given: outcome(*given) | {"halted_at": None})


def noise_of_half_the_sensitivity(patch: pytest.MonkeyPatch) -> None:
    sigma = noisy.gaussian_sigma
    patch.setattr(noisy, "gaussian_sigma", lambda *given: sigma(*given) / 2)


def all_of_alpha_for_pmw(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ReleaseSetting, "on_cover", property(lambda self: self.asked))


def half_of_what_is_spent(patch: pytest.MonkeyPatch) -> None:
    spent = PMW.spent
    patch.setattr(PMW, "spent", lambda *given: spent(*given) / 2)


def error_over_the_cover(patch: pytest.MonkeyPatch) -> None:
    made = release.ReleaseBlock.made

    def otherwise(*given: Any) -> Row:
        row = made(*given)
        return row | {"error": row["error_on_cover"]}

    patch.setattr(release.ReleaseBlock, "made", otherwise)


def all_halt(patch: pytest.MonkeyPatch) -> None:
    made = release.ReleaseBlock.made
    patch.setattr(release.ReleaseBlock, "made", lambda *given: made(*given) | {"halted": True})


def allowed_twice(module: Any, times: float = 2) -> Plant:
    """A search is for another chance than is claimed."""

    def otherwise(probe: Any, allowed: float, *rest: Any, **more: Any) -> Search:
        return Search(probe, times * allowed, *rest, **more)

    return lambda patch: patch.setattr(module, "Search", otherwise)


def judged_by_the_cover(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(release_complexity, "errors", partial(release.errors, which="error_on_cover"))


def as_many_as_public_are_enough(patch: pytest.MonkeyPatch) -> None:
    class OneMore(tracing.Attack):
        def made(self, *given: Any) -> Row:
            row = super().made(*given)
            return row | {"named": row["named"] + 1}

    patch.setattr(tracing_reach, "Attack", OneMore)


def one_over_n_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tracing.Attacked, "false_positives", lambda self, rows: 1 / max(4, rows))


def all_privacy_lets_be_named(patch: pytest.MonkeyPatch) -> None:
    allowed = tracing_theory.allowed
    patch.setattr(tracing_theory, "allowed", lambda *given: allowed(*given) - 0.25)


def public_names_are_lost(patch: pytest.MonkeyPatch) -> None:
    made = tracing.Attack.made

    def otherwise(*given: Any) -> Row:
        row = made(*given)
        return row | {"named": row["named_private"] + 1}

    patch.setattr(tracing.Attack, "made", otherwise)


def all_of_t(patch: pytest.MonkeyPatch) -> None:
    half = tracing_law.TracedByLaw.__dict__["half"].fget
    patch.setattr(tracing_law.TracedByLaw, "half", property(lambda self: 2 * half(self)))


def expected_of_one_row_less(patch: pytest.MonkeyPatch) -> None:
    traced = tracing_law.traced

    def otherwise(*given: Any) -> Row:
        row = traced(*given)
        return row | {"expected": row["expected"] - row["chance"]}

    patch.setattr(tracing_law, "traced", otherwise)


def four_times_delta(patch: pytest.MonkeyPatch) -> None:
    task = tracing_scores.ScoresTraced.__dict__["task"].func
    patch.setattr(tracing_scores.ScoresTraced, "task", property(lambda self: replace(task(self), delta=1 / self.n)))


def beta_for_two_beta(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LeastCell, "allowed", property(lambda self: self.beta))


def searches_alike(patch: pytest.MonkeyPatch) -> None:
    found = least_release._searched
    patch.setattr(least_release, "_searched", lambda cell, name, streams: found(cell, name, replace(streams, number=0)))


def all_of_n_for_half(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(a_priv, "ceil", lambda half: round(2 * half))


def error_is_claimed_too_small(patch: pytest.MonkeyPatch) -> None:
    claimed = a_priv.APriv.claimed
    patch.setattr(a_priv.APriv, "claimed", lambda self, problem: claimed(self, problem) - 0.5 * problem.alpha)


def gaps_are_one_apart(patch: pytest.MonkeyPatch) -> None:
    stab = known_events.stab_attack

    def otherwise(distance: str, cell: Any) -> known_events.KnownEvent:
        attack = stab(distance, cell)
        return replace(attack, q=float(np.sqrt(attack.p * attack.q)))

    patch.setattr(known_events, "stab_attack", otherwise)


def one_table_twice(patch: pytest.MonkeyPatch) -> None:
    made = known_events.ATTACKS["A_binClas_epoch"]

    def otherwise(cell: Any) -> known_events.KnownEvent:
        attack = made(cell)
        return replace(attack, counts=lambda runs, rng: (attack.counts(runs, rng)[0],) * 2)

    patch.setitem(known_events.ATTACKS, "A_binClas_epoch", otherwise)


def alpha_squared(patch: pytest.MonkeyPatch) -> None:
    closed = stability.StabilityCell.__dict__["closed"].fget
    patch.setattr(stability.StabilityCell, "closed", property(lambda self: closed(self) and closed(self) ** 2))


def a_deviation_for_its_error(patch: pytest.MonkeyPatch) -> None:
    measure = stability.MEASURES["coins"]

    def otherwise(cell: Any, rng: np.random.Generator) -> Row:
        row = measure(cell, rng)
        return row | {"gap_error": row["gap_error"] * np.sqrt(cell.pairs)}

    patch.setitem(vars(stability)["MEASURES"], "coins", otherwise)


BOTH = "test_the_event_of_an_epoch_is_counted_on_a_table_and_on_its_neighbour"
SCORED = Failing(
    "trials/test_soft_labels.py", "test_an_error_is_from_the_mean_on_chunks_and_an_excess_from_that_on_all_examples"
)
KEPT = "test_what_a_trial_by_law_says_keeps_to_the_rules"
REACHED = "test_an_attack_succeeds_where_it_names_more_rows_than_are_public"
OVER_H = "test_a_release_fails_where_its_error_over_all_of_H_is_beyond_alpha"
ALIKE = "test_no_two_trials_of_a_search_draw_the_same_runs"
FAULTS = (
    Fault("soft_labels", "w without m", score_threshold_without_m, plans("soft_label_edge")),
    Fault(
        "soft_labels",
        "errors from the mean on all n examples",
        error_at_all_examples,
        SCORED,
    ),
    Fault("soft_labels", "all but ⊥s are told as unanswered", bottoms_are_unanswered_too, rules("soft_label_error_vs_eps")),
    Fault("soft_label_privacy", "a run leaks as one query", a_query_leaks_as_a_run, plans("soft_label_privacy_spent")),
    Fault("stable_queries", "promised from half the distance on", promised_from_half_the_distance, plans("stable_queries")),
    Fault("stable_queries", "a halt is not told", a_halt_is_not_counted, rules("stable_adaptive")),
    Fault("release", "half of the Gaussian noise is planned", noise_of_half_the_sensitivity, plans("release_lemma7_quarter")),
    Fault("release", "A_PAP with all of α and β", all_of_alpha_for_pmw, plans("release_error_vs_m")),
    Fault("release", "half of the ε that PMW spends is told", half_of_what_is_spent, plans("release_lemma7_quarter")),
    Fault("release", "the error over H̃ for that over H", error_over_the_cover, again("release_covers_third")),
    Fault("release", "every run is told to have halted", all_halt, rules("release_lemma7_quarter")),
    Fault("release_complexity", "2β for β", allowed_twice(release_complexity), search("release_complexity m")),
    Fault(
        "release_complexity",
        "judged by the error over H̃",
        judged_by_the_cover,
        Failing("trials/test_searches.py", OVER_H, (0.21, True)),
    ),
    Fault("sample_complexity", "β for 3β", allowed_twice(sample_complexity, 1 / 3), search("sample_complexity")),
    Fault(
        "sample_complexity",
        "to a smaller error than is claimed",
        error_is_claimed_too_small,
        plans("sample_complexity_vs_alpha"),
    ),
    Fault("tracing", "a false-positive rate of 1/n for 1/n²", one_over_n_names, plans("tracing_release")),
    Fault("tracing", "1/4n left out of what privacy allows", all_privacy_lets_be_named, plans("tracing_accurate")),
    Fault("tracing", "named public rows are not counted", public_names_are_lost, rules("tracing_release")),
    Fault("tracing_law", "t rows for t/2", all_of_t, plans("tracing_chance")),
    Fault("tracing_law", "one row less is expected", expected_of_one_row_less, Failing("trials/test_tracing_law.py", KEPT)),
    Fault("tracing_reach", "a chance of 1 for ½", allowed_twice(tracing_reach, 1.9), search("tracing_reach")),
    Fault(
        "tracing_reach",
        "as many names as public rows are enough",
        as_many_as_public_are_enough,
        Failing("trials/test_searches.py", REACHED, (2, False)),
    ),
    Fault("tracing_scores", "1/n for 1/4n", four_times_delta, plans("tracing_scores")),
    Fault("least_constant", "β for 2β", beta_for_two_beta, search("least_constant theorem")),
    Fault("least_release", "all trials are one", searches_alike, Failing("trials/test_searches.py", ALIKE)),
    Fault("learner", "labels are private on all of n", all_of_n_for_half, plans("learner_theorems_agnostic")),
    Fault("audit", "a neighbour at half the distance", gaps_are_one_apart, plans("audit")),
    Fault("audit", "one table twice", one_table_twice, Failing("trials/test_audit.py", BOTH)),
    Fault("stability", "α² for α", alpha_squared, plans("sgd_stability_vs_n")),
    Fault("stability", "a deviation for its standard error", a_deviation_for_its_error, again("sgd_coins")),
)
