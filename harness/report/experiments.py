"""Experiments by their names: where their specs are, and their sweeps."""

from collections.abc import Sequence
from pathlib import Path

from harness.registry import nearest
from harness.report.defaults import EXPERIMENTS, PACKAGED
from harness.sweep.errors import InputError
from harness.sweep.files.names import FORM, checked, distinct
from harness.sweep.plugins import loaded
from harness.sweep.spec import Sweep


def spec_path(name: str) -> Path:
    """The path of the spec of an experiment. name: as in experiments/NAME.yaml, or the path of a spec anywhere.

    An experiment that is not in experiments/ is the one of the package, or of a plugin that was installed, if these have it.
    Raises InputError where no experiment can have the name.
    """
    is_path = name.endswith((".yaml", ".yml"))
    path = Path(name) if is_path else EXPERIMENTS / f"{name}.yaml"
    checked(path.stem if is_path else name, path)
    if is_path or path.exists():
        return path
    return next((spec for spec in packaged_specs() if spec.name == path.name), path)


def spec_named(written: Path) -> Path:
    """The path of the spec that a word of the command line means: a file, or else an experiment by its name."""
    if written.name != str(written) or not FORM.fullmatch(written.name) or written.suffix or written.exists():
        return written
    path = spec_path(written.name)
    return path if path.exists() else written


def experiment(name: str) -> Sweep:
    """The sweep of an experiment, by its name or by the path of its spec. Raises InputError where there is none."""
    path = spec_path(name)
    if not path.exists():
        raise InputError(f"no experiment {name!r}; {nearest(name, [spec.stem for spec in spec_files() or packaged_specs()])}")
    return Sweep(path)


def spec_paths(names: Sequence[str]) -> list[Path]:
    """The paths of the specs of several names. Raises InputError also where two of them would have the same files."""
    paths = [spec_path(name) for name in names]
    distinct(paths)
    return paths


def spec_files() -> list[Path]:
    """The paths of all committed specs."""
    return sorted(EXPERIMENTS.glob("*.yaml"))


def packaged_specs() -> list[Path]:
    """The paths of all specs that come with the package, or with an installed plugin."""
    folders = dict.fromkeys([PACKAGED, *(folder for plugin in loaded() for folder in plugin.experiments)])
    return [spec for folder in folders for spec in sorted(folder.glob("*.yaml"))]


def all_experiments() -> list[Sweep]:
    """The sweeps of all committed specs."""
    return [Sweep(path) for path in spec_files()]


def known_experiments() -> list[Sweep]:
    """The sweeps of this folder's specs, or of the package's where there are none."""
    return all_experiments() or [Sweep(path) for path in packaged_specs()]
