import subprocess
import sys
from hashlib import sha256
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from harness.trials import seeds
from harness.trials.seeds import BlockStreams, stream

NAMES = ("3f2a", 7, 12, "votes/300")
OTHERS = [NAMES, ("3f2b", *NAMES[1:]), ("3f2a", 8, 12, "votes/300"), ("3f2a", 7, 13, "votes/300"), (*NAMES[:3], "votes/301")]


def test_each_of_cell_seed_trial_and_purpose_names_another_stream() -> None:
    drawn = [stream(*names).integers(2**63, size=8).tolist() for names in OTHERS]
    for one, other in combinations(drawn, 2):
        assert not set(one) & set(other)


def test_the_four_names_do_not_run_into_each_other() -> None:
    states = [stream(*names).bit_generator.state["state"]["state"] for names in (("a", 1, 11, "x"), ("a", 11, 1, "x"))]
    assert states[0] != states[1]


def test_a_stream_is_a_pcg64_seeded_with_the_sha256_of_its_names() -> None:
    seed = int(sha256(b"3f2a/7/12/votes/300").hexdigest(), 16)
    expected = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    assert stream(*NAMES).bit_generator.state == expected.bit_generator.state


def test_a_seed_with_leading_zeros_is_the_number_that_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in 2³² is so small that it has a word less."""
    small = bytes(5) + bytes(range(1, 28))
    monkeypatch.setattr(seeds, "sha256", lambda names: SimpleNamespace(digest=lambda: small))
    expected = np.random.default_rng(np.random.SeedSequence(int.from_bytes(small)))
    assert stream(*NAMES).bit_generator.state == expected.bit_generator.state


def test_a_stream_starts_afresh_each_time_it_is_asked_for() -> None:
    first = stream(*NAMES)
    begun = first.random(3).tolist()
    stream(*OTHERS[1]).random(10)
    assert stream(*NAMES).random(3).tolist() == begun


def test_another_process_draws_the_same_numbers() -> None:
    program = f"from harness.trials.seeds import stream; print(stream(*{NAMES!r}).random(3).tolist())"
    told = subprocess.run([sys.executable, "-R", "-c", program], capture_output=True, text=True, check=True, timeout=60).stdout
    assert told.strip() == str(stream(*NAMES).random(3).tolist())


def test_the_runs_of_all_trials_of_a_search_are_the_first_trials_of_the_other_cell() -> None:
    """Each is tried once."""
    runs = [BlockStreams("search", 3, number).run("other", 4, index) for number in range(3) for index in range(4)]
    assert runs == [BlockStreams("other", 3, trial) for trial in range(12)]
