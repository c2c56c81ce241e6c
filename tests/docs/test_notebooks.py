"""The notebooks run from their first cell to their last in a new kernel, and print what they show, to the digit."""

import ast
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness import docs
from tests.support.notebooks import FOLDER, executed, text_of

if TYPE_CHECKING:
    from tests.support.project import Harness

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def shown(notebook: Any) -> list[list[str]]:
    """What each cell of code prints, output by output, its pictures left out."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        ["".join(each["text"] if "text" in each else each["data"]["text/plain"]) for each in cell["outputs"]] for cell in cells
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_is_code_in_words(path: Path) -> None:
    import nbformat

    text = path.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = json.loads(text)["cells"]
    assert len(text.splitlines()) < 350 and "image/png" not in text and "text/html" not in text
    assert cells[0]["cell_type"] == "markdown" and cells[0]["source"][0].startswith("# ")
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and not source.startswith(("!", "%")):
            ast.parse(source)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_a_page_with_its_code_and_what_that_prints(path: Path, harness: "Harness") -> None:
    assert harness("docs", path.stem).code == 0
    text = docs.page(path.stem, {})
    assert text.startswith("# ") and docs.title(path.stem) == text.partition("\n")[0].removeprefix("# ")
    printed = [each for outputs in shown(json.loads(path.read_text(encoding="utf-8"))) for each in outputs]
    assert len(printed) >= 3 and all("```\n" + each.rstrip("\n") + "\n```" in text for each in printed)
    assert ".ipynb)," in text and text.count(".ipynb)") == 1  # links to other notebooks lead to their pages


@pytest.mark.process
@pytest.mark.timeout(900)  # of a machine that has much else to do; alone all three take a minute
@pytest.mark.filterwarnings("ignore")  # of the kernel's libraries
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_shows(path: Path, tmp_path: Path) -> None:
    """`python -m tests.support.notebooks` writes what they print now into them."""
    assert shown(executed(path, tmp_path)) == shown(json.loads(path.read_text(encoding="utf-8")))


def test_of_a_picture_nothing_is_kept() -> None:
    import nbformat

    picture = nbformat.v4.new_output("display_data", data={"image/png": "", "text/plain": "<Figure>"})
    table = nbformat.v4.new_output("execute_result", data={"text/html": "<p>", "text/plain": "1"})
    assert text_of(picture) is None and text_of(table)["data"] == {"text/plain": "1"}
