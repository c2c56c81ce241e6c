"""Claims and their verdicts: `engine`, what a claim is, and a folder a paper with one file a theorem or section.

A claim is found by its id: `BTT18a:C4.1` is in `btt18a/c4.py`, with all corollaries and claims of Section 4, and `BTT18a:T5.14`
in `btt18a/t5_14.py`, with what its repairs and proof steps say beside it; what is in no paper is in `ours`. What of a paper
does not hold as printed is in its folder `errata`, a file a cause, and what answers for each place of it in its `coverage`.
Claims read tables; nothing that makes rows knows of them.
"""

from harness.claims.engine.claim import Claim
from harness.claims.engine.coverage import Passage
from harness.claims.engine.erratum import Erratum


def refuse_incomplete(part: object) -> None:
    """Raises a ValueError unless `part` is a claim, an erratum or a place; none can be made without saying where and what."""
    if not isinstance(part, Claim | Erratum | Passage):
        raise ValueError(
            f"{part!r} is no claim; allowed: harness.claims.engine.Claim(…), Erratum(…) in ERRATA, and Place(…) in COVERAGE"
        )
