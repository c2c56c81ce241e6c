"""Nobody on the network reaches the Ray that a run starts for itself."""

import os
import signal
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from tests.sweep.nodes import begun, descendants

if TYPE_CHECKING:
    from tests.support.project import Project

LISTENS = "0A"


def address(word: str) -> IPv4Address | IPv6Address:
    """As in /proc/net/tcp: words of four bytes, each turned around."""
    raw = bytes.fromhex(word)
    found = ip_address(b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4)))
    return getattr(found, "ipv4_mapped", None) or found


def listening(processes: set[int]) -> list[tuple[str, IPv4Address | IPv6Address]]:
    """The programs of these processes that listen, and where."""
    lines = [line.split() for table in ("tcp", "tcp6") for line in Path("/proc/net", table).read_text().splitlines()[1:]]
    sockets = {f"socket:[{words[9]}]": address(words[1].split(":")[0]) for words in lines if words[3] == LISTENS}
    found = []
    for process in processes:
        with suppress(OSError):  # it has just ended
            name = Path(f"/proc/{process}/comm").read_text().strip()
            held = {os.readlink(entry) for entry in Path(f"/proc/{process}/fd").iterdir()}
            found += [(name, sockets[each]) for each in held & sockets.keys()]
    return found


def test_a_local_ray_listens_to_this_machine_alone(project: "Project") -> None:
    """With the work begun, so that its workers listen too; whoever has tokens turned off has nothing but this."""
    spec = project.spec(trials="20000")
    environment = {"RAY_AUTH_MODE": "disabled"}
    with begun(project.root, "run", str(spec), "--workers", "1", "--batch-seconds", "0.1", environment=environment) as process:
        start = monotonic()
        while not list(project.root.glob("results/runs/.small/*.parquet")):
            assert process.poll() is None and monotonic() - start < 100
            sleep(0.05)
        found = listening({process.pid, *descendants(process.pid)})
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert {"gcs_server", "raylet"} < {name for name, _ in found} and len(found) >= 5
    assert [each for each in found if not each[1].is_loopback] == []
