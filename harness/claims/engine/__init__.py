"""What a claim is and how it is decided. Nothing here speaks of any one paper.

- `claim`: a claim as a value, and what every decider has to say. `nature`: whose words it is, and what a text says.
- `erratum`: a cause for which something that is printed does not hold; `coverage`: a place of a text, and what answers for it.
- `conditions`: the hypotheses of a claim, in words and as a test of a cell.
- `events`: claims about single trials: what must keep within which limit (`limits`), and how often it may fail to.
- `computed`: numbers that the theory alone sets against each other; `forms`: the powers of a printed n.
- `logarithms`: what the Õ of a rate hides, and how much of an exponent it can be.
- `exponents`, `complexity`, `growth`, `capacity`, `agreement`: claims about whole sweeps, and about counts against exact
  probabilities.
- `common`: the hypotheses, events and claims that the theorems of several papers share.

A file of claims needs no more than what this module names: it defines `CLAIMS = (Claim(…), …)`, or `ERRATA = (Erratum(…), …)`.
"""

from harness.claims.engine.agreement import EpsilonAgreement
from harness.claims.engine.capacity import Capacity
from harness.claims.engine.claim import Claim, Decider
from harness.claims.engine.common import (
    ANSWERED,
    confident,
    decided_by_mean,
    error_within,
    fifteen_alpha,
    fixed_instance,
    hard_at_every_size,
    learned,
    learns,
    printed,
    printed_cutoff,
    promising,
    rate_within,
    spends_eps,
    stable_votes,
    suffices,
)
from harness.claims.engine.complexity import Complexity
from harness.claims.engine.computed import Computed, Number, task_of
from harness.claims.engine.conditions import (
    Condition,
    agnostic,
    among,
    at_most,
    known,
    parameters,
    promised,
    realizable,
    shaped,
    unset,
)
from harness.claims.engine.coverage import Passage
from harness.claims.engine.erratum import Erratum, Severity
from harness.claims.engine.events import Certain, Event, Exact, Law, Never, Probability
from harness.claims.engine.exponents import ComputedExponents, Exponents, Form, NoLogarithms, Powers, Sweep
from harness.claims.engine.forms import BETA, FixedPointN, ShownBesidePowers, learned_consistently, needs
from harness.claims.engine.growth import Growth, Ratio
from harness.claims.engine.limits import Amount, Bounded, Limit, times
from harness.claims.engine.nature import PROBE, Check, Nature, Quote
from harness.claims.engine.verdict import Outcome, Verdict, overall
