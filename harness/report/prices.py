"""The price of privacy: n* of a construction over n* of the learner without privacy, on the same problem."""

from collections.abc import Iterator

import pandas as pd

from harness.report import style, words
from harness.report.settings import Settings

KIND, BASE = "sample_complexity", "non_private"
MEASURED = ["n_star", "n_low", "n_high"]


def priced(frame: pd.DataFrame) -> pd.DataFrame:
    """Searches with `price` and its ends `price_low` and `price_high`: nan where n* is not known on either side.

    frame: rows of the kind sample_complexity. The ends are what the two intervals allow together.
    """
    keys = ["cell", "trial"]
    base = frame.loc[frame["mechanism"] == BASE, [*keys, *MEASURED]].rename(columns={name: f"base_{name}" for name in MEASURED})
    both = frame.merge(base, on=keys, how="left")
    reals = {name: both[name].astype("Float64").astype(float) for name in (*MEASURED, *(f"base_{name}" for name in MEASURED))}
    return both.assign(
        price=reals["n_star"] / reals["base_n_star"],
        price_low=reals["n_low"] / reals["base_n_high"],
        price_high=reals["n_high"] / reals["base_n_low"].clip(lower=1),
    )


def price_lines(frame: pd.DataFrame, settings: Settings) -> Iterator[tuple[str, ...]]:
    """Of each cell and construction what PRICE_HEADINGS says: n* and its interval, what the theorem asks for, the price."""
    for _, row in priced(frame).iterrows():
        known = pd.notna(row["n_high"])
        has_price = pd.notna(row["price"]) and row["mechanism"] != BASE
        yield (
            style.style(row["mechanism"]).label,
            settings.where(row["cell"]),
            words.number(float(row["n_star"])) if known else f"> {words.number(float(row['n_low']))}",
            f"({words.number(float(row['n_low']))}, {words.number(float(row['n_high']))}]" if known else "",
            words.number(float(row["needed"])),
            f"{row['price']:.3g}" if has_price else "",
            f"[{row['price_low']:.3g}, {row['price_high']:.3g}]" if has_price else "",
        )
