"""A calibration: how the noise scale λ and the threshold w follow from what is claimed of a run.

That is (ε, δ)-DP over m queries with cutoff T. Those that there are stand in `theory.constants`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from harness.theory.factors import PRINTED, ConstantValues, Factor, factors_in, formula, with_changes, with_values
from harness.theory.privacy.distance import Distance

Scale = Callable[[float, float, int, float], float]
"""A function of (ε, δ, m, T)."""

C_LOOP = Factor("c_loop", 1, "while c ≤ c_loop T", "BTT18 Algorithm 2, step 5; BTT18a Algorithms 1 and 3")


@formula(C_LOOP)
def loops(c: ConstantValues, T: float) -> float:
    """The largest number c of ⊥s so far at which the loop still runs: as printed T, so that it lets ⌊T⌋ + 1 ⊥s out."""
    return c[C_LOOP] * T


@dataclass(frozen=True)
class Calibration:
    """How λ and w follow from (ε, δ), m and T, and which distance is compared with w. lam, w: in units of this distance.

    last: the largest c at which the loop still runs, from T. values: those of all constants by name, where some are changed.
    sharp: whether its epochs are also accounted for with their thresholds given away, which certifies less noise over many.
    """

    name: str
    source: str
    distance: Distance
    lam: Scale
    w: Scale
    last: Callable[[float], float] = loops
    values: ConstantValues = PRINTED
    sharp: bool = False

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The constants that λ, w, the distance and the loop are made of."""
        factors = (*factors_in((self.lam, self.w)), *self.distance.factors, *factors_in((self.last,)))
        return tuple({factor.name: factor for factor in factors}.values())

    def with_values(self, values: ConstantValues) -> "Calibration":
        """The calibration with these values of its constants."""
        return replace(
            self,
            lam=with_values(self.lam, values),
            w=with_values(self.w, values),
            distance=self.distance.with_values(values),
            last=with_values(self.last, values),
            values=values,
        )

    def changed(self, changes: Mapping[str, float]) -> "Calibration":
        """The calibration with the constants in `changes` at these values, under a name that says so."""
        return replace(self.with_values(self.values.but(changes)), name=with_changes(self.name, changes))
