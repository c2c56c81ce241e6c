"""An audit as a person and as a program read it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from pydantic import ValidationError
from rich.console import RenderableType
from rich.text import Text

from harness.audits.measure import too_few
from harness.registry import nearest
from harness.report.calculators import validating
from harness.report.grids import Sheet
from harness.report.numerals import number
from harness.report.worksheet import Worksheet, finite
from harness.sweep.errors import InputError
from harness.sweep.plugins import harness_command
from harness.trials.audited.outcome import Audited, audited
from harness.trials.audited.subject import AuditSetting, NotAuditedError, subjects

WORDS = {"certified": "certified by an accountant", "declared": "declared by its author, certified by no accountant"}
SAYS_NOT = "That is no proof of privacy: other neighbours or events, or more runs, may show more."


def audit_of(mechanism: str, settings: dict[str, Any], seed: int, runs: int | None, seconds: float, error: float) -> Audited:
    """Runs an audit of a mechanism.
    Raises InputError where the mechanism or a setting is not known, or it cannot be run there.
    """
    _refuse_few(runs)
    audited_names = list(subjects())
    if mechanism not in audited_names:
        raise InputError(f"no mechanism {mechanism!r} to audit; {nearest(mechanism, audited_names)}", "MECHANISM")
    with validating(AuditSetting, settings):
        setting = AuditSetting.model_validate(settings)
    try:
        return audited(mechanism, setting, seed, runs=runs, seconds=seconds, error=error)
    except ValidationError as problem:  # what its sort makes of the setting
        with validating(AuditSetting, {}):
            raise problem
    except NotAuditedError as refused:
        raise InputError(str(refused), "MECHANISM") from None


def audits_of(
    settings: dict[str, Any], seed: int, runs: int | None, seconds: float, error: float
) -> tuple[list[Audited], list[str]]:
    """Runs audits of all mechanisms that promise privacy: their outcomes, and why the others cannot be run at the setting.

    seconds, runs: of each. error: of all of them together. Raises InputError where a setting is not known.
    """
    _refuse_few(runs)
    private = [name for name, (sort, known) in subjects().items() if sort.mechanisms()[known].private]
    with validating(AuditSetting, settings):
        setting = AuditSetting.model_validate(settings)
    done, left_out = list[Audited](), list[str]()
    for name in private:
        try:
            done.append(audited(name, setting, seed, runs=runs, seconds=seconds, error=error / len(private)))
        except NotAuditedError as refused:
            left_out.append(f"{name}: {refused}")
    return sorted(done, key=share_seen, reverse=True), left_out


def _refuse_few(runs: int | None) -> None:
    if runs is not None and (few := too_few(runs)):
        raise InputError(few, "--runs")


def share_seen(one: Audited) -> float:
    """An audit's lower end for ε as a share of the ε that is said to be spent; 0 or infinite where that is 0."""
    return one.lower / one.claimed if one.claimed else inf if one.lower else 0.0


@dataclass(frozen=True)
class AuditsReport(Worksheet):
    """Audits of several mechanisms, to be shown. left_out: the mechanisms that could not be run, with the reason."""

    of: Sequence[Audited]
    left_out: Sequence[str]

    @property
    def json(self) -> list[dict[str, Any]]:
        """Each as it is alone."""
        return [AuditReport(one).json for one in self.of]

    @property
    def refuted(self) -> bool:
        """Whether any of the audits refutes what is said."""
        return any(one.verdict == "refuted" for one in self.of)

    def parts(self) -> Iterator[RenderableType]:
        """A row a mechanism, those first of which most is seen."""
        headings = ("mechanism", "measured", "said", "share", "verdict", "neighbours")
        grid = Sheet("", headings, ("neighbours", "verdict"), numbers=headings[1:4])
        for one in self.of:
            claimed = f"{one.claimed:.4g}{', declared' * (one.said == 'declared')}"
            grid.add_row(one.mechanism, f"{one.lower:.4g}", claimed, f"{share_seen(one):.0%}", one.verdict, one.pair)
        together = 1 - len(self.of) * (1 - self.of[0].confidence)
        yield Text(f"{_told(self.of[0].setting)}\nε ≥ measured at that δ, of all together with confidence {together:.6g}\n")
        yield grid
        yield from (Text(f"not audited: {line}", style="yellow") for line in self.left_out)


@dataclass(frozen=True)
class AuditReport(Worksheet):
    """One audit, to be shown."""

    of: Audited

    @property
    def json(self) -> dict[str, Any]:
        """All that was measured, and the verdict; null where a number is infinite."""
        audit, names = (
            self.of,
            ("mechanism", "lower", "claimed", "spent", "said", "delta", "confidence", "pair", "event", "hits", "others"),
        )
        values = {name: getattr(audit, name) for name in (*names, "judged", "runs", "seed")}
        numbers = {name: finite(value) for name, value in values.items()}
        return numbers | {
            "verdict": audit.verdict,
            "setting": audit.setting.model_dump(),
            "curve": [list(at) for at in audit.curve],
        }

    def parts(self) -> Iterator[RenderableType]:
        """The audit as a small table and a sentence."""
        audit, grid = self.of, Sheet("", ("name", "value"), headed=False)
        for name, value in (
            ("measured", f"ε ≥ {audit.lower:.4g} at δ = {audit.delta:g}, with confidence {audit.confidence:.6g}"),
            ("said", self._said()),
            ("neighbours", audit.pair),
            ("event", audit.event),
            ("counted", f"in {audit.hits:,} of {audit.judged:,} runs on one of the two, in {audit.others:,} on the other"),
            ("again", self._again()),
        ):
            grid.add_row(Text(name, style="bold"), value)
        yield Text(f"{audit.mechanism}: {_told(audit.setting)}\n")
        yield grid
        yield Text(f"\n{self.sentence}", style="bold red" if audit.verdict == "refuted" else "bold")

    @property
    def refuted(self) -> bool:
        """Whether the audit refutes what is said."""
        return self.of.verdict == "refuted"

    @property
    def sentence(self) -> str:
        """The verdict."""
        audit = self.of
        if audit.verdict == "refuted":
            return f"refuted: it spends more than the ε = {audit.claimed:.4g} that it is said to keep to."
        if not isfinite(audit.claimed):
            return "It promises no privacy: nothing to refute."
        share = f", {audit.lower / audit.claimed:.0%} of what it is said to keep to" if audit.lower else ""
        return f"not refuted: what was seen takes no more than ε = {audit.lower:.4g}{share}. {SAYS_NOT}"

    def _said(self) -> str:
        audit = self.of
        if not isfinite(audit.claimed):
            return "nothing: it is not private"
        if not isfinite(audit.spent):
            return f"ε = {audit.setting.eps:g} asked for; its plan does not say what is spent"
        return f"ε = {audit.setting.eps:g} asked for; {audit.spent:.4g} spent by its plan, {WORDS[audit.said]}"

    def _again(self) -> str:
        audit, options = self.of, self.of.setting.model_dump(exclude_defaults=True)
        words = [
            word for key, value in options.items() for word in (f"--{key}", value if isinstance(value, str) else f"{value:g}")
        ]
        return harness_command(["audit", audit.mechanism, *words, "--runs", f"{audit.runs}", "--seed", f"{audit.seed}"])


def _told(setting: AuditSetting) -> str:
    symbols = {"eps": "ε", "delta": "δ", "beta": "β", "alpha": "α", "gamma": "γ"}
    values = {key: value for key, value in setting.model_dump().items() if value is not None}
    return ", ".join(
        f"{symbols.get(key, key)} = {value if isinstance(value, str) else number(value)}" for key, value in values.items()
    )
