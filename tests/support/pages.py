"""What people read: the README, and the pages that are written. A section is found by its heading, wherever it stands."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "harness" / "docs" / "pages"
README = ROOT / "README.md"


def files() -> list[Path]:
    """The README first."""
    return [README, *sorted(FOLDER.glob("*.md"))]


def all_of_it() -> str:
    """The texts of all, one after another."""
    return "\n\n".join(path.read_text(encoding="utf-8") for path in files())


def section(heading: str) -> str:
    """What stands under a heading, of which there is one in all files."""
    (found,) = [text.split(f"\n## {heading}\n")[1] for text in texts() if f"\n## {heading}\n" in text]
    return found.split("\n## ")[0]


def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in files()]
