"""What a command takes as a whole, against what Python takes to load the libraries that most need. About two minutes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.ratios import AtMost

ROOT = Path(__file__).parents[2]
LIBRARIES = "import numpy, pandas, pyarrow, matplotlib"


def ran(*words: str | Path) -> None:
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True, env=kept())


def kept() -> dict[str, str]:
    """As it is installed: what is compiled is kept."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


@pytest.mark.parametrize(
    ("limit", "words"), [(0.5, "--help"), (3.0, "plan --n 1e10 --m 1000"), (3.0, "columns")], ids=["help", "plan", "columns"]
)
def test_a_command_loads_what_it_needs(takes_at_most: AtMost, limit: float, words: str) -> None:
    takes_at_most(limit, lambda: ran("-m", "harness", *words.split()), lambda: ran("-c", LIBRARIES), 3)


def test_the_first_command_takes_seconds(takes_at_most: AtMost, tmp_path: Path) -> None:
    """1,500 trials, their table, figure and verdicts; a Ray of its own alone would take as long again."""
    words = ("-m", "harness", "run", "experiments/quickstart.yaml", "--fresh", "--out", tmp_path)
    takes_at_most(15.0, lambda: ran(*words), lambda: ran("-c", LIBRARIES), 2)
