"""What a spec means: which cells, in which order, with which numbers."""

from collections.abc import Mapping
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from harness.sweep.errors import InputError
from harness.sweep.spec import Spec, Sweep, UntilDecided
from harness.trials.cell import Cell

if TYPE_CHECKING:
    from tests.support.project import Project

ONE = {"learner": "leftmost", "figure": "{x: m}"}


def cells(project: "Project", **changes: str | None) -> list[dict[str, Any]]:
    """The fields of every cell, in order."""
    return [cell.model_dump() for cell in project.sweep(**changes).cells]


def of(found: list[dict[str, Any]], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(cell[key] for key in keys) for cell in found]


def test_a_spec_is_read_whole(project: "Project") -> None:
    sweep = project.sweep(zip="[[m, learner]]", exclude="[{m: 999}]", figure="{x: m, y: bottoms, panels: [learner]}")
    assert sweep.name == "small" and sweep.kind.name == "answers"
    assert (
        isinstance(sweep.spec, Spec) and sweep.spec.title == "A small sweep" and sweep.spec.question == "Does Theorem 3.2 hold?"
    )
    assert (sweep.spec.seed, sweep.spec.trials) == (7, 4)
    assert sweep.spec.mechanisms == ("A_binClas", "noisy_majority") and sweep.spec.claims == ("BTT18:T3.2",)
    assert sweep.spec.zip == (("m", "learner"),) and sweep.spec.exclude == ({"m": 999},)
    figure = sweep.spec.figure
    assert (figure.plot, figure.x, figure.y, figure.panels) == ("means", "m", "bottoms", ("learner",))
    assert sweep.text == sweep.path.read_text()


def test_cells_are_the_product_of_the_axes_in_their_order(project: "Project") -> None:
    found = cells(project, eps="[1, 0.5, 2]", figure="{x: m, panels: [learner, eps]}")
    assert of(found, "learner", "m", "eps") == list(product(["leftmost", "midpoint"], [20, 50], [1, 0.5, 2]))


def test_a_cell_is_the_one_that_its_fields_make(project: "Project") -> None:
    (cell,) = project.sweep(m="20", eps="0.5", delta="1e-7", beta="0.1", constants="BTT18a", distribution="hard", **ONE).cells
    assert cell == Cell.model_validate(
        {"learner": "leftmost", "n": 10**9, "m": 20, "eps": 0.5, "delta": 1e-7, "beta": 0.1}
        | {"constants": "BTT18a", "distribution": {"name": "hard"}}
    )


def test_the_same_cell_twice_is_one(project: "Project") -> None:
    assert of(cells(project, m="[20, 2e1, '20', 50]", **ONE), "m") == [(20,), (50,)]


def test_zipped_axes_advance_together_where_the_first_stands(project: "Project") -> None:
    changes = {"zip": "[[m, n]]", "m": "[20, 50, 80]", "n": "{geom: [1e9, 1e11, 3]}"}
    assert of(cells(project, **changes), "learner", "n", "m") == [
        (learner, *size) for learner in ("leftmost", "midpoint") for size in ((10**9, 20), (10**10, 50), (10**11, 80))
    ]


EXCLUSIONS = {
    "one value": ("[{m: 20}]", [(50, "leftmost"), (50, "midpoint")]),
    "a number written otherwise": ("[{m: 2.0e1}]", [(50, "leftmost"), (50, "midpoint")]),
    "both together": ("[{m: 20, learner: midpoint}]", [(20, "leftmost"), (50, "leftmost"), (50, "midpoint")]),
    "either": ("[{m: 20}, {learner: midpoint}]", [(50, "leftmost")]),
    "a list": ("[{m: [50, 20], learner: [midpoint]}]", [(20, "leftmost"), (50, "leftmost")]),
    "what is not there": ("[{m: 21}, {eps: 2}, {}]", [(20, "leftmost"), (50, "leftmost"), (20, "midpoint"), (50, "midpoint")]),
}


@pytest.mark.parametrize(("rules", "left"), EXCLUSIONS.values(), ids=EXCLUSIONS)
def test_exclusions_take_out_the_combinations_they_name(project: "Project", rules: str, left: list[tuple[int, str]]) -> None:
    assert sorted(of(cells(project, exclude=rules), "m", "learner")) == sorted(left)


def test_a_distribution_is_excluded_by_its_name_or_whole(project: "Project") -> None:
    three = {"distribution": "[uniform, {name: hard, c: 1}, {name: hard, mass: 0.5}]", "m": "20", "learner": "leftmost"}
    figure = {"figure": "{x: m, panels: [distribution]}"}
    for rule, left in (("hard", 1), ("{name: hard, c: 1}", 2), ("[uniform, hard]", None), ("uniform", 2)):
        changes = three | figure | {"exclude": f"[{{distribution: {rule}}}]"}
        if left is None:
            with pytest.raises(InputError, match="every combination is excluded"):
                project.sweep(**changes)
        else:
            assert len(project.sweep(**changes).cells) == left


