"""The report: all verdicts, claims and experiments as one HTML file that needs no network, and runs no script but its own.

Everything that is shown is in the file: each figure once, and small. Of tables it says where they are, how many rows they
have, and the command that prints them; of a claim with many decisions those that came nearest to another, and the command that
prints all.
Whatever a spec, a table or a claim contains is text, and the file's policy lets no other style or script in than its two.
"""

import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

import harness
from harness.report.errata import OF_READINGS, READINGS, assembled
from harness.report.findings import QUESTIONS, answered
from harness.report.html.answers import MAIN, MAIN_THEOREM, answers
from harness.report.html.figures import Figure, Figures
from harness.report.lines import (
    CELL_HEADINGS,
    COLUMN_HEADINGS,
    NUMBERS,
    cell_lines,
    column_line,
    price_headings,
)
from harness.report.measured import COLUMNS as CONSTANT_HEADINGS
from harness.report.measured import NOTE, OverRange, needed, of_constants
from harness.report.measured import NUMBERS as OF_CONSTANTS
from harness.report.one_claim import loose, worst
from harness.report.papers import by_paper, written
from harness.report.prices import price_lines, sought
from harness.report.settings import Settings
from harness.report.show import tally, vouched
from harness.report.siblings import by_theorem, limited
from harness.report.standing import broken_bounds, told_broken
from harness.report.stored import Stored
from harness.report.verdicts import Finding
from harness.sweep.files.atomic import replaced
from harness.sweep.files.object_store import Location
from harness.sweep.plugins import harness_command
from harness.text import printable

THEORY = "by the theory alone"
TOLD = 1  # decisions on a claim
HEADINGS = ("claim", "verdict", "measured", "bound", "slack")


@dataclass(frozen=True)
class JudgedAt:
    """Where a claim was judged: an experiment, or the theory alone, with one line a verdict."""

    experiment: str | None
    lines: list[tuple[str, ...]]


@dataclass(frozen=True)
class ClaimEntry:
    """A claim as the report's page has it.

    left: how many decisions are not among those of the places. shown: the experiment whose figure shows it. loose: how many
    times larger the bound is than what was measured, over all settings.
    """

    finding: Finding
    places: list[JudgedAt]
    left: int
    shown: str | None
    loose: str


@dataclass(frozen=True)
class ExperimentEntry:
    """An experiment as the report's page has it.
    printing: the command that prints its table, and tabled what its figure shows. drawing:
    what makes its figure as a PDF. data, pdf: where the files are from the page's folder; empty where there is none.

    prices: lines of n* or m*, if any. sought: which. owed: what is to be said of what mechanisms spend, and of bounds of their
    own that they break.
    """

    stored: Stored
    figure: Figure
    provenance: list[tuple[str, str]]
    printing: str
    tabled: str
    drawing: str
    data: str
    pdf: str
    claims: list[Finding]
    prices: list[tuple[str, ...]]
    sought: str
    owed: list[str]


def write(
    path: Location,
    stored: Sequence[Stored],
    figures: Figures,
    findings: Sequence[Finding],
    replays: Mapping[str, str],
    constants: Callable[[], OverRange],
    error: float,
) -> None:
    """Writes the report's page, whole or not at all, into a folder that is there.

    Raises CannotRunError when it cannot be written, and InputError where a file that is no report stands at the path.

    replays: claim → the command that replays its counterexample. constants: what theory says of them, asked for last.
    error: the chance that any verdict is false.
    """
    text = page(stored, figures, findings, replays, constants, error, path.parent)
    with replaced(path, what=".html") as file:
        file.write(text.encode(errors="backslashreplace"))  # names of files may be no text


