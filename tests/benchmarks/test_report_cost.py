"""What the report of the committed tables costs, and how large it is. About a minute."""

from pathlib import Path

import pytest

from harness.claims.registry import claims
from harness.report.defaults import FAMILYWISE_ERROR, RESULTS
from harness.report.html import write
from harness.report.html.figures import Figures
from harness.report.measured import over_ranges
from harness.report.replay import commands
from harness.report.stored import gather, measured_experiments
from harness.report.verdicts import judge
from harness.sweep.table.table import Table
from tests.support.ratios import AtMost

ROOT = Path(__file__).parents[2]


def test_the_report_is_below_3_mb_and_takes_at_most_10_times_what_reading_its_tables_takes(
    takes_at_most: AtMost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every verdict and all figures, which are there, against each table read and verified once."""
    monkeypatch.chdir(ROOT)
    page = tmp_path / "report.html"

    def report() -> None:
        stored = gather(measured_experiments(tmp_path), tmp_path)
        figures = Figures(stored)
        findings = judge([table.evidence for table in stored], names=claims())
        write(page, stored, figures, findings, commands(findings, stored, tmp_path), over_ranges, FAMILYWISE_ERROR)

    def reading() -> None:
        for path in sorted(RESULTS.glob("*.parquet")):
            Table.read(path)

    takes_at_most(10.0, report, reading, 1)
    assert page.stat().st_size < 3_000_000
