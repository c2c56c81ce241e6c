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
    """A smaller form of an SVG from matplotlib: attributes in place of styles, ids of its own, marks' values as metadata."""
    root = fromstring(written)
    for element in [*root]:
        if _tag(element) in ("metadata", "title"):
            root.remove(element)
    _plain(root)
    width, height = (float(each) for each in root.attrib.pop("viewBox").split()[2:])
    mine = sha256(written).hexdigest()[:6]
    metadata = SubElement(root, f"{{{SVG}}}metadata")
    metadata.text = json.dumps(_said(values, width, height), ensure_ascii=False, separators=(",", ":"))
    root.attrib.clear()
    root.attrib |= {"data-maker": MAKER, "viewBox": f"0 0 {width:g} {height:g}", "font-family": FAMILY}
    root.attrib |= {"width": f"{width * DOTS:.0f}", "height": f"{height * DOTS:.0f}", "stroke-linejoin": "round"}
    return _named(tostring(root, encoding="unicode"), mine).encode()


def _said(values: MarkValues, width: float, height: float) -> dict[str, object]:
    """The table, and where its rows are in the picture, which is so large."""
    places = [[round(x * width, 1), round(y * height, 1)] for x, y in values.points]
    numbers = [int(each in values.numbers) for each in values.headings]
    return {
        "columns": [*values.headings],
        "numbers": numbers,
        "rows": [[*row] for row in values.rows],
        "at": places,
        "few": values.few,
    }


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _plain(parent: Element) -> None:
    """Styles as attributes, numbers to a tenth of a dot, and nothing that only groups."""
    children: list[Element] = []
    for child in list(parent):
        _plain(child)
        if _tag(child) == "style":
            continue
        _attributes(child)
        if _tag(child) == "path" and child.attrib == {"d": child.get("d"), "fill": "#ffffff"}:
            continue  # the ground of the figure, or of a panel: a page has its own
        if _tag(child) == "g" and not child.attrib:
            children.extend(child)
        elif not (_tag(child) in ("g", "defs") and not len(child)):
            children.append(child)
    for child in list(parent):
        parent.remove(child)
    parent.extend(children)
    for child in children:
        child.tail = None
    if _tag(parent) != "text":
        parent.text = None


def _attributes(element: Element) -> None:
    attributes = element.attrib
    for pair in filter(None, (part.strip() for part in attributes.pop("style", "").split(";"))):
        name, _, value = (part.strip() for part in pair.partition(":"))
        if name == "font":
            font = FONTS.fullmatch(value)
            assert font, value
            attributes["font-size"] = font[2]
            if font[1] and font[1] != "400":
                attributes["font-weight"] = font[1]
        elif (name, value) not in DEFAULTS:
            attributes[name] = value
    if attributes.get("font-family", "").strip("'") == FONT:
        del attributes["font-family"]
    if _tag(element) == "g":
        attributes.pop("id", None)
    for name in NUMBERED:
        if name in attributes:
            attributes[name] = PLACES.sub(
                lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), " ".join(attributes[name].split())
            )
    if attributes.get("transform", "").startswith("rotate(-0"):
        del attributes["transform"]


def _named(text: str, mine: str) -> str:
    """Ids that are short and no other figure's, as all stand in one page."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', text))
    used = {name: f"{mine}{place}" for place, name in enumerate(ids)}
    return re.sub(r'(\bid="|#)([^")]+)', lambda match: match[1] + used.get(match[2], match[2]), text)
