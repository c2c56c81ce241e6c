"""Bad input, systematically: whatever a spec, a table or a command line holds, a command says so and leaves nothing behind.

Every command ends with a documented exit code and never with another exception. Code 2 or 4 comes with one message that names
the place, and no file is new, changed or gone. The commands run in this process, and no trial is run.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import cli
from harness.sweep.errors import CannotRunError
from harness.sweep.spec import Sweep
from harness.sweep.table import Table
from tests.conftest import SMALL, Project, Said

SPEC, FRESH, REFERENCE = "experiments/small.yaml", "results/runs/small.parquet", "results/small.parquet"
CODES = range(5)


class Bench:
    """A folder with a spec, its fresh table and a reference, good again before every command."""

    def __init__(self, root: Path) -> None:
        self.root, project = root, Project(root)
        with chdir(root):
            sweep = project.sweep(trials="2")
            table = project.run(sweep).table
            table.write(root / REFERENCE)
        self.spec = yaml.safe_load((root / SPEC).read_text(encoding="utf-8"))
        self.table = table
        self.row = f"small/{sweep.cells[0].identity[:8]}/0/A_binClas"
        self.good = self.files()

    def files(self) -> dict[str, bytes]:
        """All there is, by path; of folders only the names."""
        paths = sorted(self.root.rglob("*"))
        return {str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else b"" for path in paths}

    def __call__(self, *words: str, **_: Any) -> Said:
        """`harness …` on what is there now, after which all is good again."""
        out, err = (TextIOWrapper(BytesIO(), "utf-8", errors=errors) for errors in ("strict", "backslashreplace"))
        before = self.files()
        sys.argv = ["harness", *words]
        cli.console.stderr = False
        with chdir(self.root), redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            cli.main()
        out.flush(), err.flush()
        said = Said(int(ended.value.code or 0), out.buffer.getvalue().decode(), err.buffer.getvalue().decode())
        after = self.files()
        self.restore(after)
        assert said.code in CODES, said
        assert "Traceback" not in said.err + said.out
        if said.code in (2, 4):
            assert after == before
            assert said.err.startswith(("error: ", "Usage: ")), said
            assert said.err.startswith("Usage: ") or said.err.count("\n") == 1, said
        return said
