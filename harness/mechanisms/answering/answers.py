"""What a mechanism says to m queries."""

from dataclasses import dataclass

from harness.arrays import Ints, Labels

BOTTOM = -1
UNANSWERED = -2


@dataclass(frozen=True)
class Answers:
    """labels: (m,), a label, BOTTOM (⊥) or UNANSWERED. halted_at: queries answered before an early halt, or None.

    fresh_error: the chance that a first query, drawn from these m, is answered wrong, a ⊥ counting as a label drawn at random;
    an unbiased estimate of err(h_priv) (BTT18 §4). None where the mechanism does not define it. eps_data_dependent: the ε that
    these answers cost by an accounting that looks at the votes. It depends on them, so it is not itself releasable, nor a
    promise for other votes.
    """

    labels: Labels
    halted_at: int | None = None
    fresh_error: float | None = None
    eps_data_dependent: float | None = None


def release(values: Labels, bottoms: Ints, answered: int) -> Answers:
    """The values, (m,), but ⊥ at the indices in `bottoms` and unanswered from `answered` on."""
    labels = values.copy()
    labels[bottoms] = BOTTOM
    labels[answered:] = UNANSWERED
    return Answers(labels, halted_at=answered if answered < len(labels) else None)
