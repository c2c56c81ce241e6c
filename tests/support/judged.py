"""What claims come to on every committed table: `python -m tests.support.judged` keeps it in judged.json.

The verdicts of `harness check` say whether a claim holds. Here is what they are made of: on how many places, with which ends of
intervals, which measurements, bounds and what would still stand, and what is said of where.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from harness.claims.engine import Verdict
from harness.report.stored import stored_in
from harness.report.verdicts import judge
from tests.support.committed import ROOT, sweep_of

KEPT = Path(__file__).with_suffix(".json")
NAMES = sorted(path.stem for path in (ROOT / "results").glob("*.parquet"))
NUMBERS = ("trials", "failures", "lower", "upper", "claimed", "measured", "resolution", "bound", "stands", "error", "slack")


def summed(values: Iterable[float | None]) -> list[float]:
    """How many numbers there are that are finite, their sum, and one in which each place counts differently."""
    known = [(place, value) for place, value in enumerate(values, 1) if value is not None and isfinite(value)]
    return [len(known), sum(value for _, value in known), sum(value / place for place, value in known)]


def of_verdicts(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    found: dict[str, Any] = dict(Counter(verdict.outcome for verdict in verdicts))
    found |= {name: summed(getattr(verdict, name) for verdict in verdicts) for name in NUMBERS}
    found["challenged"] = [place for place, verdict in enumerate(verdicts) if verdict.challenged][:20]
    found["where"] = sorted({verdict.where for verdict in verdicts})[:5]
    found["failed"] = [verdict.failed_trial for verdict in verdicts][:20]
    return found


def of_experiment(name: str) -> dict[str, Any]:
    """By claim, on the one table alone."""
    stored = stored_in(ROOT / "results", sweep_of(name))
    findings = judge([stored.evidence])
    own = {finding.claim.id: [verdict for at, verdict in finding.verdicts if at is not None] for finding in findings}
    return {claim: of_verdicts(verdicts) for claim, verdicts in own.items() if verdicts}


if __name__ == "__main__":
    made = {name: of_experiment(name) for name in NAMES}
    lines = [f"{json.dumps(name)}: {json.dumps(of, ensure_ascii=False)}" for name, of in made.items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
