"""The price of privacy: n* of a construction over n* of the learner without privacy, on the same problem."""

import pandas as pd
from rich.table import Table as Grid

from harness.report import style, words

BASE = "non_private"
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


def prices_grid(frame: pd.DataFrame, varying: list[str]) -> Grid:
    """One line a cell and construction: n* with its interval, what the theorem asks for, and the price."""
    grid = Grid(title="n* and the price of privacy", title_justify="left", box=None, pad_edge=False, header_style="bold")
    for heading in ("construction", "setting"):
        grid.add_column(heading, overflow="fold")
    for heading in ("n*", "within", "its theorem", "price", "within"):
        grid.add_column(heading, justify="right")
    for _, row in priced(frame).iterrows():
        known = pd.notna(row["n_high"])
        grid.add_row(
            style.style(row["mechanism"]).label,
            ", ".join(words.parameter(row, key) for key in varying),
            words.number(float(row["n_star"])) if known else f"> {words.number(float(row['n_low']))}",
            f"({words.number(float(row['n_low']))}, {words.number(float(row['n_high']))}]" if known else "",
            words.number(float(row["needed"])),
            f"{row['price']:.3g}" if pd.notna(row["price"]) and row["mechanism"] != BASE else "",
            f"[{row['price_low']:.3g}, {row['price_high']:.3g}]" if pd.notna(row["price"]) and row["mechanism"] != BASE else "",
        )
    return grid
