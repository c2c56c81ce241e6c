"""What stands for a figure where a test is not about it: a picture that any program can open."""

from pathlib import Path

from PIL import Image


def blank(path: Path) -> None:
    """Write a small white one, as PNG, whatever the path ends with."""
    Image.new("L", (16, 16), 255).save(path, "png")
