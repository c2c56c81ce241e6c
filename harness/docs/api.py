"""The page of what Python offers: the names of the package and of its accountant, their parameters, and what they are."""

import inspect
from typing import Any

import harness
from harness import accountant
from harness.docs.markdown import docstring, escaped

INTRODUCTION = """\
```python
import harness
```

[From Python](python.md) has an example. What stands here is made from the code. The functions of the
[accountant](accountant.md) are at the end.
"""


def page() -> str:
    """The Markdown of the page of the Python interface: a section for every name that the package offers."""
    verbs = (_section(name, getattr(harness, name)) for name in harness.__all__)
    spent = (_section(f"accountant.{name}", getattr(accountant, name)) for name in accountant.__all__ if name != "ORDERS")
    return "\n".join([INTRODUCTION, *verbs, *spent])


def _section(name: str, part: Any) -> str:
    lines = [f"## {escaped(name)}\n", f"```python\n{name}{_signature(part)}\n```\n", f"{docstring(part)}\n"]
    if inspect.isclass(part):
        members = {key: value for key, value in vars(part).items() if not key.startswith("_") and inspect.getdoc(value)}
        lines += [f"- `{_member(key, value)}`: {_first(value)}\n" for key, value in members.items() if _offered(value)]
    return "\n".join(lines)


def _offered(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, property)


def _member(name: str, member: Any) -> str:
    """A property by its name, a method with its parameters."""
    return name if isinstance(member, property) else name + _signature(member).replace("(self, ", "(").replace("(self)", "()")


def _signature(part: Any) -> str:
    """Parameters with their types, as the code has them; an exception's are what it is raised with, and nobody's to give."""
    if inspect.isclass(part) and issubclass(part, Exception):
        return ""
    return str(inspect.signature(part)).replace("'", "")


def _first(member: Any) -> str:
    return escaped(" ".join((inspect.getdoc(member) or "").partition("\n\n")[0].split()))