def geometric(first: str, last: str, count: int) -> list[Decimal]:
    """The k-th of `count` values is (first^(count−1−k) last^k)^(1/(count−1))."""
    low, high = Decimal(first), Decimal(last)
    return [(low ** (count - 1 - k) * high**k) ** (Decimal(1) / (count - 1)) for k in range(count)]


@pytest.mark.parametrize(("first", "last", "count"), [("100", "1e6", 5), ("1e2", "1e3", 4), ("50", "20", 7), ("30", "31", 2)])
def test_a_geometric_axis_of_whole_numbers_is_rounded_to_the_nearest(
    project: "Project", first: str, last: str, count: int
) -> None:
    found = [m for (m,) in of(cells(project, m=f"{{geom: [{first}, {last}, {count}]}}", n="1e12", **ONE), "m")]
    assert found == [round(value) for value in geometric(first, last, count)]
    assert all(isinstance(m, int) for m in found)
    assert (found[0], found[-1]) == (int(Decimal(first)), int(Decimal(last)))


@pytest.mark.parametrize(("first", "last", "count"), [("0.1", "10", 5), ("1", "8", 4), ("0.123456789", "0.987654321", 6)])
def test_a_geometric_axis_of_reals_has_six_digits_and_exact_ends(project: "Project", first: str, last: str, count: int) -> None:
    changes = {"learner": "leftmost", "m": "20", "figure": "{x: eps}"}
    found = [eps for (eps,) in of(cells(project, eps=f"{{geom: [{first}, {last}, {count}]}}", **changes), "eps")]
    inner = [float(f"{value:.6g}") for value in geometric(first, last, count)[1:-1]]
    assert found == [float(first), *inner, float(last)]


NUMBERS = {
    "1e12": 10**12,
    "1E+12": 10**12,
    "1000000000000": 10**12,
    "1_000_000_000_000": 10**12,
    "'1e12'": 10**12,
    "1.0e12": 10**12,
    "1.0e+12": 10**12,
    "999999999999999": 999999999999999,
    "123456789012345": 123456789012345,
    "1.23456789012345e14": 123456789012345,
    "1e15": 10**15,
}


@pytest.mark.parametrize(("written", "meant"), NUMBERS.items())
def test_whole_numbers_are_exact_however_they_are_written(project: "Project", written: str, meant: int) -> None:
    ((n,),) = of(cells(project, n=written, m="20", **ONE), "n")
    assert n == meant and isinstance(n, int)


@pytest.mark.parametrize("written", ["9007199254740993", "'9007199254740993'", "9.007199254740993e15"])
def test_a_seed_is_exact_beyond_what_a_float_can_hold(project: "Project", written: str) -> None:
    assert project.sweep(seed=written).spec.seed == 2**53 + 1


def test_trials_are_a_number_or_until_decided(project: "Project") -> None:
    assert project.sweep(trials="1e3").spec.trials == 1000
    rule = project.sweep(trials="{until: decided, max: 1e4}").spec.trials
    assert rule == UntilDecided(until="decided", max=10_000)


def test_a_setting_takes_the_place_of_what_the_spec_says(project: "Project") -> None:
    path = project.spec()
    settings: Mapping[str, str] = {"m": "[30, 40, 50]", "trials": "9", "figure": "{x: m, panels: [learner]}", "eps": "2"}
    sweep = Sweep(path, settings)
    assert of([cell.model_dump() for cell in sweep.cells], "learner", "m", "eps") == [
        (learner, m, 2) for learner in ("leftmost", "midpoint") for m in (30, 40, 50)
    ]
    assert sweep.spec.trials == 9 and sweep.overrides == settings and sweep.text == path.read_text()
    assert [cell.identity for cell in sweep.cells[:1]] == [cell.identity for cell in project.sweep(m="30", eps="2").cells[:1]]


def test_neither_order_nor_company_nor_mechanisms_nor_trials_change_a_cell(project: "Project") -> None:
    by_fields = {(cell.m, cell.learner): cell.identity for cell in project.sweep().cells}  # type: ignore[attr-defined]
    others = project.sweep(
        m="[50, 30, 20]", learner="[midpoint, leftmost]", mechanisms="[majority]", trials="99", seed="8", claims="[]"
    ).cells
    for cell in others:
        assert by_fields.get((cell.m, cell.learner), cell.identity) == cell.identity  # type: ignore[attr-defined]
    assert len(set(by_fields.values()) & {cell.identity for cell in others}) == 4
