"""Text: whatever a spec, a table or a command line says is shown as that text, everywhere, and does nothing but be read."""

import json
import os
import subprocess
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from shutil import which
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.text import UNFIT, command, one_line, printable
from tests.bad_input.mutations import FRESH, NASTY, READERS, REFERENCE, ROW, SPEC, resealed

if TYPE_CHECKING:
    from tests.support.bench import Bench

pytestmark = pytest.mark.filterwarnings("ignore")  # of numpy, about tables that no run has made

TEXT = st.sampled_from(NASTY) | st.text(max_size=40) | st.text("$\\{}_^&<>|`[]()*#@:/ \n\x1b\u202eaé", max_size=40)
FITTING = TEXT.filter(lambda text: not UNFIT.search(text)) | st.text("$\\{}<>&|`[]:\n\u200b\xad\ue000é", max_size=40)
WORDS = [[*words, *(["--summary", "page.md"] if words[0] == "check" else [])] for words in (["check", SPEC], ["claims"])]
SHOWN = READERS | st.sampled_from([*WORDS, ["claims", "BTT18:T3.2"], ["figures", "small", "--results", "results/runs"]])


def controls(text: str) -> set[str]:
    """The characters of what was said that are more than a letter, a space or a line's end."""
    return {each for each in text if not each.isprintable()} - {"\n"}


def spec(bench: "Bench", **changes: Any) -> bytes:
    """The text of the small spec with other values."""
    return yaml.safe_dump(bench.spec | changes, sort_keys=False).encode()


def grouped(title: str) -> dict[str, Any]:
    """A figure with one group of mechanisms."""
    return {"x": "m", "panels": ["learner"], "groups": {title: ["A_binClas", "noisy_majority"]}}


