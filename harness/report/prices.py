"""The price of privacy: n* of a construction over n* of the learner without privacy, on the same problem.

Where m is sought, it is m* over m*.
"""

from collections.abc import Iterator

import pandas as pd

from harness.report import numerals, style
from harness.report.settings import Settings
from harness.trials.kind import Price

KEYS = ["cell", "trial"]
FIND = "find"


def sought(settings: Settings) -> str:
    """The name of the number that a search looks for, such as n: what its cells have as `find`, or n where they have none."""
    return str(getattr(settings.cells[0], FIND, "n"))


def priced(frame: pd.DataFrame, of: Price) -> pd.DataFrame:
    """Searches with their `price` and its ends `price_low` and `price_high`: nan where n* is not known on either side.

    The ends are what the two intervals allow together.
    """
    measured = {name: f"base_{name}" for name in (of.number, of.low, of.high)}
    base = frame.loc[frame["mechanism"] == of.base, [*KEYS, *measured]].rename(columns=measured)
    both = frame.merge(base, on=KEYS, how="left")
    reals = {name: both[name].astype("Float64").astype(float) for name in (*measured, *measured.values())}
    return both.assign(
        price=reals[of.number] / reals[f"base_{of.number}"],
        price_low=reals[of.low] / reals[f"base_{of.high}"],
        price_high=reals[of.high] / reals[f"base_{of.low}"].clip(lower=1),
    )


def price_lines(frame: pd.DataFrame, of: Price, settings: Settings) -> Iterator[tuple[str, ...]]:
    """A line for each cell and mechanism under `price_headings`: n* and its interval, what the theorem asks for, the price."""
    for _, row in priced(frame, of).iterrows():
        searched = pd.notna(row[of.high])
        has_price = pd.notna(row["price"]) and row["mechanism"] != of.base
        low, high = (numerals.number(float(row[end])) if pd.notna(row[end]) else "" for end in (of.low, of.high))
        yield (
            style.style(row["mechanism"]).legend,
            settings.where(row["cell"]),
            numerals.number(float(row[of.number])) if searched else f"> {low}",
            f"({low}, {high}]" if searched else "",
            numerals.number(float(row[of.asked])) if pd.notna(row[of.asked]) else "",
            f"{row['price']:.3g}" if has_price else "",
            f"[{row['price_low']:.3g}, {row['price_high']:.3g}]" if has_price else "",
        )
