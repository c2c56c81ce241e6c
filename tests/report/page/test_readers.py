"""Who else reads: by keyboard, by ear, in the dark, on paper, on a narrow screen."""

from itertools import pairwise

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.report.page.browser import figure, luminance, media, printed, spoken

READ = 9
"""Pixels, of a letter's height, that are read on a small screen."""


def test_the_first_tab_offers_to_skip_and_all_can_be_reached(page: Chrome) -> None:
    ActionChains(page).send_keys(Keys.TAB).perform()
    skip = page.switch_to.active_element
    assert skip.text == "Skip to the verdicts" and skip.location["x"] >= 0
    page.execute_script("document.getElementById('table').open = true")
    skip.send_keys(Keys.ENTER)
    reached = set()
    for _ in range(24):
        ActionChains(page).send_keys(Keys.TAB).perform()
        focused = page.switch_to.active_element
        reached.add(focused.get_dom_attribute("id") or focused.text)
        assert page.execute_script("return getComputedStyle(arguments[0]).outlineStyle", focused) != "none"
    assert {"words", "unexpected", "claim", "slack", "verdict"} <= reached


def test_a_screen_reader_finds_names(page: Chrome) -> None:
    """Of every image, control and table that can be reached; headings of each level within one of the level above."""
    for each in ("#table", ".theorem", "#experiment-cutoff"):
        page.execute_script("document.querySelector(arguments[0]).open = true", each)
    tree = spoken(page)
    named = ("image", "img", "button", "link", "checkbox", "searchbox", "table", "region", "article", "heading", "search")
    nodes = [node for node in tree if not node["ignored"] and node["role"]["value"] in named[:-1]]
    roles = {node["role"]["value"] for node in nodes}
    assert {"button", "link", "checkbox", "searchbox", "table", "article", "heading"} <= roles and roles & {"image", "img"}
    assert [node["role"]["value"] for node in nodes if not node.get("name", {}).get("value", "").strip()] == []
    levels = [int(each.tag_name[1]) for each in page.find_elements(By.CSS_SELECTOR, "h1, h2, h3, h4")]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.find_element(By.ID, "shown").aria_role == "status"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(page: Chrome, scheme: str) -> None:
    """WCAG AA: a contrast of at least 4.5."""
    media(page, scheme)
    page.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    colour = "return getComputedStyle(arguments[0])[arguments[1]]"
    paper = luminance(page.execute_script(colour, page.find_element(By.TAG_NAME, "body"), "backgroundColor"))
    assert (paper > 0.5) == (scheme == "light")
    for selector in ("body", "dt", "a", "caption", "summary", ".outcome.holds", ".outcome.refuted", ".outcome.untested"):
        ink = luminance(page.execute_script(colour, page.find_element(By.CSS_SELECTOR, selector), "color"))
        light, dark = sorted((ink, paper), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, selector


def test_in_print_there_are_no_controls(page: Chrome) -> None:
    media(page, "dark", "print")
    assert not page.find_element(By.ID, "filter").is_displayed()
    assert page.find_element(By.CSS_SELECTOR, "#answers table").is_displayed()
    background = "return getComputedStyle(document.body).backgroundColor"
    assert page.execute_script(background) == "rgb(255, 255, 255)"
    media(page)
    assert printed(page).startswith(b"%PDF") and page.find_element(By.ID, "filter").is_displayed()


def test_a_narrow_screen_scrolls_tables_not_the_page_and_shows_each_verdict(page: Chrome) -> None:
    page.execute_script("document.getElementById('table').open = true")
    ends = """return Array.from(document.querySelectorAll("#verdicts .outcome, #answers .outcome, #answers li"),
                                each => each.getBoundingClientRect().right)"""
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 400, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= 400
        assert 0 < min(page.execute_script(ends)) and max(page.execute_script(ends)) <= 400
        shown = figure(page, "cutoff")  # scrolls within itself, so that its letters are not too small to be read
        letters = "return Array.from(arguments[0].querySelectorAll('.picture text'), each => each.getBoundingClientRect())"
        sizes = [size for box in page.execute_script(letters, shown) if (size := max(box["width"], box["height"])) > 0]
        assert len(sizes) > 10 and min(sizes) >= READ
        wide = shown.find_element(By.TAG_NAME, "svg").size["width"]
        assert page.execute_script("return document.documentElement.scrollWidth") <= 400 < wide
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
