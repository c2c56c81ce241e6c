"""What audits have measured of a mechanism's ε, by the committed table: the third word, beside certified and declared."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from harness.report.defaults import RESULTS

AUDITED = RESULTS / "audited.parquet"


@dataclass(frozen=True)
class Seen:
    """Of all audits of a mechanism the one that saw the largest share.

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
        """What is measured over what is said."""
        return self.lower / self.claimed

    @property
    def json(self) -> dict[str, Any]:
        """As an object."""
        return asdict(self)


def measured_of(name: str, table: Path = AUDITED) -> Seen | None:
    """What was seen of a mechanism; None where no audit of it is committed, as of a plugin."""
    return _best(table.absolute()).get(name)


@cache
def _best(table: Path) -> Mapping[str, Seen]:
    if not table.exists():
        return {}
    import pyarrow as pa

    from harness.sweep import parquet  # a whole `Table` brings pandas, which takes as long to load as a calculator takes

    keys = ("mechanism", "lower", "claimed", "eps", "delta", "m", "error")
    with suppress(Exception):  # damaged bytes raise nearly anything; `harness check` says of a table what is wrong with it
        content = table.read_bytes()
        file = parquet.opened(content)
        rows = parquet.read(content, file, pa.schema([file.schema_arrow.field(key) for key in keys])).to_pylist()
        found = [(str(row.pop("mechanism")), Seen(**row)) for row in rows if row["claimed"] and row["lower"] is not None]
        return dict(sorted(found, key=lambda each: each[1].share))  # of several the last
    return {}


def told_measured(names: Iterable[str]) -> str:
    """A sentence on how much of what these are said to spend audits have seen; empty where none of them was audited."""
    found = {name: seen for name in names if (seen := measured_of(name))}
    if not found:
        return ""
    much = [f"{name} {seen.share:.0%}" for name, seen in found.items() if seen.share >= 0.005]
    none = "" if len(much) == len(found) else "of the others nothing" if much else "nothing"
    said = ", ".join(filter(None, (*much, none)))
    return f"Measured by audits, at least, of what each is said to spend in a setting of theirs: {said}."
