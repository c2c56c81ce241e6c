"""Every claim is registered under an id of its own and says what it is; what theory alone decides comes out as expected."""

from importlib import import_module
from pathlib import Path

import pytest
from harness.claims.claim import Claim, overall

from harness import claims as room
from harness.claims import claims
from harness.trials import kinds

FILES = sorted(path.stem for path in Path(room.__file__).parent.glob("*.py") if path.stem != "__init__")
every_claim = pytest.mark.parametrize("claim", claims().values(), ids=list(claims()))


def test_every_file_gives_its_claims_and_no_two_share_an_id() -> None:
    """A second claim of the same id would replace the first, and the numbers would differ."""
    defined = [claim for name in FILES for claim in getattr(import_module(f"{room.__name__}.{name}"), "CLAIMS", ())]
    assert len(claims()) == len(defined) > 40
    assert {id(claim) for claim in claims().values()} == {id(claim) for claim in defined}


@every_claim
def test_a_claim_says_what_it_is(claim: Claim) -> None:
    assert claims()[claim.id] is claim
    assert claim.source.startswith(("BTT18 ", "BTT18a ", "not in the papers: "))
    assert claim.id.partition(":")[0] in ("audit", "baselines", "BTT18", "BTT18a", "constants")
    assert claim.statement.rstrip(")").endswith(".")
    assert claim.expected in ("holds", "refuted", "untested")
    assert claim.trials in kinds()


@pytest.mark.parametrize("repaired", [name for name in claims() if name.endswith("-repaired")])
def test_a_repaired_claim_holds_beside_one_that_is_printed(repaired: str) -> None:
    assert claims()[repaired].expected == "holds"
    assert repaired.removesuffix("-repaired") in claims()


@pytest.mark.parametrize("name", [name for name, claim in claims().items() if any(claim.computed())])
def test_what_theory_alone_decides_comes_out_as_expected(name: str) -> None:
    verdicts = list(claims()[name].computed())
    assert overall(verdict.outcome for verdict in verdicts) == claims()[name].expected
    assert all(verdict.claim == name and verdict.where for verdict in verdicts)
