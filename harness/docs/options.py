"""The page of every command with its options, as the command line that is running has them."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.docs.markdown import code, escaped, table
from harness.report.console import named_parts

INTRODUCTION = """\
`--plugin FILE` may be given to each of them, anywhere, and more than once: a file with parts of yours.
"""


def page(commands: Mapping[str, Any]) -> str:
    """The Markdown of the page of options: a section for each command, in the order of `harness --help`."""
    return "\n".join([INTRODUCTION, *(_section(name, command) for name, command in commands.items())])


def _section(name: str, command: Any) -> str:
    lines = list(_lines(command))
    options = f"\n{table(('option', 'what it is', 'default'), lines)}" if lines else ""
    examples = (command.epilog or "").split("\n\n")[1:]
    shown = "\n```sh\n{}\n```\n".format("\n".join(examples)) if examples else ""
    return f"## {escaped(name)}\n\n{escaped(command.help or '')}\n{shown}{options}"


def _lines(command: Any) -> Iterator[tuple[str, str, str]]:
    """Of each argument and option its name with what it takes, what it is, and what holds without it."""
    for param in command.params:
        if param.name == "help" or getattr(param, "hidden", False):
            continue
        argument = param.param_type_name == "argument"
        name = (param.metavar or param.name.upper()) if argument else ", ".join(param.opts)
        if not argument and not param.is_flag:
            name += f" {param.metavar or 'VALUE'}"
        default = "" if param.default in (None, False) or callable(param.default) else param.default
        yield code(name), escaped(named_parts(getattr(param, "help", None) or "")), code(default)
