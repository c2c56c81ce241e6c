"""Pictures on a page: what is told apart by colour in a figure is told apart there."""

from pathlib import Path

from PIL import Image, ImageColor

from harness.report.looks import LOOKS, SPARE
from harness.report.pictures import LEVELS, WIDEST, for_a_screen
from harness.report.style import SCALE

PALETTE = [*dict.fromkeys(colour for colour, _ in LOOKS.values()), *SCALE, *SPARE]


def test_the_colours_of_figures_stay_apart_and_have_few_levels(tmp_path: Path) -> None:
    """Each is drawn as a square of its own."""
    drawn = Image.new("RGB", (40 * len(PALETTE), 40))
    for place, colour in enumerate(PALETTE):
        drawn.paste(ImageColor.getrgb(colour), (40 * place, 0, 40 * place + 40, 40))
    drawn.save(tmp_path / "drawn.png")
    width, height, content = for_a_screen(tmp_path / "drawn.png")
    (tmp_path / "small.webp").write_bytes(content)
    with Image.open(tmp_path / "small.webp") as small:
        assert small.size == (width, height) == (20 * len(PALETTE), 20) and width <= WIDEST
        seen = [small.convert("RGB").getpixel((20 * place + 10, 10)) for place in range(len(PALETTE))]
    assert len(set(seen)) == len(PALETTE)
    assert {level for colour in seen if isinstance(colour, tuple) for level in colour} <= set(LEVELS)
