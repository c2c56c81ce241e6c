"""Whose words a claim's are: the paper's, or ours about the paper.

A reader must never take a sentence of ours for a sentence of the paper. So each claim has one nature, an id that is a theorem's
stands for that theorem alone, and lists, counts and exit codes keep the natures apart.
"""

from dataclasses import dataclass
from typing import Literal

Nature = Literal["printed", "step", "reading", "repair", "probe", "ours"]
"""What kind of statement a claim is.

printed: a definition, lemma, theorem, corollary or remark. step: of a printed proof. reading: a text that can be read in
several ways, read in one, which is named; the printed statement falls only with all of them. repair: what holds in place of a
claim. probe: false on purpose, to show that the check would see it; it has no verdict word of its own. ours: about rivals,
constants, or the harness.
"""

MEANINGS: dict[Nature, str] = {
    "printed": "printed: as the papers have it",
    "step": "steps: of printed proofs",
    "reading": "readings: of a text that can be read in several ways",
    "repair": "repairs: what holds in its place",
    "ours": "ours: about rivals, constants and the program",
    "probe": "probes: false on purpose, to show that the check sees it",
}
"""Every nature, in the order of lists, with the heading that it has there."""

MEANS_WHEN_BROKEN: dict[Nature, str] = {
    "printed": "what is printed is not what was known of it: an erratum that is not on record, or one that is wrong",
    "step": "this step of a proof is not what was known of it: an erratum that is not on record, or one that is wrong",
    "reading": "this reading is not what was known of it; the printed statement falls only with all its readings",
    "repair": "a mistake of this program's authors: the repair does not do",
    "ours": "a mistake of this program's authors",
    "probe": "the check does not see what is false on purpose, so what it says of others is worth nothing",
}
"""What it means where the verdict is another than the expected one."""

Check = Literal["", "identity", "self-check"]
"""What can be broken by a fault of the harness alone: an identity, true by counting or by how its numbers are defined, and a
self-check, which is about the code. Empty for what somebody could believe, may be false, and a correct run then says so."""

PROBE = "probe:"
"""Begins the id of a probe, and of nothing else."""


@dataclass(frozen=True)
class Quote:
    """What a text says, to the letter. place: paper, section and page, with the number of the theorem if it has one.

    Raises ValueError where one of them says nothing.
    """

    place: str
    text: str

    def __post_init__(self) -> None:
        if not self.place.strip() or not self.text.strip():
            raise ValueError(f"a quotation wants its place and its words, not {self.place!r} and {self.text!r}")
