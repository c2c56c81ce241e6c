"""How figures look: readable in print, in grey, and by the colour-blind (Okabe and Ito's palette, one marker a mechanism)."""

from dataclasses import dataclass

import matplotlib as mpl
import seaborn as sns

from harness.mechanisms import mechanisms

PALETTE = ("#0072B2", "#D55E00", "#3B3B3B", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C6D31")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
VACUOUS = "#BBBBBB"

SYMBOLS = {
    "n": "private examples n",
    "m": "queries m",
    "eps": "privacy ε",
    "delta": "privacy δ",
    "beta": "failure probability β",
    "alpha": "learner's excess error α",
    "misclassification_rate": "misclassification rate (⊥ counts)",
    "bottoms": "queries answered ⊥",
    "stable_failed": "stable query not answered right",
    "max_mistakes": "most mistakes of any one hypothesis",
    "fresh_error": "error on a fresh query",
    "k_scale": "k, as a share of what the constants say",
    "T": "cutoff T",
}


@dataclass(frozen=True)
class Style:
    """A mechanism's colour, marker and name; the same in every figure."""

    colour: str
    marker: str
    label: str


FIRST = ("A_binClas", "noisy_majority", "majority")


def style(mechanism: str) -> Style:
    """The style of a mechanism: the comparison of every figure first, then the others in order of name."""
    known = [*FIRST, *sorted(set(mechanisms()) - set(FIRST))]
    position = known.index(mechanism)
    return Style(PALETTE[position % 8], MARKERS[position % 8], mechanisms()[mechanism].label)


def use() -> None:
    """Set the look for all figures drawn from here on."""
    mpl.use("Agg")
    sns.set_theme(context="paper", style="ticks", font="DejaVu Sans")
    mpl.rcParams.update(
        {
            "axes.grid": True,
            "grid.color": "#E6E6E6",
            "grid.linewidth": 0.6,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "savefig.dpi": 200,
            "pdf.fonttype": 42,
            "svg.hashsalt": "harness",
        }
    )
