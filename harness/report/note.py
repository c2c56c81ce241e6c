"""The errata as a note in LaTeX, a section a paper: what is printed, a counterexample, a repair, and the script that checks it.

The text is plain pdfLaTeX with the packages of every TeX: each sign that is no ASCII is written as a command. Its PDF says
digests of what it was made from, by which one that is out of date is told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from harness.claims.engine import Quote
from harness.report.errata import ErratumFound
from harness.report.mathematics import typeset
from harness.report.papers import written
from harness.report.verdicts import Finding
from harness.sweep.errors import CannotRunError
from harness.sweep.files.atomic import replaced
from harness.sweep.files.ownership import MARKS

NOTE = "errata"
"""What such a file is called where it is asked whose it is."""
PREAMBLE = r"""\documentclass[10pt,a4paper,twocolumn]{article}
\usepackage[utf8]{inputenc}
\usepackage{mathptmx,amsmath,amssymb,microtype}
\usepackage[margin=1.3cm,bottom=1.5cm,columnsep=0.55cm,footskip=0.6cm]{geometry}
\usepackage[hidelinks]{hyperref}
\linespread{0.97}
\emergencystretch=3em
\raggedbottom
\setlength{\parindent}{0pt}
\setlength{\parskip}{1pt}
\newcommand{\paper}[2]{\clearpage
  \twocolumn[{\large\textbf{What does not hold as printed in #1}\par\smallskip\small #2\par\medskip}]\small}
\newcommand{\whole}[1]{{\interlinepenalty=10000\clubpenalty=10000\widowpenalty=10000 #1\par}\nopagebreak}
\newcommand{\severity}[1]{\medskip\whole{\normalsize\textsc{#1}}}
\newcommand{\cause}[2]{\medskip\whole{\textbf{#1. #2.}}}
\newcommand{\printed}[1]{{\footnotesize\leftskip=0.8em\rightskip=0.4em #1\par}}
\newcommand{\point}[1]{\textit{#1.}\ \ignorespaces}
\pdfinfo{/Source (DIGESTS)}
\begin{document}
"""
INTRODUCTION = (
    "Each entry is one cause, the worst first: the paper's own words, why they do not hold, numbers that show it, what the "
    "program found of which this is a note, and what holds instead. A script that needs nothing of that program checks the "
    "numbers. Names such as T3.2-repaired are the program's claims, BTT18:T3.2-repaired in full; with each stands what was "
    "found of it."
)


@dataclass
class Said:
    """What the LaTeX note of a paper has said so far, each with the entry in which it stands, so that nothing is said twice."""

    paper: str
    quotes: dict[Quote, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    proofs: dict[str, str] = field(default_factory=dict)

    def short_name(self, finding: Finding) -> str:
        """The name of a claim, without that of the paper where it is this one and a place's number follows."""
        return re.sub(rf"^{re.escape(self.paper)}:(?=[A-Z]\d)", "", finding.claim.id)


def note(causes: Sequence[ErratumFound]) -> str:
    """The LaTeX note of all errata, each paper from a page of its own on, in each the worst first."""
    lines: list[str] = []
    for paper, entries in groupby(causes, lambda one: one.erratum.paper):
        lines += _paper(paper, list(entries))
    body = "\n".join([*lines, r"\end{document}", ""])
    preamble = PREAMBLE.replace("DIGESTS", f"texts {texts_of(causes)}, all {_digest(body)}")
    return f"{MARKS[NOTE].decode()}\n{preamble}\n{body}"


def _paper(paper: str, of_paper: Sequence[ErratumFound]) -> Iterator[str]:
    so_far, number = Said(paper), 0
    yield rf"\paper{{{typeset(paper)}}}{{{typeset(f'{written(paper)} {INTRODUCTION}')}}}"
    for severity, entries in groupby(of_paper, lambda one: one.erratum.severity):
        yield rf"\severity{{{severity.capitalize()}}}"
        for entry in entries:
            number += 1
            yield from _entry(number, entry, so_far)


def texts_of(causes: Sequence[ErratumFound]) -> str:
    """A digest of the texts of errata and their claims, whatever the tables and the verdicts on them are."""
    texts = [repr(each.erratum) for each in causes]
    texts += [repr((repair.claim.id, repair.claim.statement, repair.claim.proof)) for each in causes for repair in each.repairs]
    return _digest(PREAMBLE, *map(written, sorted({each.erratum.paper for each in causes})), *sorted(texts))


def _digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:12]


def _entry(number: int, entry: ErratumFound, so_far: Said) -> Iterator[str]:
    erratum = entry.erratum
    yield rf"\cause{{{number}}}{{{typeset(erratum.title)}}}"
    yield rf"\printed{{{' '.join(_printed(quote, number, so_far) for quote in erratum.quotes)}}}"
    yield (
        rf"{_point('Why not', erratum.why)} {_point('Counterexample', erratum.counterexample)} {_checked(entry, so_far)}" + "\n"
    )
    repairs = (_repair(repair, number, so_far) for repair in entry.repairs)
    yield " ".join([_point("What holds", erratum.holds), *repairs, _point("The authors might answer", erratum.answer)]) + "\n"


def _printed(quote: Quote, number: int, so_far: Said) -> str:
    """To the letter where it is quoted first in a paper's note, and then by where that is."""
    first = so_far.quotes.setdefault(quote, number)
    place = quote.place.removeprefix(f"{so_far.paper} ")
    return typeset(f"“{quote.text}” ({place})" if first == number else f"({place}: as in {first})")


def _checked(entry: ErratumFound, so_far: Said) -> str:
    """What shows it: the script, and what was found of the claims in which it shows."""
    shown = "; ".join(f"{so_far.short_name(one.finding)} {one.finding.outcome}, {one.number}" for one in entry.shown)
    return typeset(" ".join([f"Checked by {entry.script}."] * bool(entry.script) + [f"Found: {shown}."] * bool(shown)))


def _repair(repair: Finding, number: int, so_far: Said) -> str:
    """A claim that holds instead, with its proof."""
    claim, name = repair.claim, so_far.short_name(repair)
    first = so_far.repairs.setdefault(claim.id, number)
    if first != number:
        return _point("Repair", f"{name}, as in {first}.")
    of = next((other for proof, other in so_far.proofs.items() if claim.proof in proof), name)
    so_far.proofs.setdefault(claim.proof, name)
    proof = _point("Proof", claim.proof if of == name else f"as of {of}.") if claim.proof else ""
    return f"{_point('Repair', f'({name}: {repair.outcome}) {claim.statement}')} {proof}"


def _point(name: str, text: str) -> str:
    return rf"\point{{{typeset(name)}}}{typeset(text)}"


def write(path: Path, causes: Sequence[ErratumFound]) -> None:
    """Writes the LaTeX note, whole or not at all.
    Raises CannotRunError where it cannot be, InputError where another's is there.
    """
    try:
        with replaced(path, what=NOTE) as file:
            file.write(note(causes).encode())
    except OSError as error:
        raise CannotRunError(f"{path} cannot be written: {error.strerror}") from None
