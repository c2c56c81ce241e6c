"""What stands for a figure where a test is not about it: a picture that any program opens, or files that say whose they are."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from PIL import Image

from harness.report.stored import FORMATS
from harness.sweep.files.ownership import MARKS

if TYPE_CHECKING:
    from harness.report.settings import View

CAPTION = b"% drawn as 0123456789ab\n"
"""What a caption says of the figure beside it, whatever that holds."""


def blank(path: Path | BytesIO) -> None:
    """Write a small white one, as PNG, whatever the path ends with."""
    Image.new("L", (16, 16), 255).save(path, "png")


def stand_in(frame: pd.DataFrame, view: "View", formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
    """What `rendered` might give, in no time."""
    made = {"tex": CAPTION, "svg": b'<svg width="16" height="16" %b/>' % MARKS[".svg"]}
    return {suffix: made.get(suffix) or MARKS[f".{suffix}"] for suffix in formats}
