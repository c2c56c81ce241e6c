"""Every claim's file is registered, under an id of its own."""

from pathlib import Path

import pytest

from harness.theory import claims as room
from harness.theory.claims import claims
from harness.theory.claims.claim import Claim

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in Path(room.__file__).parent.glob("*.py")}
FILES = sorted(name for name, text in SOURCES.items() if "\nCLAIM = " in text)


def test_every_file_gives_one_claim_and_no_two_share_an_id() -> None:
    """A second claim of the same id would replace the first, and the numbers would differ."""
    assert len(claims()) == len(FILES) >= 1


@pytest.mark.parametrize(("identity", "claim"), claims().items())
def test_a_claim_says_what_it_is(identity: str, claim: Claim) -> None:
    assert claim.id == identity
    paper, number = identity.split(":")
    assert claim.source.startswith(paper + " ")
    assert claim.statement.endswith(".")
    assert claim.expected in ("holds", "refuted")
    assert f"{paper}_{number}".lower().replace(".", "_").replace("-", "_") in FILES
