"""YAML with the line of everything in it, and one line on everything that is wrong with it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.sweep.errors import InputError
from harness.sweep.spec.document import Document

if TYPE_CHECKING:
    from tests.support.project import Project

NESTED = """\
# a comment
title: one

m:
  - 100
  - 1000
figure:
  x: m
  panels: [learner,
           distribution]
distribution:
  - name: hard
    c: 1
  - uniform
exclude: &both
  - {m: 100,
     learner: midpoint}
zip: *both
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("title",), 2),
        (("m",), 4),
        (("m", 0), 5),
        (("m", 1), 6),
        (("figure", "x"), 8),
        (("figure", "panels", 1), 10),
        (("distribution", 0, "c"), 13),
        (("distribution", 1), 14),
        (("exclude", 0, "learner"), 17),
        (("zip",), 18),
        (("zip", 0, "learner"), 17),
        (("figure", "x", "deeper"), 8),
        (("distribution", 7, "c"), 11),
        (("absent",), None),
        ((), None),
    ],
)
def test_everything_has_its_line_or_that_of_the_nearest_thing_around_it(
    project: "Project", place: tuple[str | int, ...], line: int | None
) -> None:
    assert Document(project.text(NESTED)).line(place) == line


def test_the_content_is_what_the_safe_loader_reads(project: "Project") -> None:
    document = Document(project.text(NESTED))
    assert document.text == NESTED
    assert document.content["distribution"] == [{"name": "hard", "c": 1}, "uniform"]
    assert document.content["zip"] == document.content["exclude"] == [{"m": 100, "learner": "midpoint"}]


BAD = {
    "empty": ("", ":1: a spec is a mapping of keys to values"),
    "a comment": ("# nothing\n", ":1: a spec is a mapping of keys to values"),
    "null": ("null\n", ":1: a spec is a mapping of keys to values"),
    "a list": ("- title\n- question\n", ":1: a spec is a mapping of keys to values"),
    "a word": ("hello\n", ":1: a spec is a mapping of keys to values"),
    "an open list": ("title: x\nm: [1, 2\nseed: 3\n", ":3: not valid YAML: expected ',' or ']', but got ':'"),
    "a tab": ("title: x\n\tm: 1\n", ":2: not valid YAML: found character '\\t' that cannot start any token"),
    "two documents": ("title: x\n---\ntitle: y\n", ":2: not valid YAML: but found another document"),
    "a key twice": ("title: x\nm: 1\ntitle: y\n", ":3: title: the key appears twice"),
    "an inner key twice": ("figure:\n  x: m\n  x: n\n", ":3: x: the key appears twice"),
    "a number as key": ("title: x\n3: y\n", ":2: 3: a key must be text"),
    "null as key": ("title: x\nnull: y\n", ":2: null: a key must be text"),
    "yes as key": ("title: x\nyes: y\n", ":2: yes: a key must be text"),
    "a list as key": ("title: x\n? [1, 2]\n: y\n", ":2: a key must be text"),
    "an unknown alias": ("title: x\nm: *size\n", ":2: not valid YAML: found undefined alias 'size'"),
    "an endless alias": ("title: x\nexclude: &loop [*loop]\n", ":2: an alias stands within what it names"),
    "no such day": (
        "title: x\nquestion: 2020-99-99\n",
        ":2: not valid YAML: '2020-99-99' cannot be read as timestamp: month must be in 1..12",
    ),
    "a number without end": (
        f"title: x\nm: {'9' * 5000}\n",
        f":2: not valid YAML: '{'9' * 37}...{'9' * 38}' cannot be read as int: 5,000 digits; allowed: at most 400",
    ),
    "a number that is none": (
        "title: x\nm: !!float many\n",
        ":2: not valid YAML: 'many' cannot be read as float: allowed: plain digits, such as 1000 or 0.05",
    ),
    "a number of nothing": ("title: x\nm: !!float\n", ":2: not valid YAML: '' cannot be read as float: "),
    "a number in sixties": ("m: !!int 1:30\n", ":1: not valid YAML: '1:30' cannot be read as int: allowed: plain digits"),
    "a text without end": (f"title: x\nm: {'x' * 10_001}\n", ":2: a text of 10,001 characters; allowed: at most 10,000"),
    "half a character": ('title: x\nm: "\\udfff"\n', ":2: half a character in '\\udfff'; allowed: whole ones"),
    "many values": (f"m: [{'1, ' * 50_000}]\n", ":1: too long: allowed are 20,000 keys and values, wherever an alias repeats"),
    "a long file": ("m: 1\n#" + "x" * 10**6, ": longer than is read; allowed: at most 1,000,000 bytes"),
    "a control character": ("title: x\nm: \x07\n", ":2: not valid YAML: the character #x0007 is not allowed"),
    "an object": ("title: x\nm: !!python/object/apply:os.system [true]\n", ":2: not valid YAML: could not determine a constr"),
    "a name of Python": ("title: !!python/name:os.system\n", ":1: not valid YAML: could not determine a constructor"),
    "a tag": ("title: !secret x\n", ":1: not valid YAML: could not determine a constructor for the tag '!secret'"),
    "brackets without end": ("m: " + "[" * 5000 + "]" * 5000 + "\n", ": not valid YAML: too many brackets within brackets"),
}


LONG = ("many values", "brackets without end")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [pytest.param(*each, id=name, marks=pytest.mark.law if name in LONG else ()) for name, each in BAD.items()],
)
def test_what_is_not_a_spec_is_told_in_one_line(project: "Project", text: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        Document(project.text(text))
    message = str(error.value)
    assert message.startswith(f"experiments/small.yaml{complaint}") and "\n" not in message


def test_a_file_that_cannot_be_read_is_told_in_one_line(project: "Project") -> None:
    path = project.text("")
    path.write_bytes(bytes(range(256)))
    with pytest.raises(
        InputError, match=r"^experiments/small\.yaml: not a text file in UTF-8: invalid start byte at byte 128$"
    ):
        Document(path)
    with pytest.raises(InputError, match=r"^experiments/none\.yaml: no such file$"):
        Document(Path("experiments/none.yaml"))
    with pytest.raises(InputError, match=r"^experiments: cannot be read: Is a directory$"):
        Document(Path("experiments"))


def test_a_byte_order_mark_and_foreign_line_ends_are_no_matter(project: "Project") -> None:
    path = project.text("")
    path.write_bytes("\ufefftitle: ü\r\nm: 1\r\n".encode())
    document = Document(path)
    assert document.content == {"title": "ü", "m": 1} and document.line(("m",)) == 2
