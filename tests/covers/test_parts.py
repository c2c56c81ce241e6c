"""What a file hands in as a part of a room that it is not of is refused."""

from collections.abc import Callable

import pytest

from harness import covers, scores
from harness.covers.windows import Windows

ROOMS = [(covers, "QueryClass"), (scores, "Instance"), (scores, "Learner")]


@pytest.mark.parametrize(("room", "base"), ROOMS, ids=[base for _, base in ROOMS])
def test_what_is_no_part_of_its_room_is_refused(room: object, base: str) -> None:
    """A class of something else, and what is no class at all; not a class of its own."""
    refuse: Callable[[object], None] = room.refuse_incomplete  # type: ignore[attr-defined]
    refuse(getattr(room, base))
    for other in (int, 3, base, None):
        with pytest.raises(ValueError, match="allowed: "):
            refuse(other)


@pytest.mark.parametrize("ring", [8, 12, 16, 23])
def test_the_widest_window_of_a_ring_is_the_one_that_is_told(ring: int) -> None:
    with pytest.raises(ValueError, match="goes round a ring") as refused:
        Windows(ring=ring, width=ring)
    most = int(str(refused.value).partition("allowed: 2 to ")[2].partition(",")[0])
    assert Windows(ring=ring, width=most).width == most
    with pytest.raises(ValueError, match="goes round a ring"):
        Windows(ring=ring, width=most + 1)
