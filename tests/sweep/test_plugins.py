"""A class of one's own: the text of the page runs, here and on workers that see neither the file nor the folder it is in."""

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest
from ray import cloudpickle

from harness import registry, sources
from harness.concepts import concepts, thresholds
from harness.sweep import plugins
from harness.sweep.errors import InputError
from harness.sweep.ray.worker import packed, task
from harness.sweep.run import work
from harness.sweep.run.provenance import makes
from harness.sweep.run.work import Batch, run_batch
from harness.sweep.spec import Sweep
from tests.support.one_plugin import forgotten
from tests.support.pages import section
from tests.support.project import FULL

if TYPE_CHECKING:
    from tests.support.project import Harness, Project


SPEC = FULL | {
    "concept": "discs",
    "distribution": None,
    "learner": "[smallest, {sklearn: tree.DecisionTreeClassifier, max_depth: 2}, {name: Rings, rings: 3}]",
    "trials": "2",
    "mechanisms": "[A_binClas, majority]",
    "claims": '["BTT18:L3.3"]',
}

# In the words of Python 3.11, and of later ones.
ABSTRACT = (
    "with abstract method private" if sys.version_info < (3, 12) else "without an implementation for abstract method 'private'"
)

LEARNER = '''

class Rings:
    """The majority in each of so many rings around the origin."""

    def __init__(self, rings=4):
        self.rings = rings

    def ring(self, X):
        return np.minimum((np.hypot(*X.T) * self.rings).astype(int), self.rings)

    def fit(self, X, y):
        self.label = [int(2 * y[self.ring(X) == ring].sum() > (self.ring(X) == ring).sum()) for ring in range(self.rings + 1)]

    def predict(self, X):
        return np.array(self.label)[self.ring(X)]

LEARNER = Rings
'''


def class_on_the_page() -> str:
    """The first block of Python under the heading."""
    found = re.search(r"```python\n(.*?)```", section("A class of your own"), re.DOTALL)
    assert found is not None
    return found.group(1)


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """What a test loads is gone after it."""
    forgotten()
    yield
    forgotten()


def test_the_class_of_the_readme_takes_fewer_than_thirty_lines() -> None:
    assert 20 < len([line for line in class_on_the_page().splitlines() if line.strip()]) < 30


@pytest.mark.law
@pytest.mark.usefixtures("quick_figures")
def test_the_class_of_the_readme_runs_is_checked_and_replayed(project: "Project", harness: "Harness") -> None:
    Path("discs.py").write_text(class_on_the_page() + LEARNER)
    spec = project.spec(**SPEC)

    ran = harness("--plugin", "discs", "run", spec, "--serial")

    assert ran.code == 0, ran.err
    rows = project.rows()
    assert set(rows["concept"]) == {"discs"}
    names = ["smallest", "DecisionTreeClassifier(max_depth=2)", "Rings(rings=3)"]
    assert list(dict.fromkeys(rows["learner"])) == names
    assert len(rows) == 3 * 2 * 2 * 2
    assert list(project.table().provenance["makes"]["plugins"]) == ["discs"]
    # All but a few of the points of the square lie where all chunks agree.
    assert (rows.loc[rows["mechanism"] == "majority", "misclassification_rate"] < 0.35).all()
    checked = harness("--plugin", "discs", "check", spec, "--no-reference")
    assert checked.code == 0 and "BTT18:L3.3" in checked.out
    again = harness("--plugin", "discs", "replay", f"{spec}/{rows['cell'].iloc[0]}/1/majority")
    assert again.code == 0 and "identical to" in again.out


