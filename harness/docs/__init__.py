"""The pages of the documentation: those in `pages`, and those that are made from the code whenever they are read.

A written page is a Markdown file, whose first line is its title, or a notebook in `notebooks`. A made one is a module here with
a `page()`, which returns what follows the title. Pages link to one another by file name, and to files of the repository by
`../../../`.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from harness.docs import notebook
from harness.registry import nearest
from harness.sweep.errors import InputError

FOLDER = Path(__file__).parent
MADE: Mapping[str, str] = {
    "api": "The Python interface",
    "columns": "The columns of tables",
    "gallery": "Gallery",
    "history": "Verdicts by commit",
    "options": "Every option of every command",
    "specs": "Every key of a spec",
}
"""The pages that are made from the code, each by the module of its name, with their titles."""

ORDER: Mapping[str, tuple[str, ...]] = {
    "Learn": ("tutorial", "first_verdict", "audited_mechanism", "paper_in_ci", "glossary"),
    "Do": ("own_mechanism", "own_theorem", "own_class", "paper_figure", "guard", "accountant", "cluster"),
    "Look up": ("commands", "options", "parts", "specs", "columns", "python", "api", "gallery", "history"),
    "Understand": ("findings", "labels", "classifiers", "averages", "verdicts", "decisions"),
    "Take part": ("contributing", "artifact", "checklist", "changes"),
}
"""All pages by what a reader wants, in the order of the site."""


def names() -> list[str]:
    """The names of all documentation pages, in the order of the site."""
    return [name for group in ORDER.values() for name in group]


def page(name: str, commands: Mapping[str, Any]) -> str:
    """The Markdown of one documentation page, by the page's name. commands: those of `harness`, for the page of options.
    Raises InputError where there is none.
    """
    if name not in names():
        raise InputError(f"no page {name!r}; {nearest(name, names())}", "docs")
    if name not in MADE:
        return _written(name)
    make = import_module(f"{__name__}.{name}").page
    return f"# {MADE[name]}\n\n{make(commands) if name == 'options' else make()}"


def title(name: str) -> str:
    """The title of the documentation page of this name."""
    return MADE.get(name) or _written(name).partition("\n")[0].removeprefix("# ")


def _written(name: str) -> str:
    """A page's text, or that of the notebook of its name."""
    path = notebook.FOLDER / f"{name}.ipynb"
    return notebook.page(path) if path.exists() else (FOLDER / "pages" / f"{name}.md").read_text(encoding="utf-8")
