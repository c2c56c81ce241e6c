"""The report as a browser shows it: sorting, filtering, links, tables to save, keyboard, dark, print, and no foreign script."""

import csv
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from harness.claims.registry import claims, errata
from harness.report.calculators import plan
from harness.report.errata import counted, entries
from harness.trials.answers import KIND
from tests.report.browser import Tags, chromium, console, luminance, media, printed, show, spoken, unfold
from tests.report.experiments import HOSTILE, SPECS

if TYPE_CHECKING:
    from tests.support.project import Harness, Project, Said


@pytest.fixture(scope="module")
def measured(module_project: "Project") -> "Project":
    """A project with its tables."""
    specs = [module_project.spec(name, **changes) for name, changes in SPECS.items()]
    ran = module_project.process("run", *specs, "--serial")
    assert (ran.code, ran.err) == (0, "")
    return module_project


@pytest.fixture(scope="module")
def written(measured: "Project") -> "Said":
    """Its report, in results/runs/report.html."""
    return measured.process("report")


@pytest.fixture(scope="module")
def file(measured: "Project", written: "Said") -> Path:
    assert (written.code, written.err) == (0, "")
    return measured.root / "results/runs/report.html"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser saves."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(downloads: Path) -> Iterator[Chrome]:
    with chromium(downloads) as browser:
        yield browser


@pytest.fixture
def page(browser: Chrome, file: Path) -> Iterator[Chrome]:
    """The report, just opened. Whatever a test does with it, the console stays empty."""
    media(browser)
    show(browser, file)
    yield browser
    assert console(browser) == []


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


def test_it_says_what_it_wrote(written: "Said", file: Path) -> None:
    size = f"{file.stat().st_size / 1e6:.1f} MB"
    assert re.fullmatch(rf"results/runs/report\.html: \d+ claims, {len(SPECS)} experiments, {size}\n", written.out)


def test_the_same_tables_give_the_same_page(measured: "Project", file: Path) -> None:
    again = measured.process("report", "--html", "results/runs/again.html")
    assert again.code == 0
    assert (file.parent / "again.html").read_bytes() == file.read_bytes()


