"""Which tests run on every change, and which every night: those of whole files are told here, single ones in their own file.

The first tier, of tests without a marker, is what `pytest` runs. `law` is for statistical laws and long properties, `process`
for programs, kills, Ray and the browser, `benchmark` for what compares times.
"""

from collections.abc import Sequence

import pytest

MARKERS = {
    "law": "statistical laws and long properties",
    "process": "programs that are started and killed, Ray, the browser",
    "benchmark": "times against times, on a machine that has nothing else to do",
}
FIRST = " and ".join(f"not {marker}" for marker in MARKERS)
"""What is given to -m where nothing is; `-m ''` selects all tests."""

AT_ONCE = "at_once(*ids): of its cases those with these ids run on every change, the quickest of each kind; the others are laws"

OF: dict[str, tuple[str, ...]] = {
    "law": (
        "audits/test_share.py",
        "bad_input/test_command_lines.py",
        "bad_input/test_permissions.py",
        "bad_input/test_tables.py",
        "concepts/test_conformance.py",
        "concepts/test_transfer.py",
        "mechanisms/answering/test_by_types.py",
        "mechanisms/test_above_threshold_law.py",
        "mechanisms/test_above_threshold_types.py",
        "power/test_calm.py",
        "trials/test_by_types.py",
    ),
    "process": (
        "bad_input/test_ctrl_c.py",
        "bad_input/test_forbidden_calls.py",
        "report/test_acceptances_killed.py",
        "report/page/",
        "sweep/test_client_faults.py",
        "sweep/test_cluster.py",
        "sweep/test_cluster_faults.py",
        "sweep/test_edits.py",
        "sweep/test_engine_faults.py",
        "sweep/test_faults.py",
        "sweep/test_faulty_disk.py",
        "sweep/test_long_memory.py",
        "sweep/test_loopback.py",
        "sweep/test_object_store_faults.py",
        "sweep/test_readers.py",
        "sweep/test_shown_nowhere.py",
        "sweep/test_stopping.py",
        "test_loaded.py",
        "test_second_paper.py",
    ),
    "benchmark": ("benchmarks/",),
}
"""Files and folders below tests/ all of whose tests have a marker."""


def place(nodeid: str) -> str:
    """The file of a test, or a folder, below tests/."""
    return nodeid.partition("::")[0].partition("tests/")[2]


def marker(file: str) -> str | None:
    """The marker that all tests of a file below tests/ have."""
    return next((marker for marker, places in OF.items() if file.startswith(places)), None)


def expression(given: str, asked: Sequence[str]) -> str:
    """What is to be selected, where -m is `given`: all that is asked for by names of files, and of folders of one marker."""
    named = all(".py" in each or marker(f"{place(each)}/".replace("//", "/")) for each in asked)
    return "" if given == FIRST and named else given


def by_night(item: pytest.Item) -> bool:
    """Whether it is a case that is not among those that its test names to be run on every change."""
    some = item.get_closest_marker("at_once")
    return some is not None and case(item) not in some.args


def case(item: pytest.Item) -> str:
    """What stands in brackets after the name of a test."""
    return item.nodeid.partition("[")[2].removesuffix("]")


def misnamed(items: Sequence[pytest.Item]) -> set[str]:
    """Cases that a test names to be run on every change, and has not."""
    there = {item.nodeid for item in items}
    some = ((item.nodeid.partition("[")[0], item.get_closest_marker("at_once")) for item in items)
    return {f"{test}[{each}]" for test, named in some if named for each in named.args} - there
