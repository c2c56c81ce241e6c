"""The rooms of the package: which may import from which, and that none reaches into another's private names."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from subprocess import run

import harness
from harness.registry import ROOMS as PARTS
from harness.sources import PACKAGE, read
from harness.sweep.plugins.dependencies import followed, imports
from harness.sweep.run.provenance import code  # loaded with all that rows are made of

ROOT = Path(__file__).parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
ROOMS = tuple(reversed(CONTRACTS["contracts"][0]["layers"]))
"""A module imports from its own room and from those before it: lint-imports sees to that."""

MODULES = read(Path(harness.__file__).parent)
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"


def room(module: str) -> str:
    """The file or folder of the package that a module is in; empty for the package itself."""
    return module.removeprefix(PACKAGE).removeprefix(".").partition(".")[0]


@cache
def _tree(module: str) -> ast.Module:
    """What a module's text says; that of all takes a second."""
    return ast.parse(MODULES[module].text)


@cache
def _nodes(module: str) -> list[ast.AST]:
    """All that its text is made of: to walk through that of all takes a second too."""
    return list(ast.walk(_tree(module)))


def arrows(module: str) -> set[str]:
    """The modules of the package that a module imports, within functions too."""
    return {each for each in imports(module, MODULES) if each in MODULES and each != PACKAGE}


