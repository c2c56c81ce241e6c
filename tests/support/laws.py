"""What tests laws."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


Reals = NDArray[np.float64]


SameLaw = Callable[[Ints, Ints], None]


BinomialCounts = Callable[[Ints, int, Reals], None]
