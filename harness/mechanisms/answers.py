"""What a mechanism says to m queries."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BOTTOM = -1
UNANSWERED = -2


@dataclass(frozen=True)
class Answers:
    """labels: (m,), a label, BOTTOM (⊥) or UNANSWERED. halted_at: queries answered before an early halt, or None."""

    labels: NDArray[np.int8]
    halted_at: int | None = None
