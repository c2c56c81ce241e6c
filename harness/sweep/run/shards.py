"""Shares of a sweep, for schedulers that start the same command many times: `--shard 3/8` runs the third of eight.

A shard keeps its rows in a folder of its own, `.NAME@3of8`, as a run keeps its parts. A run without a shard takes up what all
of them have, runs what is missing, and makes the table: the same, bit for bit, as if there had been no shards.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from harness.sweep.errors import InputError
from harness.sweep.spec import Sweep, UntilDecided
from harness.sweep.table.counted import Done
from harness.sweep.table.ranges import joined

BETWEEN = "@"
"""In the name of a shard's folder, and in that of no experiment."""


class Shard(NamedTuple):
    """A share of a sweep's trials: the `number`-th of so many, from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """The share that a text such as 3/8 means. Raises InputError where it means none."""
        match = re.fullmatch(r"([1-9]\d{0,8})/([1-9]\d{0,8})", text)
        if not match or int(match[1]) > int(match[2]):
            raise InputError(f"{text!r} is no share; allowed: I/N, such as 3/8, with I from 1 to N", "--shard")
        return cls(int(match[1]), int(match[2]))

    @property
    def suffix(self) -> str:
        """The end of the name of the share's folder."""
        return f"{BETWEEN}{self.number}of{self.of}"

    def trials(self, place: int, count: int, block: int) -> range:
        """Which of the first `count` trials of the cell at a place are this shard's.

        Blocks are not cut. The shares of a cell are in another order from one cell to the next, so that cells of few blocks
        are not all of them the same shard's.
        """
        turn, blocks = (self.number - 1 + place) % self.of, -(-count // block)
        first, last = turn * blocks // self.of, (turn + 1) * blocks // self.of
        return range(min(count, first * block), min(count, last * block))


def without_others(shard: Shard | None, sweep: Sweep, trials_wanted: Mapping[str, int], there: Done) -> Done:
    """The trials that a shard need not run, by cell and mechanism: finished ones and other shards'; for None finished ones.

    trials_wanted: how many trials each cell should have. Where that depends on the rows a cell is one shard's as a whole.
    """
    if shard is None:
        return there
    left = dict(there)
    for place, cell in enumerate(sweep.cells):
        most, block = trials_wanted[cell.identity], sweep.kind.block(cell)
        if isinstance(sweep.spec.trials, UntilDecided):
            most = block = sweep.spec.trials.max
        share = shard.trials(place, most, block)
        others = tuple(each for each in (range(share.start), range(share.stop, most)) if each)
        for name in sweep.spec.mechanisms:
            key = cell.identity, name
            left[key] = joined([others, there.get(key, ())])
    return left
