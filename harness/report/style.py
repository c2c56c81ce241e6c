"""How figures look: readable in print, in grey, and by the colour-blind: Okabe and Ito's palette first, one marker each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from harness.mechanisms.online import onlines
from harness.registry import parts
from harness.text import one_line
from harness.transfer import private_learners
from harness.trials import kinds

PALETTE = (
    *("#0072B2", "#D55E00", "#3B3B3B", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C6D31"),
    *("#882255", "#999933", "#44AA99"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "h")
VACUOUS = "#BBBBBB"
FONT = "DejaVu Sans"


@dataclass(frozen=True)
class Style:
    """A mechanism's colour, marker and name; the same in every figure."""

    colour: str
    marker: str
    legend: str


FIRST = (
    *("A_binClas", "noisy_majority", "majority", "gaussian", "GNMax", "Confident_GNMax", "report_noisy_max"),
    *("A_stab_per_query", "noisy_majority_t320", "single_learner", "A_subSamp"),
    *("A_Priv", "A_Priv_noisy_majority", "non_private", "A_Priv_erm", "A_Priv_erm_noisy_majority", "A_Priv_pac"),
    *("label_private", "A_Priv_estimated", "A_Priv_free", "A_Priv_erm_free", "public_alone"),
)

LAST = ("A_PAP_calibrated",)
"""Those after which no other comes, so that the styles of the others stay."""

MEASURES = {
    "on_average": "on average",
    "uniform": "uniform over permutations, from below",
}
"""What figures call measures of stability: the largest over all data sets is known from below alone."""


def style(subject: str) -> Style:
    """The style of a mechanism, or of what another kind of trial has in its place; those of comparisons come first.

    One that nobody knows has the first of all. Beyond these the colours come again, each with another marker.
    """
    known = next((names for kind in kinds().values() if subject in (names := list(kind.subjects()))), [subject])
    position = sorted(known, key=_place).index(subject)
    named = parts("mechanism").get(subject) or onlines().get(subject) or private_learners().get(subject)
    legend = named.legend if named else MEASURES.get(subject) or one_line(subject.replace("_", " "))
    return Style(PALETTE[position % len(PALETTE)], MARKERS[(position + position // len(PALETTE)) % len(MARKERS)], legend)


def _place(subject: str) -> int:
    """Where a subject stands among all; many may share a place, and keep their order."""
    return FIRST.index(subject) if subject in FIRST else len(FIRST) + (subject in LAST)


@contextmanager
def used() -> Iterator[None]:
    """The look of all figures that are drawn and saved within, whatever a user's own settings are."""
    import matplotlib as mpl
    import seaborn as sns  # a third of a command's start, for those that draw

    with mpl.rc_context():
        sns.set_theme(context="paper", style="ticks", font=FONT)
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
                "text.usetex": False,  # text is not TeX
            }
        )
        yield
