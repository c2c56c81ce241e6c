"""Experiments as a browser shows them: figures with their numbers, tables to save, specs and columns."""

import csv
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from harness.trials.answers import KIND
from tests.report.page.browser import figure, luminance, media, unfold
from tests.report.page.experiments import SPECS

if TYPE_CHECKING:
    from tests.support.project import Project


def test_a_figure_is_shown_in_full_size_from_the_keyboard(page: Chrome) -> None:
    figure(page, "cutoff").find_element(By.CLASS_NAME, "zoom").send_keys(Keys.ENTER)
    full = page.find_element(By.ID, "full")
    WebDriverWait(page, 60).until(lambda _: full.is_displayed(), "it is not shown")
    picture = full.find_element(By.TAG_NAME, "svg")
    assert picture.size["width"] >= 864 and picture.find_elements(By.TAG_NAME, "text")
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    assert not full.is_displayed()


def test_a_mark_says_its_numbers_where_it_is_pointed_at_and_by_the_arrow_keys(page: Chrome) -> None:
    """Of the few settings of one experiment all are reached."""
    shown = figure(page, "cutoff")
    marks, said = shown.find_elements(By.CLASS_NAME, "point"), shown.find_element(By.CLASS_NAME, "mark")
    ActionChains(page).move_to_element(marks[0]).perform()
    WebDriverWait(page, 60).until(lambda _: "queries answered ⊥ " in said.text, "nothing is said")
    first, picture = said.text, shown.find_element(By.CLASS_NAME, "picture")
    seen = {first}
    for _ in marks[1:]:
        picture.send_keys(Keys.ARROW_RIGHT)
        WebDriverWait(page, 60).until(lambda _: said.text not in seen, "the next is not said")
        seen.add(said.text)
    assert len(seen) == len(marks) > 1


def test_the_numbers_of_a_figure_are_a_table_and_are_saved(page: Chrome, downloads: Path) -> None:
    """Of few marks the table is open, and the same as what a command prints of it."""
    shown = figure(page, "cutoff")
    values = page.find_element(By.CSS_SELECTOR, "#experiment-cutoff .values")
    WebDriverWait(page, 60).until(lambda _: values.find_elements(By.CSS_SELECTOR, "tbody td"), "there is no table")
    cells = [[cell.text for cell in row.find_elements(By.XPATH, "*")] for row in values.find_elements(By.TAG_NAME, "tr")]
    assert len(cells) == 1 + len(shown.find_elements(By.CLASS_NAME, "point")) and values.get_dom_attribute("open") is not None
    shown.find_element(By.CLASS_NAME, "save").send_keys(Keys.ENTER)
    file = downloads / "cutoff.csv"
    WebDriverWait(page, 60).until(lambda _: file.is_file(), "it is not saved")
    assert list(csv.reader(file.read_text(encoding="utf-8").splitlines())) == cells


def test_data_and_pdf_are_linked_from_where_the_page_is(page: Chrome, file: Path) -> None:
    for name in ("cutoff", "small"):
        links = page.find_elements(By.CSS_SELECTOR, f"#experiment-{name} > dl a:not([href^='#'])")
        there = [file.parent / unquote(str(each.get_dom_attribute("href"))) for each in links]
        assert [path.name for path in there] == [f"{name}.parquet", f"{name}.pdf"] and all(path.is_file() for path in there)


def test_in_the_dark_figures_have_dark_ink_on_a_ground_that_is_less_light(page: Chrome) -> None:
    media(page, "dark")
    shown = figure(page, "cutoff")
    ground = luminance(shown.value_of_css_property("background-color"))
    inks = [luminance(each.value_of_css_property("fill")) for each in shown.find_elements(By.TAG_NAME, "text")]
    assert 0.5 < ground < 0.8 and inks and min((ground + 0.05) / (ink + 0.05) for ink in inks) >= 4.5


def test_figures_are_drawn(page: Chrome) -> None:
    """Each as wide as there is room, with letters, lines and a point for each row of its numbers."""
    for name in SPECS:
        shown = figure(page, name)
        drawing = shown.find_element(By.TAG_NAME, "svg")
        assert drawing.size["width"] > 400 and drawing.size["height"] > 150
        words = " ".join(each.text for each in drawing.find_elements(By.TAG_NAME, "text"))
        assert len(words) > 50 and len(drawing.find_elements(By.TAG_NAME, "path")) > 10
        assert drawing.find_elements(By.CLASS_NAME, "point")
        assert "Instance: " in shown.find_element(By.TAG_NAME, "figcaption").text


def test_of_a_table_it_says_where_it_is_and_what_prints_it(page: Chrome, measured: "Project") -> None:
    """And the file is small, as no table is in it."""
    said = str(page.find_element(By.CSS_SELECTOR, "#experiment-small > dl").get_property("textContent"))
    assert "results/runs/small.parquet" in said and "harness table experiments/small.yaml --csv" in said
    assert (measured.root / "results/runs/report.html").stat().st_size < 850_000 + 40_000 * len(SPECS)


def test_an_experiment_shows_its_spec_provenance_and_prices(page: Chrome, measured: "Project") -> None:
    search = page.find_element(By.ID, "experiment-search")
    for each in search.find_elements(By.TAG_NAME, "summary"):
        each.send_keys(Keys.ENTER)
    assert (measured.root / "experiments/search.yaml").read_text().strip() in search.text
    for word in ("fingerprint", "packages.numpy", "makes.seed", "n* within", "not private"):
        assert word in search.text


def test_an_experiment_leads_to_the_dictionary_of_its_columns_which_is_there_once_a_kind(page: Chrome) -> None:
    folded = page.find_element(By.ID, "columns-answers")
    assert len(page.find_elements(By.CSS_SELECTOR, "#columns details")) == 2  # of two kinds of trial
    assert folded.get_dom_attribute("open") is None and "halted_at" not in folded.text
    page.execute_script("document.getElementById('experiment-cutoff').open = true")
    unfold(page, page.find_element(By.CSS_SELECTOR, "#experiment-cutoff a[href='#columns-answers']"), folded)
    lines = folded.find_elements(By.CSS_SELECTOR, "tbody tr")
    assert [line.text.split()[0] for line in lines] == list(KIND.table)
    assert all(column.meaning in line.text for line, column in zip(lines, KIND.table.values(), strict=True))


def test_an_experiment_is_headed_by_what_was_found(page: Chrome, measured: "Project") -> None:
    """And by its topic where its spec says none, in the fold and for a screen reader."""
    most = int(measured.rows("cutoff")["bottoms"].max())
    for name, said in {"cutoff": f"At most {most} ⊥", "search": "n*"}.items():
        entry = page.find_element(By.ID, f"experiment-{name}")
        assert entry.find_element(By.TAG_NAME, "summary").text == f"{name}: {said}"
        assert f"{said}. " in str(entry.find_element(By.CLASS_NAME, "picture").get_dom_attribute("aria-label"))
