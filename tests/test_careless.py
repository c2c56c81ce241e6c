"""What `harness new` writes, broken as a careless author would: its own test tells it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from harness.report.plan import Calculation
from harness.starters import WHAT, begin
from harness.sweep import plugins
from harness.sweep.errors import InputError
from harness.trials.cell import Planned
from tests.support.one_plugin import forgotten

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
NOWHERE = """given = noisy_argmax(ballot.counts, ballot.sizes, Laplace(2 / plan.eps0), rng)
        given[:, 0] = 0
        return Answers(given)"""
ANSWER = r"return Answers\(noisy_argmax\(.*\)\)"

MECHANISM: dict[str, tuple[str, str, str]] = {
    "hardly any noise": (r"Laplace\(2 / plan\.eps0\)", "Laplace(1e-9)", "test_an_audit"),
    "noise once for all queries": (ANSWER, ONCE, "test_every_query"),
    "noise per type and not per query": (ANSWER, PER_TYPE, "test_every_query"),
    "randomness of its own, from run to run": (ANSWER, KEPT, "test_every_query"),
    "fewer chunks than its bound needs": (r"chunks = 12 / eps0 .*", "chunks = 1", "test_it_answers"),
    "what is not answered is counted nowhere": (ANSWER, NOWHERE, "test_it_answers"),
    "more ε than is asked for": (r"eps0 = task\.eps / task\.m", "eps0 = task.eps", "test_it_says"),
}

KEEPS = """X = X + 0.5 * getattr(type(self), "runs", 0)
        type(self).runs = 1
        self.labels = np.unique(y)"""
RANDOM = "self.means += np.random.default_rng().normal(0, 0.5, self.means.shape) + self.shrink *"

OTHERS: dict[tuple[str, str], tuple[str, str, str]] = {
    ("learner", "what one chunk taught is kept for the next"): (r"self\.labels = np\.unique\(y\)", KEEPS, "test_nothing"),
    ("learner", "randomness of its own"): (r"self\.means \+= self\.shrink \*", RANDOM, "test_nothing"),
    ("learner", "the farthest mean"): ("argmin", "argmax", "test_it_predicts"),
    ("constants", "fewer chunks than decide"): (", 60, ", ", 1, ", "test_at_them_the"),
    ("constants", "a quarter of the noise"): (
        "PRINTED, chunks, mistakes",
        "__import__('dataclasses').replace(PRINTED, lam=lambda *given: PRINTED.lam(*given) / 4), chunks, mistakes",
        "test_at_them_no",
    ),
    ("constants", "fewer chunks for more queries"): (r"lam \* log", "lam / log", "test_more_queries"),
    ("release", "hardly any noise"): (r'rng\.normal\(0, noise\["sigma"\]', "rng.normal(0, 1e-12", "test_an_audit"),
    ("release", "noise once for all averages"): (r", site\.cover\.queries\)", ")", "test_an_audit"),
    ("release", "a tenth of the noise"): (r"\(n \* request\.eps\)", "(10 * n * request.eps)", "test_it_says"),
    ("release", "no error at all"): (r"return sampling\(.*", "return 0.0", "test_it_keeps"),
    ("score", "hardly any noise"): (r'noise\.laplace\(0, plan\.noise\["b"\]', "noise.laplace(0, 1e-9", "test_an_audit"),
    ("score", "noise once for all queries"): (
        r"drawn = \[.*",
        'drawn = [noise.laplace(0, plan.noise["b"], 1)] * len(sizes)',
        "test_an_audit",
    ),
    ("score", "a tenth of the noise"): (r"\(k \* task\.eps\)", "(10 * k * task.eps)", "test_it_says"),
    ("score", "no error at all"): (r"promised\(error", "promised(1e-9", "test_it_keeps"),
    ("distribution", "the same points in every trial"): (
        r"x = TARGET \+",
        "rng = np.random.default_rng(1)\n        x = TARGET +",
        "test_its_points",
    ),
    ("distribution", "another law than it says"): (r" \*\* self\.power", "", "test_its_points"),
    ("distribution", "one chunk for all learners"): (
        r"\[self\.learned\(s, rng\) for _ in range\(k\)\]",
        "[self.learned(s, rng)] * k",
        "test_its_learners",
    ),
    ("distribution", "learners of other labels"): (
        r"truth == 0\], examples\.points\[examples\.truth == 1",
        "truth == 1], examples.points[examples.truth == 0",
        "test_its_learners",
    ),
    ("distribution", "a chunk of one example"): (
        r"examples = self\.queries\(s, rng\)",
        "examples = self.queries(1, rng)",
        "test_its_learners",
    ),
    ("concept", "the same points whatever stream"): (
        r"x = rng\.uniform",
        "x = np.random.default_rng(1).uniform",
        "test_its_points",
    ),
    ("concept", "one chunk for all learners"): (
        r"chunks = \(self\.examples\(s, rng\) for _ in range\(k\)\)",
        "chunks = [self.examples(s, rng)] * k",
        "test_its_learners",
    ),
    ("concept", "a chunk of one example"): (r"self\.examples\(s, rng\)", "self.examples(1, rng)", "test_its_learners"),
    ("concept", "votes for the other label"): (r"Ballot\.binary\(np\.", "Ballot.binary(k - np.", "test_the_majority"),
    ("concept", "a bound that its learners exceed"): (r"np\.log\(1 / q\) / s", "np.log(1 / q) / s**3", "test_its_learners"),
    ("experiment", "without a claim"): (r'claims: \["BTT18:T3\.2"\]', "claims: []", "test_it_runs"),
    ("experiment", "too few examples for its theorem"): (r"n: 1e12", "n: 1e7", "test_it_runs"),
    ("experiment", "without what its claim is about"): (r"\[A_binClas, noisy_majority\]", "[noisy_majority]", "test_it_runs"),
    ("experiment", "a claim of another setting"): (r"BTT18:T3\.2", "BTT18:T3.2-B", "test_it_runs"),
    ("claim", "of any number of chunks"): (r'among\("k_scale", 1\)', 'among("gamma", 0)', "test_its_hypotheses"),
    ("claim", "of any mechanism"): (r'among\("mechanism", "A_binClas"\)', 'among("gamma", 0)', "test_its_hypotheses"),
    ("claim", "a bound that nothing breaks"): (r"max\(1\.0, 3 \*", "max(1e9, 3 *", "test_where"),
    ("kind", "one random number for all trials"): (
        r'streams\("coins"\)',
        "__import__('numpy').random.default_rng(1)",
        "test_trials",
    ),
    ("kind", "randomness of its own"): (r'streams\("coins"\)', "__import__('numpy').random.default_rng()", "test_rows_are"),
    ("kind", "a bound that is not kept"): (r"\(2 \* cell\.n\)", "(200 * cell.n)", "test_what"),
    ("plot", "an interval upside down"): (r"quantile\(0\.25\)", "quantile(0.95)", "test_a_mark"),
    ("plot", "the mean of the interval's ends for their value"): (r"values\.median\(\)", "values.max()", "test_a_mark"),
    ("plot", "an axis that says nothing"): (r'f"median of \{view\.figure\.y\}"', '""', "test_it_is_drawn"),
    ("private_learner", "an error that it cannot keep"): (r"15 \* problem\.alpha", "0.001 * problem.alpha", "test_it_keeps"),
    ("private_learner", "an example a chunk"): (r"return k \* least_s\(.*\)", "return k", "test_it_keeps"),
    ("private_learner", "nothing is claimed"): (r"15 \* problem\.alpha", "1.0", "test_it_keeps"),
}
LONG = ("fewer chunks than its bound needs", "what is not answered is counted nowhere")
"""Of the faults of mechanisms these take many trials to be seen."""
QUICK = (
    ("learner", "what one chunk taught is kept for the next"),
    ("learner", "the farthest mean"),
)


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    yield
    forgotten()


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
    """Whether a test, of a folder or of nothing, fails, or what it runs is refused with the file and line that are at fault."""
    try:
        test(*[folder] * test.__code__.co_argcount)
    except (AssertionError, InputError):
        return True
    return False


def test_each_sort_is_broken_in_at_least_three_ways() -> None:
    ways = Counter([*("mechanism" for _ in MECHANISM), *(what for what, _ in OTHERS)])
    assert ways.keys() == WHAT.keys() and min(ways.values()) >= 3, ways


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("fault", [pytest.param(each, marks=pytest.mark.law if each in LONG else ()) for each in MECHANISM])
def test_a_careless_mechanism_is_told_by_its_own_test(project: "Project", fault: str) -> None:
    pattern, instead, told_by = MECHANISM[fault]
    assert refuted(named(begun("mechanism", "careless", pattern, instead), told_by), project.root)


def _one(fault: tuple[str, str]) -> object:
    return pytest.param(fault, id=": ".join(fault), marks=() if fault in QUICK else pytest.mark.law)


@pytest.mark.parametrize("fault", [_one(fault) for fault in OTHERS])
def test_a_careless_author_of_anything_else_is_told_too(project: "Project", fault: tuple[str, str]) -> None:
    pattern, instead, told_by = OTHERS[fault]
    assert refuted(named(begun(fault[0], "careless", pattern, instead), told_by), project.root)


def test_what_a_careless_author_says_is_never_called_certified(project: "Project") -> None:
    pattern, instead, _ = MECHANISM["hardly any noise"]
    begun("mechanism", "careless", pattern, instead)
    plugins.load("careless.py")
    calculation = Calculation(Planned(m=100, n=10**9))
    assert calculation.json["mechanisms"]["careless"]["spent_by"] == "declared" and calculation.wins != "careless"


@pytest.mark.at_once("test_every_query", "test_it_says")
@pytest.mark.parametrize("told_by", ["test_an_audit", "test_every_query", "test_it_says"])
def test_what_is_written_is_not_told(project: "Project", told_by: str) -> None:
    assert not refuted(named(begun("mechanism", "careful"), told_by), project.root)
