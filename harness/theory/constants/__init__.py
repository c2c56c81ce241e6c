"""The constants of the theorems: one file a paper, and `ours` for those repaired and made as small as they can be.

A file's CONSTANTS say how λ, w, k and T follow, its CALIBRATIONS how λ and w alone do. Each constant is written once.
"""

from collections.abc import Mapping

from harness.registry import parts
from harness.theory.parameters import Constants
from harness.theory.privacy.calibration import Calibration


def constants() -> Mapping[str, Constants]:
    """All registered sets of constants for mechanisms that pay for ⊥s, by name: how λ, w, k and T follow."""
    return parts("constants")


def calibrations() -> Mapping[str, Calibration]:
    """All registered calibrations by name: each sets λ and w, the noise scale and the threshold of a sparse vector."""
    return parts("calibration")
