"""Specs: whatever a file holds, it is read or refused, and nothing in it is ever run."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.bad_input.mutations import READERS, SPEC, mutated

if TYPE_CHECKING:
    from tests.support.bench import Bench

pytestmark = pytest.mark.filterwarnings("ignore")  # of numpy, about numbers that no run has made

MORE_SPECS: list[dict[str, Any]] = [
    {},
    {
        "distribution": [{"name": "hard", "c": 1.5}, "uniform"],
        "zip": [["m", "distribution"]],
        "figure": {"x": "m", "panels": ["learner"]},
    },
    {"m": {"geom": [20, 50, 3]}, "exclude": [{"m": 20, "learner": "midpoint"}], "trials": {"until": "decided", "max": 9}},
    {"concept": {"name": "halfspaces", "d": 2}, "distribution": "sphere", "learner": "svm", "figure": {"x": "m"}},
    {
        "learner": {"sklearn": "tree.DecisionTreeClassifier", "max_depth": 1},
        "sampling": "full",
        "n": None,
        "T": 2,
        "figure": {"x": "m"},
    },
    {
        "kind": "privacy",
        "eps": [1, 2],
        "T": 10,
        "mechanisms": ["printed"],
        "claims": [],
        "figure": {"plot": "spent", "x": "eps", "y": "spent_upper"},
    },
    {
        "kind": "release",
        "concept": {"name": "cube_stumps", "dimension": 5},
        "distribution": {"name": "product", "bias": 0.1, "spread": 0.2},
        "learner": None,
        "constants": "repaired",
        "alpha": 0.3,
        "n": 1e5,
        "m": [0, 10],
        "mechanisms": ["gaussian_averages"],
        "claims": [],
        "figure": {"x": "m", "y": "error"},
    },
    {
        "kind": "release_complexity",
        "distribution": {"name": "atoms", "count": 2, "total": 0.4, "first": 0.1},
        "learner": None,
        "constants": None,
        "alpha": [0.3, 0.4],
        "n": None,
        "m": 4,
        "budget": 10,
        "mechanisms": ["exact_averages"],
        "claims": [],
        "figure": {"plot": "complexity", "x": "alpha", "y": "least"},
    },
    {
        "kind": "stability",
        "distribution": {"name": "atoms", "masses": [0.5, 0.25], "chances": [0.5, 0.1]},
        "learner": {"name": "sgd", "steps": "sqrt", "eta": 0.5},
        "constants": None,
        "n": None,
        "m": None,
        "s": [5, 9],
        "query": 1,
        "pairs": 4,
        "mechanisms": ["on_average"],
        "claims": [],
        "figure": {"x": "s", "y": "change"},
    },
    {
        "kind": "audit",
        "eps": 4,
        "runs": 10,
        "mechanisms": ["A_stab_printed"],
        "claims": ["audit"],
        "figure": {"plot": "audit", "x": "eps", "y": "hits"},
    },
]
"""Changes of the small spec that make other good ones."""


def specs(good: dict[str, Any]) -> st.SearchStrategy[bytes]:
    """Texts of specs whose values were changed."""
    bases = [{key: value for key, value in (good | more).items() if value is not None} for more in MORE_SPECS]
    changed = st.sampled_from(bases).flatmap(mutated)
    return changed.map(lambda content: yaml.safe_dump(content, sort_keys=False, allow_unicode=True).encode())


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}]}}\n" for i in range(1, 60))
TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda text: b"",
    "only a comment": lambda text: b"# nothing\n",
    "two documents": lambda text: text + b"---\n" + text,
    "a key twice": lambda text: text + b"seed: 8\n",
    "aliases of aliases": lambda text: text + BOMB.encode(),
    "merges of merges": lambda text: text + MERGES.encode(),
    "an alias in itself": lambda text: text + b"exclude: &a [*a]\n",
    "brackets": lambda text: text + b"exclude: " + b"[" * 5000 + b"]" * 5000,
    "indents": lambda text: b"".join(b" " * depth + b"a:\n" for depth in range(2000)),
    "a long number": lambda text: text.replace(b"seed: 7", b"seed: " + b"7" * 5000),
    "Latin-1": lambda text: text.replace(b"small", "sm\xe4ll".encode("latin-1")),
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "an object": lambda text: text.replace(b"seed: 7", b"seed: !!python/object/apply:os.system ['touch pwned']"),
    "an object, new": lambda text: text.replace(b"seed: 7", b"seed: !!python/object/new:os.system ['touch pwned']"),
    "a name": lambda text: text.replace(b"seed: 7", b"seed: !!python/name:os.system"),
    "a module": lambda text: text.replace(b"seed: 7", b"seed: !!python/module:os"),
    "a tag of one's own": lambda text: text.replace(b"seed: 7", b"seed: !seed 7"),
    "a million million cells": lambda text: text.replace(b"n: 1.0e+9", b"n: {geom: [1, 9, 9999]}").replace(
        b"seed: 7", b"seed: 7\neps: {geom: [1, 9, 9999]}\ndelta: {geom: [1e-9, 1e-3, 9999]}"
    ),
}


@pytest.mark.parametrize(
    "change",
    [pytest.param(each, id=name, marks=pytest.mark.law if name == "brackets" else ()) for name, each in TEXTS.items()],
)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_spec_that_is_no_spec_is_refused(bench: "Bench", change: Callable[[bytes], bytes], command: str) -> None:
    text = bench.good[SPEC]
    bench.put(SPEC, change(text))
    said = bench.harness(command, SPEC)
    assert said.code == 2 and said.err.startswith(f"error: {SPEC}:"), said


@pytest.mark.law
@given(st.data())
def test_a_mutated_spec_is_read_or_refused(bench: "Bench", data: st.DataObject) -> None:
    text, words = data.draw(specs(bench.spec)), data.draw(READERS)
    bench.put(SPEC, text)
    said = bench.harness(*words)
    assert said.code not in (2, 4) or "small" in said.err or said.err.startswith("error: no"), said
