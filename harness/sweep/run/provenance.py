"""Where a table came from: spec, seed, commit, versions."""

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import harness
from harness import __version__
from harness.mechanisms import Mechanism
from harness.mechanisms.accounts import basis
from harness.registry import parts
from harness.sources import served
from harness.sweep.errors import InputError
from harness.sweep.plugins import loaded
from harness.sweep.plugins.compiled import installed
from harness.sweep.plugins.data_files import held, unseen, variables
from harness.sweep.plugins.dependencies import fingerprint, followed
from harness.sweep.run.work import needed
from harness.sweep.spec import Sweep

version = cache(metadata.version)
"""Of what is installed, which stays as it is in a process: reading what pip knows takes a millisecond."""

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "ray", "pydantic", "scikit-learn")


def provenance(sweep: Sweep) -> dict[str, Any]:
    """The provenance of a sweep's table, which is stored beside the rows: spec, seed, commit, versions."""
    ours = bool(_git("ls-files", "__init__.py"))  # not where the harness is installed within another project's tree
    return {
        "experiment": sweep.name,
        "harness": __version__,
        "spec": sweep.text,
        "spec_sha256": sha256(sweep.text.encode()).hexdigest(),
        "set": sweep.overrides,
        "kind": sweep.kind.name,
        "makes": makes(sweep),
        "commit": _git("rev-parse", "HEAD") if ours else None,
        "clean": ours and _git("status", "--porcelain") == "",
        "python": sys.version.split()[0],
        "packages": {name: version(name) for name in PACKAGES},
        "threads": 1,
        **_declared(sweep),
        **_unseen(),
    }


def _declared(sweep: Sweep) -> dict[str, list[str]]:
    """The mechanisms whose ε′ is their author's word, where there are any."""
    mechanisms: dict[str, Mechanism] = {**parts("mechanism"), **parts("online mechanism")}
    tried = {name: mechanisms[name] for name in sweep.spec.mechanisms if name in mechanisms}
    declared = [name for name, mechanism in tried.items() if mechanism.private and basis(mechanism) == "declared"]
    return {"declared": declared} if declared else {}


def _unseen() -> dict[str, dict[str, list[str]]]:
    """By plugin the compiled code that it has loaded, of which its author alone says what that opens, where there is any."""
    by_plugin = {plugin.name: what for plugin in loaded() if (what := unseen(plugin.name))}
    return {"unseen": by_plugin} if by_plugin else {}


def makes(sweep: Sweep) -> dict[str, Any]:
    """All that determines a sweep's rows, by name: seed, versions of code, Python, libraries, plugins, and their inputs.

    Where all of that is equal, so is every row.
    """
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    made_by: dict[str, Any] = {"seed": sweep.spec.seed, "code": code(), "python": python} | libraries()
    made_by |= {"plugins": of_plugins()} if loaded() else {}
    made_by |= {"data": data} if (data := _of_data()) else {}
    made_by |= {"environment": variables_read} if (variables_read := _of_variables()) else {}
    made_by |= {"omit": sorted(sweep.spec.omit)} if sweep.spec.omit else {}
    return made_by if sweep.spec.rows == "each" else made_by | {"rows": sweep.spec.rows}


def refuse_without_plugins(made: Mapping[str, Any], path: Path) -> None:
    """Raises InputError where a table was made with plugins that are not loaded. made: the table's provenance."""
    lacking = sorted(made["makes"].get("plugins", {}).keys() - {plugin.name for plugin in loaded()})
    if lacking:
        what = f"was made with the plugin{'s' * (len(lacking) > 1)} {', '.join(lacking)}"
        raise InputError(f"{what}, not loaded; allowed: `plugins` with the path of each, or --plugin", path)


@cache
def code() -> str:
    """A hash, 16 hex digits, of the code that rows depend on; comments, docstrings and layout do not count."""
    return fingerprint(_own(), served())


@cache
def _own() -> frozenset[str]:
    """The modules of the harness that rows depend on, whatever plugins there are."""
    return followed([needed.__module__], served()).modules


def of_plugins() -> dict[str, str]:
    """A hash, 16 hex digits, of each loaded plugin's code and of the plugins' modules that it imports, by its name.
    Comments, docstrings and layout do not count.
    """
    names = [plugin.name for plugin in loaded()]
    return {name: fingerprint(followed([name], served()).modules - _own(), served()) for name in names}


def _of_data() -> dict[str, str]:
    """The files that plugins read when they were loaded, by their paths from these, and 16 hex digits over each."""
    return {path: digest for plugin in loaded() for path, digest in held(plugin.name).items()}


def _of_variables() -> dict[str, str]:
    """The environment variables that plugins asked for when they were loaded, and 16 hex digits over each."""
    return {name: digest for plugin in loaded() for name, digest in variables(plugin.name).items()}


def libraries() -> dict[str, str]:
    """The versions here of the libraries that rows depend on, by their names on PyPI."""
    return {name: version(name) for top in sorted(needed().libraries) for name in installed().get(top, ())}


def _git(*words: str) -> str | None:
    """What git says of the harness's own source tree; None where there is none."""
    try:
        answer = subprocess.run(["git", *words], cwd=Path(harness.__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