def test_the_smallest_disc_keeps_the_pac_bound_that_the_readme_gives_it(project: "Project") -> None:
    """P(err > ln(1/q)/s) ≤ q: of 2000 discs at most Bin(2000, q) may err more, here all at once; exact tail 1e-9."""
    Path("discs.py").write_text(class_on_the_page())
    plugins.load("discs")
    concept = concepts()["discs"]()
    sampler = concept.distributions["uniform"]().at(None)  # type: ignore[arg-type]
    rng, s, q = np.random.default_rng(1), 40, 0.1
    mass = concept.pac_bound("smallest", 0.0)(s, q)
    # Of the square, the ring between radius r and the target's 1/2 has the mass π(1/4 − r²)/4; at `mass` it begins here.
    radius = np.sqrt(0.25 - 4 * mass / np.pi)
    queries = replace(sampler.queries(1, rng), points=np.array([[radius, 0.0]]))
    failed = int(sampler.full(queries, 2000, s, rng).counts[1, 0])
    assert 0 < failed < 2000 * q + 6 * np.sqrt(2000 * q)


def test_without_the_plugin_the_class_is_unknown(project: "Project", harness: "Harness") -> None:
    Path("discs.py").write_text(class_on_the_page())
    ended = harness("run", project.spec(**SPEC | {"learner": None, "figure": "{x: m}"}), "--serial")
    assert ended.code == 2 and "no concept class 'discs'; allowed: " in ended.err


ATTRIBUTES = ", ".join(room.attribute for room in registry.ROOMS.values())
PATH = "PATH"  # in what is said, the plugin's own
THRESHOLDS = re.escape(str(thresholds.__file__)) + r":\d+"
BAD = {
    "nope": (None, "cannot be imported: ModuleNotFoundError: No module named 'nope'"),
    "broken": ("1 / 0\n", "PATH:1: ZeroDivisionError: division by zero"),
    "unread": ("def f(:\n", "cannot be imported: SyntaxError: invalid syntax ({name}.py, line 1)"),
    "idle": ("x = 1\n", f"defines no part; allowed: a file that gives one to any of {ATTRIBUTES}"),
    "json": (None, "has the name of a module that Python has loaded; allowed: another name"),
    "again": (
        "from harness.concepts.thresholds import Thresholds\n\nCONCEPT = Thresholds\n",
        f"PATH:3: there is a concept class 'thresholds' already; {THRESHOLDS} has one",
    ),
    "unsourced": (
        "from harness.claims.engine import Certain, Claim, Limit\n\n"
        'CLAIMS = Claim("ME:T1", "", "It holds.", Certain((Limit("bottoms", 0),)))\n',
        "PATH:3: ValueError: the claim ME:T1 has no source",
    ),
    "double": (
        "from harness.claims.engine import Certain, Claim, Limit\n\n"
        'ONE = Claim("ME:T1", "Me", "It holds.", Certain((Limit("bottoms", 0),)))\nCLAIMS = (ONE, ONE)\n',
        "PATH:3: there is a claim 'ME:T1' already; PATH:3 has one",
    ),
    "secretive": (
        "from harness.mechanisms.answering import Answering\n\nclass Mine(Answering):\n    name, source = 'mine', 'Me'\n"
        "    def plan(self, *given): ...\n    def answer(self, *given): ...\n\nMECHANISM = Mine()\n",
        f"PATH:8: TypeError: Can't instantiate abstract class Mine {ABSTRACT}",
    ),
    "unprivate": (
        "from harness.mechanisms.answering import Answering\n\nclass Mine(Answering):\n"
        "    name, source, private = 'mine', 'Me', None\n"
        "    def plan(self, *given): ...\n    def answer(self, *given): ...\n\nMECHANISM = Mine()\n",
        "PATH:4: mine does not say whether it is private; allowed: private = True or private = False",
    ),
    "nameless": ("class Plot:\n    pass\n\nPLOT = Plot()\n", "PATH:4: PLOT has no name; it is the plot's own"),
}


