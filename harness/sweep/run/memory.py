"""How much memory there is for trials, by what the system says of the machine, of this process and of the group it runs in."""

import gc
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIMITS = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
SHARE = (
    0.9  # of what is available: the rest is for what runs beside the workers, and Ray kills workers when a twentieth is left
)
CGROUPS = Path("/sys/fs/cgroup")


def for_a_worker(workers: int) -> int | None:
    """The bytes of memory that each of so many workers on this machine may take; None where the system does not say."""
    shares = [int(SHARE * free / workers) for free in _free()]
    return min(
        [*shares, *(soft for soft, _ in map(resource.getrlimit, LIMITS) if soft != resource.RLIM_INFINITY)], default=None
    )


def confine(limit: int) -> None:
    """Makes this process, from now on, fail to allocate rather than take more bytes than `limit`, where the system can."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if resource.RLIM_INFINITY in (soft, hard) or limit < min(soft, hard):
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


@contextmanager
def confined(limit: int | None) -> Iterator[None]:
    """Context manager in which an allocation fails that takes this process more than `limit` bytes above what it has."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    if limit is not None:
        confine(limit + asked_for(os.getpid()))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def peak() -> int:
    """The most bytes of memory that this process has had so far; 0 where the system does not say.

    The maximum of getrusage would be that of the process which started it, where that was larger.
    """
    return _status("self", "VmHWM")


@contextmanager
def uncollected() -> Iterator[None]:
    """Context manager that turns Python's cyclic garbage collector off, and then exempts all objects that are there from it.

    To collect would take a tenth of what loads modules or reads many tables, and soon ends.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.freeze()
            gc.enable()


def asked_for(process: int) -> int:
    """The bytes of memory that a process has asked for and not given back; 0 where the system does not say."""
    return _status(process, "VmData")


def _status(process: int | str, key: str) -> int:
    lines = _read(Path(f"/proc/{process}/status")).splitlines()
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(f"{key}:")), 0)


def _free() -> Iterator[int]:
    """What can still be had, by each of those who say so: the machine, and the control groups of this process."""
    lines = _read(Path("/proc/meminfo")).splitlines()
    if not lines:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return
    yield from (1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    for entry in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, group = entry.split(":", 2)
        if not controllers:
            yield from _free_in(CGROUPS, group, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _free_in(CGROUPS / "memory", group, *names)


def _free_in(root: Path, group: str, limit: str, usage: str, cache: str) -> Iterator[int]:
    """What is left in a control group and in each that it is in. Files that are cached there give way."""
    folder = root / group.strip("/")
    for one in (folder, *folder.parents):
        most, used = _read(one / limit).strip(), _read(one / usage).strip()
        if most.isdigit() and used.isdigit():
            pairs = (line.split() for line in _read(one / "memory.stat").splitlines())
            cached = sum(int(value) for name, value in pairs if name == cache)
            yield max(0, int(most) - int(used) + cached)
        if one == root:
            return


def _read(path: Path) -> str:
    """A file of the system, empty where it is not there."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
