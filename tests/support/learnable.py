"""Something that a construction can learn: not all are for thresholds."""

from typing import TypeVar

from harness.transfer import private_learners
from harness.trials.learner import Learned

Cell = TypeVar("Cell", bound=Learned)


def learnable(name: str, cell: Cell) -> Cell:
    """The cell itself, or the same of halfplanes where the construction refuses its class."""
    if cell.refuse(private_learners()[name]) is None:
        return cell
    given = {key: getattr(cell, key) for key in cell.model_fields_set - {"concept", "V", "learner", "distribution"}}
    other = type(cell).model_validate({**given, "concept": "halfspaces", "V": 2, "learner": "erm"})
    assert other.refuse(private_learners()[name]) is None
    return other
