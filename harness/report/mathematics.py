"""Prose with formulas in it, in the signs that claims are written in, as LaTeX: formulas in mathematics, the rest as text.

A formula is known by its signs: letters that stand alone, Greek ones, relations, roots, names of functions, and brackets with
nothing but these in them. A word ends it, and so does a comma outside brackets. So a text is written once, for the terminal,
the page and the note.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Literal

SPECIAL = {each: f"\\{each}" for each in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "η": "eta", "λ": "lambda", "μ": "mu"},
    **{"ν": "nu", "ξ": "xi", "π": "pi", "σ": "sigma", "τ": "tau", "Θ": "Theta", "Ω": "Omega", "Φ": "Phi"},
}
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
HAT, TILDE, BAR = "\N{COMBINING CIRCUMFLEX ACCENT}", "\N{COMBINING TILDE}", "\N{COMBINING MACRON}"
MARKS = {HAT: "hat", TILDE: "tilde", BAR: "bar"}
LETTERS = {
    **{each: f"\\{name}" for each, name in GREEK.items()},
    **{"Γ": r"\Gamma", "Δ": r"\mathbin{\triangle}", "Λ": r"\Lambda", "Π": r"\prod", "Σ": r"\sum", "ℓ": r"\ell"},
    **{each: rf"\mathcal{{{name}}}" for each, name in zip("𝒜𝒢ℋ𝒮𝒯𝒳𝒵", "AGHSTXZ", strict=True)},
    **{each: rf"\mathbb{{{name}}}" for each, name in zip("ℝℕℙ", "RNP", strict=True)},
}
SIGNS = {
    **{"∞": r"\infty", "⊤": r"\top", "⊥": r"\bot", "½": r"\tfrac12", "⅓": r"\tfrac13", "⅔": r"\tfrac23", "∀": r"\forall"},
    **{"|": "|", "‖": r"\|", "*": "^*", "=": "=", "<": "<", ">": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx"},
    **{"≜": r"\triangleq", "←": r"\leftarrow", "→": r"\to", "∼": r"\sim", "~": r"\sim", "∈": r"\in", "⊂": r"\subset"},
    **{"⊆": r"\subseteq", "∖": r"\setminus", "∝": r"\propto", "≪": r"\ll", "≫": r"\gg", "+": "+", "−": "-", "±": r"\pm"},
    **{"·": r"\cdot", "×": r"\times", "/": "/", "⋯": r"\cdots"},
}
NAMES = ("sign", "Bin", "Lap", "Err", "ct", "Hist", "IN", "OUT")
WORDS_TOO = ("err", "dist", "gap", "VC")
FUNCTIONS = {
    **{each: f"\\{each}" for each in ("ln", "log", "exp", "min", "max", "arg", "Pr")},
    **{each: rf"\mathrm{{{each}}}" for each in NAMES + WORDS_TOO},
    **{"mod": r"\bmod", "VC⊥": r"\mathrm{VC}^{\bot}", "second max": r"\operatorname{second\,max}"},
    **{f"H{HAT}ist": r"\widehat{\mathrm{Hist}}", f"dist{HAT}": r"\widehat{\mathrm{dist}}"},
}
TEXT = SPECIAL | {"§": r"\S{}", "“": "``", "”": "''", "’": "'", "–": "--", "…": r"\ldots{}"}
BRACKETS = {"{": r"\{", "}": r"\}", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor", "⌋": r"\rfloor"}
RELATIONS = {SIGNS[each] for each in "=<>≤≥≠≈≜←→∼∈⊂⊆∝≪≫"}
OPERATORS = RELATIONS | {SIGNS[each] for each in "+−±·×/∖"}
LETTER = f"[A-Za-z{''.join(LETTERS)}][{''.join(MARKS)}]?"
CALLED = "|".join(each for each in FUNCTIONS if each not in WORDS_TOO)
ACCENTED = "À-ÖØ-öø-ÿ"  # × and ÷ are none
FREE, END = "(?<![A-Za-z])", rf"(?![A-Za-z{ACCENTED}]|['’.-][A-Za-z])"
NONE = "(?:[A-Z]+|pp|vs|sgd)"
CONSONANTS = "b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ"
PATTERNS = {
    "abbreviation": r"\b(?:e\.g|i\.e|i\.i\.d|w\.p|s\.t|pp?(?=\. \d))\.|(?<![\w(])\(?i{1,3}\)",
    "id": r"(?:[A-Z]{2,}\w*:)?\b[A-Z]\d+(?:\.\d+)*(?:-[A-Za-z]+)*\b(?!\()|[A-Z]{2,}\w*:[A-Z]\w*(?:-\w+)*",
    "function": rf"(?:\b|(?<=\d))(?:(?:{CALLED})(?![a-z-]|_[a-z]{{4}})|(?:err|VC)(?=[(_]| =)|dist(?=[(_,]| =)|gap(?=/| [−=]))",
    "code": r"\w+(?:/\w+)+\.py|[a-z]{3,}_[a-z]{4,}\w*|[a-z]{4,}\w*_\w+|A_[A-Za-z]+(?:_[a-z]+)+",
    "algorithm": r"\bA_(?P<algorithm_name>[A-Za-z]{2,}(?:[-_]Quer)?)|\bAbinClas",
    "exponential": r"(?P<digits>\d+(?:\.\d+)?)e(?P<power>[+-]?\d+)",
    "number": r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?",
    "article": r"\ba\b(?! is\b| that\b)|\bA(?= (?!is\b|:)|-)|\bI\b",
    "product": rf"(?:(?<=[\d){''.join(LETTERS)}])[A-Za-z]{{2,5}}|{FREE}(?!{NONE}{END})[{CONSONANTS}]{{2,4}}){END}",
    "word": rf"[A-Za-z{ACCENTED}][A-Za-z{ACCENTED}\d]+(?:['’-][A-Za-z]+)*|['’]s\b|(?<=⊥)s\b|-[A-Za-z]+(?:-[A-Za-z]+)*",
    "raised": "(?P<power_of>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ]+)(?P<also>[′']?)",
    "lowered": "[₀₁₂₃₄₅₆₇₈₉]+",
    "script": rf"[_^](?:(?=[({{⌊⌈])|(?P<below>−?(?:\d+|(?:{LETTER})+(?:_[a-z]{{2,}})*)(?:(?<=[A-Z])′)?))",
    "letter": rf"{LETTER}(?:['′](?![a-z]))?",
    "root": "√",
    "sign": f"···|[{re.escape(''.join(SIGNS))}]",
    "bracket": r"[][(){}⌈⌉⌊⌋]",
    "space": r"\s+",
    "point": ".",
}
TOKENS = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in PATTERNS.items()), re.DOTALL)
Kind = Literal["word", "space", "point", "number", "formula"]


@dataclass(frozen=True)
class Piece:
    """A token of prose with formulas, or a group in brackets. text: its LaTeX in running text; set: its LaTeX within a formula.
    name: pattern or bracket.
    """

    kind: Kind
    text: str
    set: str
    name: str = ""
    condition: bool = False


@cache
def typeset(text: str) -> str:
    """The text as LaTeX sets it, in ASCII but for accented letters of words."""
    return _in_text(_nested(_tokens(_decomposed(text))))


def _decomposed(text: str) -> str:
    """With each hat, tilde and bar as a mark behind its letter; other accents as they are."""
    parts = ((each, unicodedata.normalize("NFD", each)) for each in text)
    return "".join(apart if apart[1:] in MARKS else each for each, apart in parts)


def _letters(text: str) -> str:
    """Letters and digits with their marks and primes, side by side in mathematics."""
    letters = re.findall(rf"({LETTER})|(.)", text)
    return _joined([_letter(letter) if letter else other.replace("′", "'").replace("−", "-") for letter, other in letters])


def _letter(text: str) -> str:
    base = LETTERS.get(text[0], text[0])
    return rf"\{MARKS[text[1]]}{{{base}}}" if text[1:] else base


def _joined(parts: Sequence[str]) -> str:
    """Commands of letters are kept from the letter behind them."""
    whole = ""
    for part in parts:
        whole += (" " if re.search(r"\\[A-Za-z]+$", whole) and part[:1].isalpha() else "") + part
    return whole


def _escaped(text: str) -> str:
    return "".join(TEXT.get(each, each) for each in text)


def _tokens(text: str) -> Iterator[Piece]:
    for match in TOKENS.finditer(text):
        name = match.lastgroup or ""
        yield Piece(*_read(name, match[0], match), name)


def _read(name: str, text: str, match: re.Match[str]) -> tuple[Kind, str, str]:
    """The kind of a token, and it in text and in mathematics."""
    match name:
        case "function":
            return "formula", text, FUNCTIONS[text]
        case "algorithm":
            return "formula", text, rf"\mathcal{{A}}_{{\mathrm{{{(match['algorithm_name'] or 'binClas').replace('_', '-')}}}}}"
        case "exponential":
            power = rf"10^{{{int(match['power'])}}}"
            return "formula", text, power if match["digits"] == "1" else rf"{match['digits']}\cdot {power}"
        case "number":
            return "number", text, text.replace(",", "{,}")
        case "product" | "letter":
            return "formula", text, _letters(text.replace("'", "′"))
        case "raised":
            return "formula", text, f"^{{{match['power_of'].translate(RAISED).replace('ⁿ', 'n')}{match['also'] and chr(39)}}}"
        case "lowered":
            return "formula", text, f"_{{{text.translate(LOWERED)}}}"
        case "script":
            below = match["below"] or ""
            words = below.split("_")  # side by side, as LaTeX refuses a second script
            inner = ",".join(rf"\mathrm{{{each}}}" if re.fullmatch("[A-Za-z]{3,}", each) else _letters(each) for each in words)
            return "formula", text, f"{text[0]}{{{inner}}}" if below else text[0]
        case "root":
            return "formula", text, r"\sqrt"
        case "sign":
            return "formula", text, SIGNS.get(text, r"\cdots")
        case "bracket":
            return "point", _escaped(text), BRACKETS.get(text, text)
        case "space":
            return "space", text, text
        case "point":
            return "point", _escaped(text), r"\ldots" if text == "…" else SPECIAL.get(text, text)
        case "code":
            return "word", rf"\texttt{{{_escaped(text)}}}", text
        case _:
            return "word", _escaped(text), text


def _nested(tokens: Iterator[Piece]) -> list[Piece]:
    """Brackets made one piece with what is in them. What closes nothing is text."""
    levels: list[list[Piece]] = [[]]
    for piece in tokens:
        if piece.name == "bracket" and piece.text.lstrip("\\") in "([{⌈⌊":
            levels.append([piece])
        elif piece.name == "bracket" and len(levels) > 1:
            opening, *inner = levels.pop()
            before = levels[-1][-1] if levels[-1] else None
            called = before is not None and before.name in ("function", "letter", "script")
            levels[-1].append(_group(opening, _taken(inner), piece, called=called))
        else:
            levels[-1].append(piece)
    return _taken([piece for level in levels for piece in level])


def _group(opening: Piece, inner: list[Piece], closing: Piece, *, called: bool) -> Piece:
    """called: it has what a function is of, which may be words."""
    kinds = {each.kind for each in inner}
    text = f"{opening.text}{_in_text(inner)}{closing.text}"
    if "word" in kinds:
        kind: Kind = "formula" if called else "word"
        in_words = rf"\text{{{_in_text(inner)}}}"
    else:
        kind = "formula" if "formula" in kinds or opening.text == r"\{" else "number"
        in_words = _in_formula(inner)
    condition = any(each.set in RELATIONS for each in inner)
    return Piece(kind, text, _joined([opening.set, in_words, closing.set]), opening.set, condition)


def _taken(level: Sequence[Piece]) -> list[Piece]:
    """Scripts and roots with their arguments, which lose the brackets that only said where they end."""
    pieces: list[Piece] = []
    rest = list(level)
    while rest:
        piece = rest.pop(0)
        if rest and (piece.name == "root" or (piece.name == "script" and piece.set in ("_", "^"))):
            argument = rest.pop(0)
            accented = f"{piece.set}{{{_bare(argument, piece.set)}}}"
            pieces.append(Piece("formula", piece.text + argument.text, accented, piece.name))
        else:
            pieces.append(piece)
    return pieces


def _bare(argument: Piece, of: str) -> str:
    """(j) alone over a letter keeps its brackets: it is an index."""
    if argument.name == r"\{":
        return argument.set[2:-2].strip()
    index = of == "^" and len(argument.set) == 3
    return argument.set[1:-1] if argument.name == "(" and not index else argument.set


def _in_formula(pieces: Sequence[Piece]) -> str:
    return _joined([each.set for each in pieces])


def _in_text(pieces: Sequence[Piece]) -> str:
    """Formulas as long as they go, with the spaces between their pieces, and text between them."""
    text = ""
    for formula, run in groupby(_spaced(pieces), lambda one: one.kind in ("formula", "number")):
        in_run = list(run)
        has_formula = any(each.kind == "formula" and each.name != "space" for each in in_run)
        text += f"${_in_formula(in_run)}$" if formula and has_formula else "".join(each.text for each in in_run)
    return text


def _spaced(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """With the spaces inside formulas as parts of them."""
    for before, piece, after in zip((None, *pieces), pieces, (*pieces[1:], None), strict=False):
        if piece.kind == "space" and before and after and {before.kind, after.kind} <= {"formula", "number"}:
            yield piece if _apart(before, after) else replace(piece, kind="formula")
        else:
            yield piece


def _apart(before: Piece, after: Piece) -> bool:
    """Whether a second formula begins here: a condition in brackets, or what has a value of its own, behind what is a whole.

    A number behind the name of an algorithm is said of it, and no factor.
    """
    said_of = before.name == "algorithm" and after.kind == "number"
    begins = said_of or after.condition or after.name == "algorithm" or after.text in ("err", "ℙ")
    return before.set not in OPERATORS and begins
