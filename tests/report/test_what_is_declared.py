"""What modules of reports say of themselves when they are imported: what plots draw, and where looks have their place."""

from itertools import pairwise
from math import inf

from harness.report.advice import votes
from harness.report.advice.changes import FACTORS
from harness.report.defaults import FAMILYWISE_ERROR
from harness.report.figures.marks import MarkPlot
from harness.report.figures.page import PAGES
from harness.report.figures.plot import plots
from harness.report.figures.rows import RowPlot
from harness.report.looks import PLACES

OF_COUNTS = {"beyond", "capacity", "classifiers", "exponents", "failures", "free", "map", "means", "series", "shares", "slack"}
"""Plots of means, shares and counts."""
OF_ROWS = {"complexity", "fewest_points", "least", "needed", "price", "privacy_price", "reach", "reach_logarithms"}
"""Plots of searches, of which a row is all that is known of a place."""
OF_LAWS = {"leaked", "most_spent", "spent"}
"""Plots of exact numbers, which are the same in each trial."""
OF_TRIALS = {"audit", "least_error", "measured", "public_learner", "public_points", "stability", "widths"}
"""Plots of more than means, shares and counts, for which each trial has a row of its own."""
MAPS = {"fewest_points", "least_error", "map"}
BESIDE = {"least", "measured", "most_spent", "shares", "slack"}
"""Plots of settings down the side, with their names beside them."""

EVERY = {name: plots()[name] for name in OF_COUNTS | OF_ROWS | OF_LAWS | OF_TRIALS}


def test_plots_say_of_themselves_what_tables_they_can_draw() -> None:
    """Rows that stand for many trials each are for means, shares and counts; of a long table those ask for what they need."""
    assert {name for name, plot in EVERY.items() if plot.counts} == OF_COUNTS
    assert {name for name, plot in EVERY.items() if plot.by_cell} == OF_COUNTS | OF_TRIALS
    assert {name for name, plot in EVERY.items() if plot.sampled} == {"means", "failures", "beyond", "classifiers"}


def test_marks_stand_on_a_logarithmic_axis_but_for_shares_that_may_be_0_or_all() -> None:
    marks = {name: plot for name, plot in EVERY.items() if isinstance(plot, MarkPlot | RowPlot)}
    linear = {name for name, plot in marks.items() if not plot.logarithmic}
    assert linear == {"failures", "measured", "most_spent", "shares", "spent"}


def test_panels_have_one_axis_along_but_for_powers_and_one_up_but_for_rows_of_panels() -> None:
    assert {name for name, plot in EVERY.items() if not plot.shared_x} == {"exponents"}
    assert {name for name, plot in EVERY.items() if plot.shared_y == "row"} >= {"capacity", "complexity"}
    assert {name for name, plot in EVERY.items() if plot.stacked} == {"complexity"} and EVERY["complexity"].stacked == 2


def test_plots_of_settings_are_as_high_as_they_have_rows_and_as_broad_as_their_names_need() -> None:
    """So many panels stand side by side, of nine: in a column, in a text, and on a slide."""
    assert {name for name, plot in EVERY.items() if plot.tall} == BESIDE
    for name, plot in EVERY.items():
        across = [PAGES[page].columns(9, 0, plot.narrowest) for page in ("column", "text", "slide")]
        assert across == ([1, 1, 1] if name in BESIDE else [1, 1, 2] if name in MAPS else [2, 3, 3]), name


def test_lines_are_named_by_a_legend_up_to_four_unless_they_end_far_from_the_side() -> None:
    named = {name: plot.named for name, plot in EVERY.items() if plot.named != 4}
    assert named["capacity"] == inf and all(most in (1, inf) for most in named.values())


SETS = ("BTT18", "repaired", "lean", "tight", "sparse_vec")


def test_looks_of_constants_go_from_dark_to_light_as_less_is_asked_for_and_all_are_on_the_scale() -> None:
    assert all(0 <= place <= 1 for place, *_ in PLACES.values())
    rising = [PLACES[name][0] for name in SETS]
    assert rising[0] == 0 and rising[-1] == 1 and all(other - one > 0.15 for one, other in pairwise(rising))
    measures = [PLACES[name][0] for name in ("on_average", "uniform", "coins")]
    assert measures[0] == 0 and measures[-1] == 1 and measures == sorted(set(measures))


def test_shares_of_votes_that_are_tried_are_shares_in_rising_order_on_both_sides_of_half() -> None:
    assert all(0 < one < other <= 1 for one, other in pairwise(votes.SHARES)) and votes.SHARES[0] < 0.5 < votes.SHARES[-1]


def test_shares_near_the_worst_are_tried_on_both_sides_of_it_alike_and_nearer_than_any_others() -> None:
    assert sorted(votes.NEARER) == sorted(-step for step in votes.NEARER) and len(set(votes.NEARER)) == 4
    assert max(votes.NEARER) <= min(other - one for one, other in pairwise(votes.SHARES))


def test_the_error_of_all_verdicts_together_is_a_small_chance() -> None:
    assert 0 < FAMILYWISE_ERROR <= 0.01


def test_what_would_change_an_advice_is_sought_by_tens_up_to_a_thousand_times() -> None:
    assert FACTORS[0] == 10 and FACTORS[-1] == 1000 and all(other == 10 * one for one, other in pairwise(FACTORS))
