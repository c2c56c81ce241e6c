"""Headless Chromium, Debian's, as a reader of the report has it."""

import base64
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000")


@contextmanager
def chromium(downloads: Path) -> Iterator[Chrome]:
    """A browser that saves into a folder. Skips the test where there is none, but not in CI, which has to have one."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (browser and driver):
        assert "CI" not in os.environ, "CI needs chromium and chromium-driver"
        pytest.skip("needs Debian's chromium and chromium-driver")
    options = ChromeOptions()
    options.binary_location = browser
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    found = Chrome(options, Service(driver))
    try:
        yield found
    finally:
        found.quit()


def media(page: Chrome, scheme: str = "light", kind: str = "screen") -> None:
    """Show the page as on a light or dark screen, or in print."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})


def show(browser: Chrome, file: Path) -> None:
    """Open a page and wait until all of it is there: a driver may come back from a large one while it is still read."""
    browser.get("about:blank")
    browser.get(file.as_uri())
    script = "return document.URL === arguments[0] && document.readyState === 'complete'"
    WebDriverWait(browser, 60).until(lambda it: it.execute_script(script, file.as_uri()), "the page is not read to its end")


def unfold(page: Chrome, link: WebElement, folded: WebElement) -> None:
    """Follow a link to what is folded away, and wait until the page has heard where it is."""
    link.send_keys(Keys.ENTER)
    WebDriverWait(page, 60).until(lambda _: folded.get_dom_attribute("open") is not None, "it stays folded away")


def console(page: Chrome) -> list[str]:
    """What it has said since it was last asked."""
    return [entry["message"] for entry in page.get_log("browser")]  # type: ignore[no-untyped-call]


def printed(page: Chrome) -> bytes:
    """The page as a PDF."""
    answer: dict[str, Any] = page.execute_cdp_cmd("Page.printToPDF", {})
    return base64.b64decode(answer["data"])


def spoken(page: Chrome) -> list[dict[str, Any]]:
    """What a screen reader is given, node by node, once the page's headings are in it: the browser takes its own time."""

    def nodes(page: Chrome) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        headings = [node for node in found if not node["ignored"] and node["role"]["value"] == "heading"]
        shown = [each for each in page.find_elements("css selector", "h1, h2, h3, h4") if each.is_displayed()]
        return found if len(headings) >= len(shown) else []

    page.execute_cdp_cmd("Accessibility.enable", {})
    return WebDriverWait(page, 60).until(nodes, "no tree for a screen reader")


class Tags(HTMLParser):
    """Every tag's attributes, and the text of titles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def luminance(colour: str) -> float:
    """Of a CSS rgb(…), as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def rows(page: Chrome) -> list[list[str]]:
    """The cells of the rows that are shown, top down."""
    script = """return Array.from(document.querySelectorAll("#verdicts tbody tr:not([hidden])"),
                                 row => Array.from(row.cells, cell => cell.textContent.trim()))"""
    shown: list[list[str]] = page.execute_script(script)
    return shown


def heading(page: Chrome, name: str) -> Any:
    page.execute_script("document.getElementById('table').open = true")
    return page.find_element(By.XPATH, f"//table[@id='verdicts']//th[button='{name}']/button")


def column(page: Chrome, name: str) -> list[str]:
    names = [each.get_property("textContent") for each in page.find_elements(By.CSS_SELECTOR, "#verdicts thead th")]
    return [row[names.index(name)] for row in rows(page)]


def shown(page: Chrome) -> str:
    return page.find_element(By.ID, "shown").text


def figure(page: Chrome, name: str) -> WebElement:
    """The figure of an experiment, opened and unpacked."""
    page.execute_script("document.getElementById(`experiment-${arguments[0]}`).open = true", name)
    found = page.find_element(By.CSS_SELECTOR, f"#experiment-{name} figure")
    WebDriverWait(page, 60).until(lambda _: found.find_elements(By.CSS_SELECTOR, ".picture svg"), "it is not unpacked")
    return found
