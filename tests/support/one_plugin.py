"""A plugin of one mechanism, with a place where it is loaded, one where it plans and one where it answers, and what runs it."""

from pathlib import Path

from harness.sweep import plugins
from harness.sweep.run import work
from tests.support.doctored import ONE

PLUGIN = """
import ctypes
import glob
import os
import sqlite3
import tempfile
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv, dataset

from harness.mechanisms.answering import majority

DATA = Path(__file__).with_name("data") / "points.csv"
{load}


class Mine(majority.Majority):
    name, source, legend = "mine", "Me", "mine"

    def plan(self, constants, task, n):
        {plan}
        return super().plan(constants, task, n)

    def answer(self, ballot, plan, task, rng):
        {answer}
        return super().answer(ballot, plan, task, rng)


MECHANISM = Mine()
"""
SPEC: dict[str, str | None] = ONE | {"mechanisms": "[mine, majority]", "trials": "3", "claims": "[]"}


def written(load: str = "", plan: str = "...", answer: str = "...") -> None:
    """The plugin, as mine.py."""
    Path("mine.py").write_text(PLUGIN.format(load=load, plan=plan, answer=answer), encoding="utf-8")


def forgotten() -> None:
    """As in a new process: no plugin is loaded, and nothing is known of what rows depend on."""
    work._needed.cache_clear()
    work._stamp.cache_clear()
    for plugin in plugins.loaded():
        plugins.unload(plugin.name)
