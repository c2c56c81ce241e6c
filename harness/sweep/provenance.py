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
from harness.sweep.spec import Sweep

PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "ray", "pydantic")
ROOMS = ("theory", "concepts", "mechanisms", "trials")


def provenance(sweep: Sweep) -> dict[str, Any]:
    """What is stored beside the rows."""
    return {
        "spec": sweep.text,
        "spec_sha256": sha256(sweep.text.encode()).hexdigest(),
        "set": sweep.overrides,
        "kind": sweep.kind.name,
        "makes": makes(sweep),
        "commit": _git("rev-parse", "HEAD"),
        "clean": _git("status", "--porcelain") == "",
        "python": sys.version.split()[0],
        "packages": {name: version(name) for name in PACKAGES},
        "threads": 1,
    }


def makes(sweep: Sweep) -> dict[str, Any]:
    """What a stored row must share with a run to be taken over by it: where all of this is the same, so is every row."""
    return {"seed": sweep.spec.seed, "code": code(), "numpy": version("numpy"), "scipy": version("scipy")}


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
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
                    node.body = node.body[1:]
            digest.update(f"{name}\0{ast.dump(tree)}\0".encode())
    return digest.hexdigest()[:16]


def _git(*words: str) -> str | None:
    """What git says of the harness's own source tree; None where there is none."""
    try:
        answer = subprocess.run(["git", *words], cwd=Path(harness.__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
