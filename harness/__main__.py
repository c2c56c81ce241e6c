"""The command `harness`, also `python -m harness`."""

from harness.sweep.stopping import stoppable


def main() -> None:
    """Entry point. Signals are obeyed from here on, also while all else is loaded."""
    with stoppable():
        from harness import cli

        cli.main()


if __name__ == "__main__":
    main()
