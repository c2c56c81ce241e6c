"""The refusal of mechanisms that are defined on two labels only; they say so by an attribute `binary` that is true."""

from harness.concepts.votes import Votes


def require_two_labels(votes: Votes, name: str, instead: str) -> None:
    """Raise a ValueError that names the mechanism which takes any labels, unless the votes are over two."""
    if len(votes.counts) != 2:
        raise ValueError(f"{name} is for two labels, not {len(votes.counts)}; use {instead}")
