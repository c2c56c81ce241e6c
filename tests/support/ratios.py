"""What compares two times."""

from collections.abc import Callable

Work = Callable[[], object]


AtMost = Callable[[float, Work, Work, int], None]


PATIENCE = 5
