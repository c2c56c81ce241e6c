"""Claims and their verdicts: `engine`, what a claim is, and a folder a paper with one file a theorem or section.

A claim is found by its id: `BTT18a:C4.1` is in `btt18a/c4_1.py`, with what the theorem's repairs and proof steps say beside it;
what is in no paper is in `ours`. Claims read tables; nothing that makes rows knows of them.
"""

from harness.claims.engine.claim import Claim


def refuse_incomplete(part: object) -> None:
    """Raise a ValueError unless it is a claim, which cannot be made without a source and a statement."""
    if not isinstance(part, Claim):
        raise ValueError(f"{part!r} is no claim; allowed: harness.claims.engine.Claim(…)")
