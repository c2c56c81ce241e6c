"""The command `harness`, also `python -m harness`."""

import gc

from harness.sweep.stopping import stoppable


def main() -> None:
    """Entry point. Signals are obeyed from here on, also while all else is loaded."""
    with stoppable():
        from harness import cli

        try:
            cli.main()
        finally:  # what there is goes with the process: a last search for cycles among it takes up to a second
            gc.freeze()


if __name__ == "__main__":
    main()
