"""Labels by votes: neighbouring tables of votes (`mechanisms.answering.tables`)."""

from functools import partial
from typing import Any

from harness.mechanisms.answering import mechanisms
from harness.mechanisms.answering.tables import neighbours
from harness.theory.constants import constants
from harness.trials.audited.subject import AuditSetting, Subject, SubjectSort, named_constants
from harness.trials.cell import Planned


def subject(name: str, setting: AuditSetting) -> Subject:
    """The mechanism of answers with this name as a subject of audits, at a setting.

    Its plan is that of the calculator at the cutoff T, on the n that this takes or on those that are given.
    """
    setting_of: dict[str, Any] = {key: getattr(setting, key) for key in ("m", "T", "n", "eps", "delta", "beta")}
    named_constants(setting, constants, "BTT18")
    named = {} if setting.constants is None else {"constants": setting.constants}
    planned, mechanism = Planned(**setting_of, **named), mechanisms()[name]
    plan = planned.plan(name)
    labels = 2 if mechanism.binary else setting.labels
    return Subject.of(mechanism, setting.eps, plan.spent, partial(neighbours, mechanism, plan, planned.task, labels))


SORT = SubjectSort("votes", mechanisms, subject)