def page(
    stored: Sequence[Stored],
    figures: Figures,
    findings: Sequence[Finding],
    replays: Mapping[str, str],
    constants: Callable[[], OverRange],
    error: float,
    folder: Location,
) -> str:
    """The text of the report's page: equal for equal tables, specs and code.
    folder: where it will be, from which its links lead.
    """
    settings = {each.sweep.name: each.settings for each in stored}
    ordered = sorted(findings, key=_order)
    style, script = (files(__name__).joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    by_name, papers = {each.sweep.name: each for each in stored}, by_paper(ordered)
    wrong = assembled(ordered, stored, replays)
    about: dict[str | None, list[Finding]] = {}
    for finding in findings:
        for place in dict.fromkeys(place for place, _ in finding.verdicts):
            about.setdefault(place, []).append(finding)
    dictionary = {each.sweep.kind.name: each.sweep.kind for each in stored}
    return _template().render(
        version=harness.__version__,
        tally=tally(findings, error),
        found=[each for each in answered(by_name, wrong.counted) if each.question != QUESTIONS[MAIN]],
        answers=answers(by_name, ordered, wrong),
        main_theorem=MAIN_THEOREM,
        claims={finding.claim.id: _claim(finding, stored, settings) for finding in ordered},
        papers={paper: by_theorem(those) for paper, those in papers.items()},
        authors={paper: written(paper) for paper in papers},
        experiments=[
            _experiment(each, about.get(each.sweep.name, []), figure, folder)
            for each, figure in zip(stored, figures, strict=True)
        ],
        outcomes=sorted({finding.outcome for finding in findings}),
        kinds={name: [column_line(column) for column in kind.table.values()] for name, kind in sorted(dictionary.items())},
        errata=wrong,
        readings={"title": READINGS, "said": OF_READINGS},
        limited={each.claim.id: limited(each, ordered) for each in ordered},
        replays=replays,
        theory=THEORY,
        constants_note=NOTE,
        constants=[each.line for each in needed(stored, theory=constants()).constants] if of_constants(stored) else [],
        headings={
            "constant": CONSTANT_HEADINGS,
            "cell": CELL_HEADINGS,
            "claim": HEADINGS,
            "price": price_headings,
            "column": COLUMN_HEADINGS,
        },
        numbers={*NUMBERS, *OF_CONSTANTS},
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )


@cache
def _template() -> Template:
    """What the page is made of, compiled once in a process."""
    environment = Environment(
        loader=PackageLoader("harness.report", "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    return environment.get_template("page.html.j2")


def _visible(value: Any) -> Any:
    """A value as the page has it; of the page's own style and script every character stays."""
    return printable(value, but="\n\t") if isinstance(value, str) and not isinstance(value, Markup) else value


def _policy(style: str, script: str) -> str:
    """What a browser may do with the page: show it, with pictures that are in it, in this style and with this script."""
    none = (f"{what} 'none'" for what in ("default-src", "base-uri", "form-action"))
    return "; ".join([*none, "img-src data:", f"style-src {_hashed(style)}", f"script-src {_hashed(script)}"])


def _hashed(source: str) -> str:
    """A source as a content security policy names it."""
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _order(finding: Finding) -> tuple[Any, ...]:
    """What is not as expected first, then the papers' own, then by id, with numbers in ids as numbers."""
    parts = re.split(r"(\d+)", finding.claim.id)
    numbered = [int(part) if part.isdigit() else part for part in parts]
    return (finding.as_expected, not finding.claim.in_a_paper, numbered)


def _claim(finding: Finding, stored: Sequence[Stored], settings: Mapping[str, Settings]) -> ClaimEntry:
    nearest = worst(finding)[:TOLD]
    places = []
    for name in dict.fromkeys(place for place, _ in finding.verdicts):
        verdicts = [verdict for place, verdict in nearest if place == name]
        lines = cell_lines(settings[name] if name else None, verdicts)
        places.append(JudgedAt(name, [line[1:] for line in lines]))  # all are of this claim
    left = len(finding.verdicts) - len(nearest)
    return ClaimEntry(finding, places, left, _shown(finding, stored), loose(finding))


def _shown(finding: Finding, stored: Sequence[Stored]) -> str | None:
    """The experiment whose figure shows a claim: the one that decided it, or the first that draws the claim's own quantity."""
    places = [place for place, verdict in finding.verdicts if verdict is finding.decisive]
    places += [place for place, _ in finding.verdicts]
    about = {each.sweep.name for each in stored if each.sweep.spec.figure.y == finding.claim.decider.quantity}
    measured = [place for place in places if place is not None]
    return next((place for place in measured if place in about), next(iter(measured), None))


def _experiment(stored: Stored, about: list[Finding], figure: Figure, folder: Location) -> ExperimentEntry:
    table, kind = stored.table, stored.sweep.kind
    facts = {"rows": f"{table.size:,}", "fingerprint": table.fingerprint} | table.provenance
    facts["as stored, and not computed again"] = ", ".join(stored.recomputed.stored)
    return ExperimentEntry(
        stored,
        figure,
        [(key, value) for key, value in _flat(facts) if key != "spec"],
        harness_command(["table", stored.sweep.path, "--csv"]),
        harness_command(["table", stored.sweep.path, "--latex"]),
        harness_command(["figures", stored.sweep.path]),
        _link(stored.path, folder),
        _link(figure.pdf, folder) if figure.pdf else "",
        about,
        list(price_lines(stored.frame, kind.price, stored.settings)) if kind.price else [],
        sought(stored.settings),
        [*vouched([stored]), *told_broken(broken_bounds([stored]), [stored])],
    )


def _link(path: Location, folder: Location) -> str:
    """The address of a file for a page in a folder; empty where either is in an object store."""
    if not (isinstance(path, Path) and isinstance(folder, Path)):
        return ""
    return quote(os.fsencode(os.path.relpath(path, folder)))


def _flat(nested: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every value with the path of its keys."""
    for key, value in nested.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)
