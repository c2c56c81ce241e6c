"""What `harness claims --coverage` says: every place of every paper, and what answers for it, or why nothing has to."""

import json
from collections.abc import Iterator, Mapping
from pkgutil import resolve_name

from rich.console import Console

from harness.claims.engine import Passage
from harness.claims.registry import claims, errata
from harness.registry import PartError, nearest, parts, place
from harness.report.grids import Sheet

HEADINGS = ("place", "what it says", "answered by")
SORT = "place of a text"


def places() -> Mapping[str, Passage]:
    """All places of the papers' texts, by name and paper by paper, each with the claims, errata and parts that answer for it.
    Raises PartError where one names a claim, erratum or part that is not there.
    """
    passages: Mapping[str, Passage] = parts(SORT)
    all_claims, all_errata = claims(), errata()
    for name, passage in passages.items():
        for ids, registered in ((passage.claims, all_claims), (passage.errata, all_errata)):
            for id in (id for id in ids if id not in registered):
                raise PartError(f"{place(SORT, name)}: {name} names {id!r}; {nearest(id, list(registered))}")
        for part in passage.parts:
            try:
                resolve_name(part)
            except (ImportError, AttributeError) as error:
                raise PartError(f"{place(SORT, name)}: {name} names {part!r}: {error}") from None
    return passages


def answered(passage: Passage) -> str:
    """The claims, errata and parts that answer for a place of a text, or why nothing has to, as one line."""
    return passage.reason or "; ".join((*passage.claims, *(f"erratum {id}" for id in passage.errata), *passage.parts))


def counted() -> Iterator[str]:
    """A line for each paper: how many places it has, and for how many of them claims answer, parts alone, or nothing."""
    passages = places().values()
    for paper in dict.fromkeys(each.paper for each in passages):
        of_paper = [each for each in passages if each.paper == paper]
        judged, without = (
            sum(bool(each.claims or each.errata) for each in of_paper),
            sum(bool(each.reason) for each in of_paper),
        )
        parts_alone = len(of_paper) - judged - without
        sentence = f"claims and errata speak of {judged}, parts of the program are {parts_alone}, {without} need neither"
        yield f"{paper}: {len(of_paper)} places; {sentence}"


def show_coverage(console: Console, as_json: bool) -> None:
    """Prints a line for each place of a text, and the counts by paper."""
    if as_json:
        names = ("place", "what", "claims", "errata", "parts", "reason")
        rows = [{name: getattr(each, name) for name in names} for each in places().values()]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    grid = Sheet("", HEADINGS)
    for passage in places().values():
        grid.add_row(passage.place, passage.what, answered(passage))
    console.print(grid)
    for line in counted():
        console.print(line)
