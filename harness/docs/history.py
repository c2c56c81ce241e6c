"""The page of what became of each claim: its verdict and its slack, commit by commit."""

from collections import Counter
from collections.abc import Sequence
from math import log

from harness.docs.markdown import code, escaped, table
from harness.report.history import GONE, PLACE, HistoryLine, latest, read

INTRODUCTION = """\
How loose each claim is, and what was found of it, by commit. `harness history --append` judges the committed tables, and adds
to [results/history.csv](../../../results/history.csv) a line for each claim whose verdict or slack changed; a job does so every
night. Slack is that of the verdict that says most: bound over measured.
"""
BARS = "▁▂▃▄▅▆▇█"
NONE = "There is no `results/history.csv` here.\n"


def page() -> str:
    """The Markdown of the page of verdicts by commit.
    It says how many claims had which verdict after each commit that changed any, with a line a claim.
    """
    lines = read(PLACE)
    if not lines:
        return f"{INTRODUCTION}\n{NONE}"
    commits = list(dict.fromkeys((line.commit, line.date) for line in lines))
    states = [latest(line for line in lines[: _end(lines, commit)]) for commit, _ in commits]
    words = [word for word, _ in Counter(line.verdict for line in lines).most_common() if word != GONE]
    tallies = [Counter(line.verdict for line in state.values()) for state in states]
    rows = [
        (code(commit), date, *(tally[word] for word in words)) for (commit, date), tally in zip(commits, tallies, strict=True)
    ]
    drawn = [_claim(claim, line, states) for claim, line in sorted(states[-1].items())]
    heads = ("claim", "verdict", "slack", "since", f"slack over {len(commits)} commits", "before")
    return f"{INTRODUCTION}\n## By commit\n\n{table(('commit', 'date', *words), rows)}\n## By claim\n\n{table(heads, drawn)}"


def bars(slacks: Sequence[str]) -> str:
    """Numbers, given as text, as a bar chart in one line: a bar as high as the logarithm for each, a dot for a missing one.

    Where all are one number the bars are of middle height.
    """
    sizes = [log(float(each)) if each and float(each) > 0 else None for each in slacks]
    seen = [each for each in sizes if each is not None]
    if not seen:
        return ""
    low, wide = min(seen), max(seen) - min(seen)
    return "".join("·" if each is None else BARS[round((each - low) / wide * 7) if wide else 3] for each in sizes)


def _end(lines: Sequence[HistoryLine], commit: str) -> int:
    """The place after the last line of a commit."""
    return max(place for place, line in enumerate(lines) if line.commit == commit) + 1


def _claim(claim: str, line: HistoryLine, states: Sequence[dict[str, HistoryLine]]) -> tuple[str, ...]:
    states_of = [state[claim] for state in states if claim in state]
    missing = [""] * (len(states) - len(states_of))
    verdicts = list(dict.fromkeys(each.verdict for each in states_of if each.verdict != line.verdict))
    since = next(each.date for each in states_of if each.verdict == line.verdict)
    drawn = bars([*missing, *(each.slack for each in states_of)])
    return (code(claim), escaped(line.verdict), line.slack, since, drawn, escaped(", ".join(verdicts)))
