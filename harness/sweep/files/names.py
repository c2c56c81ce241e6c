"""The name of an experiment, which all its files are named after: those of two names are never the same file.

Of an experiment NAME these are NAME.parquet, NAME.png, NAME.pdf, NAME.svg and NAME.tex, its folder of parts .NAME, and while a
file is written a temporary one that is named after it, such as .NAME.parquet-0a1b2c3d. The form of a name keeps them all in
their folder, within what a file's name may hold, and apart from those of every other experiment.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from reprlib import repr as brief

from harness.sweep.errors import CannotRunError, InputError
from harness.sweep.files.object_store import Location, ObjectPath

LONGEST = 200  # of the 255 bytes that disks allow, without what is added to a name
SUFFIXES = (".html", ".parquet", ".pdf", ".png", ".svg", ".tex", ".yaml")
"""Of files that are named after an experiment, or lie beside them."""

FORM = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*")
ALLOWED = (
    f"allowed: at most {LONGEST} of the letters a to z and A to Z, digits, _ and -, with single dots between them; "
    f"first a letter, a digit or _; nowhere {', '.join(SUFFIXES)}"
)


def checked(name: str, path: Path) -> str:
    """Returns an experiment's name unchanged after a check that files can be named after it.
    Raises InputError, with its spec's path, where it is not of the form that names have.
    """
    wrong = len(name) > LONGEST or any(suffix in name.lower() for suffix in SUFFIXES)
    if wrong or not FORM.fullmatch(name):
        raise InputError(f"files cannot be named after an experiment {brief(name)}; {ALLOWED}", path)
    return name


def experiment(spec: Path) -> str:
    """The name of the experiment that a spec's file is named after. Raises InputError where it is none."""
    return checked(spec.stem, spec)


def distinct(specs: Iterable[Path]) -> None:
    """Raises InputError where two specs would write files of one name, upper and lower case being taken as equal."""
    seen: dict[str, Path] = {}
    for spec in specs:
        other = seen.setdefault(spec.stem.lower(), spec)
        if other is not spec:
            how = "the same name as" if other.stem == spec.stem else "a name that in small letters is that of"
            raise InputError(f"has {how} {other}, so both would write one table", spec)


def alone(path: Location) -> None:
    """Raises CannotRunError where a file in the same folder has the name of `path` in other upper or lower case.

    Not every disk tells them apart, and one that does may be copied to one that does not. Object stores do, and are not asked.
    """
    if isinstance(path, ObjectPath):
        return
    beside = os.listdir(path.parent) if path.parent.is_dir() else []
    for name in beside:
        if name != path.name and name.lower() == path.name.lower():
            what = f"{path.with_name(name)} is there, which not every disk tells from {path.name}"
            raise CannotRunError(f"{what}; choose another --out, or name the spec otherwise")
