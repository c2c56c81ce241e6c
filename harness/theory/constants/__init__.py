"""The constants of the theorems: one file a paper, and `ours` for those repaired and made as small as they can be.

A file's CONSTANTS say how λ, w, k and T follow, its CALIBRATIONS how λ and w alone do. Each constant is written once.
"""

from collections.abc import Mapping

from harness.registry import parts
from harness.theory.parameters import Constants
from harness.theory.privacy.calibration import Calibration


def constants() -> Mapping[str, Constants]:
    """Every set of constants by name."""
    return parts("constants")


def calibrations() -> Mapping[str, Calibration]:
    """Every way to set λ and w by name."""
    return parts("calibration")