def test_imports_go_down_the_ladder() -> None:
    ended = run([sys.executable, "-c", LINT], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout


def test_an_import_that_goes_up_is_seen(tmp_path: Path) -> None:
    """Also in a module that asks the registry for parts, and within a function."""
    copytree(Path(harness.__file__).parent, tmp_path / "harness", ignore=ignore_patterns("__pycache__"))
    copy(ROOT / "pyproject.toml", tmp_path)
    spec = tmp_path / "harness/sweep/spec/__init__.py"
    text = spec.read_text(encoding="utf-8")
    assert "parts(" in text
    spec.write_text(f"{text}\n\ndef _planted() -> None:\n    from harness.claims import engine\n", encoding="utf-8")
    ended = run([sys.executable, "-c", LINT], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1 and "harness.sweep.spec -> harness.claims" in ended.stdout


def test_only_specs_ask_the_registry_for_what_lives_above_them() -> None:
    """For the claims and the plots that they name; what is asked for claims is `DecidableClaim`."""
    asked = {
        (module, str(node.args[0].value))
        for module in MODULES
        for node in _nodes(module)
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "parts" and node.args
        if isinstance(node.args[0], ast.Constant)
    }
    up = {(module, what) for module, what in asked if ROOMS.index(room(PARTS[what].package)) > ROOMS.index(room(module))}
    assert up == {("harness.sweep.run.run", "claim"), ("harness.sweep.spec", "claim"), ("harness.sweep.spec", "plot")}


def test_what_makes_rows_knows_nothing_of_claims_and_reports() -> None:
    assert code()
    made = followed(["harness.sweep.run.work"], MODULES).modules
    assert {room(module) for module in made} <= {"", *ROOMS[: ROOMS.index("claims")]}
    assert "harness.trials.answers" in made and "harness.mechanisms.noise" in made


def test_no_module_imports_itself_by_way_of_others() -> None:
    """When they are loaded, that is: what is imported within a function comes later."""
    at_once = {module: set(_at_once(module)) for module in MODULES}
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " → ".join((*way, module))
        if module not in done:
            for other in at_once[module]:
                visit(other, (*way, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


def _at_once(module: str) -> Iterator[str]:
    """The modules of the package that are loaded as soon as a module is."""
    for node in _tree(module).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGE):
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                other = whole if whole in MODULES else node.module
                if other not in (PACKAGE, module):
                    yield other


def test_no_room_reaches_into_another() -> None:
    """Not for a name that begins with an underscore."""
    reached = [
        f"{module}:{node.lineno}"
        for module in MODULES
        for node in _nodes(module)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        if room(node.module or "") != room(module)
        and any(name.name.startswith("_") and name.name != "__version__" for name in node.names)
    ]
    assert reached == []


def test_a_class_has_a_name_of_its_own_or_shares_it_with_those_of_its_base() -> None:
    """As the uniform distributions of several classes do, and the sessions of analysts; or all but one derive from that one."""
    bases: dict[str, list[set[str]]] = {}
    for module in MODULES:
        for node in _nodes(module):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, []).append({getattr(base, "attr", getattr(base, "id", "")) for base in node.bases})
    shared = {name: of for name, of in bases.items() if len(of) > 1}
    assert "Uniform" in shared
    assert not [
        name for name, of in shared.items() if not set.intersection(*of) and sum(name in each for each in of) < len(of) - 1
    ]


BEFORE = re.compile(r"The same([,.]| (after|and|as|at|by|for|from|in|of|on|over|piece|to|where|with|without)\b)")
"""What leaves it to the docstring before to say of what."""


def test_a_docstring_says_of_what_it_is() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    leaning = [
        f"{module}:{getattr(node, 'lineno', 1)}"
        for module in MODULES
        for node in _nodes(module)
        if isinstance(node, documented) and BEFORE.match(ast.get_docstring(node) or "")
    ]
    assert leaning == []


PRONOUN = re.compile(r"(Those|These|They|It|Its|One (of|to)|Every one)\b")


def test_what_a_module_offers_is_understood_from_its_first_line() -> None:
    """By who has the glossary: a first line that begins so leaves it to its neighbours to say of what."""
    leaning = [
        f"{module}:{node.lineno} {node.name}"
        for module in MODULES
        for node in _tree(module).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and not node.name.startswith("_")
        and PRONOUN.match(ast.get_docstring(node) or "")
    ]
    assert leaning == []


VAGUE = {"each", "found", "own", "asked", "known", "given", "said", "told", "at"}
"""Names that tell nothing where they are read: for a comprehension, or a line that is near."""

DISTRIBUTIONS = (
    *(".arcs", ".atoms", ".committee", ".cube_stumps", ".curve", ".ensemble", ".exact_error"),
    *(".halfspaces", ".intervals", ".ladder", ".stumps", ".thresholds"),
)
"""Each is taken at a situation by its method `at`."""

AS_USERS_SAY = {
    *((f"harness.concepts{module}", "at") for module in ("", *DISTRIBUTIONS)),
    ("harness.analysts", "known"),
    ("harness.analysts.planted", "known"),
    *((f"harness.scores{module}", "asked") for module in ("", ".atoms", ".beyond_c")),
    ("harness.scores", "said"),
    ("harness.scores.replacement", "given"),
    ("harness.scores.sgd", "said"),
    ("harness.claims.engine.conditions", "known"),
    ("harness.claims.engine.event_seen", "each"),
    ("harness.claims.engine.limits", "said"),
    ("harness.mechanisms.answering.answers", "given"),
    ("harness.mechanisms.answering.own_noise", "at"),
    ("harness.mechanisms.answering.per_bottom", "at"),
    ("harness.mechanisms.scoring.predictions", "asked"),
    ("harness.report.looking", "asked"),
    ("harness.trials.audited.outcome", "said"),
    ("harness.trials.kind", "asked"),
    ("harness.trials.release_cell", "asked"),
    ("harness.trials.soft_labels", "asked"),
    ("harness.trials.stable_queries", "asked"),
}
"""What users' files and tables say stays."""


def _named(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, int]]:
    """What a module names, with the line: all but what a comprehension does."""
    comprehended = {id(name) for node in nodes if isinstance(node, ast.comprehension) for name in ast.walk(node.target)}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=str(name)) | ast.ClassDef(name=str(name)) | ast.arg(arg=str(name)):
                yield name, node.lineno
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()) if id(node) not in comprehended:
                yield name, node.lineno


def test_a_name_says_what_it_is_of() -> None:
    vague = [
        f"{module}:{line} {name}"
        for module in MODULES
        for name, line in _named(_nodes(module))
        if name in VAGUE and (module, name) not in AS_USERS_SAY
    ]
    assert vague == []
