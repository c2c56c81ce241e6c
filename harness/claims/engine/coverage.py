"""A place of a text and what answers for it, so that no statement of a paper is passed over without a word."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Passage:
    """A place of a text, such as a definition, theorem, remark, algorithm or step of a proof, with what answers for it.

    place: paper, section, page if it has them, and number. what: what it says, in a few words. claims: those that judge it,
    with all that belongs to them. errata: what is wrong there and needs no claim to be seen. parts: what of the program is it,
    as names that can be imported. reason: why it needs nothing of these.

    Raises ValueError where nothing answers for it, or something does and there is a reason why nothing has to.
    """

    place: str
    what: str
    claims: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.place.strip() or not self.what.strip():
            raise ValueError(f"a place of a text wants its place and what it says, not {self.place!r} and {self.what!r}")
        if bool(self.claims or self.errata or self.parts) == bool(self.reason.strip()):
            raise ValueError(f"the place {self.place} wants claims, errata or parts, or else a reason why it needs none")

    @property
    def paper(self) -> str:
        """The paper, by the first word."""
        return self.place.split()[0].rstrip(",")
