"""What a command that shows no rows has no need of is not loaded for it: libraries of tables take longer than all it does."""

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from harness.cli import app
app({words!r}, standalone_mode=False)
print(sorted(set(sys.modules) & {heavy!r}), file=sys.stderr)
"""
HEAVY = {"pandas", "pyarrow", "matplotlib", "ray"}


@pytest.mark.parametrize("words", [["plan", "--n", "1e10", "--m", "1000"], ["columns"]], ids=lambda words: words[0])
def test_a_command_without_rows_loads_no_libraries_of_tables(words: list[str], tmp_path: Path) -> None:
    """In a folder without tables of audits: what these have measured `plan` says too."""
    code = CODE.format(words=words, heavy=HEAVY)
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert ran.stderr.splitlines()[-1] == "[]"
