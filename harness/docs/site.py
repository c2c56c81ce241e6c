"""The pages as a site: files that any browser opens, made by mkdocs where that is installed."""

import re
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from harness.docs import ORDER, page, title
from harness.sweep.errors import CannotRunError, InputError

WRITTEN = ".harness-pages"
"""In the folder of a site: the files that were written there, one a line. Nothing else there is ever touched."""

ROOT, PAGES = "../../../", "harness/docs/pages/"
"""How a page's link leads to the repository, and a link of the README to a page."""

LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)#]*)(#[^)]*)?\)")
IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]+)"[^>]*>')
"""A picture with its width, as the README has it for a forge; in a site it is as wide as the text."""
SETTINGS: dict[str, Any] = {
    "site_name": "harness",
    "site_description": "Theorems about private learning, run at their printed constants",
    "docs_dir": "pages",
    "use_directory_urls": False,  # so that a browser opens the files without a server
    "theme": {
        "name": "material",
        "font": False,  # nothing is fetched from elsewhere
        "palette": [
            {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo"},
            {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo"},
        ],
        "features": ["navigation.sections", "navigation.top", "content.code.copy"],
    },
    "plugins": ["search"],
    "markdown_extensions": ["tables", "toc", "pymdownx.highlight", "pymdownx.superfences"],
    "validation": {"omitted_files": "warn", "absolute_links": "warn", "unrecognized_links": "warn", "anchors": "warn"},
}


def build(site: Path, repository: Path, commands: Mapping[str, Any]) -> int:
    """Writes the documentation as a site into a folder; gives how many pages it has.

    site: new, empty, or of an earlier build, whose files are replaced. repository: where README, figures and specs are looked
    for; a link to what is not there becomes its words. commands: of the command line. Raises InputError where the folder has
    files of anybody else's, CannotRunError where mkdocs is missing, warns, or the folder cannot be written.
    """
    if find_spec("material") is None:
        raise CannotRunError("mkdocs is not installed; `pip install mkdocs-material` brings it")
    before = _before(site)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        count = _pages(folder / "pages", repository, commands)
        _build(folder)
        _put(folder / "site", site, before)
    return count


def _before(site: Path) -> set[str]:
    """The files of an earlier build in the folder."""
    listed = site / WRITTEN
    if listed.is_file():
        return set(listed.read_text(encoding="utf-8").splitlines())
    if site.exists() and (not site.is_dir() or any(site.iterdir())):
        raise InputError("is not empty, and no earlier build; allowed: a new or an empty folder", f"--html {site}")
    return set()


def _pages(folder: Path, repository: Path, commands: Mapping[str, Any]) -> int:
    """Every page as a file, its links to files of the repository made links to copies of them."""
    folder.mkdir()
    readme = repository / "README.md"
    texts = {name: page(name, commands) for group in ORDER.values() for name in group}
    if readme.is_file():
        home = IMAGE.sub(r"![\2](\1)", readme.read_text(encoding="utf-8"))
        texts = {"index": LINK.sub(_below, home), **texts}
    for name, text in texts.items():
        made = LINK.sub(lambda link: _resolved(link, folder, repository), text)
        (folder / f"{name}.md").write_text(made, encoding="utf-8")
    nav: list[dict[str, Any]] = [{group: [{title(name): f"{name}.md"} for name in names]} for group, names in ORDER.items()]
    if "index" in texts:
        nav.insert(0, {"Home": "index.md"})
    settings = yaml.safe_dump(SETTINGS | {"nav": nav}, allow_unicode=True, sort_keys=False)
    (folder.parent / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return len(texts)


def _below(link: "re.Match[str]") -> str:
    """A link of the README as a page has it."""
    to = link[3].removeprefix(PAGES) if link[3].startswith(PAGES) else f"{ROOT}{link[3]}"
    return f"{link[1]}[{link[2]}]({to}{link[4] or ''})"


def _resolved(link: "re.Match[str]", folder: Path, repository: Path) -> str:
    """A link as the site has it: to a copy of the file, or the words alone where there is none; one to a page as it is."""
    image, words, to, anchor = link[1], link[2], link[3], link[4] or ""
    if not to.startswith(ROOT):
        return link[0]
    path = to.removeprefix(ROOT)
    if path == "README.md" and (repository / path).is_file():
        return f"[{words}](index.md{anchor})"
    if not (repository / path).is_file() or path.endswith(".md"):  # which mkdocs would take for pages
        return f"*{words}*" if image else words
    place = folder / "files" / path.lstrip(".")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(repository / path, place)
    return f"{image}[{words}]({place.relative_to(folder).as_posix()})"


def _build(folder: Path) -> None:
    """Run mkdocs, to which a warning is an error."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    try:
        make(load_config(str(folder / "mkdocs.yml"), strict=True, site_dir=str(folder / "site")))
    except MkDocsException as error:
        raise CannotRunError(f"mkdocs does not make the pages: {error}") from None


def _put(made: Path, site: Path, before: set[str]) -> None:
    """The files of a build in the place of those of the one before."""
    files = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    foreign = [name for name in files if name not in before and (site / name).exists()]
    if foreign:
        raise InputError(f"has a {foreign[0]} that no build wrote; allowed: a new or an empty folder", f"--html {site}")
    try:
        for name in files:
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made / name, site / name)
        for name in before.difference(files):
            (site / name).unlink(missing_ok=True)
        (site / WRITTEN).write_text("".join(f"{name}\n" for name in files), encoding="utf-8")
    except OSError as error:
        raise CannotRunError(f"{site} cannot be written: {error.strerror}") from None
