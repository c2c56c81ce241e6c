"""A figure as a small SVG for a page: attributes in place of styles, which a page's policy forbids, and with its numbers.

Its letters are text, in the figures' font or one as wide; what stands in `metadata` is what a page says where a reader points.
"""

import json
import re
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, fromstring, register_namespace, tostring

from harness.report.figures.values import MarkValues
from harness.report.style import FONT
from harness.sweep.files.ownership import MAKER

SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
register_namespace("", SVG)
FAMILY = f"{FONT}, Verdana, sans-serif"
DOTS = 96 / 72  # of a screen, to a point
PLACES = re.compile(r"-?\d+\.\d{2,}")
NUMBERED = ("d", "x", "y", "x1", "x2", "y1", "y2", "transform", "width", "height", "stroke-width", "stroke-dasharray", "points")
FONTS = re.compile(r"(?:(bold|italic|\d+)\s+)?([\d.]+)px .*")
DEFAULTS = {("text-anchor", "start"), ("stroke-linejoin", "miter"), ("stroke-linecap", "butt"), ("opacity", "1")}


def slim(written: bytes, values: MarkValues) -> bytes:
    """What matplotlib wrote, with a third of its letters, ids of its own, and the numbers of its marks."""
    root = fromstring(written)
    for each in [*root]:
        if _tag(each) in ("metadata", "title"):
            root.remove(each)
    _plain(root)
    width, height = (float(each) for each in root.attrib.pop("viewBox").split()[2:])
    mine = sha256(written).hexdigest()[:6]
    said = SubElement(root, f"{{{SVG}}}metadata")
    said.text = json.dumps(_said(values, width, height), ensure_ascii=False, separators=(",", ":"))
    root.attrib.clear()
    root.attrib |= {"data-maker": MAKER, "viewBox": f"0 0 {width:g} {height:g}", "font-family": FAMILY}
    root.attrib |= {"width": f"{width * DOTS:.0f}", "height": f"{height * DOTS:.0f}", "stroke-linejoin": "round"}
    return _named(tostring(root, encoding="unicode"), mine).encode()


def _said(values: MarkValues, width: float, height: float) -> dict[str, object]:
    """The table, and where its rows are in the picture, which is so large."""
    at = [[round(x * width, 1), round(y * height, 1)] for x, y in values.at]
    numbers = [int(each in values.numbers) for each in values.headings]
    return {
        "columns": [*values.headings],
        "numbers": numbers,
        "rows": [[*row] for row in values.rows],
        "at": at,
        "few": values.few,
    }


def _tag(each: Element) -> str:
    return each.tag.rpartition("}")[2]


def _plain(parent: Element) -> None:
    """Styles as attributes, numbers to a tenth of a dot, and nothing that only groups."""
    children: list[Element] = []
    for each in list(parent):
        _plain(each)
        if _tag(each) == "style":
            continue
        _attributes(each)
        if _tag(each) == "path" and each.attrib == {"d": each.get("d"), "fill": "#ffffff"}:
            continue  # the ground of the figure, or of a panel: a page has its own
        if _tag(each) == "g" and not each.attrib:
            children.extend(each)
        elif not (_tag(each) in ("g", "defs") and not len(each)):
            children.append(each)
    for each in list(parent):
        parent.remove(each)
    parent.extend(children)
    for each in children:
        each.tail = None
    if _tag(parent) != "text":
        parent.text = None


def _attributes(each: Element) -> None:
    given = each.attrib
    for pair in filter(None, (part.strip() for part in given.pop("style", "").split(";"))):
        name, _, value = (part.strip() for part in pair.partition(":"))
        if name == "font":
            found = FONTS.fullmatch(value)
            assert found, value
            given["font-size"] = found[2]
            if found[1] and found[1] != "400":
                given["font-weight"] = found[1]
        elif (name, value) not in DEFAULTS:
            given[name] = value
    if given.get("font-family", "").strip("'") == FONT:
        del given["font-family"]
    if _tag(each) == "g":
        given.pop("id", None)
    for name in NUMBERED:
        if name in given:
            given[name] = PLACES.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), " ".join(given[name].split()))
    if given.get("transform", "").startswith("rotate(-0"):
        del given["transform"]


def _named(text: str, mine: str) -> str:
    """Ids that are short and no other figure's, as all stand in one page."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', text))
    used = {name: f"{mine}{place}" for place, name in enumerate(ids)}
    return re.sub(r'(\bid="|#)([^")]+)', lambda found: found[1] + used.get(found[2], found[2]), text)
