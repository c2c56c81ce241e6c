"""What `harness claims` says: a line a claim, one claim in full, or what does not hold as printed."""

import json
from collections.abc import Sequence
from pathlib import Path

from harness.claims.registry import claims
from harness.registry import nearest
from harness.report.console import Terminal
from harness.report.errata import entries, failing_readings, markdown
from harness.report.replay import commands
from harness.report.show import claim_json, show_claim, show_far, show_findings
from harness.report.stored import gather, measured_experiments
from harness.report.verdicts import judge
from harness.sweep.errors import InputError
from harness.sweep.names import distinct
from harness.sweep.spec import Sweep

SPEC = ".yaml"


def show_claims(console: Terminal, asked: Sequence[str], out: Path, as_json: bool, as_errata: bool, every: bool) -> None:
    """All claims on the stored tables, or one. out: where fresh tables are looked for. every: of one, all decisions.

    asked: at most one id, and spec files whose tables alone are judged on; by default those of experiments/. Raises InputError
    for an id that no claim has, for several, or where one claim is asked for as errata.
    """
    ids, specs = [each for each in asked if not each.endswith(SPEC)], [Path(each) for each in asked if each.endswith(SPEC)]
    if len(ids) > 1:
        raise InputError(f"{len(ids)} claims: {', '.join(ids)}; allowed: one, and spec files ({SPEC})", "claims")
    id = ids[0] if ids else None
    distinct(specs)
    if id is not None and id not in claims():
        raise InputError(f"no claim {id!r}; {nearest(id, list(claims()))}", "claims")
    if as_errata and (id is not None or as_json):
        raise InputError("--errata is a page of all that does not hold as printed, without an ID or --json", "claims")
    stored = gather([Sweep(path) for path in specs] if specs else measured_experiments(out), out)
    listed = {name for table in stored for name in table.sweep.spec.claims} | set(ids)
    judged = judge([table.evidence for table in stored], names=listed if specs else claims())
    findings = [finding for finding in judged if id in (None, finding.claim.id)]
    console.stderr = as_json or as_errata
    show_far(console, stored)
    console.stderr = False
    if as_errata:
        replays = commands(findings, stored, out)
        print(markdown(entries(findings, stored, replays), list(failing_readings(findings, stored, replays))))
    elif as_json:
        print(json.dumps([claim_json(finding) for finding in findings], indent=2))
    elif id is None:
        show_findings(console, findings)
    else:
        show_claim(console, [*findings, *(each for each in judged if each.claim.id != id)], stored, out, every)
