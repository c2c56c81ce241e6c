"""Claims by the paper that makes them, and who wrote it."""

import re
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from harness.report.verdicts import Finding

NONE = "in no paper"


def by_paper(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """The findings of each paper, and last those of what no paper says: rivals, constants and the program."""
    papers = {each.claim.paper for each in findings if each.claim.nature not in ("ours", "probe")}
    found: dict[str, list[Finding]] = {paper: [] for paper in sorted(papers)}
    for finding in findings:
        found.setdefault(finding.claim.paper if finding.claim.paper in papers else NONE, []).append(finding)
    return {paper: those for paper, those in found.items() if paper != NONE} | ({NONE: found[NONE]} if NONE in found else {})


def written(paper: str) -> str:
    """Authors, title and year, as the folder of the paper's claims says them; empty of a paper that has none here."""
    name = f"harness.claims.{paper.lower()}"
    if not re.fullmatch("[a-z0-9]+", paper.lower()) or find_spec(name) is None:
        return ""
    return " ".join((import_module(name).__doc__ or "").split("\n\n")[0].replace("*", "").split())
