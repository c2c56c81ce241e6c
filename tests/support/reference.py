"""A project with the table of a serial run."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from tests.support.project import Project


@dataclass(frozen=True)
class Reference:
    """A project with a spec, and the table of its serial run in `serial`."""

    project: "Project"
    name: str

    @property
    def spec(self) -> str:
        return f"experiments/{self.name}.yaml"

    def same(self, out: str) -> None:
        """The table in `out` is the serial one, bit for bit."""
        table, serial = (self.project.table(self.name, Path(folder)) for folder in (out, "serial"))
        assert table.fingerprint == serial.fingerprint
        rows, expected = (self.project.rows(self.name, Path(folder)) for folder in (out, "serial"))
        pd.testing.assert_frame_equal(rows, expected, check_exact=True)
