"""The feature that Lasso weighs most in a chunk: a learner that is a black box, so that examples are drawn one by one."""

from dataclasses import dataclass
from math import sqrt
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from harness.analysts import Poll, QuerySite, Session, cast, planned
from harness.analysts.features import Studies
from harness.analysts.modes import MOST_FULL
from harness.arrays import Bools, Ints
from harness.refusal import Refusal


class LassoFeatures(Studies, frozen=True):
    """An analyst who asks, study by study, which of d normal features has the largest coefficient of Lasso.

    y = rho · x + √(1 − rho²) · noise, x the feature that speaks; on ⌊T⌋ studies, at random places, two do.

    These share it equally. A chunk answers the feature with the largest coefficient of Lasso at `penalty`, without intercept; a
    tie, as where all are zero, goes to the smaller one. No distance to instability of it can be computed.
    """

    name: ClassVar[str] = "lasso"
    whole_known: ClassVar[bool] = False

    d: Annotated[int, Field(ge=2, le=10**4)] = 10
    penalty: Annotated[float, Field(gt=0, le=100)] = 0.1

    def chunks(self, site: QuerySite, rng: np.random.Generator) -> Session:
        return _Session(self, site, planned(site, rng), rng)

    def refuse(self, site: QuerySite) -> Refusal | None:
        wide = site.k * site.s * self.d
        if not site.full:
            return Refusal("what Lasso answers has no law of its own; allowed: sampling: full", "sampling")
        if wide > MOST_FULL:
            return Refusal(f"{wide:.3g} numbers a query would be drawn; allowed: n · d ≤ {MOST_FULL:g}", "n")
        return None


@dataclass
class _Session(Session):
    analyst: LassoFeatures
    site: QuerySite
    stable: Bools
    rng: np.random.Generator
    number: int = 0

    def ask(self, last: int | None) -> Poll:
        stable = bool(self.stable[self.number])
        self.number += 1
        return cast(self._selected(stable), self.analyst.place, stable)

    def _selected(self, stable: bool) -> Ints:
        """What each chunk answers, (k,)."""
        from sklearn.linear_model import Lasso  # a third of a second to import

        k, s, d = self.site.k, self.site.s, self.analyst.d
        x, noise = self.rng.standard_normal((k, s, d)), self.rng.standard_normal((k, s))
        place, rho = self.analyst.place, self.analyst.rho
        signal = x[:, :, place] if stable else (x[:, :, place] + x[:, :, place + 1]) / sqrt(2)
        y = rho * signal + sqrt(1 - rho**2) * noise
        model = Lasso(alpha=self.analyst.penalty, fit_intercept=False)
        return np.array([np.abs(model.fit(features, response).coef_).argmax() for features, response in zip(x, y, strict=True)])


ANALYST = LassoFeatures
