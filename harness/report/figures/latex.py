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
    said = "".join(COMMANDS.get(each, each) for each in text)
    said = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda found: f"$^{{{found[0].translate(RAISED)}}}$", said)
    said = re.sub("[₀₁₂₃₄₅₆₇₈₉]+", lambda found: f"$_{{{found[0].translate(LOWERED)}}}$", said)
    said = re.sub(f"(.){TILDE}", lambda found: f"$\\tilde{{{found[1]}}}$", said)
    return f"{said}\n"
