"""What the terminal shows of tables: verdicts and replays."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from rich.console import Group
from rich.text import Text

from harness.claims.engine import Verdict
from harness.claims.engine.claim import Decider
from harness.report import lines, prices
from harness.report.enough import enough, told_enough
from harness.report.grids import Sheet, value
from harness.report.replay import Judgement, Replay
from harness.report.settings import Settings
from harness.report.siblings import limited
from harness.report.verdicts import UNTRIED, Finding
from harness.sweep.files.object_store import Location
from harness.text import one_line
from harness.trials.kind import Price

COLOURS = {"holds": "green", "refuted": "bold red", "undecided": "yellow", "vacuous": "dim", "untested": "dim"}
CELLS_LEAST = ("stands", "claimed", "P(fail) within", "failed")  # what goes first where there is little room
CLAIMS_LEAST = ("kind", "decisions", "stands", "challenged")
COLOURS |= {"seen": "green", "not seen": "bold red", UNTRIED: "green"}


def cells_grid(
    title: str,
    settings: Settings | None,
    verdicts: Iterable[Verdict],
    deciders: Mapping[str, Decider] | None = None,
    of_one_claim: bool = False,
) -> Sheet:
    """The sheet of verdicts, a line each: where it is, what was measured, what was claimed, the outcome.

    deciders: of the claims by their ids, which tell how many trials would decide what is undecided. of_one_claim: they are all
    of one claim that is told already, so that its id may go first.
    """
    grid = Sheet(title, lines.CELL_HEADINGS, (*lines.CELL_HEADINGS[:1], *CELLS_LEAST) if of_one_claim else CELLS_LEAST)
    judged = list(verdicts)
    for verdict, (*line, outcome) in zip(judged, lines.cell_lines(settings, judged), strict=True):
        needed = enough(deciders[verdict.claim], verdict) if deciders else None
        grid.add_row(*line, _outcome(outcome) if needed is None else _outcome(outcome).append(f": {told_enough(needed)}"))
    return grid


def findings_grid(title: str, findings: Iterable[Finding], among: Sequence[Finding] = ()) -> Sheet:
    """The sheet of findings, a line a claim: its verdict, what decided it, whether it was challenged, and what it should be.

    among: all findings there are, which may limit what holds.
    """
    grid = Sheet(title, (*lines.CLAIM_HEADINGS, ""), CLAIMS_LEAST)
    for finding in findings:
        *line, outcome = lines.claim_line(finding)
        beside = Text(limited(finding, among), style="yellow")
        grid.add_row(*line, _outcome(outcome), beside if finding.as_expected else Text(finding.should, style="bold red"))
    return grid


def prices_grid(frame: pd.DataFrame, of: Price, settings: Settings) -> Sheet:
    """The sheet of prices, a line a cell and mechanism: n* and the price of privacy."""
    of_what = prices.sought(settings)
    headings = lines.price_headings(of_what)
    grid = Sheet(f"{of_what}* and the price of privacy", headings, [headings[place] for place in (6, 4, 3)])
    for line in prices.price_lines(frame, of, settings):
        grid.add_row(*line)
    return grid


def explanation(replay: Replay, path: Location) -> Group:
    """A replayed trial as text for the terminal: is it the stored one, what led to what, and what each claim says of it."""
    heading = Text(f"{one_line(str(replay.address))}: ")
    if replay.differing:
        heading.append(f"differs from {path}", style="bold red")
        for column, (stored, now) in replay.differing.items():
            heading.append(f"\n  {column} is {value(now)}, stored {value(stored)}")
    elif replay.stored:
        heading.append(f"identical to {path}", style="green")
    else:
        heading.append(f"not in {path}; run as the spec asks")
    for what, (stored, now) in replay.versions.items():
        heading.append(f"\n  the table was made with {what} {value(stored)}; this is {value(now)}", style="dim")
    steps = Sheet("", ("column", "value", "meaning"), numbers=("value",), headed=False)
    for title, facts in replay.steps:
        steps.add_row(Text(f"\n{title}", style="bold"))
        for fact in facts:
            steps.add_row(f"  {fact.name}", value(fact.value), Text(fact.meaning, style="dim"))
    judged = [
        Text("\nthe claims", style="bold"),
        *(line for each in replay.judgements for line in _judged(each, replay.meanings)),
    ]
    if not replay.judgements:
        judged.append(Text("  none of the experiment's claims speaks of this row"))
    if replay.elsewhere:
        judged.append(Text(f"  not about a single trial: {', '.join(replay.elsewhere)}", style="dim"))
    return Group(heading, steps, *judged)


def _judged(judgement: Judgement, meanings: Mapping[str, str]) -> list[Text]:
    """A claim on one trial: the event as a whole, then each quantity against its bound."""
    if not judgement.event:
        return [Text(f"  {judgement.claim}: vacuous here, it promises nothing", style="dim")]
    allowed = f", which may happen with probability at most {judgement.allowed:g}" if judgement.allowed else ""
    outcome = f"failed{allowed}" if judgement.failed else "kept"
    lines = [Text(f"  {judgement.claim}: {outcome}", style="bold red" if judgement.failed else "green")]
    for part in judgement.event:
        sign, style = (">≥"[part.strict], "red") if part.broken else ("≤<"[part.strict], "")
        kept = Text(f"    {part.quantity} {value(part.measured)} {sign} {value(part.most)}", style=style)
        lines.append(kept.append(f"  {meanings.get(part.quantity, '')}", style="dim"))
    return lines


def _outcome(outcome: str) -> Text:
    return Text(outcome, style=COLOURS[outcome])
