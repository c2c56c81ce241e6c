"""What `harness new` writes, broken as a careless author would: its own test tells it."""

import re
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from harness.report.plan import Calculation
from harness.starters import begin
from harness.sweep import plugins, work
from harness.trials.cell import Planned

if TYPE_CHECKING:
    from tests.support.project import Project

TYPES = "counts, sizes, types = ballot.counts, ballot.sizes, np.arange(len(ballot.sizes))"
ONCE = f"""{TYPES}
        noisy = counts + rng.laplace(0, 2 / plan.eps0, (len(counts), 1))
        given = np.zeros(counts.shape, dtype=np.int64)
        given[noisy.argmax(axis=0), types] = sizes
        return Answers(given)"""
PER_TYPE = ONCE.replace("(len(counts), 1)", "counts.shape")
KEPT = """self.runs = getattr(self, "runs", 0) + 1
        return Answers(noisy_argmax(ballot.counts, ballot.sizes, Laplace(2 / plan.eps0), np.random.default_rng(self.runs)))"""
ANSWER = r"return Answers\(noisy_argmax\(.*\)\)"

MECHANISM: dict[str, tuple[str, str, str]] = {
    "hardly any noise": (r"Laplace\(2 / plan\.eps0\)", "Laplace(1e-9)", "test_an_audit"),
    "noise once for all queries": (ANSWER, ONCE, "test_every_query"),
    "noise per type and not per query": (ANSWER, PER_TYPE, "test_every_query"),
    "randomness of its own, from run to run": (ANSWER, KEPT, "test_every_query"),
    "fewer chunks than its bound needs": (r"chunks = 12 / eps0 .*", "chunks = 1", "test_it_answers"),
    "more ε than is asked for": (r"eps0 = task\.eps / task\.m", "eps0 = task.eps", "test_it_says"),
}


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    work._needed.cache_clear()
    work._stamp.cache_clear()
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)


def begun(what: str, name: str, fault: str = "", instead: str = "") -> ModuleType:
    """What is written, with a fault in it where one is given; returns its test, as a module."""
    path, test = begin(what, name)
    if fault:
        text, count = re.subn(fault, lambda found: instead, path.read_text("utf-8"))
        assert count == 1, (fault, count)
        path.write_text(text, "utf-8")
    spec = spec_from_file_location(test.stem, test)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def named(module: ModuleType, beginning: str) -> Callable[..., None]:
    """Its one test whose name begins so."""
    (found,) = (test for name, test in vars(module).items() if name.startswith(beginning))
    return found  # type: ignore[no-any-return]


def refuted(test: Callable[..., None], folder: Path) -> bool:
    """Whether a test, of a folder or of nothing, fails."""
    try:
        test(*[folder] * test.__code__.co_argcount)
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("fault", [*MECHANISM])
def test_a_careless_mechanism_is_told_by_its_own_test(project: "Project", fault: str) -> None:
    pattern, instead, told_by = MECHANISM[fault]
    assert refuted(named(begun("mechanism", "careless", pattern, instead), told_by), project.root)


def test_what_a_careless_author_says_is_never_called_certified(project: "Project") -> None:
    pattern, instead, _ = MECHANISM["hardly any noise"]
    begun("mechanism", "careless", pattern, instead)
    plugins.load("careless.py")
    calculation = Calculation(Planned(m=100, n=10**9))
    assert calculation.json["mechanisms"]["careless"]["spent_by"] == "declared" and calculation.wins != "careless"


@pytest.mark.parametrize("told_by", ["test_an_audit", "test_every_query", "test_it_says"])
def test_what_is_written_is_not_told(project: "Project", told_by: str) -> None:
    assert not refuted(named(begun("mechanism", "careful"), told_by), project.root)
