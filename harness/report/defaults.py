"""Where things are and how sure verdicts are, where a command is not told otherwise."""

from pathlib import Path

EXPERIMENTS, RESULTS, RUNS, FIGURES = Path("experiments"), Path("results"), Path("results/runs"), Path("figures")
FAMILYWISE_ERROR = 1e-3
