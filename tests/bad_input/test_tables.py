"""Tables: whatever a file holds, it is read or refused, and nothing in it is ever run."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bad_input.mutations import FRESH, READERS, REFERENCE, tables

if TYPE_CHECKING:
    from tests.support.bench import Bench

pytestmark = pytest.mark.filterwarnings("ignore")  # of numpy, about numbers that no run has made


@settings(max_examples=settings().max_examples // 3)
@given(st.data())
def test_a_spoiled_table_is_read_or_refused(bench: "Bench", data: st.DataObject) -> None:
    path, file = data.draw(st.sampled_from([FRESH, REFERENCE])), data.draw(tables(bench.table, bench.good[FRESH]))
    words = data.draw(READERS | st.just(["table", "small", "--csv"]))
    bench.put(path, file.content)
    said = bench.harness(*words)
    assert said.code != 2 or path in said.err or said.err.startswith(f"error: replay {bench.row[:5]}"), said
