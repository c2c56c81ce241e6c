"""Arrays by what they hold."""

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]
Labels = NDArray[np.int8]
Bools = NDArray[np.bool_]
