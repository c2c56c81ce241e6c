"""A report of some experiments, and a browser that shows it: one of either for all files that a worker tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.report.page.browser import chromium, console, media, show
from tests.report.page.experiments import SPECS
from tests.support.project import Project, Said


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with its tables."""
    project = Project(tmp_path_factory.mktemp("page"))
    specs = [project.spec(name, **changes) for name, changes in SPECS.items()]
    ran = project.process("run", *specs, "--serial")
    assert (ran.code, ran.err) == (0, "")
    return project


@pytest.fixture(scope="session")
def written(measured: Project) -> Said:
    """Its report, in results/runs/report.html."""
    return measured.process("report")


@pytest.fixture(scope="session")
def file(measured: Project, written: Said) -> Path:
    assert (written.code, written.err) == (0, "")
    return measured.root / "results/runs/report.html"


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser saves."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def browser(downloads: Path) -> Iterator[Chrome]:
    with chromium(downloads) as browser:
        yield browser


@pytest.fixture
def page(browser: Chrome, file: Path) -> Iterator[Chrome]:
    """The report, just opened. Whatever a test does with it, the console stays empty."""
    media(browser)
    show(browser, file)
    yield browser
    assert console(browser) == []
