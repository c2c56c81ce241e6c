"""`harness new`: files to start from. Each runs as it is, has a test that passes, and says what to fill in."""

from pathlib import Path

from harness.registry import nearest, parts
from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.names import checked
from harness.sweep.files.reading import kind

WHAT = {
    **dict.fromkeys(("claim", "concept", "constants", "distribution", "kind", "learner", "mechanism", "plot"), "{}.py"),
    **dict.fromkeys(("private_learner", "release", "score"), "{}.py"),
    "experiment": "experiments/{}.yaml",
}
"""What there is a beginning of, and which file it is in."""

TAKEN = {
    "concept": "concept class",
    "constants": "constants",
    "distribution": "distribution",
    "kind": "kind of trial",
    "learner": "learner",
    "mechanism": "mechanism",
    "plot": "plot",
    "private_learner": "private learner",
    "release": "mechanism",
    "score": "mechanism",
}
"""Those whose names are the registry's, and of which sort."""


def begin(what: str, name: str) -> list[Path]:
    """Write a starter file, such as of a mechanism or an experiment, and a test of it; returns the paths of both.

    Raises InputError where there is no such beginning or the name cannot be one, CannotRunError where a file is in the way.
    """
    if what not in WHAT:
        raise InputError(f"no beginning of a {what!r}; {nearest(what, list(WHAT))}", "new")
    path, test = Path(WHAT[what].format(name)), Path(f"test_{name}.py")
    checked(name, path)
    if not name.isidentifier():
        raise InputError(f"{name!r} is no name of a module; allowed: letters, digits and _, and no digit first", "new")
    if what in TAKEN and name in parts(TAKEN[what]):
        raise InputError(f"there is a {TAKEN[what]} {name!r} already; allowed: another name", "new")
    for file in (path, test):
        if kind(file) is not None:  # be it a link to what is not there, through which it would be written
            raise CannotRunError(f"{file} is there already; move it away, or choose another name")
    from jinja2 import Environment, PackageLoader, StrictUndefined  # for those who begin something

    environment = Environment(
        loader=PackageLoader("harness.starters", "."), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    path.parent.mkdir(exist_ok=True)
    for file, template in ((path, f"{what}{path.suffix}.j2"), (test, f"test_{what}.py.j2")):
        file.write_text(environment.get_template(template).render(name=name, Name=name.title().replace("_", "")), "utf-8")
    return [path, test]
