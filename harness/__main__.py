"""The command `harness`, also `python -m harness`."""

import os
import sys

from harness.sweep.run.memory import uncollected
from harness.sweep.stopping import stoppable


def main() -> None:
    """Entry point. Signals are obeyed from here on, also while all else is loaded."""
    open_to_nowhere()
    with stoppable():
        with uncollected():
            from harness import cli

        cli.main()


def open_to_nowhere() -> None:
    """Opens closed standard streams to the null device and draws figures without a screen, so that neither can end a command.

    What is closed is opened to nowhere, first of all, before a file of results takes its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    os.environ["MPLBACKEND"] = "agg"


if __name__ == "__main__":
    main()
