"""The report as a browser shows it: its answers, sorting, filtering and links, and no foreign script."""

import re

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness.claims.registry import claims, errata
from harness.report.calculators import plan
from harness.report.errata import assembled
from harness.report.style import style
from tests.report.page.browser import column, console, figure, heading, rows, shown, unfold
from tests.report.page.experiments import HOSTILE


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
    assert best.wins and f"{style(best.wins).legend}: at most {best.plans[best.wins].bound:.2g} wrong" in said
    cut = "return Array.from(document.querySelectorAll('#answers .wide'), each => each.scrollWidth - each.clientWidth)"
    assert max(page.execute_script(cut)) <= 0


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


def test_what_was_found_leads_to_where_it_stands(page: Chrome) -> None:
    (line,) = page.find_element(By.ID, "found").find_elements(By.TAG_NAME, "li")  # of these experiments there is no other
    assert assembled([], [], {}).counted in line.text
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