class Page(HTMLParser):
    """What a browser makes of a page. elements: every start of one with the names of its attributes. text: all of it."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: Counter[tuple[str, ...]] = Counter()
        self.texts: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements[tag, *(name for name, _ in attributes)] += 1
        self.texts += [value or "" for _, value in attributes]

    def handle_data(self, text: str) -> None:
        self.texts.append(text)


@pytest.mark.law
@settings(max_examples=settings().max_examples // 6)
@given(title=FITTING, question=FITTING, group=FITTING, words=SHOWN)
@example(title="", question="in\u200bvisible \ue000", group="\xad", words=["run", SPEC, "--serial"])
@example(title="\u200b", question="<b>&amp;\u200b", group="$", words=["report", SPEC])
def test_any_text_of_a_spec_is_shown(bench: "Bench", title: str, question: str, group: str, words: list[str]) -> None:
    bench.put(SPEC, spec(bench, title=title, question=question, figure=grouped(group)))
    said = bench.harness(*words)
    assert not controls(said.out + said.err), said
    if words in (["run", SPEC, "--serial"], ["check", SPEC]):
        assert f"small: {one_line(question)} (" in said.out, said
    if "results/runs/report.html" in bench.left:
        page = Page(bench.left["results/runs/report.html"])
        label = printable(f"{title}. {question} Arrow keys read its marks.", "\n\t")
        assert {printable(question, "\n\t"), label} <= set(page.texts)


@pytest.mark.parametrize("where", ["title", "question", "group", "figure", "key", "exclude", "--set"])
@pytest.mark.parametrize("character", ["\x1b", "\x07", "\0", "\x9b", "\r", "\u202e", "\u2066", "\u2028"], ids=ascii)
def test_what_controls_a_terminal_or_turns_a_text_is_refused_with_its_line(bench: "Bench", where: str, character: str) -> None:
    text, words, place = f"a{character}b", ["run", SPEC, "--serial"], "--set title"
    changes: dict[str, dict[str, Any]] = {
        "title": {"title": text},
        "question": {"question": text},
        "figure": {"figure": {"x": text}},
        "group": {"figure": {"groups": {text: ["A_binClas"]}, "x": "m"}},
        "exclude": {"exclude": [{"learner": text}]},
        "key": {text: 1},
    }
    if where == "--set":
        words = [*words, "--set", f"title={json.dumps(text)}"]
    else:
        content = spec(bench, **changes[where])
        bench.put(SPEC, content)
        before = content[: content.index(b"a\\")]
        place = f"{SPEC}:{len(before.splitlines())}"
    said = bench.harness(*words)
    what = f"the character U+{ord(character):04X} in {text!r}; allowed: all but controls and marks of direction"
    assert (said.code, said.out, said.err) == (2, "", f"error: {place}: {what}\n"), said


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"title": "x" * 201}, ":1: title: text of at most 200 characters is needed, not 'xxx"),
        ({"question": "x" * 10**4}, ":2: question: text of at most 1,000 characters is needed, not 'xxx"),
        ({"figure": grouped("x" * 101)}, ": figure.groups: text of at most 100 characters is needed, not 'xxx"),
        ({"question": "x" * 10**5}, ":2: a text of 100,000 characters"),
        ({"x" * 9999: 1}, "xxx: unknown key; "),
    ],
)
def test_long_text_is_refused_in_few_words(bench: "Bench", change: dict[str, Any], place: str) -> None:
    bench.put(SPEC, spec(bench, **change))
    said = bench.harness("run", SPEC, "--serial")
    assert said.code == 2 and place in said.err and said.err.startswith(f"error: {SPEC}:") and len(said.err) < 2100, said


@pytest.mark.law
@settings(max_examples=60)
@given(st.data())
def test_any_text_of_a_table_is_shown_or_refused(bench: "Bench", data: st.DataObject) -> None:
    rows, provenance, text = bench.table.rows, json.loads(json.dumps(bench.table.provenance)), data.draw(TEXT)
    columns = [name for name in rows.column_names if pa.types.is_string(rows.schema.field(name).type)]
    place = data.draw(st.sampled_from([*columns, *columns, "spec", "commit", "set", "makes", "packages", "numpy", "a new key"]))
    if place in columns:
        value = json.dumps({text: [text]}) if place.endswith("_parameters") else text
        some = data.draw(st.sampled_from([[0], list(range(len(rows)))]))
        changed = [value if at in some else old for at, old in enumerate(rows[place].to_pylist())]
        rows = rows.set_column(rows.column_names.index(place), rows.schema.field(place), pa.array(changed, pa.string()))
    elif place in ("set", "makes", "packages"):
        provenance[place] |= {text: text}
    elif place == "numpy":
        provenance["makes"]["numpy"] = text
    else:
        provenance[text if place == "a new key" else place] = text
    words = data.draw(SHOWN)
    bench.put(data.draw(st.sampled_from([FRESH, REFERENCE])), resealed(place, rows, provenance).content)
    said = bench.harness(*words)
    assert not controls(said.out + said.err), said
    for path in {"results/runs/report.html", "page.md"} & bench.left.keys():
        assert not controls(bench.left[path].decode()) - {"\t"}


@pytest.mark.law
def test_a_table_adds_text_to_the_page_and_no_element(bench: "Bench") -> None:
    words, path = ["report", SPEC], "results/runs/report.html"
    assert bench.harness(*words).code == 0
    plain = Page(bench.left[path])
    for text in NASTY:
        digest = sha256(text.encode()).hexdigest()
        provenance = json.loads(json.dumps(bench.table.provenance)) | {"spec": text, "spec_sha256": digest, "commit": text}
        bench.put(FRESH, resealed("", bench.table.rows, provenance).content)
        bench.put(SPEC, spec(bench, question=UNFIT.sub("", text), title=UNFIT.sub("", text)))
        assert bench.harness(*words).code == 0
        page = Page(bench.left[path])
        assert page.elements == plain.elements
        assert not text or printable(text, "\n\t") in page.texts


@pytest.mark.parametrize(
    "words",
    [
        ["{}"],
        ["--{}"],
        ["--plugin", "{}", "claims"],
        ["run", "{}"],
        ["run", "--{}"],
        ["run", SPEC, "--workers", "{}"],
        ["run", SPEC, "--address", "{}"],
        ["run", SPEC, "--serial", "--set", "{}"],
        ["run", SPEC, "--serial", "--set", "m={}"],
        ["run", SPEC, "--serial", "--set", "{}=1"],
        ["check", SPEC, "--out", "{}"],
        ["check", SPEC, "--summary", "nowhere/{}"],
        ["claims", "{}"],
        ["claims", "BTT18:T3.2", "{}"],
        ["replay", "{}"],
        ["replay", "{}/0/0/{}"],
        ["replay", "small/{}/0/A_binClas"],
        ["replay", ROW, "--out", "{}"],
        ["figures", "{}"],
        ["figures", "--results", "{}"],
        ["accept", "{}"],
        pytest.param(["report", "--out", "{}"], marks=pytest.mark.law),
        ["columns", "{}"],
        ["table", "{}"],
        ["table", "small", "--out", "{}"],
        ["plan", "--m", "{}"],
        ["plan", "--m", "10", "--n", "1e9", "--concept", "{}"],
    ],
    ids=" ".join,
)
def test_no_argument_reaches_the_terminal_but_as_text(bench: "Bench", words: list[str]) -> None:
    for text in ("\x1b]0;title\x07\x1b[31m", "\u202e\u2066\x9b", "[/red]\r\n", "\udcff"):
        said = bench.harness(*(word.replace("{}", text) for word in words))
        assert not controls(said.out + said.err) and said.err.count("\n") < 12, said


@pytest.mark.skipif(which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("word", ["a b", "", "\x1b[31m", "it's\n\\n", "\u202e\x9bε", "\udcff", "a\x07f", "-\t$x"], ids=ascii)
def test_a_command_that_is_offered_can_be_copied(word: str) -> None:
    offered = command(["printf", "%s", word])
    assert not controls(offered)
    said = subprocess.run(["bash", "-c", offered], capture_output=True, check=True)
    assert said.stdout == os.fsencode(word)