@pytest.mark.usefixtures("file")
def test_of_some_specs_only_their_claims(measured: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(measured.root)
    ended = harness("report", "experiments/cutoff.yaml", "--html", "some.html")
    assert ended.out.startswith("some.html: 2 claims, 1 experiments")


def test_of_an_untested_claim_it_says_why(file: Path) -> None:
    assert "<dt>Untested</dt><dd>no experiment asks for it</dd>" in file.read_text(encoding="utf-8")


def test_nothing_is_fetched_and_what_a_spec_says_is_text(file: Path) -> None:
    """Also without a browser: no address but within the file or of one beside it, one script, no handler, no hostile tag."""
    text = file.read_text(encoding="utf-8")
    tags = Tags(text).tags
    addresses = [value or "" for _, attributes in tags for key, value in attributes.items() if key in ("href", "src")]
    others = [address for address in addresses if not address.startswith(("#", "data:"))]
    assert others and all(re.fullmatch(r"(\.\./)*[\w/]+\.(parquet|pdf)", address) for address in others)
    assert [tag for tag, _ in tags].count("script") == [tag for tag, _ in tags].count("style") == 1
    assert not [key for _, attributes in tags for key in attributes if key.startswith("on") or key == "style"]
    assert "<img src=x" not in text and "window.broken" in text and "{{" in text


def test_the_browser_runs_no_other_script(page: Chrome) -> None:
    assert page.execute_script("return window.broken") is None
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    question = page.find_element(By.CSS_SELECTOR, "#experiment-hostile .statement")
    assert str(question.get_property("textContent")).strip() == HOSTILE.strip()
    drawing = figure(page, "hostile")
    assert HOSTILE in str(drawing.find_element(By.CLASS_NAME, "picture").get_dom_attribute("aria-label"))
    assert not drawing.find_elements(By.CSS_SELECTOR, "img, script")
    page.execute_script("document.body.append(Object.assign(document.createElement('script'), {text: 'window.broken = 3'}))")
    assert page.execute_script("return window.broken") is None
    (refused,) = console(page)
    assert "Content Security Policy" in refused


def test_a_heading_sorts_up_then_down_and_what_has_no_number_stays_last(page: Chrome) -> None:
    before = rows(page)
    for direction in ("ascending", "descending"):
        heading(page, "slack").click()
        slacks = column(page, "slack")
        numbers = [float(slack.strip("> ×")) for slack in slacks if slack]
        assert len(numbers) > 3
        assert all(slacks[: len(numbers)]) and not any(slacks[len(numbers) :])
        assert numbers == sorted(numbers, reverse=direction == "descending")
        sorts = page.find_elements(By.CSS_SELECTOR, "#verdicts th[aria-sort]:not([aria-sort=none])")
        assert [(each.text, each.get_dom_attribute("aria-sort")) for each in sorts] == [("slack", direction)]
    assert sorted(rows(page)) == sorted(before)


def test_ids_sort_by_their_numbers_from_the_keyboard(page: Chrome) -> None:
    heading(page, "claim").send_keys(Keys.ENTER)
    ids = [name for name in column(page, "claim") if re.fullmatch(r"BTT18:T\d\.\d+", name)]
    assert ids == sorted(ids, key=lambda name: [int(number) for number in re.findall(r"\d+", name)]) and len(ids) > 5
    assert page.find_element(By.CSS_SELECTOR, "th[aria-sort=ascending]").text == "claim"


def test_words_and_verdicts_filter(page: Chrome) -> None:
    everything = len(rows(page))
    assert shown(page) == f"{everything} of {everything} claims"
    words = page.find_element(By.ID, "words")
    words.send_keys("A2-cutoff REFUTED")
    assert column(page, "claim") == ["BTT18:A2-cutoff"]
    assert shown(page) == f"1 of {everything} claims"
    words.clear()
    words.send_keys(" ")
    refuted = page.find_element(By.CSS_SELECTOR, "input[value=refuted]")
    refuted.click()
    assert 0 < len(rows(page)) < everything and not any(verdict.startswith("refuted") for verdict in column(page, "verdict"))
    refuted.click()
    page.find_element(By.ID, "unexpected").click()
    unexpected = column(page, "verdict")
    assert unexpected and all(", it should " in verdict for verdict in unexpected)  # untested here, where few experiments are


def test_each_claim_stands_with_its_statement_by_its_theorem(page: Chrome) -> None:
    """What belongs to a theorem is within it; each under its own id, which is its address."""
    script = """return Array.from(document.querySelectorAll("#summary article"), each => [each.id,
                  each.querySelector(".statement").textContent, each.closest(".theorem").id])"""
    found = page.execute_script(script)
    assert {id: said for id, said, _ in found} == {id: claim.statement for id, claim in claims().items()}
    within = {id: theorem for id, _, theorem in found}
    assert within["BTT18:T3.2-real"] == within["BTT18:T3.2"] == "theorem-BTT18:T3.2"
    assert all(within[claim.of] == within[id] for id, claim in claims().items() if claim.of)


def test_the_first_screen_answers_three_questions(page: Chrome) -> None:
    first = page.find_element(By.CSS_SELECTOR, "main section")
    assert first.get_dom_attribute("id") == "answers"
    asked = [each.text for each in first.find_elements(By.TAG_NAME, "h2")]
    assert asked == ["Does it hold, and how loose is it?", "What is wrong in the papers?", "What should I use?"]
    said = " ".join(first.text.split())
    wrong = list(errata().values())
    for severity in {each.severity for each in wrong}:
        assert f"{severity}: {sum(each.severity == severity for each in wrong)}" in said
    assert all(each.title in said for each in wrong if each.severity.startswith("conclusion false"))
    best = plan(n=10**6, m=1000)
    assert best.wins and f"{best.wins}, at most {best.plans[best.wins].bound:.2g} wrong" in said


def test_before_anything_is_opened_there_is_a_tenth_of_the_words(page: Chrome) -> None:
    counts = "return [document.body.innerText, document.body.textContent].map(text => text.split(/\\s+/).length)"
    shown, all_of_them = page.execute_script(counts)
    assert 200 < shown < all_of_them / 10


def test_what_is_asked_for_is_in_the_address(page: Chrome) -> None:
    everything = len(rows(page))
    page.find_element(By.ID, "words").send_keys("A2-cutoff")
    page.find_element(By.CSS_SELECTOR, "input[value=untested]").click()
    address, few = page.current_url, column(page, "claim")
    assert "words=A2-cutoff" in address and 0 < len(few) < everything
    page.get("about:blank")
    page.get(address)
    assert column(page, "claim") == few and page.find_element(By.ID, "words").get_property("value") == "A2-cutoff"
    shown = "return Array.from(document.querySelectorAll('#summary article:not([hidden])'), each => each.id)"
    assert set(page.execute_script(shown)) == set(few)
    page.get("about:blank")
    page.get(f"{address}#BTT18:T2.4")  # a permalink shows its claim, whatever is asked for
    assert page.find_element(By.ID, "BTT18:T2.4").is_displayed()


def figure(page: Chrome, name: str) -> WebElement:
    """The figure of an experiment, opened and unpacked."""
    page.execute_script("document.getElementById(`experiment-${arguments[0]}`).open = true", name)
    found = page.find_element(By.CSS_SELECTOR, f"#experiment-{name} figure")
    WebDriverWait(page, 60).until(lambda _: found.find_elements(By.CSS_SELECTOR, ".picture svg"), "it is not unpacked")
    return found


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


def test_what_was_found_leads_to_where_it_stands(page: Chrome) -> None:
    (line,) = page.find_element(By.ID, "found").find_elements(By.TAG_NAME, "li")  # of these experiments there is no other
    assert counted(entries([], [], {})) in line.text
    assert line.find_element(By.TAG_NAME, "a").get_dom_attribute("href") == "#errata"


def test_a_filter_finds_what_only_the_statement_says(page: Chrome) -> None:
    page.find_element(By.ID, "words").send_keys("answers all m queries without halting")
    assert "BTT18:T3.2" in column(page, "claim") and len(rows(page)) < 10


def test_every_link_leads_somewhere(page: Chrome) -> None:
    script = """return Array.from(document.querySelectorAll("a[href^='#']"), each => each.getAttribute("href"))
                  .filter(href => !document.getElementById(href.slice(1)))"""
    assert page.execute_script(script) == []
    page.execute_script("document.getElementById('table').open = true")
    link, claim = page.find_element(By.LINK_TEXT, "BTT18:A2-cutoff"), page.find_element(By.ID, "BTT18:A2-cutoff")
    unfold(page, link, claim.find_element(By.XPATH, "ancestor::details"))
    assert page.current_url.endswith("#BTT18:A2-cutoff")
    assert -1 <= page.execute_script("return arguments[0].getBoundingClientRect().top", claim) < 100
    for word in ("refuted", "Algorithm 2", "harness replay cutoff/", "at most T"):
        assert word in claim.text
    claim.find_element(By.LINK_TEXT, "cutoff").click()
    assert page.current_url.endswith("#experiment-cutoff")


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


def test_errata_stand_between_the_theorems_and_the_experiments(page: Chrome) -> None:
    """Each with its severity, the quotations, what shows it, and the repairs with their verdicts."""
    titles = [each.get_dom_attribute("id") for each in page.find_elements(By.CSS_SELECTOR, "main section")]
    assert titles.index("summary") < titles.index("errata") < titles.index("experiments")
    for known in errata().values():
        said = page.find_element(By.ID, f"erratum-{known.id}")
        text = " ".join(str(said.get_property("textContent")).split())
        assert [part for part in (known.title, known.severity, known.why, known.answer) if part not in text] == []
        assert len(said.find_elements(By.TAG_NAME, "q")) == len(known.quotes)
        links = [each.get_dom_attribute("href") for each in said.find_elements(By.TAG_NAME, "a")]
        assert links == [f"#{id}" for id in (*known.claims, *known.repairs)]


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
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_nothing_to_report_is_an_error_of_one_line(project: "Project", harness: "Harness") -> None:
    ended = harness("report")
    assert (ended.code, ended.err) == (4, "error: there is nothing to report: no tables in results/runs/ or results/\n")
    assert project.files() == set()


@pytest.mark.usefixtures("file")
def test_a_page_that_cannot_be_written_is_an_error_of_one_line(
    measured: "Project", harness: "Harness", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.root)
    places = {"experiments/small.yaml/report.html": (2, "there is no folder"), "experiments": (4, "cannot be written")}
    for where, (code, told) in places.items():  # its folder is a file; it is a folder itself
        ended = harness("report", "experiments/cutoff.yaml", "--html", where)
        assert ended.code == code and ended.err.count("\n") == 1 and told in ended.err, ended.err
