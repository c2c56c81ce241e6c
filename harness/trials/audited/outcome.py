"""The outcome of an audit: what was measured beside what is said, and the verdict."""

from dataclasses import dataclass
from typing import Any, Literal

from harness.audits.measure import LowerEnd, affordable, measured
from harness.trials.audited.subject import AuditSetting, subject, whose
from harness.trials.seeds import stream

ERROR = 1e-3
"""The chance that a lower end is above the ε that is really spent, where nothing else is said."""


@dataclass(frozen=True)
class Audited:
    """The outcome of an audit of a mechanism: what ε was shown, beside the ε that is said.

    mechanism, setting: what was run. lower: an ε that it spends at least, at `delta`, with this `confidence`. claimed: the ε
    that it is said to keep to there; infinite where it promises nothing. spent: what its plan says; infinite where that is
    nothing. said: whose word that is: `certified` by an accountant, `declared` by its author, or `nothing`. pair, event: the
    two data sets, and what happens more often on one of them. hits, others: how often, of `judged` runs on either. runs: on
    either data set, of all pairs together; with the same seed and as many it is the same again. curve: points (ε, δ), all of
    which the mechanism exceeds at once with this confidence.
    """

    mechanism: str
    setting: AuditSetting
    lower: float
    claimed: float
    spent: float
    said: str
    delta: float
    confidence: float
    pair: str
    event: str
    hits: int
    others: int
    judged: int
    runs: int
    seed: int
    curve: tuple[tuple[float, float], ...]

    @property
    def verdict(self) -> Literal["refuted", "not refuted"]:
        """Refuted where the audit's lower end is above what is said."""
        return "refuted" if self.lower > self.claimed else "not refuted"


def audited(
    name: str, setting: AuditSetting, seed: int, *, runs: int | None = None, seconds: float = 10.0, error: float = ERROR
) -> Audited:
    """Audits a mechanism by `runs` runs on either data set, or about as many as take `seconds` seconds of a core.

    A pure function of its arguments where runs are given. Raises NotAuditedError where it cannot be run at the setting.
    """
    of = subject(name, setting)

    def streams(purpose: str) -> Any:
        return stream(setting.identity, seed, 0, f"audit/{name}/{purpose}")

    pairs = of.pairs(streams("search"))
    runs_each = affordable(pairs, seconds, streams) if runs is None else runs
    end: LowerEnd = measured(pairs, setting.delta, runs_each, error, streams)
    return Audited(
        mechanism=name,
        setting=setting,
        lower=end.lower,
        claimed=of.claimed,
        spent=of.spent,
        said=whose(name),
        delta=setting.delta,
        confidence=1 - error,
        pair=end.pair,
        event=end.event,
        hits=end.hits,
        others=end.others,
        judged=end.judged,
        runs=end.runs,
        seed=seed,
        curve=end.curve,
    )
