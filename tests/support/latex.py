"""pdfLaTeX, Debian's, as an author has it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGES = "texlive-latex-recommended and texlive-fonts-recommended"


def compiled(source: str, folder: Path) -> bytes:
    """The PDF of a whole LaTeX file. Skips the test where there is no TeX, but not in CI, which has to have one.

    Raises AssertionError where it does not compile, or refers to what is not there.
    """
    if shutil.which("pdflatex") is None:
        assert "CI" not in os.environ, f"CI needs {PACKAGES}"
        pytest.skip(f"needs pdflatex: {PACKAGES}")
    (folder / "said.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "said.tex"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=280, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert "Undefined" not in ended.stdout
    return (folder / "said.pdf").read_bytes()
