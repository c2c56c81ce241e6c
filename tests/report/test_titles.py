"""Titles of all that is committed: each finding is said of its table, and no number in it is there without a reason."""

import re
from string import Formatter

import pytest

from harness.report.figures.caption import Caption, caption_of
from harness.report.headline import finding
from harness.report.settings import View
from harness.sweep.spec.figure_spec import FindingSpec
from harness.text import one_line
from tests.support.committed import NAMES, ROOT, SHORT, SHORT_OF, SPECS, content, rows_of, sweep_of

LONGEST = 120  # characters: two lines of a slide
NAMED = re.compile(r"(Theorem|Corollary|Lemma|Section)s? \d+(\.\d+)?( and \d+(\.\d+)?)?|BTT18a?|BCMNUW20|DR14")
"""Numbers that name something."""
FORMULA = re.compile(r"a\* \+ 1|1/α|1/4n|max\(1, 3B\)|3B|1/\(γt\)")
"""Numbers that are part of what the theory names."""

BELOW = re.compile(r"(at most|no more than|below|less than|within) \{(\w+)(:[^}]*)?\}", re.IGNORECASE)
ABOVE = re.compile(r"(at least|no less than|(?<!no )more than|above) \{(\w+)(:[^}]*)?\}", re.IGNORECASE)


def found(name: str) -> FindingSpec:
    return FindingSpec.model_validate(content(ROOT / f"experiments/{name}.yaml")["figure"]["finding"])


DEAR = {"map", "fewest_points"}  # of thousands of cells
EACH_PLOT = sorted({path.stem for plot, path in SHORT_OF.items() if plot not in DEAR} - {*SHORT})
FINDINGS = [path.stem for path in SPECS if "finding" in content(path)["figure"]]


def test_every_title_is_a_finding() -> None:
    assert FINDINGS == NAMES


@pytest.mark.at_once(*SHORT, *EACH_PLOT)
@pytest.mark.parametrize("name", FINDINGS)
def test_a_title_is_what_the_committed_rows_say_and_the_caption_what_the_spec_does(name: str) -> None:
    rows, view = rows_of(name), View.of(sweep_of(name))
    said = view.figure.finding
    assert said == found(name)
    title = finding(rows, said)  # falls where a condition does not hold
    assert title == one_line(title) and len(title) <= LONGEST and not title.endswith(".")
    assert (ROOT / f"figures/{name}.tex").read_text("utf-8") == caption_of(Caption.of(rows, view, title).text(), view)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_number_in_a_title_is_of_its_rows_or_a_condition_asks_for_it(name: str) -> None:
    """Or it names something, such as a theorem."""
    said = found(name)
    literal = FORMULA.sub("", NAMED.sub("", " ".join(text for text, *_ in Formatter().parse(said.says))))
    conditions = [float(each) for text in (*said.holds, *said.numbers.values()) for each in re.findall(r"\d+(?:\.\d+)?", text)]
    assert [each for each in re.findall(r"\d+(?:\.\d+)?", literal) if float(each) not in conditions] == []


@pytest.mark.parametrize("name", FINDINGS)
def test_a_number_that_is_a_limit_is_rounded_to_the_side_on_which_it_is_true(name: str) -> None:
    said = found(name)
    for words, way in ((BELOW, "up"), (ABOVE, "down")):
        wrong = [each for _, each, form in words.findall(said.says) if each in said.numbers and not form.endswith(way)]
        assert wrong == []
