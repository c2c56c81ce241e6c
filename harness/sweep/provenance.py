"""Where a table came from: spec, seed, commit, versions."""

import ast
import subprocess
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import harness
from harness.concepts.black_box import BlackBox
from harness.sweep.plugins import loaded
from harness.sweep.spec import Sweep

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "ray", "pydantic", "scikit-learn")
ROOMS = ("theory", "concepts", "mechanisms", "transfer", "trials")


def provenance(sweep: Sweep) -> dict[str, Any]:
    """What is stored beside the rows."""
    ours = bool(_git("ls-files", "__init__.py"))  # not where the harness is installed within another project's tree
    return {
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
    }


def makes(sweep: Sweep) -> dict[str, Any]:
    """What a stored row must share with a run to be taken over by it: where all of this is the same, so is every row."""
    found: dict[str, Any] = {"seed": sweep.spec.seed, "code": code(), "numpy": version("numpy"), "scipy": version("scipy")}
    if any(isinstance(getattr(cell, "learner", None), BlackBox) for cell in sweep.cells):
        found["scikit-learn"] = version("scikit-learn")
    if loaded():
        found["plugins"] = {plugin.name: sha256(_meaning(plugin.source)).hexdigest()[:16] for plugin in loaded()}
    return found


@cache
def code() -> str:
    """16 hex digits over the code that rows depend on; comments, docstrings and layout do not count."""
    digest = sha256()
    root = Path(harness.__file__).parent
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if name.startswith("theory/claims/") or name == "theory/confidence.py":  # verdicts, not rows
                continue
            digest.update(f"{name}\0".encode() + _meaning(path.read_text(encoding="utf-8")) + b"\0")
    return digest.hexdigest()[:16]


def _meaning(source: str) -> bytes:
    """A module's source without comments, docstrings and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:]
    return ast.dump(tree).encode()


def _git(*words: str) -> str | None:
    """What git says of the harness's own source tree; None where there is none."""
    try:
        answer = subprocess.run(["git", *words], cwd=Path(harness.__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
