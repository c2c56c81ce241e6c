"""Claims by the paper that makes them, and who wrote it."""

from collections.abc import Sequence
from importlib import import_module

from harness.report.verdicts import Finding
from harness.sources import served

NONE = "in no paper"


def by_paper(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """The findings by paper, and last those of what no paper says: rivals, constants and the program."""
    papers = {each.claim.paper for each in findings if each.claim.nature not in ("ours", "probe")}
    grouped: dict[str, list[Finding]] = {paper: [] for paper in sorted(papers)}
    for finding in findings:
        grouped.setdefault(finding.claim.paper if finding.claim.paper in papers else NONE, []).append(finding)
    return {paper: those for paper, those in grouped.items() if paper != NONE} | (
        {NONE: grouped[NONE]} if NONE in grouped else {}
    )


def written(paper: str) -> str:
    """The authors, title and year of a paper, as its folder of claims says them; empty of a paper that has none."""
    name = f"harness.claims.{paper.lower()}"
    if name not in served():
        return ""
    return " ".join((import_module(name).__doc__ or "").split("\n\n")[0].replace("*", "").split())
