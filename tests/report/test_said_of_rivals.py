"""What captions and pages say of mechanisms that they compare is what the committed rows say.

tests/support/said.yaml has the words of captions, told.yaml those of the README and the pages, with their conditions. Those of
pages are asked on every change, those of captions every night.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from harness.report.evaluation import UnknownError, value
from harness.sweep.spec.expressions import names_in, tree
from tests.support.committed import ROOT, SPECS, content, rows_of
from tests.support.pages import all_of_it

CAPTIONS, PAGES = (
    yaml.safe_load((ROOT / f"tests/support/{name}.yaml").read_text(encoding="utf-8")) for name in ("said", "told")
)
OF_ONE = re.compile(r"(?:(\w+):)?(\w+)\[(\w+)\]")
"""Of one mechanism: the one value that it has in a column, or a mean, a sum of it."""
COMPARED = re.compile(
    r"\b(fewest|is next|beats?|wins?|cheap(er|est)|better|worse|lower one|doubles|as often|errs? (at )?(least|less|more)"
    r"|times the (points|examples)|times what|(needs?|takes?|costs?|names?) [^.;:]*\b(fewer|less|least|more|most|times|twice)"
    r"|misses [^.;:]*\b(times|twice|thirds))\b"
)
"""That one of several mechanisms is better."""


@cache
def rows(experiment: str) -> pd.DataFrame:
    return rows_of(experiment)


def see(path: Path) -> str:
    """What is to be seen in a figure of several mechanisms."""
    spec = content(path)
    return str(spec["figure"].get("see", "")) if len(spec.get("mechanisms", ())) > 1 else ""


def conditions(said: dict[str, Any]) -> Iterator[str]:
    """Those of all words, in full."""
    for words, texts in said.items():
        for text in texts if words != "where" else ():
            yield OF_ONE.sub(lambda one: f"{one[1] or 'only'}({one[2]}, mechanism == '{one[3]}')", text)


def holds(text: str, frame: pd.DataFrame) -> bool:
    try:
        return bool(value(text, frame, {}))
    except UnknownError:
        return False


def fallen(said: dict[str, Any], frame: pd.DataFrame) -> list[str]:
    """The conditions that rows do not keep to."""
    kept = frame[value(said["where"], frame, {})] if "where" in said else frame
    return [text for text in conditions(said) if not holds(text, kept)]


BY_NIGHT = ("page crossover",)
"""Has thousands of cells."""
EVERY = [
    pytest.param(said, experiment, id=name, marks=pytest.mark.law if kind == "caption" or name in BY_NIGHT else ())
    for kind, each in (("caption", CAPTIONS), ("page", PAGES))
    for experiment, said in each.items()
    for name in [f"{kind} {experiment}"]
]


@pytest.mark.parametrize(("said", "experiment"), EVERY)
def test_what_is_said_of_rivals_is_what_the_committed_rows_say(said: dict[str, Any], experiment: str) -> None:
    assert fallen(said, rows(experiment)) == []


@pytest.mark.law
@pytest.mark.parametrize(("said", "experiment"), EVERY)
def test_each_condition_falls_where_the_rows_say_otherwise(said: dict[str, Any], experiment: str) -> None:
    """With one column a thousand times as large, or as small, or 1 throughout, for one of the mechanisms or for all."""
    frame = rows(experiment)
    kept = frame[value(said["where"], frame, {})] if "where" in said else frame
    assert [text for text in conditions(said) if all(holds(text, other) for other in changed(kept, text))] == []


def changed(frame: pd.DataFrame, text: str) -> Iterator[pd.DataFrame]:
    """Rows as they are but for the numbers in one of the columns that a condition names."""
    for name in (each for each in frame.select_dtypes("number") if each in names_in(tree(text))):
        values = frame[name].to_numpy(np.float64, na_value=np.nan)
        for mechanism in (None, *frame["mechanism"].unique()):
            own = (frame["mechanism"] == mechanism) | (mechanism is None)
            for other in (1e3 * values, 1e-3 * values, 1.0):
                yield frame.assign(**{name: np.where(own, other, values)})


def test_the_words_stand_where_they_are_said_to() -> None:
    captions = {path.stem: see(path) for path in SPECS}
    pages = " ".join(all_of_it().split())
    places = [(captions[name], words) for name, said in CAPTIONS.items() for words in said]
    places += [(pages, words) for said in PAGES.values() for words in said]
    assert [words for place, words in places if words != "where" and words not in place] == []


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_caption_says_that_one_is_better_and_nothing_makes_it_so(path: Path) -> None:
    left = see(path)
    for words in CAPTIONS.get(path.stem, {}).keys() - {"where"}:
        left = left.replace(words, "")
    assert [each for each in re.split(r"(?<=[.:?!;])\s+", left) if COMPARED.search(each)] == []
