"""Text for LaTeX: letters that pdflatex does not know become its commands, and what means something to it means itself."""

import re

SPECIAL = {each: f"\\{each}" for each in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}
GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "η": "eta", "λ": "lambda", "μ": "mu"},
    **{"ν": "nu", "ξ": "xi", "π": "pi", "σ": "sigma", "τ": "tau", "Θ": "Theta", "Ω": "Omega", "Φ": "Phi"},
}
SIGNS = {
    **{"⊥": "bot", "≤": "le", "≥": "ge", "≈": "approx", "·": "cdot", "×": "times", "→": "to", "∞": "infty", "√": "surd"},
    **{"±": "pm", "≪": "ll", "≫": "gg", "∈": "in", "∝": "propto", "ℝ": "mathbb{R}", "−": "-", "′": "prime"},
}
TILDE = "\N{COMBINING TILDE}"
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
COMMANDS = SPECIAL | {each: "$-$" if name == "-" else f"${chr(92)}{name}$" for each, name in (GREEK | SIGNS).items()}


def in_latex(text: str) -> str:
    """The text as the argument of \\caption, in plain ASCII but for accented letters and dashes."""
    written = "".join(COMMANDS.get(each, each) for each in text)
    written = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda match: f"$^{{{match[0].translate(RAISED)}}}$", written)
    written = re.sub("[₀₁₂₃₄₅₆₇₈₉]+", lambda match: f"$_{{{match[0].translate(LOWERED)}}}$", written)
    written = re.sub(f"(.){TILDE}", lambda match: f"$\\tilde{{{match[1]}}}$", written)
    return f"{written}\n"
