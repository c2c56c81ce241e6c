"""What is said of mutants is said of the code as it is."""

import re

import pytest

from tests.mutation.rooms import ROOMS, ROOT
from tests.mutation.scores import TABLE, Judged, Score, flat, reasons


@pytest.mark.parametrize("key", reasons(), ids=lambda key: f"{key[0]} {key[2]}")
def test_a_mutant_that_has_a_reason_is_of_a_text_that_is_there(key: tuple[str, str, str]) -> None:
    file, was, becomes = key
    assert was in flat((ROOT / file).read_text(encoding="utf-8")) and was != becomes
    assert reasons()[key][0]


def test_the_table_has_every_room_and_lists_files_that_are_there() -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| (\w+) \| \d", text, re.M)) <= set(ROOMS)
    assert all((ROOT / file).is_file() for file in re.findall(r"^- `([^`]+)`", text, re.M))
    files = [file for room in ROOMS.values() for file in room.files()]
    assert len(files) == len(set(files)) > 200 and all((ROOT / file).is_file() for file in files)


def test_a_score_leaves_out_what_is_equivalent_or_a_look_and_its_interval_is_exact() -> None:
    """1 of 21 is not killed: the ends by the tables of the binomial, and without the one that no test is to see."""
    seen = [Judged("a.py", line, "x", "y", "tests/test_a.py::test_x") for line in range(20)]
    of_kind = {kind: key for key, (_, kind) in reasons().items()}
    low, high = Score("theory", 100, 1, 0.9, [*seen, Judged("a.py", 21, "x", "z", None)]).interval
    assert low == pytest.approx(0.7618, abs=1e-4) and high == pytest.approx(0.9988, abs=1e-4)
    for kind in ("equivalent", "look"):
        left_out = Score("theory", 100, 1, 0.9, [*seen, Judged(of_kind[kind][0], 1, *of_kind[kind][1:], None)])
        assert len(left_out.counted) == left_out.killed == 20 and left_out.interval[1] == 1
        assert left_out.row().startswith(
            f"| theory | 100 | 1 | 21 | {int(kind == 'equivalent')} | {int(kind == 'look')} | 20 |"
        )
    passing = Score("theory", 100, 1, 0.9, [*seen, Judged(of_kind["open"][0], 1, *of_kind["open"][1:], None)])
    assert len(passing.counted) == 21 and len(list(passing.survivors())) == 1
