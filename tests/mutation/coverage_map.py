"""Which tests of a room come to which lines, and how long each takes: from one run of all of them."""

import ast
import json
import time
from collections.abc import Generator
from functools import cache
from pathlib import Path

import coverage
import pytest

from tests.mutation.judge import forked, run
from tests.mutation.mutants import Mutant, source
from tests.mutation.rooms import LOOK, ROOT, ROWS, Room

MOST = 30.0
"""Seconds of tests in one go: the quickest that come to the changed line, then the quickest of the others."""


class _Watch:
    """For pytest: one context of coverage a test, and its seconds."""

    def __init__(self, data: coverage.Coverage) -> None:
        self.data = data
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.data.switch_context(item.nodeid)
        started = time.perf_counter()
        result = yield
        self.seconds[item.nodeid] = time.perf_counter() - started
        self.data.switch_context("")
        return result


def made(room: Room, path: Path) -> None:
    """Runs all tests of a room and writes what they come to. They must pass."""

    def work() -> int:
        data = coverage.Coverage(data_file=None, include=[str(ROOT / "harness" / "*")], config_file=False)
        watch = _Watch(data)
        data.start()
        code = run(room.tests, [watch], {})
        data.stop()
        found = data.get_data()
        tests = list(watch.seconds)
        number = {test: index for index, test in enumerate(tests)}
        lines = {
            file: {
                line: [number[test] for test in contexts if test in number]
                for line, contexts in found.contexts_by_lineno(str(ROOT / file)).items()
            }
            for file in room.files()
        }
        path.write_text(json.dumps({"tests": tests, "seconds": list(watch.seconds.values()), "lines": lines}))
        return code

    code, said = forked(work, 1800)
    if code != 0:
        path.unlink(missing_ok=True)
        raise RuntimeError(f"the tests of this room do not pass:\n{said[-3000:]}")


class Covered:
    """What was written, read."""

    def __init__(self, path: Path) -> None:
        found = json.loads(path.read_text())
        self.tests: list[str] = found["tests"]
        self.seconds: dict[str, float] = dict(zip(self.tests, found["seconds"], strict=True))
        self.lines: dict[str, dict[str, list[int]]] = found["lines"]

    def near(self, mutant: Mutant) -> list[str]:
        """The tests that come to the changed statement; of one that runs when its module is imported, to the file."""
        lines = self.lines[mutant.file]
        own = {test for line in statement(mutant.file, mutant.last) for test in lines.get(str(line), ())}
        return [self.tests[test] for test in sorted(own or {test for tests in lines.values() for test in tests})]

    def of(self, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that come to the changed statement, in turn, and others that come to its file; the quick ones.

        A statement that runs when its module is imported, and no more, is one of all tests that come to the file, and of those
        that look at what modules define. So may be one with functions in it that tests come to: these look at it later.
        """
        lines = self.lines[mutant.file]
        near = {test for line in statement(mutant.file, mutant.last) for test in lines.get(str(line), ())}
        all_near = {test for tests in lines.values() for test in tests}
        runs = any(str(line) in lines for line in statement(mutant.file, mutant.last))
        looks = {index for index, test in enumerate(self.tests) if test.startswith(LOOK)}
        first = near or (all_near | looks if runs else set())
        others = (all_near | looks) - first if runs else set()
        names, rest = ({self.tests[test] for test in found} for found in (first, others))
        return self.few(names, mutant.file), self.few(rest, mutant.file)

    def in_turn(self, tests: set[str], file: str) -> list[str]:
        """File by file: the one that is named after the module, that with rows of everything, then the quick ones."""
        files: dict[str, list[str]] = {}
        for test in sorted(tests, key=self.seconds.__getitem__):
            files.setdefault(test.partition("::")[0], []).append(test)

        def cost(name: str) -> tuple[bool, bool, float]:
            own = name.endswith(f"test_{file.rpartition('/')[2]}")
            return not own, name != ROWS, sum(map(self.seconds.__getitem__, files[name]))

        return [test for name in sorted(files, key=cost) for test in files[name]]

    def few(self, tests: set[str], file: str) -> list[str]:
        """The quickest, as many as MOST allows."""
        found, spent = set(), 0.0
        for test in sorted(tests, key=self.seconds.__getitem__):
            spent += self.seconds[test]
            if spent < MOST:
                found.add(test)
        return self.in_turn(found, file)


@cache
def statements(file: str) -> list[range]:
    """The lines of every statement; of one that has others in it, its head."""
    found = []
    for node in ast.walk(ast.parse(source(file))):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            first = getattr(node, "lineno", None) or node.pattern.lineno  # type: ignore[union-attr]
            decorators = [each.lineno for each in getattr(node, "decorator_list", [])]
            inside = [each.lineno for each in getattr(node, "body", []) if hasattr(each, "lineno")]
            last = min(inside) - 1 if inside else getattr(node, "end_lineno", first)
            found.append(range(min([first, *decorators]), max(first, last) + 1))
    return found


def statement(file: str, line: int) -> range:
    """The smallest statement that has a line."""
    return min((lines for lines in statements(file) if line in lines), key=len, default=range(line, line + 1))
