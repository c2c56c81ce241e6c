"""A folder on which commands are tried, good again after each."""

import shutil
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness import cli
from harness.report.console import console
from tests.bad_input.mutations import REFERENCE, ROW, SPEC
from tests.support.project import Project, Said


class Bench:
    """A folder with a spec, its fresh table and a reference, which are good again after every command."""

    def __init__(self, root: Path) -> None:
        self.root = root
        with chdir(root):
            project = Project(root)
            sweep = project.sweep(trials="2")
            self.table = project.run(sweep).table
            self.table.write(Path(REFERENCE))
        self.row = f"small/{sweep.cells[0].identity[:8]}/0/A_binClas"
        self.spec: dict[str, Any] = yaml.safe_load((root / SPEC).read_text(encoding="utf-8"))
        self.good, self.folders = self.files(), set(root.iterdir())

    def files(self) -> dict[str, bytes]:
        """What every file holds, by path; an experiment's lock is always empty."""
        paths = (path for path in self.root.rglob("*") if path.is_file() and path.name != "lock")
        return {str(path.relative_to(self.root)): path.read_bytes() for path in paths}

    def put(self, path: str, content: bytes) -> None:
        """Spoil a file."""
        (self.root / path).write_bytes(content)

    def harness(self, *words: str) -> Said:
        """A command on what is there now; ROW stands for a row that the good table has."""
        before, said = self.files(), self._said([self.row if word == ROW else word for word in words])
        self.left = after = self.files()
        for folder in set(self.root.iterdir()) - self.folders:
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()
        for path in after.keys() - self.good.keys():
            (self.root / path).unlink(missing_ok=True)
        for path, content in self.good.items():
            if after.get(path) != content:
                self.put(path, content)
        assert said.code in range(5) and "Traceback" not in said.out + said.err, said
        if said.code in (2, 4):
            told = {"page.md"} if "nothing was compared" in said.err else set[str]()  # which the page says too
            assert {path: text for path, text in after.items() if path not in told} == before, said
            lines = [line for line in said.err.splitlines() if line.startswith(("error: ", "╭─ Error"))]
            assert len(lines) == 1 and (said.code == 4 or said.err.startswith(("error: ", "Usage", "╭─ Error"))), said
        return said

    def _said(self, words: list[str]) -> Said:
        out, err = (TextIOWrapper(BytesIO(), "utf-8", errors=how, write_through=True) for how in ("strict", "backslashreplace"))
        sys.argv = ["harness", *words]
        console.stderr = False
        with chdir(self.root), redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            cli.main()
        streams = (stream.buffer.getvalue().decode() for stream in (out, err))
        return Said(int(ended.value.code or 0), *streams)
