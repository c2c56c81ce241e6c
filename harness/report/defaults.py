"""Where things are and how sure verdicts are, where a command is not told otherwise."""

from pathlib import Path

EXPERIMENTS, RESULTS, RUNS, FIGURES = Path("experiments"), Path("results"), Path("results/runs"), Path("figures")
PACKAGED = Path(__file__).parents[1] / "experiments"
"""The experiments that come with the package, where a folder has none of its own."""

FAMILYWISE_ERROR = 1e-3
