"""The notebooks, executed: `python -m tests.support.notebooks` writes what they say now into them.

What is kept of a cell's output is its text: pictures are large, and the same figures are in the gallery.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "harness" / "docs" / "notebooks"
SECONDS = 280
"""Of one cell, on a machine that has much else to do."""


def executed(path: Path, folder: Path) -> Any:
    """The notebook as a new kernel leaves it, run in the folder, with the package that is here. A cell's error raises."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    paths = {"PATH": Path(sys.executable).parent, "PYTHONPATH": ROOT}
    environment = os.environ | {name: f"{first}{os.pathsep}{os.environ.get(name, '')}" for name, first in paths.items()}
    client = NotebookClient(notebook, timeout=SECONDS, coalesce_streams=True, resources={"metadata": {"path": str(folder)}})
    client.execute(env=environment)
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [kept for output in cell.outputs if (kept := text_of(output))]
    return notebook


def text_of(output: Any) -> Any:
    """An output with its text alone, or nothing of a picture."""
    if output.output_type == "stream":
        return output
    if "image/png" in output.data:
        return None
    output.data = {"text/plain": output.data["text/plain"]}
    output.metadata = {}
    return output


def main() -> None:
    import nbformat

    for path in sorted(FOLDER.glob("*.ipynb")):
        with TemporaryDirectory() as folder:
            nbformat.write(executed(path, Path(folder)), path)


if __name__ == "__main__":
    main()
