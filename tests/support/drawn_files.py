"""A figure drawn into files, for tests that look at it."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from harness.report.figures import rendered
from harness.report.settings import View
from harness.report.stored import FORMATS, figure_paths


def draw(frame: pd.DataFrame, view: View, stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write it, whatever is there; gives the paths."""
    paths = figure_paths(stem, formats)
    for path, content in zip(paths, rendered(frame, view, formats).values(), strict=True):
        path.write_bytes(content)
    return paths
