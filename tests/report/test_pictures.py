"""Each plot's picture of a few rows, whole: all that is painted, what it is named by, and what is read back from it.

pictures/ has them as they were looked at; see `told`. Other tests find many of their numbers by another way; here a sign that
is missing, a name at a wrong place, or a mark that stands over another is seen too.
"""

import pytest

from tests.report.test_each_figure import refuse_faint
from tests.report.told import TEXTS, alike, differing, made, told

LOOKED_AT = sorted(path.stem for path in TEXTS.glob("*.txt"))
DEAR = ("fewest_points", "map")
"""Of specs whose cells take a second to be read; the other pictures take a tenth of one each."""


@pytest.mark.at_once(*sorted({*LOOKED_AT} - {*DEAR}))
@pytest.mark.parametrize("plot", LOOKED_AT)
def test_a_picture_has_all_that_it_had_when_it_was_looked_at_in_its_place(plot: str) -> None:
    expected = (TEXTS / f"{plot}.txt").read_text(encoding="utf-8").splitlines()
    figure, read = made(plot)
    assert differing(told(figure, read), expected) == []
    refuse_faint(plot, figure)


def test_pictures_are_told_apart_by_their_words_and_by_numbers_that_differ_by_more_than_a_thousandth() -> None:
    assert alike("line #ff0000 1.0004,2 'n = 5'", "line #ff0000 1,2.001 'n = 5'")
    assert not alike("line 1,2", "line 1,2.01") and not alike("line a 1", "line b 1") and not alike("x 1", "x 1 2")
    assert differing(["a 1"], ["a 1", "b"]) == [("", "b")]
