"""The errata as a note in LaTeX, a section a paper: what is printed, a counterexample, a repair, and the script that checks it.

The text is plain pdfLaTeX with the packages of every TeX: each sign that is no ASCII is written as a command. Its PDF says
digests of what it was made from, by which one that is out of date is told.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from harness.report.errata import INTRODUCTION, Entry, counted
from harness.report.figures.latex import COMMANDS, TILDE, in_latex
from harness.report.papers import written
from harness.sweep.atomic import replaced
from harness.sweep.errors import CannotRunError
from harness.sweep.ours import MARKS

NOTE = "errata"
"""What such a file is called where it is asked whose it is."""
SIGNS = {
    **{"§": r"\S{}", "‖": r"$\|$", "“": "``", "”": "''", "’": "'", "–": "--", "…": r"\ldots{}", "⋯": r"$\cdots$", "'": "'"},
    **{
        "ⁿ": "$^n$",
        "′": "$'$",
        "⅓": r"$\frac13$",
        "⅔": r"$\frac23$",
        "½": r"$\frac12$",
    },
    **{"Γ": r"$\Gamma$", "Δ": r"$\Delta$", "Λ": r"$\Lambda$", "Π": r"$\Pi$", "Σ": r"$\Sigma$", "τ": r"$\tau$"},
    **{
        "ℋ": r"$\mathcal{H}$",
        "ℓ": r"$\ell$",
        "ℕ": r"$\mathbb{N}$",
        "ℙ": r"$\mathbb{P}$",
        "←": r"$\leftarrow$",
        "∀": r"$\forall$",
    },
    **{"∖": r"$\setminus$", "∼": r"$\sim$", "≜": r"$\triangleq$", "≠": r"$\neq$", "⊂": r"$\subset$", "⊆": r"$\subseteq$"},
    **{"⊤": r"$\top$", "⌈": r"$\lceil$", "⌉": r"$\rceil$", "⌊": r"$\lfloor$", "⌋": r"$\rfloor$"},
    **{each: rf"$\mathcal{{{name}}}$" for each, name in zip("𝒜𝒢𝒮𝒯𝒳𝒵", "AGSTXZ", strict=True)},
    **{each: rf"$\hat{{{name}}}$" for each, name in zip("ĤĥŝŵŷÊâ", "HhswyEa", strict=True)},
    **{"ỹ": r"$\tilde{y}$", "Õ": r"$\tilde{O}$", "<": "$<$", ">": "$>$", "|": "$|$"},
}
"""What captions do not have, and errata do."""
OVER = {"\N{COMBINING CIRCUMFLEX ACCENT}": "hat", "\N{COMBINING MACRON}": "bar", TILDE: "tilde"}
PREAMBLE = r"""\documentclass[10pt,a4paper,twocolumn]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\usepackage[margin=1.7cm,columnsep=0.7cm]{geometry}
\usepackage[hidelinks]{hyperref}
\emergencystretch=3em
\setlength{\parindent}{0pt}
\setlength{\parskip}{2pt}
\pdfinfo{/Source (DIGESTS)}
\title{What does not hold as printed}
\date{}
\begin{document}
\maketitle
\small
"""


def tex(text: str) -> str:
    """Text as LaTeX sets it, in ASCII but for accented letters."""
    for mark, command in OVER.items():
        text = "".join(_marked(part, command) if part.endswith(mark) else part for part in re.split(f"(.{mark})", text))
    said = in_latex("".join(_kept(SIGNS[each]) if each in SIGNS else each for each in text)).rstrip("\n")
    return re.sub("\ue000([0-9a-f ]+)\ue001", lambda found: bytes.fromhex(found[1]).decode(), said)


def _marked(letter: str, command: str) -> str:
    """A letter and the mark over it."""
    base = (COMMANDS | SIGNS).get(letter[0], letter[0]).strip("$")
    return _kept(rf"$\{command}{{{base}}}$")


def _kept(command: str) -> str:
    """A command as nothing that is escaped: its bytes in hexadecimal between two marks that no text has."""
    return f"\ue000{command.encode().hex()}\ue001"


def note(found: Sequence[Entry]) -> str:
    """All of it, paper by paper, in each the worst first."""
    lines = [tex(f"{INTRODUCTION} {len(found)} causes: {counted(found)}."), ""]
    for paper in dict.fromkeys(each.erratum.paper for each in found):
        own = [each for each in found if each.erratum.paper == paper]
        lines += [rf"\section*{{{tex(paper)}}}", tex(written(paper)), "", tex(f"{counted(own)}."), ""]
        for number, each in enumerate(own, 1):
            lines += _entry(number, each)
    body = "\n".join([*lines, r"\end{document}", ""])
    preamble = PREAMBLE.replace("DIGESTS", f"texts {texts_of(found)}, all {_digest(body)}")
    return f"{MARKS[NOTE].decode()}\n{preamble}\n{body}"


def texts_of(found: Sequence[Entry]) -> str:
    """A digest of what the errata and their claims say, whatever the tables and the verdicts on them are."""
    said = [repr(each.erratum) for each in found]
    said += [repr((repair.claim.id, repair.claim.statement, repair.claim.proof)) for each in found for repair in each.repairs]
    return _digest(PREAMBLE, *map(written, sorted({each.erratum.paper for each in found})), *sorted(said))


def _digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:12]


def _entry(number: int, each: Entry) -> Iterator[str]:
    erratum = each.erratum
    yield rf"\subsection*{{{number}. {tex(erratum.title)} \textnormal{{({tex(erratum.severity)})}}}}"
    for quote in erratum.quotes:
        yield rf"\begin{{quote}}{tex(f'“{quote.text}”')} ({tex(quote.place)})\end{{quote}}"
    for name, said in (("Why not", erratum.why), ("Counterexample", erratum.counterexample)):
        yield rf"\textbf{{{name}.}} {tex(said)}" + "\n"
    for shown in each.shown:
        yield rf"\textbf{{Seen.}} {tex(f'{shown.finding.claim.id}, {shown.finding.outcome}: {shown.number}.')}" + "\n"
    yield rf"\textbf{{What holds.}} {tex(erratum.holds)}" + "\n"
    for repair in each.repairs:
        claim = repair.claim
        proof = rf" \emph{{Proof.}} {tex(claim.proof)}" if claim.proof else ""
        yield rf"\textbf{{Repair.}} {tex(f'{claim.statement} ({claim.id}: {repair.outcome})')}{proof}" + "\n"
    yield rf"\textbf{{The authors might answer.}} {tex(erratum.answer)}" + "\n"
    if each.script:
        yield rf"\textbf{{Checked by}} \texttt{{{tex(each.script)}}}." + "\n"


def write(path: Path, found: Sequence[Entry]) -> None:
    """Write the note, whole or not at all. Raises CannotRunError where it cannot be, InputError where another's is there."""
    try:
        with replaced(path, what=NOTE) as file:
            file.write(note(found).encode())
    except OSError as error:
        raise CannotRunError(f"{path} cannot be written: {error.strerror}") from None
