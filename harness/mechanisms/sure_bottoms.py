"""Streams of A_sparseVec in which hardly any answer is in doubt: some types of queries are nearly always ⊥, the others never.

A threshold is drawn anew at each ⊥. So while all queries are ⊥ that nearly always are, each of them meets a threshold of its
own, and is answered for once with a chance that is known, independently of all others. Mostly none is, and then all is settled
at no cost in how many ⊥s there are. The law is that of the loop.
"""

from dataclasses import dataclass
from math import exp

import numpy as np
import scipy

from harness.arrays import Ints, Reals, indices_of
from harness.theory.privacy.laplace import difference_tail

MANY = 1 << 12  # fewer ⊥s are drawn as soon
SELDOM = 1e-2  # so few queries of a run that nearly always are ⊥ are answered, on average
NEVER = 1e-30  # of so rare a ⊥ nothing can be seen in any number


@dataclass(frozen=True)
class SureStreams:
    """Streams with noise Lap(λ) on thresholds and Lap(2λ) on values, in which hardly any answer is in doubt.

    margin: (types,), how far each type's value is below the threshold, negative where it is above. sizes: (types,), how many
    queries are of each type. answered: (types,), the chance that one of them is not ⊥ under a threshold of its own, 0 of types
    above. run, runs: of which run each type is, (types,), and how many runs there are.
    """

    margin: Reals
    sizes: Ints
    answered: Reals
    run: Ints
    runs: int
    lam: float

    @classmethod
    def of(cls, values: Ints | Reals, sizes: Ints, run: Ints, lam: float, w: float, allowed: Ints) -> "SureStreams | None":
        """The streams of values, (types,), at a threshold w; None where an answer is in doubt, ⊥s are few or a run may halt.

        allowed: (runs,), how many ⊥s halt each.
        """
        low = values < w
        if sizes[low].sum() <= MANY:
            return None
        other = difference_tail(np.abs(values - w), lam)  # the chance of the less likely answer
        sure = cls(np.asarray(w - values, np.float64), sizes, np.where(low, other, 0.0), run, len(allowed), lam)
        goes_on = np.bincount(run, low * sizes, len(allowed)) < allowed
        rare = (sizes * other)[~low].sum() <= NEVER and sure.hazard.max() <= SELDOM
        return sure if rare and goes_on.all() else None

    @property
    def hazard(self) -> Reals:
        """−ln P(no query of a run is answered that nearly always is ⊥), (runs,)."""
        return np.asarray(np.bincount(self.run, -self.sizes * np.log1p(-self.answered), self.runs), np.float64)

    def up_to_the_first(self, rng: np.random.Generator) -> tuple[Ints, Ints, Reals]:
        """The ⊥s before the first query in doubt that is answered, and how many queries come after it, (types,) each.

        And the noise of the threshold that it met, (runs,). In most runs there is no such query, and so none after it.
        """
        until, met = rng.standard_exponential(self.runs), np.zeros(self.runs)
        first, after = np.zeros_like(self.sizes), np.zeros_like(self.sizes)
        for number in indices_of(until < self.hazard):
            types = indices_of(self.run == number)
            first[types], after[types] = self._first(types, float(until[number]), rng)
            met[number] = self._met(float(self.margin[first * (self.run == number) > 0][0]), rng)
        return np.where(self.answered > 0, self.sizes - first - after, 0), after, met

    def _first(self, types: Ints, until: float, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Of which type the first query in doubt is that is answered, and how many come after it, (types,) each.

        Queries arrive at uniform times. until: the hazard up to its arrival.
        """
        sizes, answered = self.sizes[types], self.answered[types]
        when = scipy.optimize.brentq(lambda time: -(sizes * np.log1p(-answered * time)).sum() - until, 0.0, 1.0)
        share = sizes * answered / (1 - answered * when)
        first = rng.multinomial(1, share / share.sum())
        return first, rng.binomial(sizes - first, (1 - when) / (1 - answered * when))

    def _met(self, margin: float, rng: np.random.Generator) -> float:
        """Draws the noise y of a threshold, given that a value so far below it was answered under it.

        Its density is that of Lap(λ) times P(Lap(2λ) > margin + y), which is drawn as if it were e^(−(margin + y)/2λ)/2.
        """
        while True:
            y = self.lam * float(rng.standard_exponential()) * (-2 if rng.random() < 0.75 else 2 / 3)
            z = (margin + y) / (2 * self.lam)
            if z >= 0 or rng.random() < (2 - exp(z)) * exp(z):
                return y
