"""What audits have measured of a mechanism's ε, by stored tables of audits: the third word, beside certified and declared."""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.report.defaults import EXPERIMENTS, RESULTS, RUNS

OF_AUDITS = re.compile(r"^kind: *[\"']?audit\b", re.MULTILINE)
"""What a spec says whose table has audits."""

LITTLE = 0.005  # of a share: it is told as 0 %


@dataclass(frozen=True)
class SeenByAudit:
    """The audit of a mechanism that saw the largest share of the ε that the mechanism is said to spend.

    lower: an ε that it spends at least, too much with a chance of at most `error`. claimed: the ε that it is said to keep to in
    the same setting: eps, delta and m queries.
    """

    lower: float
    claimed: float
    eps: float
    delta: float
    m: int
    error: float

    @property
    def share(self) -> float:
        """The lower end for ε over the ε that is said to be spent."""
        return self.lower / self.claimed

    @property
    def json(self) -> dict[str, Any]:
        """The audit as an object."""
        return asdict(self)


def measured_of(name: str, *tables: Path) -> SeenByAudit | None:
    """Of audits in these tables the one that shows the largest share of a mechanism's ε; by default of all in this folder.

    None where there is none, as of a plugin of which no audit is stored, or which was another one when that was run.
    """
    if tables:
        stored = [_best(table.absolute(), _changed(table)) for table in tables]
    else:
        stored = _stored(Path.cwd(), tuple(map(_changed, (EXPERIMENTS, RESULTS, RUNS))))
    audits = [best[name] for made, best in stored if name in best and _of_these_plugins(made)]
    return max(audits, key=lambda one: one.share, default=None)


@cache
def _stored(here: Path, changed: tuple[int, ...]) -> list[tuple[Mapping[str, str], Mapping[str, SeenByAudit]]]:
    """What is in the tables of audits of a folder, committed or run. changed: when its folders were."""
    specs = [path for path in sorted((here / EXPERIMENTS).glob("*.yaml")) if _is_of_audits(path)]
    tables = [here / folder / f"{path.stem}.parquet" for path in specs for folder in (RESULTS, RUNS)]
    return [_best(table, _changed(table)) for table in tables]


def _changed(path: Path) -> int:
    """When a file or folder was; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _is_of_audits(spec: Path) -> bool:
    with suppress(OSError):  # `harness check` says of a spec what is wrong with it
        return spec.is_file() and OF_AUDITS.search(spec.read_text("utf-8", errors="replace")) is not None
    return False


@cache
def _best(table: Path, changed: int) -> tuple[Mapping[str, str], Mapping[str, SeenByAudit]]:
    """The plugins that a table was made with and their digests, and of each mechanism the audit that saw most."""
    import pyarrow as pa

    from harness.sweep.table import parquet  # a whole `Table` brings pandas, which takes as long to load as a calculator takes

    keys = ("mechanism", "lower", "claimed", "eps", "delta", "m", "error")
    with suppress(Exception):  # damaged bytes raise nearly anything; `harness check` says of a table what is wrong with it
        content = table.read_bytes()
        file = parquet.opened(content)
        made = json.loads(file.schema_arrow.metadata[b"harness"])["provenance"]["makes"].get("plugins", {})
        rows = parquet.read(content, file, pa.schema([file.schema_arrow.field(key) for key in keys])).to_pylist()
        audits = [
            (str(row.pop("mechanism")), SeenByAudit(**row)) for row in rows if row["claimed"] and row["lower"] is not None
        ]
        return made, dict(sorted(audits, key=lambda one: one[1].share))  # of several the last
    return {}, {}


def _of_these_plugins(made: Mapping[str, str]) -> bool:
    """Whether these are loaded, as they were."""
    if not made:
        return True
    from harness.sweep.run.provenance import of_plugins  # follows their imports

    return made.items() <= of_plugins().items()


def share_of(name: str) -> float | None:
    """The largest share of its ε that audits saw of a mechanism; None where nothing is known."""
    seen = measured_of(name)
    return seen.share if seen else None


def told_share(share: float) -> str:
    """A share as text: in per cent, above 1 as a multiple."""
    return f"{share:.0%}" if share <= 1 else f"{share:.2g} times"


def beside(name: str) -> str:
    """Words for a legend on how much audits have seen of a mechanism's ε; empty where there was no audit, or it saw little."""
    share = share_of(name) or 0.0
    return f"audits see {told_share(share)} {'of it' if share <= 1 else 'as much'}" if share >= LITTLE else ""


def told_measured(names: Iterable[str]) -> str:
    """A sentence on how much audits have seen of what mechanisms are said to spend; empty where none of them was audited."""
    by_mechanism = {name: seen for name in names if (seen := measured_of(name))}
    if not by_mechanism:
        return ""
    much = [f"{name} {told_share(seen.share)}" for name, seen in by_mechanism.items() if seen.share >= LITTLE]
    none = "" if len(much) == len(by_mechanism) else "of the others nothing" if much else "nothing"
    words = ", ".join(filter(None, (*much, none)))
    return f"Measured by audits, at least, of what each is said to spend in a setting of theirs: {words}."
