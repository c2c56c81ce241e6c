"""What `harness claims` says: a line a claim, one claim in full, or what does not hold as printed."""

import json
from pathlib import Path

from harness.claims.registry import claims
from harness.registry import nearest
from harness.report.console import Terminal
from harness.report.errata import errata, markdown
from harness.report.replay import commands
from harness.report.show import claim_json, show_claim, show_far, show_findings
from harness.report.stored import gather, measured_experiments
from harness.report.verdicts import judge
from harness.sweep.errors import InputError


def show_claims(console: Terminal, id: str | None, out: Path, as_json: bool, as_errata: bool) -> None:
    """All claims on the stored tables, or one. out: where fresh tables are looked for.

    Raises InputError for an id that no claim has, or where one claim is asked for as errata.
    """
    if id is not None and id not in claims():
        raise InputError(f"no claim {id!r}; {nearest(id, list(claims()))}", "claims")
    if as_errata and (id is not None or as_json):
        raise InputError("--errata is a page of all claims that say why they do not hold, without an ID or --json", "claims")
    stored = gather(measured_experiments(out), out)
    judged = judge([table.evidence for table in stored], names=claims())
    findings = [finding for finding in judged if id in (None, finding.claim.id)]
    console.stderr = as_json or as_errata
    show_far(console, stored)
    console.stderr = False
    if as_errata:
        print(markdown(list(errata(findings, stored, commands(findings, stored, out)))))
    elif as_json:
        print(json.dumps([claim_json(finding) for finding in findings], indent=2))
    elif id is None:
        show_findings(console, findings)
    else:
        show_claim(console, findings[0], stored, out)
