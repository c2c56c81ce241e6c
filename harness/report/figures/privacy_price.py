"""The price of privacy: n* of each construction over n* of the learner without privacy."""

from typing import ClassVar

import pandas as pd

from harness.report.figures.complexity import price_of
from harness.report.figures.price import PriceOf
from harness.report.settings import View
from harness.trials.kind import Price

TARGET = "alpha"
"""Of the errors that are to be kept: the same for all, γ + α itself. Where a table has none of it, all rows are drawn."""


class PrivacyPrice(PriceOf):
    """Those that are to reach α itself; one panel a class and distribution."""

    name: ClassVar[str] = "privacy_price"
    label: ClassVar[str] = "price: examples needed,\nover those without privacy"
    unpriced: ClassVar[tuple[str, ...]] = ("public_alone",)  # without any private example

    def of(self, frame: pd.DataFrame, view: View) -> Price:
        return price_of(view)

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        reached = frame["target"] == TARGET
        return frame[reached] if reached.any() else frame


PLOT = PrivacyPrice()
