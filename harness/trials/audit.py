"""An empirical audit: run a mechanism's own code on neighbours, and count an event that is likelier on one of them.

What (ε, δ)-DP asks of the event's two probabilities bounds ε from below, whatever the theory says. A trial is one audit: of any
mechanism, whose pair of neighbours and event are chosen by one half of the runs and judged by the other (`harness.audits`); or
of an event that is chosen beforehand, all runs on it, with its exact chances beside (`audited.known_events`).
"""

from contextlib import suppress
from math import isfinite
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.random import Generator
from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import PydanticCustomError

from harness.arrays import Bools, Reals
from harness.audits.measure import MOST, lower_end, measured, too_few
from harness.refusal import Refusal
from harness.theory.constants import constants
from harness.theory.constants.btt18a_scores import score_constants
from harness.trials.audited.known_events import ATTACKS, DELTA_KNOWN, EPS_KNOWN, KnownEvent
from harness.trials.audited.outcome import ERROR
from harness.trials.audited.subject import AuditSetting, NotAuditedError, Subject, subject, subjects, whose
from harness.trials.changes import named_set, own_factors
from harness.trials.columns import ALPHA, BETA, DELTA, EPS, GAMMA, Column, M, N, T
from harness.trials.fields import Real, Whole, kept
from harness.trials.kind import Columns, Kind, Measure, Promise, Row
from harness.trials.release_cell import pmw_constants
from harness.trials.rules import Rule, no_more
from harness.trials.seeds import BlockStreams

PRINTED = "printed"


def any_constants(entry: Any) -> str | None:
    """Validates a spec's set of constants, of any sort of mechanism: returns its name with its changes, or None for None."""
    sorts = ((constants(), own_factors()), (score_constants(), ()), (pmw_constants(), ()))
    if entry is None:
        return None
    for sets, also in sorts:
        with suppress(ValidationError, PydanticCustomError, ValueError):
            return named_set("constants", entry, sets, also)
    return named_set("constants", entry, {name: each for known, _ in sorts for name, each in known.items()})


class AuditCell(AuditSetting, frozen=True):
    """A cell of audits: what is asked of the mechanism, and how many runs on either data set make one trial.

    error: the chance that the lower end of a trial is above the ε that is really spent.
    """

    hashed_as: ClassVar[str] = "AuditCell"
    spreads: ClassVar[frozenset[str]] = frozenset({"constants"})

    constants: Annotated[str | None, BeforeValidator(any_constants)] = None
    runs: Annotated[Whole, Field(ge=1, le=MOST)]
    error: Annotated[Real, Field(ge=1e-12, le=0.5)] = ERROR


def measure(cell: AuditCell, streams: BlockStreams) -> Measure:
    """Audits in one trial: the lower end for ε at δ that an event shows, with how often the event happened on either side."""

    def audit(name: str) -> Columns:
        if name in ATTACKS:
            counts = attack(cell, name).counts(cell.runs, streams(name))
            lower = float(lower_end(counts[0], cell.runs, counts[1], cell.runs, cell.delta, cell.error))
            return _row(lower, *counts, cell.runs, "the two tables of its event", "the event of which p and q are known")

        def stream(purpose: str) -> Generator:
            return streams(f"audit/{name}/{purpose}")

        end = measured(subject_at(cell, name).pairs(stream("search")), cell.delta, cell.runs, cell.error, stream)
        return _row(end.lower, end.hits, end.others, end.judged, end.pair, end.event)

    return audit


def _row(lower: float, hits: int, others: int, judged: int, pair: str, event: str) -> Columns:
    return {"lower": lower, "hits": hits, "hits_neighbour": others, "judged": judged, "pair": pair, "event": event}


@kept
def attack(cell: AuditCell, name: str) -> KnownEvent:
    """The event of the attack of this name, on a cell."""
    return ATTACKS[name](cell)


@kept
def subject_at(cell: AuditCell, name: str) -> Subject:
    """The mechanism of this name as a subject of audits, at a cell. Raises NotAuditedError."""
    return subject(name, cell)


