"""What figures on disk and pictures on a page have in common: they are drawings, of few colours."""

from PIL import Image


def of_few_colours(image: Image.Image, colours: int) -> Image.Image:
    """The picture with so many colours at most, from 1 to 256, none of them mixed by dots."""
    return image.convert("RGB").quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
