"""Formulas in prose: they are found whole, nothing is lost, and none is left as text."""

import re
import unicodedata

import pytest

from harness.claims.registry import claims, errata
from harness.report.mathematics import FUNCTIONS, LETTERS, typeset

SET = [
    ("With √δ ≤ ⌈3B⌉, x̂ = 10⁻⁶.", r"With $\sqrt{\delta} \le \lceil3B\rceil$, $\hat{x} = 10^{-6}$."),
    ("√(m ln(k/β)/2) of e^(−2t²/m)", r"$\sqrt{m \ln(k/\beta)/2}$ of $e^{-2t^{2}/m}$"),
    (
        "any A_stab is (ε, δ)-private (Lemma 2.4)",
        r"any $\mathcal{A}_{\mathrm{stab}}$ is $(\varepsilon, \delta)$-private (Lemma 2.4)",
    ),
    ("a d-stable row of D′, A row", r"a $d$-stable row of $D'$, A row"),
    ("h_D̂^(r)(x) and h_priv", r"$h_{\hat{D}}^{(r)}(x)$ and $h_{\mathrm{priv}}$"),
    ("up to 1.3ε (δ = 0.1), k = 3,684", r"up to $1.3\varepsilon$ $(\delta = 0.1)$, $k = 3{,}684$"),
    ("P(more than T) ≤ 1e-10", r"$P(\text{more than $T$}) \le 10^{-10}$"),
    ("none of the h_j’s err, err(ĥ) = γ", r"none of the $h_{j}$'s err, $\mathrm{err}(\hat{h}) = \gamma$"),
    ("T3.2-repaired, in 2 of 3 runs", "T3.2-repaired, in 2 of 3 runs"),
    ("n ~ x, as [17, 14] of mV²/ε²", r"$n \sim x$, as [17, 14] of $mV^{2}/\varepsilon^{2}$"),
    ("50% & #1, tests/errata/a_b.py “so”", r"50\% \& \#1, \texttt{tests/errata/a\_b.py} ``so''"),
    ("§3, p. 5 of p ≤ 1", r"\S{}3, p. 5 of $p \le 1$"),
    ("b_1 $x$ #2 ~^\\", r"$b_{1}$ \$$x$\$ \#$2 \sim$\^{}\textbackslash{}"),
    ("(i) f(i) > 0, i.e., 1)", r"(i) $f(i) > 0$, i.e., 1)"),
    ("on log_uniform, min_i x", r"on \texttt{log\_uniform}, $\min_{i} x$"),
    ("18 ⊥s of A_Priv_erm, A_SL_Quer", r"$18 \bot$s of \texttt{A\_Priv\_erm}, $\mathcal{A}_{\mathrm{SL-Quer}}$"),
    ("A_binClas 6%, of A_stab", r"$\mathcal{A}_{\mathrm{binClas}}$ 6\%, of $\mathcal{A}_{\mathrm{stab}}$"),
    ("×1.9, naïve 2 × 3", r"$\times1.9$, naïve $2 \times 3$"),
    ("c_oqr_log of BTT18a", r"$c_{\mathrm{oqr},\mathrm{log}}$ of BTT18a"),
]


@pytest.mark.parametrize(("said", "set"), SET)
def test_a_formula_ends_with_a_word_or_a_comma(said: str, set: str) -> None:
    assert typeset(said) == set


def texts() -> list[str]:
    """All that claims and errata say, with formulas in it."""
    said = [each for one in claims().values() for each in (one.statement, one.why, one.proof)]
    for one in errata().values():
        said += [one.title, one.why, one.counterexample, one.holds, one.answer, *(quote.text for quote in one.quotes)]
    return [each for each in dict.fromkeys(said) if each]


def outside(said: str) -> str:
    """A text without its formulas, and without the names of code and of claims, which are no formulas."""
    said = re.sub(r"\\text\{(?:[^{}$]|\$[^$]*\$)*\}", "", said)
    said = re.sub(r"\\texttt\{[^{}]*(?:\\_[^{}]*)*\}", "", said)
    said = re.sub(r"\$[^$]*\$", " ", said)
    return re.sub(r"\\[A-Za-z]+(?:\{\})?|\b[A-Z]{2,}\w*:\S+|\b[A-Z]\d+\.\d+\S*", " ", said)


@pytest.mark.law
def test_no_formula_is_left_as_text() -> None:
    """No sign of mathematics, no script and no single letter but an article or a number's stands outside one."""
    for text in texts():
        rest = outside(typeset(text))
        assert not re.search(r"[=<>|√∈^]|\\_", rest), (text, rest)
        assert not re.search(r"(?<![\w.'(-])[b-zB-Z](?![\w.')-])", rest), (text, rest)


def test_what_latex_is_given_is_ascii_and_closed() -> None:
    """But for accented letters of names, which inputenc knows."""
    for text in texts():
        said = typeset(text)
        assert {sign for sign in said if not (sign.isascii() or "À" <= sign <= "ÿ")} == set(), text
        assert len(re.findall(r"(?<!\\)\$", said)) % 2 == 0, said
        depth = 0
        for sign in re.findall(r"\\.|[{}]", said, re.DOTALL):
            depth += {"{": 1, "}": -1}.get(sign, 0)
            assert depth >= 0, said
        assert depth == 0, said


NAMES = {command[1:]: sign for sign, command in {**LETTERS, **FUNCTIONS, "Δ": r"\triangle"}.items() if command[1:].isalpha()}


def read_back(said: str) -> str:
    """The letters and digits of a text that LaTeX is given, with its commands as the letters that they are for."""
    return plain(re.sub(r"\\([A-Za-z]+)", lambda found: NAMES.get(found[1], ""), said))


def plain(said: str) -> str:
    """Letters and digits alone, as plain ones."""
    said = re.sub(r"\b1e-(\d+)", r"10\1", unicodedata.normalize("NFKD", said))
    return re.sub("[^A-Za-z0-9Α-ω]", "", said)


def test_nothing_is_lost_and_nothing_is_moved() -> None:
    assert not {(text, typeset(text)) for text in texts() if plain(text) != read_back(typeset(text))}