def refuse(cell: AuditCell, name: str) -> Refusal | None:
    """Why a mechanism's audit cannot be run on a cell, or None."""
    if name in ATTACKS:
        for key, (least, most) in (("eps", EPS_KNOWN), ("delta", DELTA_KNOWN)):
            if not least <= getattr(cell, key) <= most:
                return Refusal(f"the chances of its event are known for {key} from {least:g} to {most:g} alone", key)
        return None
    if few := too_few(cell.runs):
        return Refusal(few, "runs")
    try:
        subject_at(cell, name)
    except NotAuditedError as refused:
        return Refusal(str(refused), "mechanisms")
    except ValidationError as problem:  # what its sort makes of the setting
        first = problem.errors()[0]
        return Refusal(
            f"{name} cannot be audited there: {first['msg']}", str(first["loc"][0]) if first["loc"] else "mechanisms"
        )
    return None


def resolved(cell: AuditCell, name: str) -> Row:
    """The ε that a mechanism claims at a cell and who vouches for it, by column; of a known event its two chances.

    Of a known event the other parameters of the cell have no say.
    """
    if name in ATTACKS:
        known_event = attack(cell, name)
        nothing = dict.fromkeys(("claimed", "m", "T", "n", "beta", "alpha", "gamma", "labels"))
        return {"p": known_event.p, "q": known_event.q, "said": "nothing", "constants": PRINTED} | nothing
    of = subject_at(cell, name)
    claimed = of.claimed if isfinite(of.claimed) else None
    return {"p": None, "q": None, "claimed": claimed, "said": whose(name), "constants": cell.constants or PRINTED}


COUNTS = ("hits", "hits_neighbour", "judged")


def shown(lower: Reals, hits: Reals, others: Reals, judged: Reals, delta: Reals, error: Reals) -> Bools:
    """Whether a stated lower end for ε is the one that follows from the counts of the event on both data sets, (rows,)."""
    return np.isclose(lower, lower_end(hits, judged, others, judged, delta, error), rtol=1e-6)


KIND = Kind(
    name="audit",
    cell=AuditCell,
    subjects=lambda: [*ATTACKS, *subjects()],
    columns=(
        *(EPS, DELTA),
        Column("p", "real", "claimed", "the exact chance, on the first table, of an event known beforehand", null=True),
        Column("q", "real", "claimed", "its exact chance on the neighbour of that table", null=True),
        Column("runs", "whole", "parameter", "runs on either data set", unit="runs"),
        Column("hits", "whole", "measured", "runs in which the event happened, where it is likelier", unit="runs"),
        Column("hits_neighbour", "whole", "measured", "runs in which it happened on the neighbour", unit="runs"),
        Column("judged", "whole", "measured", "runs on either that the event was judged by", unit="runs"),
        Column("lower", "real", "measured", "ε that is spent at least, by the event", worse=True, bound="claimed"),
        Column("error", "real", "parameter", "the chance that this is more than is really spent"),
        Column("claimed", "real", "claimed", "ε that it is said to keep to, asked for or spent by its plan", null=True),
        Column("said", "text", "plan", "whose word that is: certified by an accountant, or declared by the author"),
        Column("pair", "text", "measured", "the two neighbours"),
        Column("event", "text", "measured", "what happened more often on one of them"),
        *(column.but(role="plan", null=True) for column in (M, T, N, BETA, ALPHA, GAMMA)),
        Column("constants", "text", "plan", f"set of constants; {PRINTED}: those of its own text"),
        Column("labels", "whole", "plan", "how many labels there are", unit="labels", null=True),
    ),
    measure=measure,
    refuse=refuse,
    resolved=resolved,
    rules=(
        *(no_more("hits", "judged"), no_more("hits_neighbour", "judged"), no_more("judged", "runs"), no_more("q", "p")),
        Rule("lower is what the counts show at delta with error", ("lower", *COUNTS, "delta", "error"), shown),
    ),
    promises=(Promise("lower", "claimed", chance="error"),),
)
