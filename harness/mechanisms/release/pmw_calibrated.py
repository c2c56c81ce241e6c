"""PMW at its best, on private points alone: noise by exact composition, and a threshold of one's own."""

from harness.mechanisms.release.weights_calibrated import Calibrated


class CalibratedPMW(Calibrated):
    """PMW on private points alone, with noise by exact composition of c releases, and a threshold of α' or a part of it."""

    name = "PMW_calibrated"
    source = "DR14 Algorithm 6, with noise by Kairouz, Oh, Viswanath 2015 Theorem 3.3"
    legend = "PMW, calibrated"
    needs_public = False


MECHANISM = CalibratedPMW()
