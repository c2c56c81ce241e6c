"""What runs the experiments of this project, made small."""

from collections.abc import Callable, Iterable

from harness.report.verdicts import Evidence, Finding
from harness.sweep.spec import Sweep

Read = Callable[..., Sweep]


Measure = Callable[..., Evidence]


Broken = Callable[[Iterable[Finding]], set[str]]
