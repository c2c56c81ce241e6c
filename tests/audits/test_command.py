"""`harness audit` as it is called: what it says, draws and ends with."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.support.project import Harness

CARELESS = '''"""Noise so small that there is none."""

import numpy as np

from harness.mechanisms.answering.answers import outvoted
from harness.mechanisms.answering.noisy_majority import NoisyMajority


class MyNoise(NoisyMajority):
    name = "my_noise"
    source = "mine"

    def answer(self, ballot, plan, task, rng):
        noisy = ballot.gap + rng.laplace(0, 1e-9, len(ballot.gap))
        return outvoted(ballot, np.where(noisy > 0, 0, ballot.sizes))


MECHANISM = MyNoise()
'''


def test_a_plugin_without_noise_is_refuted_and_ends_with_1(harness: "Harness") -> None:
    Path("my_noise.py").write_text(CARELESS, encoding="utf-8")
    asked = ("audit", "my_noise", "--plugin", "my_noise.py", "--m", "1", "--runs", "1000")
    said = harness(*asked)
    assert said.code == 1 and "refuted: it spends more than the ε = " in said.out
    assert "--runs 1000 --seed 0" in said.out and "--plugin my_noise.py" in said.out
    told = json.loads(harness(*asked, "--json").out)
    assert told["verdict"] == "refuted" and told["lower"] > told["claimed"] > 0
    assert told["hits"] > 0 == told["others"] and told["judged"] == 500 and told["setting"]["m"] == 1


@pytest.mark.law
def test_what_is_not_refuted_ends_with_0_says_that_this_is_no_proof_and_is_drawn(harness: "Harness") -> None:
    said = harness("audit", "gaussian", "--m", "1", "--eps", "2", "--runs", "1000", "--figure", "curve.pdf")
    assert said.code == 0 and "That is no proof of privacy" in said.out
    assert Path("curve.pdf").read_bytes().startswith(b"%PDF")