@pytest.mark.parametrize(("name", "text", "said"), [(name, *rest) for name, rest in BAD.items()], ids=BAD)
def test_what_is_no_plugin_is_told_in_one_line(
    project: "Project", harness: "Harness", name: str, text: str | None, said: str
) -> None:
    if text is not None:
        Path(f"{name}.py").write_text(text)
    path = list(sys.path)
    ended = harness("--plugin", name, "run", project.spec(), "--serial")
    file = str(project.root / f"{name}.py")
    expected = said if THRESHOLDS in said else re.escape(said.replace("{name}", name))
    assert (ended.code, ended.out) == (2, "")
    assert re.fullmatch(f"error: --plugin {name}: {expected.replace(PATH, re.escape(file))}\n", ended.err), ended.err
    assert sys.path == path


def test_a_package_is_refused(project: "Project", harness: "Harness") -> None:
    Path("discs").mkdir()
    Path("discs/__init__.py").write_text(class_on_the_page())
    ended = harness("--plugin", "discs", "run", project.spec(), "--serial")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "error: --plugin discs: is a package or compiled; allowed: a module that is one file\n"


ELSEWHERE = """
import pickle, sys
run_there, batches = pickle.load(sys.stdin.buffer)
assert not any(name.startswith("harness") for name in sys.modules)
results = [run_there(batch) for batch in batches]
pickle.dump([(result.rows, result.raised, result.stamp) for result in results], sys.stdout.buffer)
"""


@pytest.mark.process
def test_a_batch_is_run_by_a_worker_that_has_nothing_of_the_harness_nor_of_the_plugin(
    project: "Project", tmp_path: Path
) -> None:
    """As Ray does it: pickled here, unpickled and run in another process and folder. The rows are those of this process."""
    Path("discs.py").write_text(class_on_the_page() + LEARNER)
    plugins.load("discs")
    cells = project.sweep(**SPEC, m="20").cells
    batches = [Batch("answers", cell, ("A_binClas", "majority"), (0, 1), 7) for cell in cells]
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "harness").mkdir(parents=True)
    (elsewhere / "harness" / "__init__.py").write_text("raise SystemExit('not these')")
    ended = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=cloudpickle.dumps((task(), list(map(packed, batches)))),  # type: ignore[no-untyped-call]
        capture_output=True,
        cwd=elsewhere,
        env=os.environ | {"PYTHONPATH": str(elsewhere)},
        timeout=100,
        check=True,
    )
    for batch, (rows, raised, stamp) in zip(batches, pickle.loads(ended.stdout), strict=True):
        assert raised == {} and rows.num_rows == 4
        here = run_batch(batch)
        assert rows.drop_columns(["seconds"]).equals(here.rows.drop_columns(["seconds"])) and stamp == here.stamp


HELPED = """
from help.with_rings import RINGS
from numpy import hypot

def rings():
    from alone import more
    return RINGS + more()
"""


def helped(project: "Project", text: str = HELPED) -> Path:
    """A plugin that imports a module beside it, one in a folder, and one within a function."""
    (project.root / "discs.py").write_text(f"{class_on_the_page()}{LEARNER}{text}")
    (project.root / "help").mkdir()
    (project.root / "help/with_rings.py").write_text("from . import deeper\nRINGS = deeper.RINGS\n")
    (project.root / "help/deeper.py").write_text("RINGS = 4\n")
    (project.root / "help/unused.py").write_text("RINGS = 5\n")
    (project.root / "alone.py").write_text("import json\n\ndef more(): return 1\n")
    return project.root


def test_a_plugin_brings_along_the_modules_that_it_imports_and_no_libraries(project: "Project") -> None:
    helped(project)
    plugins.load("discs")
    (plugin,) = plugins.loaded()
    assert sorted(plugin.modules) == ["alone", "discs", "help", "help.deeper", "help.with_rings"]
    assert plugin.modules.keys() <= work.needed().modules and {"json", "numpy"} <= work.needed().libraries


CHANGED = {
    "help/deeper.py": True,
    "help/with_rings.py": True,
    "alone.py": True,
    "discs.py": True,
    "help/unused.py": False,
    "stranger.py": False,
}


