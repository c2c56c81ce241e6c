"""The command that shows the pages, and the one that prints the schema of a spec."""

import json
from pathlib import Path
from typing import Annotated

import typer

from harness.docs import ORDER, page, title
from harness.report.console import Terminal, console, examples
from harness.report.looking import place

app = typer.Typer()


@app.command(epilog=examples("harness docs", "harness docs tutorial", "harness docs --html site"))
def docs(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="A page, by its name; by default the list of them.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(parser=place, metavar="PATH", help="Write all of them as a site into this folder.")
    ] = None,
) -> None:
    """The pages of the documentation, which need no network: the list, one of them, or all as a site."""
    commands = context.find_root().command.commands  # type: ignore[attr-defined]
    if html is not None:
        from harness.docs.site import build

        count = build(html, Path(), commands)
        console.print(f"{html}/index.html: {count} pages")
    elif name is not None:
        show(console, page(name, commands))
    else:
        for group, names in ORDER.items():
            console.print(group)
            for one in names:
                console.print(f"  {one:<18}{title(one)}")


def show(console: Terminal, text: str) -> None:
    """Prints a documentation page: laid out on a terminal, and as Markdown elsewhere."""
    if console.is_terminal:
        from harness.docs.setting import TerminalPage

        console.print(TerminalPage(text, hyperlinks=False))
    else:
        console.print(text)


@app.command(epilog=examples("harness schema", "harness schema > spec.schema.json"))
def schema() -> None:
    """Print JSON Schema of a spec, by which an editor completes and checks it: every key, value and meaning, plugins' too."""
    from harness.report import schema as made

    console.print(json.dumps(made.schema(), indent=1, ensure_ascii=False))
