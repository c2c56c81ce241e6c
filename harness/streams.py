"""Where randomness comes from: a purpose has a generator of its own."""

from collections.abc import Callable

import numpy as np

Streams = Callable[[str], np.random.Generator]
"""The generator of each purpose, such as "votes"."""
