"""Who reads a folder while a run writes in it sees whole tables, or rows that were kept, and no run minds."""

import csv
import signal
import sys
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.sweep.nodes import begun
from tests.sweep.test_faults import LONG

if TYPE_CHECKING:
    import subprocess

    from tests.support.project import Project

SPEC, OUT = "experiments/long.yaml", "results/runs"
RUN = ("run", SPEC, "--serial", "--batch-seconds", "0.05")
READERS = {
    "check": ("check", SPEC, "--no-reference", "--json"),
    "report": ("report", SPEC, "--html", "page.html"),
    "accept": ("accept", "long"),
    "figures": ("figures", SPEC, "--results", OUT, "--out", "drawn"),
    "verify": ("verify", SPEC, "--results", OUT, "--sample", "2%"),
    "table": ("table", "long", "--csv"),
    "columns": ("columns", "long"),
    "replay": ("replay", "long/CELL/3/A_binClas"),
}
NOT_YET = ("nothing was measured for", "no such table", "stopped at", "lacks", "has changed while it was read")
"""What is said where there is no table, or not all of it, as an error."""


def as_csv(text: str) -> list[tuple[str, ...]]:
    """Rows as they are printed, but for what they took."""
    head, *rows = csv.reader(StringIO(text))
    took = head.index("seconds")
    return [tuple(row[:took] + row[took + 1 :]) for row in rows]


class Readers:
    """All that read a folder, again and again. rows: those that there may be. seen: of each how often it had something."""

    def __init__(self, place: "Project", cell: str, rows: set[tuple[str, ...]]) -> None:
        self._place, self._rows = place, rows
        self._words = {name: [word.replace("CELL", cell) for word in words] for name, words in READERS.items()}
        self.seen = dict.fromkeys(READERS, 0)
        self.refused = 0

    def read(self) -> None:
        """Once each, all at the same time."""
        with ExitStack() as stack:
            reading = {name: stack.enter_context(begun(self._place.root, *words)) for name, words in self._words.items()}
            for name, process in reading.items():
                out, err = process.communicate(timeout=200)
                self._judge(name, process.returncode, out, err)

    def _judge(self, name: str, code: int, out: str, err: str) -> None:
        told = f"{name}: {code}\n{err}{out}"
        assert "Traceback" not in told and "damaged" not in told and "fault of" not in told, told
        if code in (2, 4):
            assert err.startswith("error: ") and any(words in err for words in NOT_YET), told
            self.refused += 1
            return
        assert code == 0 or (code, name) == (3, "check"), told
        self.seen[name] += 1
        if name == "report":
            assert (self._place.root / "page.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
        if name == "table":
            rows = as_csv(out)
            assert rows and len({*rows}) == len(rows) and {*rows} <= self._rows


def until_done(run: "subprocess.Popen[str]", readers: Readers) -> tuple[str, str]:
    """Read as long as it runs."""
    while run.poll() is None:
        readers.read()
    return run.communicate()


@pytest.mark.timeout(900)
def test_readers_beside_a_run(module_project: "Project") -> None:
    """That begins anew, is stopped, goes on, and begins anew where there is a table: what is there in the end is its own."""
    place = module_project
    place.spec("long", **LONG | {"trials": "600"})
    assert place.process("run", SPEC, "--serial", "--out", "calm").code == 0
    calm = place.table("long", Path("calm"))
    rows = {*as_csv(place.process("table", "long", "--csv", "--out", "calm").out)}
    readers = Readers(place, calm.rows["cell"][0].as_py(), rows)
    assert len(rows) == calm.rows.num_rows

    with begun(place.root, *RUN) as run:
        readers.read()
        assert run.poll() is None, "too short to be read beside"
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    for words in (RUN, (*RUN, "--fresh")):
        with begun(place.root, *words) as run:
            out, err = until_done(run, readers)
            assert run.returncode == 0, out + err
        assert place.table("long").fingerprint == calm.fingerprint
    readers.read()

    print(f"had something: {readers.seen}; were told that there is none yet: {readers.refused}", file=sys.stderr)
    assert min(readers.seen.values()) > 0 and readers.refused > 0
    assert place.table("long", Path("results")).fingerprint == place.table("long").fingerprint == calm.fingerprint
