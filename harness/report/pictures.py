"""What figures on disk and pictures on a page have in common: they are drawings, of few colours."""

from io import BytesIO
from pathlib import Path

from PIL import Image

SHRUNK = 2  # a screen has half the dots of a figure's print
WIDEST = 820  # pixels
EFFORT = 20  # of 100, to make a picture small: 25 takes half as long again for a tenth less
LEVELS = (0, 85, 170, 255)
"""What a screen needs of each of red, green and blue: the colours of the figures stay apart, and faint grids are left out."""

NEAREST = [min(LEVELS, key=lambda level: abs(level - each)) for each in range(256)]


def of_few_colours(image: Image.Image, colours: int) -> Image.Image:
    """The picture with so many colours at most, from 1 to 256, none of them mixed by dots."""
    return image.convert("RGB").quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def for_a_screen(picture: Path | BytesIO) -> tuple[int, int, bytes]:
    """A drawing as a screen needs it: width and height in pixels, and a WebP. Raises OSError where it is no picture."""
    written = BytesIO()
    with Image.open(picture) as image:
        times = max(SHRUNK, image.width / WIDEST)
        size = (round(image.width / times), round(image.height / times))
        small = image.convert("RGB").resize(size, Image.Resampling.BOX, reducing_gap=1).point(NEAREST * 3)
    small.save(written, "webp", lossless=True, quality=EFFORT)
    return small.width, small.height, written.getvalue()
