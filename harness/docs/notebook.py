"""A notebook as a page: its words, its code, and what that printed when the notebook was last executed."""

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"
"""One file each; `tests.support.notebooks` executes them."""

OTHER = re.compile(r"\]\((\w+)\.ipynb\)")
"""A link from one notebook to another, which is one from page to page."""


def page(path: Path) -> str:
    """The Markdown of a notebook, with a line under its title that leads to the file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _parts(cell)]
    title, _, rest = parts[0].partition("\n")
    introduction = (
        f"A notebook: [{path.name}](../../../harness/docs/notebooks/{path.name}), with its output as it was last executed."
    )
    return "\n\n".join([title, introduction, rest.strip(), *parts[1:]]) + "\n"


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return [OTHER.sub(r"](\1.md)", source)]
    return [f"```python\n{source}\n```", *(f"```\n{_text(output)}\n```" for output in cell["outputs"])]


def _text(output: dict[str, Any]) -> str:
    return "".join(output["text"] if "text" in output else output["data"]["text/plain"]).rstrip("\n")
