"""The rooms of the package: which may import from which, and that none reaches into another's private names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import harness
from harness.sources import PACKAGE, read
from harness.sweep.dependencies import followed, imports
from harness.sweep.provenance import code  # loaded with all that rows are made of

ROOMS = (
    *(
        "sources",
        "text",
        "arrays",
        "refusal",
        "registry",
        "theory",
        "ballots",
        "concepts",
        "mechanisms",
        "transfer",
        "audits",
        "trials",
        "sweep",
        "claims",
    ),
    *("report", "starters", "api", "docs", "commands", "cli", "__main__"),
)
"""A module imports from its own room and from those before it."""

MODULES = read(Path(harness.__file__).parent)


def room(module: str) -> str:
    """The file or folder of the package that a module is in; empty for the package itself."""
    return module.removeprefix(PACKAGE).removeprefix(".").partition(".")[0]


def arrows(module: str) -> set[str]:
    """The modules of the package that a module imports, within functions too."""
    return {each for each in imports(module, MODULES) if each in MODULES and each != PACKAGE}


def test_every_file_is_in_a_room() -> None:
    assert {room(module) for module in MODULES} - {""} == set(ROOMS)


def test_imports_go_down_the_ladder() -> None:
    """Claims and plots that a spec names are found by the registry, which imports whatever a user or a room has."""
    up = [
        f"{module} imports {other}"
        for module, source in MODULES.items()
        for other in sorted(arrows(module))
        if room(module) and ROOMS.index(room(other)) > ROOMS.index(room(module)) and b"parts(" not in source.text
    ]
    assert up == []


def test_what_makes_rows_knows_nothing_of_claims_and_reports() -> None:
    assert code()
    made = followed(["harness.sweep.work"], MODULES).modules
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
    for node in ast.parse(MODULES[module].text).body:
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
        for module, source in MODULES.items()
        for node in ast.walk(ast.parse(source.text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE)
        if room(node.module or "") != room(module)
        and any(name.name.startswith("_") and name.name != "__version__" for name in node.names)
    ]
    assert reached == []
