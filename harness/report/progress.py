"""Progress of a sweep while it runs: a live bar on a terminal, a plain line every few seconds elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from harness.claims.registry import claims
from harness.report.numerals import duration
from harness.report.settings import Settings
from harness.sweep.run.batches import Batches, Engine
from harness.sweep.run.run import LOOK_ERROR
from harness.sweep.run.store import Store
from harness.sweep.run.work import Result
from harness.sweep.spec import Sweep, UntilDecided
from harness.sweep.table.cells import Cells
from harness.text import one_line

PLAIN_SECONDS = 5.0
LIVE_SECONDS = 0.2
TICK_SECONDS = 0.5
LOOK_SHARE = 50


class Ticking:
    """Context manager that calls a function several times a second, from a thread of its own, while the block runs."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell, self._over = tell, Event()
        self._thread = Thread(target=self._tick, name="progress", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _tick(self) -> None:
        while not self._over.wait(TICK_SECONDS):
            self._tell()


@contextmanager
def heartbeat(console: Console, what: Callable[[], str]) -> Iterator[None]:
    """Context manager that prints every few seconds what the program is doing, and for how long, while the block runs."""
    begun = last = monotonic()

    def tell() -> None:
        nonlocal last
        now = monotonic()
        if now - last >= PLAIN_SECONDS:
            last = now
            console.print(f"{what()}: {duration(now - begun)} so far")

    with Ticking(tell):
        yield


@contextmanager
def telling(console: Console, what: str) -> Iterator[None]:
    """Context manager that shows what the program does: on a terminal at once and to the end, else every few seconds."""
    with console.status(what) if console.is_terminal else heartbeat(console, lambda: what):
        yield


class Meter:
    """Prints how far a sweep is and how much time is left, also while nothing comes back, and what its engine waits for.

    The time left is what each cell's own trials cost, over the workers: that the cheap cells come first does not change it.
    """

    def __init__(self, console: Console, sweep: Sweep, engine: Engine) -> None:
        self._console, self._sweep, self._engine = console, sweep, engine
        self._name = one_line(sweep.name)
        self._settings = Settings.of(sweep)
        self._least = "at least " if isinstance(sweep.spec.trials, UntilDecided) else ""
        self._started = self._last = monotonic()
        self._next_look = self._started + PLAIN_SECONDS
        self._total = self._done = self._untimed = self._decided = 0
        self._batches: Batches | None = None
        self._pause = LIVE_SECONDS if console.is_terminal else PLAIN_SECONDS  # longer where there is so much to reckon
        self._bar: Bar | None = None
        self._task = TaskID(0)
        self._telling, self._ticking = Lock(), Ticking(self.tell)

    def __enter__(self) -> "Meter":
        self._ticking.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._ticking.__exit__(kind, value, trace)
        if self._bar is not None:
            self._last = float("-inf")
            self.tell()
            self._bar.stop()

    def start(self, batches: Batches, store: Store) -> None:
        """These are missing; the store has what is finished."""
        self._store = store
        with self._telling:
            self._batches = batches
            self._total += batches.trials
            if self._bar is None and self._console.is_terminal:
                columns = (
                    TextColumn("{task.description}", markup=False),
                    BarColumn(),
                    MofNCompleteColumn(),
                    TextColumn("trials "),
                    TimeElapsedColumn(),
                    TextColumn("{task.fields[far]}", markup=False),
                )
                self._bar = Bar(*columns, console=self._console)
                self._task = self._bar.add_task(self._name, total=self._total, far="")
                self._bar.start()

    def advance(self, result: Result) -> None:
        """A batch has come back."""
        now = monotonic()
        with self._telling:
            self._done += len(result.batch.trials)
            if not self._untimed:  # the clock starts with the first result: before that, Ray was starting
                self._started, self._untimed = now, self._done
        self._look(now)
        self.tell()

    def tell(self) -> None:
        """Say how far it is, unless that was said just now."""
        with self._telling:
            now = monotonic()
            if self._batches is None or now - self._last < self._pause:
                return
            self._last = now
            far = self._far(now)
            if self._bar is not None:
                self._bar.update(self._task, total=self._total, completed=self._done, far=far)
            else:
                self._console.print(f"{self._name}: {self._done}/{self._total} trials, {far}")
            self._pause = max(PLAIN_SECONDS if self._bar is None else LIVE_SECONDS, LOOK_SHARE * (monotonic() - now))

    def _far(self, now: float) -> str:
        """The time left, how many cells are done and claims decided, and what is under way."""
        assert self._batches is not None
        words = [f"waiting: {self._engine.waiting}"] if self._engine.waiting else []
        if self._done > self._untimed:
            words.append(f"{(self._done - self._untimed) / max(now - self._started, 1e-9):,.0f}/s")
        workers, left = self._engine.workers, self._batches.seconds_left
        if workers and left:
            least = self._least if self._batches.all_ended else "at least "
            words.append(f"{least}{duration(left / workers)} left")
        words.append(f"{self._batches.cells_done}/{self._batches.cells} cells")
        if self._sweep.spec.claims:
            words.append(f"{self._decided}/{len(self._sweep.spec.claims)} claims decided")
        under_way = self._batches.under_way
        if under_way is not None:
            words.append(f"at {self._settings.where(under_way.cell)} for {duration(now - under_way.since)}")
        return ", ".join(words)

    def _look(self, begun: float) -> None:
        """On how many claims what is on disk decides already.

        To judge takes time, and ever more of it, so it is done so seldom that it takes a LOOK_SHARE-th of all.
        """
        if self._sweep.spec.claims and begun >= self._next_look:
            seen = self._store.seen(self._sweep.looks, self._sweep.spec.looks)
            self._decided = decided_so_far(self._sweep, seen.table.cells) if seen else 0
            now = monotonic()
            self._next_look = now + max(PLAIN_SECONDS, LOOK_SHARE * (now - begun))


def decided_so_far(sweep: Sweep, cells: Cells) -> int:
    """How many claims of a spec have questions to the rows so far and are decided on all of these, each at error LOOK_ERROR."""
    wanted = (claims()[name] for name in sweep.spec.claims)
    decisions = [list(claim.decisions(cells, LOOK_ERROR)) for claim in wanted if claim.trials == sweep.kind.name]
    return sum(bool(decisions) and all(decisions) for decisions in decisions)