@pytest.fixture(scope="module")
def ran(module_project: "Project") -> tuple["Project", tuple[str | Path, ...]]:
    """A project with a run of a plugin, and the command of that run."""
    helped(module_project)
    words = ("--plugin", "discs", "run", module_project.spec(**SPEC), "--serial")
    assert module_project.process(*words).code == 0
    return module_project, words


@pytest.mark.process
@pytest.mark.parametrize(("file", "counts"), CHANGED.items(), ids=CHANGED)
def test_the_fingerprint_covers_what_a_plugin_imports_and_no_more(
    ran: tuple["Project", tuple[str | Path, ...]], file: str, counts: bool
) -> None:
    """Seen in processes of their own; a run that was stopped is not resumed with other helpers."""
    project, words = ran
    before, path = project.table().provenance["makes"], project.root / file
    text = path.read_text() if path.exists() else ""
    path.write_text(f"{text}\nMORE = 1\n")
    again = project.process(*words)
    path.write_text(text)
    if counts:
        assert again.code == 2 and "small.parquet: was made with plugins " in again.err
    else:
        assert again.code == 0 and "nothing to do" in again.out
    assert project.table().provenance["makes"] == before


@pytest.mark.process
@pytest.mark.parametrize("late", [False, True], ids=["when it is loaded", "in a trial"])
def test_what_cannot_be_followed_is_refused(project: "Project", late: bool) -> None:
    """An import of a name that is made up as it goes would run what the fingerprint does not cover."""
    (project.root / "hidden.py").write_text("RINGS = 4\n")
    hidden = "import importlib, sys\nsys.path.insert(0, '.')\nname = 'hid' + 'den'\n"
    body = hidden + "importlib.import_module(name)\n"
    text = class_on_the_page() + LEARNER
    if late:
        text = text.replace("    def fit(self, X, y):\n", "    def fit(self, X, y):\n        importlib.import_module(name)\n")
        body = hidden
    (project.root / "discs.py").write_text(body + text)
    ended = project.process("--plugin", "discs", "run", project.spec(**SPEC), "--serial")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "imports hidden in a way that cannot be followed; allowed: an import statement" in ended.err


def test_the_fingerprint_covers_what_a_plugin_says_and_not_its_comments(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    text = class_on_the_page()
    Path("discs.py").write_text(text)
    without = makes(project.sweep())
    plugins.load("discs")
    plain = makes(project.sweep())
    assert "plugins" not in without and without == {key: value for key, value in plain.items() if key != "plugins"}
    for changed, same in ((f"# a remark\n{text}", True), (text.replace("> 0.5", "> 0.6"), False)):
        assert changed != text
        monkeypatch.setitem(sources.served(), "discs", sources.Source(changed.encode(), "discs.py"))
        assert (makes(project.sweep()) == plain) == same


@pytest.mark.process
def test_ray_workers_make_the_table_of_a_serial_run(project: "Project") -> None:
    Path("discs.py").write_text(class_on_the_page() + LEARNER)
    spec = project.spec(**SPEC)
    ended = project.process("--plugin", "discs", "run", spec, "--workers", "2", "--out", "ray")
    assert ended.code == 0, ended.err
    plugins.load("discs")
    assert project.table(out=Path("ray")).fingerprint == project.run(Sweep(spec)).table.fingerprint


def test_what_is_imported_after_all_plugins_are_unloaded_is_nobodys_doing(
    project: "Project", monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a test that runs after one that had a plugin."""
    (project.root / "discs.py").write_text(class_on_the_page() + LEARNER)
    plugins.load("discs.py")
    hidden, spec = ModuleType("hidden"), ModuleSpec("hidden", None, origin=str(project.root / "hidden.py"))
    hidden.__spec__, spec.has_location = spec, True
    monkeypatch.setitem(sys.modules, "hidden", hidden)
    with pytest.raises(InputError, match="imports hidden in a way that cannot be followed"):
        plugins.refuse_what_was_not_followed()
    plugins.unload("discs")
    plugins.refuse_what_was_not_followed()
