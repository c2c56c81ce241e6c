"""When a file of tests has its turn: not when few others are left, if it takes long."""

WAITING = ("sweep/test_engine_faults.py", "sweep/test_cluster.py", "sweep/test_cluster_faults.py", "sweep/test_faults.py")
"""Below tests/: these wait for Ray, for processes and for signals more than they work. Some of them share a cluster."""

COMMITTED = (
    *(f"report/test_{name}.py" for name in ("each_figure", "looks", "titles", "true_to_rows", "values", "widths")),
    *(f"report/test_{name}.py" for name in ("findings", "what_is_said", "catalogue")),
    "test_committed_rows.py",
    "claims/engine/test_judged.py",
)
"""Below tests/: these look at what is committed, of which each spec is read, and each figure drawn, once in a process."""

LONG = (
    *COMMITTED,
    "power/test_faults.py",
    "power/test_rooms.py",
    "test_cli.py",
    "test_api.py",
    "sweep/test_parts.py",
    "bad_input/test_texts.py",
    "bad_input/test_drawn_texts.py",
    "sweep/test_edits.py",
    "power/test_calm.py",
    "concepts/test_conformance.py",
    "concepts/test_transfer.py",
    "trials/test_by_types.py",
    "test_second_paper.py",
    "report/page/test_verdicts.py",
    "report/page/test_experiments.py",
    "report/page/test_readers.py",
    "report/page/test_file.py",
)
"""These take longest of all others."""


ORDER = {place: turn for turn, place in enumerate((*WAITING, *LONG))}


def turn(nodeid: str) -> int:
    """First those that wait, then the long ones, then the others as they are found."""
    return ORDER.get(nodeid.partition("::")[0].partition("tests/")[2], len(ORDER))


def waits(nodeid: str) -> bool:
    """Whether a test is in one of the files that wait."""
    return turn(nodeid) < len(WAITING)


def together(nodeid: str) -> str | None:
    """What the files are called that a test's is to be with in one process; None where it has none."""
    place = nodeid.partition("::")[0].partition("tests/")[2]
    return "waiting" if waits(nodeid) else "committed" if place in COMMITTED else None
